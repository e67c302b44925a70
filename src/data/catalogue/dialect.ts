// How a catalogue file is written, told from its first bytes: CSV with any common delimiter, JSON Lines, a JSON array or Parquet,
// and in which encoding. The name of the file is a hint where its contents leave a choice, no more. Files that are plainly
// something else (a workbook, a web page) are refused by what they are.

import { utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import { isKnownName } from './column-names.ts';
import { detectEncoding, ENCODING_NAMES, type FoundEncoding, Utf8Converter } from './encoding.ts';
import { type RecordFormat, RecordScanner } from './records.ts';

/** "delimited" is CSV and its kin. */
export type CatalogueKind = 'delimited' | 'json-lines' | 'json' | 'parquet';

/** All that is needed to read a file, and to write it back as it was. */
export interface Dialect extends FoundEncoding, RecordFormat {
  readonly kind: CatalogueKind;
  readonly gzipped: boolean;
  /** Delimited: whether the first row names the columns. */
  readonly hasHeader: boolean;
  /** Delimited: a line "sep=;" before the header, which Excel writes, with its line break; mostly ''. */
  readonly preamble: string;
  /** JSON: the property that holds the array; '' where the array is all there is. */
  readonly arrayName: string;
}

export interface DialectHints {
  readonly gzipped?: boolean;
  /** Columns that the user named: a first row with one of them is a header. */
  readonly columns?: readonly string[];
  /** How a table of a folder is delimited, whatever it looks like: its name says so, and its first row is a header. */
  readonly format?: Pick<RecordFormat, 'delimiter' | 'quotes'>;
}

const DELIMITERS = [',', '\t', ';', '|'] as const;
export const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  '\t': 'tabs',
  ';': 'semicolons',
  '|': '"|"',
};
const EXPECTED = 'CSV, TSV, JSON Lines, a JSON array or Parquet';
const MAX_TRIED_ROWS = 1000;
const PLAIN = { delimiter: '', quotes: false, escape: '"', hasHeader: false, preamble: '', arrayName: '' } as const;

/** How a file that begins with these bytes (decompressed) is written. Throws an InputError where it is no catalogue. */
export function detectDialect(bytes: Uint8Array, name: string, hints: DialectHints = {}): Dialect {
  const gzipped = hints.gzipped ?? false;
  const utf8 = { encoding: 'utf-8', hasBom: false } as const;
  if (magicOf(bytes) === 'PAR1') return { kind: 'parquet', ...utf8, ...PLAIN, gzipped, lineEnd: '\n' };
  refuseOtherKinds(bytes, name);
  const found = detectEncoding(bytes);
  if (hints.format === undefined && !found.encoding.startsWith('utf-16')) refuseBinary(bytes, name);
  const text = toText(bytes, found);
  const common = { ...found, ...PLAIN, gzipped, lineEnd: lineEndOf(text) };
  if (hints.format !== undefined) return { ...common, kind: 'delimited', ...hints.format, hasHeader: true };
  const json = jsonKind(text, name);
  if (json !== undefined) return { ...common, ...json };
  return { ...common, kind: 'delimited', ...delimitedFormat(text, name, common.lineEnd, hints) };
}

/** The format as a person calls it: "CSV with semicolons". */
export function formatName({ kind, delimiter, gzipped, arrayName }: Dialect): string {
  const names: Record<CatalogueKind, string> = {
    delimited: delimiter === '\t' ? 'TSV' : `CSV with ${DELIMITER_NAMES[delimiter] ?? `"${delimiter}"`}`,
    'json-lines': 'JSON Lines',
    json: arrayName === '' ? 'a JSON array' : `JSON, the array "${arrayName}"`,
    parquet: 'Parquet',
  };
  return names[kind] + (gzipped ? ', gzipped' : '');
}

/** The encoding as a person calls it; '' for Parquet. */
export function encodingName({ kind, encoding, hasBom }: Dialect): string {
  if (kind === 'parquet') return '';
  return ENCODING_NAMES[encoding] + (hasBom && encoding === 'utf-8' ? ' with byte order mark' : '');
}

function toText(bytes: Uint8Array, { encoding }: FoundEncoding): string {
  const utf8 = new Utf8Converter(encoding).convert(bytes);
  return utf8Text(utf8, 0, utf8.length);
}

function magicOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 4));
}

/** What people take for a table and what begins like it. */
const OTHER_KINDS: readonly (readonly [starts: readonly string[], got: string, cure: string])[] = [
  [
    ['PK\x03\x04', '\xd0\xcf\x11\xe0'],
    'an Excel workbook or a ZIP archive',
    'Save the sheet as CSV, or unpack the archive.',
  ],
  [['%PDF'], 'a PDF document', 'Export the data as CSV or JSON.'],
  [['SQLi'], 'an SQLite database', 'Export the table: sqlite3 FILE -csv -header "SELECT * FROM …".'],
  [['\x1f\x8b'], 'a gzip file inside a gzip file', 'Unpack it once.'],
  [['BZh', '\xfd7zX', '\x28\xb5\x2f\xfd', '7z\xbc\xaf'], 'a file compressed in another way than gzip', 'Unpack it.'],
];

function refuseOtherKinds(bytes: Uint8Array, file: string): void {
  const expected = EXPECTED;
  if (bytes.length === 0) {
    throw new InputError({ file, got: 'an empty file', expected, cure: 'Write a header row and the rows below it.' });
  }
  for (const [starts, got, cure] of OTHER_KINDS) {
    if (starts.some((start) => magicOf(bytes).startsWith(start))) throw new InputError({ file, got, expected, cure });
  }
  const start = utf8Text(bytes, 0, Math.min(bytes.length, 200)).replace(/^\ufeff?\s+/, '');
  if (/^<(!doctype html|html)\b/i.test(start)) {
    const cure = 'Download it again: an error page or a log-in page may have been saved in its place.';
    throw new InputError({ file, got: 'a web page (HTML)', expected, cure });
  }
  if (/^<\?xml\b/.test(start)) {
    throw new InputError({ file, got: 'an XML file', expected, cure: 'Convert it to CSV or JSON.' });
  }
}

/** Text has hardly any control characters but tabs and line breaks. */
function refuseBinary(bytes: Uint8Array, file: string): void {
  const start = bytes.subarray(0, 1 << 14);
  const isControl = (byte: number) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b);
  if (start.filter(isControl).length <= 0.05 * start.length) return;
  const cure = 'Export the data as CSV or JSON; if it is an archive, unpack it.';
  throw new InputError({ file, got: 'a binary file', expected: EXPECTED, cure });
}

/** What ends most lines. */
function lineEndOf(text: string): '\n' | '\r\n' | '\r' {
  let [bare, both] = [0, 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') both++;
    else bare++;
  }
  if (bare + both === 0) return text.includes('\r') ? '\r' : '\n';
  return both > bare ? '\r\n' : '\n';
}

/** JSON begins with a bracket; CSV does so where its first header or cell does, and then the line is no JSON. */
function jsonKind(text: string, name: string): Pick<Dialect, 'kind' | 'arrayName'> | undefined {
  const start = text.trimStart();
  const isNamedJson = /\.(json|jsonl|ndjson)(\.gz)?$/i.test(name);
  if (start[0] === '[') {
    return isNamedJson || /^\[\s*[\]{]/.test(start) ? { kind: 'json', arrayName: '' } : undefined;
  }
  if (start[0] !== '{') return undefined;
  if (!isNamedJson && !/^\{\s*["}]/.test(start)) return undefined;
  const firstLine = start.slice(0, /[\r\n]/.exec(start)?.index ?? start.length);
  const [value, isOnly] = [jsonObject(firstLine), start.trimEnd().length === firstLine.trimEnd().length];
  // an object on a line of its own is a row, unless it is all there is and holds an array of rows
  if (value !== undefined && !(isOnly && arrayIn(value) !== undefined)) return { kind: 'json-lines', arrayName: '' };
  const wrapped = /"((?:[^"\\]|\\.)*)"\s*:\s*\[\s*\{/.exec(start);
  if (wrapped !== null) return { kind: 'json', arrayName: JSON.parse(`"${wrapped[1]}"`) };
  return { kind: 'json-lines', arrayName: '' };
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The first array of objects in an object. */
function arrayIn(value: Record<string, unknown>): unknown[] | undefined {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  return Object.values(value).find(
    (one): one is unknown[] => Array.isArray(one) && one.length > 0 && one.every(isObject),
  );
}

type Delimited = Pick<Dialect, 'delimiter' | 'quotes' | 'escape' | 'hasHeader' | 'preamble'>;

/** The delimiter that gives most rows as many fields as the first one has. */
function delimitedFormat(text: string, name: string, lineEnd: Dialect['lineEnd'], hints: DialectHints): Delimited {
  const preamble = /^sep=(.)\r?\n/.exec(text);
  const body = preamble === null ? text : text.slice(preamble[0].length);
  const given = preamble?.[1];
  const hinted = /\.(tsv|tab)(\.gz)?$/i.test(name) ? '\t' : ',';
  const tried: { format: RecordFormat; rows: string[][]; score: number }[] = [];
  for (const delimiter of given === undefined ? DELIMITERS : [given]) {
    const format: RecordFormat = { delimiter, ...quoting(body, delimiter), lineEnd };
    const rows = firstRows(body, format);
    const width = rows[0]?.length ?? 0;
    const fitting = rows.filter((row) => row.length === width).length / Math.max(1, rows.length);
    // more columns break ties, and then the name
    const score = width < 2 ? 0 : fitting + 0.01 * Math.min(width, 10) + (delimiter === hinted ? 0.005 : 0);
    tried.push({ format, rows, score });
  }
  const isHeader = tried.some(({ rows }) => isNamed(rows[0] ?? [], hints.columns));
  const below = isHeader ? undefined : tried.find(({ rows }) => hasHeaderBelow(rows)); // whoever reads the rows says so
  const best = below ?? tried.reduce((a, b) => (b.score > a.score ? b : a));
  const isFound = best.score > 0 || best === below;
  const format = isFound ? best.format : { ...best.format, delimiter: given ?? hinted };
  return { ...format, hasHeader: looksLikeHeader(best.rows, hints.columns ?? []), preamble: preamble?.[0] ?? '' };
}

const MAX_TITLE_ROWS = 20;

/** Whether there are lines above the header: one of the next rows has names that columns have, and most rows are as wide as that. */
function hasHeaderBelow(rows: readonly (readonly string[])[]): boolean {
  const header = rows.slice(1, MAX_TITLE_ROWS).find((row) => row.length > 1 && isNamed(row));
  if (header === undefined || header.length === rows[0].length) return false;
  return rows.filter(({ length }) => length === header.length).length > rows.length / 2;
}

/** Whether a row holds a name that columns have, or one that the user gave. */
function isNamed(row: readonly string[], given: readonly string[] = []): boolean {
  return row.some((cell) => given.includes(cell.trim()) || isKnownName(cell));
}

/** The first rows, as far as they are there; what is wrong with them is told when they are read. */
export function firstRows(text: string, format: RecordFormat): string[][] {
  const rows: string[][] = [];
  const scanner = new RecordScanner('', format);
  const cut = text.length > 1 << 18 ? text.slice(0, 1 << 18) : text;
  const isWhole = cut.length === text.length;
  const bytes = new TextEncoder().encode(cut);
  const onRecord = () => {
    if (rows.length < MAX_TRIED_ROWS) rows.push(scanner.fieldTexts());
  };
  scanner.push(bytes, onRecord);
  try {
    scanner.finish(onRecord, isWhole);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return rows;
}

/** Whether quotes enclose fields. In files with tabs they seldom do: there, "5" is five inches. */
function quoting(text: string, delimiter: string): Pick<RecordFormat, 'quotes' | 'escape'> {
  const mark = delimiter.replace(/[|]/g, '\\|');
  const count = (pattern: string) => text.match(new RegExp(pattern, 'gm'))?.length ?? 0;
  const opened = count(`(^|${mark})"`);
  const closed = count(`"(${mark}|\\r?$)`);
  const quotes = delimiter !== '\t' || (opened > 0 && closed >= 0.9 * opened && opened >= 0.9 * closed);
  const backslashed = count(`[^\\\\"${mark}\\n]\\\\"[^${mark}\\r\\n]`);
  const doubled = count(`[^"${mark}\\n]""[^"${mark}\\r\\n]`);
  return { quotes, escape: backslashed > doubled ? '\\' : '"' };
}

/**
 * A first row that holds a name such as "title" is a header. Otherwise it is one unless it holds what no column is called: a
 * number, an address, a sentence, nothing at all, the same twice, or what recurs below it.
 */
function looksLikeHeader(rows: readonly (readonly string[])[], named: readonly string[]): boolean {
  const first = (rows[0] ?? []).map((cell) => cell.trim());
  if (isNamed(first, named)) return true;
  if (rows.length < 2) return true;
  const isData = (cell: string) => /^[-+]?[\d.,]+$|^https?:\/\/|^[[{]/.test(cell) || cell.length > 64;
  if (first.some(isData) || new Set(first).size < first.length) return false;
  return !first.some((_, column) => recurs(rows, column)) && first.filter((cell) => cell === '').length <= 1;
}

/** Whether a cell of the first row, or all of its parts if it is a list, are in several rows below it. */
function recurs(rows: readonly (readonly string[])[], column: number): boolean {
  const partsOf = (cell = '') => cell.split(/[;,|]/).map((part) => part.trim());
  const counts = new Map<string, number>();
  for (const row of rows.slice(1))
    for (const part of new Set(partsOf(row[column]))) counts.set(part, (counts.get(part) ?? 0) + 1);
  return partsOf(rows[0][column]).every((part) => part !== '' && (counts.get(part) ?? 0) >= 2);
}
