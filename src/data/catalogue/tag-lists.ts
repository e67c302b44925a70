// Tags in a cell, in the ways people write lists: with a separator between them, as a JSON or Python list, in braces as databases
// print them, in angle brackets, or one tag alone. What a column uses is told from its cells; a cell that is plainly written in
// another way is read in its own. `parseTags` and `formatTags` are each other's inverse for every style.

import { cleanName } from '../name.ts';
import { type PythonValue, parsePythonLiteral } from '../sources/python-literal.ts';
import { otherSeparators, SEPARATORS, separatorOf } from './tag-separators.ts';

/** How a list of tags is written in one cell. */
export interface TagStyle {
  /**
   * separated: a;b. json: ["a", "b"]. python: ['a', 'b']. braces: {a,"b c"}. angles: <a><b>. single: the cell is one tag.
   * array: the file has lists of its own (JSON, Parquet).
   */
  readonly form: 'separated' | 'json' | 'python' | 'braces' | 'angles' | 'single' | 'array';
  /** What stands between two tags, spaces included as people write them: ", " or ";". */
  readonly separator: string;
  /** Whether every tag has a "#" before it, which is no part of it. */
  readonly hash: boolean;
  /** separated: what stands between the tags of some cells instead. */
  readonly others?: readonly string[];
  /** separated: whether tags may be in quotes, which are no part of them: a|"b"|"c d". */
  readonly quoted?: boolean;
}

const PLAIN: TagStyle = { form: 'single', separator: '', hash: false };

export const SEPARATOR_NAMES: Readonly<Record<string, string>> = { '\n': 'line breaks', '\t': 'tabs', ' ': 'spaces' };

/** How the cells of a column write their tags; blank cells do not count. `separator`: what the user said it is. */
export function detectTagStyle(cells: readonly string[], separator?: string): TagStyle {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => !isEmpty(cell));
  const enclosed = { json: 0, python: 0, braces: 0, angles: 0 };
  const plain: string[] = [];
  for (const cell of filled) {
    const form = enclosedForm(cell);
    if (form === undefined) plain.push(cell);
    else enclosed[form]++;
  }
  const [form, count] = (Object.entries(enclosed) as [keyof typeof enclosed, number][]).reduce((a, b) =>
    b[1] > a[1] ? b : a,
  );
  const numEnclosed = filled.length - plain.length;
  if (separator === undefined && count > 0 && numEnclosed >= plain.length) {
    return enclosedStyle(form, filled);
  }
  return separator === undefined ? separatedStyle(plain) : givenStyle(plain, separator);
}

/** No tags, in whatever form; databases and pandas have words for nothing. */
function isEmpty(cell: string): boolean {
  return /^(\[\s*\]|\{\s*\}|\(\s*\)|set\(\)|\\N|NULL|NaN|None|<NA>|#?N\/A)?$/.test(cell);
}

function givenStyle(cells: readonly string[], given: string): TagStyle {
  const separator = cells.some((cell) => cell.includes(`${given} `)) && given.trim() !== '' ? `${given} ` : given;
  return withHash({ form: 'separated', separator, hash: false }, cells);
}

function enclosedStyle(form: 'json' | 'python' | 'braces' | 'angles', cells: readonly string[]): TagStyle {
  if (form === 'angles') return { form, separator: '', hash: false };
  const spaced = cells.filter((cell) => /["'\w], ["'\w]/.test(cell)).length;
  const tight = cells.filter((cell) => /["'\w],["'\w]/.test(cell)).length;
  const isSpaced = spaced === tight ? form === 'python' : spaced > tight;
  return withHash({ form, separator: isSpaced ? ', ' : ',', hash: false }, cells);
}

/** The list forms that show themselves. */
export function enclosedForm(cell: string): 'json' | 'python' | 'braces' | 'angles' | undefined {
  const [first, last] = [cell[0], cell[cell.length - 1]];
  if (first === '[' && last === ']') {
    if (jsonList(cell) !== undefined) return 'json';
    return pythonList(cell) === undefined ? undefined : 'python';
  }
  if (first === '(' && last === ')') return isPythonTexts(cell) ? 'python' : undefined;
  if (first === '{' && last === '}') {
    if (isPythonTexts(cell)) return 'python';
    return bracesList(cell) === undefined ? undefined : 'braces';
  }
  return first === '<' && /^(<[^<>\s/][^<>]*>)+$/.test(cell) ? 'angles' : undefined;
}

/** ('a', 'b') or {'a', 'b'}: a name in brackets is none. */
function isPythonTexts(cell: string): boolean {
  return cell[1] === "'" && pythonList(cell) !== undefined;
}

function jsonList(cell: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(cell);
    return Array.isArray(value) ? tagsOfArray(value) : undefined;
  } catch {
    return undefined;
  }
}

/** A list, a tuple or a set, also as NumPy prints them, with spaces between. */
function pythonList(cell: string): string[] | undefined {
  const inner = cell.slice(1, -1).trim();
  const text = SPACED_TEXTS.test(inner) ? inner.replace(PYTHON_TEXT, '$&,') : inner;
  try {
    const value = parsePythonLiteral({ text: `[${text.replace(/\s*\n\s*/g, ' ')}]`, number: 1 });
    return Array.isArray(value) ? tagsOfArray(value.map(plainValue)) : undefined;
  } catch {
    return undefined;
  }
}

const PYTHON_TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;
const SPACED_TEXTS = new RegExp(`^(?:${PYTHON_TEXT.source})(?:\\s+(?:${PYTHON_TEXT.source}))+$`);

/** A dict as the object it would be in JSON. */
function plainValue(value: PythonValue): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}

/** {a,b,"c, d"}: an array as PostgreSQL prints it. */
function bracesList(cell: string): string[] | undefined {
  if (cell === '{}') return [];
  const part = /("(?:[^"\\]|\\.)*"|[^",{}\\]+)(,\s*|\}$)/y;
  const tags: string[] = [];
  for (part.lastIndex = 1; part.lastIndex < cell.length; ) {
    const found = part.exec(cell);
    if (found === null) return undefined;
    tags.push(found[1].startsWith('"') ? found[1].slice(1, -1).replace(/\\(.)/gs, '$1') : found[1]);
  }
  return tags;
}

/** The keys under which lists of objects keep the name of a tag. */
export const NAME_KEYS = ['name', 'label', 'title', 'tag', 'value', 'text', 'slug', 'id'];

/** The tags in an array of a JSON or Parquet file: texts, numbers, or objects with a name. */
export function tagsOfArray(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value];
    if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
    if (typeof value !== 'object' || value === null) return [];
    const named = value as Record<string, unknown>;
    const key = NAME_KEYS.find((one) => typeof named[one] === 'string');
    return key === undefined ? [] : [named[key] as string];
  });
}

/** The separator whose parts recur most; none where whole cells do as well. */
function separatedStyle(cells: readonly string[]): TagStyle {
  const hashes = cells.filter((cell) => /^#[^\s#]+([\s,;]+#[^\s#]+)*$/u.test(cell)).length;
  const isHashed = hashes > 0 && hashes >= 0.9 * cells.length;
  if (isHashed && cells.some((cell) => /\s#/.test(cell)) && !cells.some((cell) => /[,;]/.test(cell))) {
    return { form: 'separated', separator: ' ', hash: true };
  }
  const separator = separatorOf(cells);
  if (separator === '') return withHash(PLAIN, cells);
  const spaced = cells.filter((cell) => cell.includes(`${separator} `)).length;
  const tight = cells.filter((cell) => cell.includes(separator)).length - spaced;
  const isSpaced = separator.trim() !== '' && !separator.endsWith(' ') && spaced > tight;
  const others = separator === ' ' ? [] : otherSeparators(cells, separator.trim() || separator);
  const style: TagStyle = { form: 'separated', separator: isSpaced ? `${separator} ` : separator, hash: false };
  const parts = cells.flatMap((cell) => cell.split(separator.trim() || separator));
  const quoted = parts.filter((part) => QUOTED.test(part)).length >= 0.1 * parts.length;
  return withHash({ ...style, ...(others.length > 0 && { others }), ...(quoted && { quoted }) }, cells);
}

const QUOTED = /^\s*"([^"]+)"\s*$/;

/** What stands between the tags of this cell. */
export function separatorFor(cell: string, { separator, others = [] }: TagStyle): string {
  const usual = separator.trim() || separator;
  return cell.includes(usual) ? usual : (others.find((one) => cell.includes(one)) ?? usual);
}

/** The same style, with hashes where nearly all tags have them. */
function withHash(style: TagStyle, cells: readonly string[]): TagStyle {
  const tags = cells.flatMap((cell) => parseTags(cell, style));
  const hashed = tags.filter((tag) => /^#[^#\s]/.test(tag)).length;
  return hashed > 0 && hashed >= 0.95 * tags.length ? { ...style, hash: true } : style;
}

/** Whether a cell is plainly written in another way than its column. */
export function isOtherStyle(cell: string, style: TagStyle): boolean {
  const { form, separator } = style;
  const text = cell.trim();
  if (isEmpty(text) || form === 'single') return false;
  if (form === 'array') return true;
  const own = enclosedForm(text);
  const isBoth = form === 'python' && own === 'json'; // ["it's"] is what Python prints, too
  if (form !== 'separated') return own !== form && !isBoth;
  return own !== undefined || separatorFor(text, style) !== (separator.trim() || separator);
}

/** The tags of a cell, clean and without blanks, in its order; repeats stay. */
export function parseTags(cell: string, style: TagStyle): string[] {
  const text = cell.trim();
  if (isEmpty(text)) return [];
  const tags: string[] = [];
  for (const part of rawTags(text, style)) {
    const tag = cleanName(style.hash ? part.trim().replace(/^#/, '') : part);
    if (tag !== '') tags.push(tag);
  }
  return tags;
}

function rawTags(cell: string, style: TagStyle): string[] {
  const { form } = style;
  const own = form === 'single' ? undefined : enclosedForm(cell);
  if (own !== undefined) {
    if (own === 'angles') return cell.slice(1, -1).split('><');
    return (own === 'json' ? jsonList(cell) : own === 'python' ? pythonList(cell) : bracesList(cell)) ?? [];
  }
  if (form === 'separated') {
    const parts = cell.split(separatorFor(cell, style));
    return style.quoted ? parts.map((part) => part.replace(QUOTED, '$1')) : parts;
  }
  if (form === 'single') return [cell];
  // among lists, a cell that is none: its separator is the one it has
  const found = SEPARATORS.find((one) => one !== '/' && cell.includes(one));
  return found === undefined ? [cell] : cell.split(found);
}

/** A cell with these tags. Tags that hold the separator itself are written with a space in its place. */
export function formatTags(tags: readonly string[], style: TagStyle): string {
  const written = style.hash ? tags.map((tag) => `#${tag}`) : tags;
  const { form, separator } = style;
  switch (form) {
    case 'json':
    case 'array':
      return `[${written.map((tag) => JSON.stringify(tag)).join(separator || ',')}]`;
    case 'python':
      return `[${written.map(pythonText).join(separator || ', ')}]`;
    case 'braces':
      return `{${written.map(bracesText).join(separator || ',')}}`;
    case 'angles':
      return written.map((tag) => `<${tag.replace(/[<>]/g, ' ').trim()}>`).join('');
    case 'single':
      return written.join(', ');
    case 'separated': {
      const bare = separator.trim() === '' ? separator : separator.trim();
      return written.map((tag) => tag.replaceAll(bare, ' ').replace(/ {2,}/g, ' ').trim()).join(separator);
    }
    default:
      return form satisfies never;
  }
}

function pythonText(tag: string): string {
  const quote = tag.includes("'") && !tag.includes('"') ? '"' : "'";
  return quote + tag.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

function bracesText(tag: string): string {
  return /^[^\s",{}\\]([^",{}\\]*[^\s",{}\\])?$/.test(tag) ? tag : `"${tag.replace(/[\\"]/g, '\\$&')}"`;
}

/** The style as a person calls it: "separated by ;". */
export function styleName({ form, separator, hash }: TagStyle): string {
  const names: Record<TagStyle['form'], string> = {
    separated: `separated by ${SEPARATOR_NAMES[separator] ?? separator.trim()}`,
    json: 'JSON lists',
    python: 'Python lists',
    braces: 'lists in braces',
    angles: 'in angle brackets',
    single: 'one in a cell',
    array: 'lists',
  };
  return names[form] + (hash ? ', with #' : '');
}
