// One tag more in a row, in the way its file writes tags: at the end of a list in its own style, in the next free of several
// columns, as a 1 in a column of 0 and 1, or in a row of its own. A change counts only if reading the cell again gives the tags it
// had and the new one: a tag that cannot be written so is left out.

import { cleanName } from '../name.ts';
import type { Cell } from './column-look.ts';
import type { ColumnRoles, TagColumn } from './columns.ts';
import { tagsOfCell } from './read-catalogue.ts';
import { enclosedForm, formatTags, NAME_KEYS, parseTags, separatorFor, type TagStyle } from './tag-lists.ts';

/** What becomes of one cell. */
export interface CellEdit {
  readonly column: number;
  /** Its new text, of a cell that is text. */
  readonly text?: string;
  /** What comes to the end of it, of a cell that is a list of the file's own (JSON, Parquet). */
  readonly items?: readonly string[];
}

export interface RowEdits {
  readonly edits: readonly CellEdit[];
  /** Tags that get a row of their own, in files with a row for each tag. */
  readonly newRows: readonly string[];
  /** Tags that found a place. */
  readonly added: readonly string[];
  /** Tags that no cell can hold. */
  readonly leftOut: readonly string[];
}

export type CellAt = (column: number) => Cell;

const NOTHING: RowEdits = { edits: [], newRows: [], added: [], leftOut: [] };

/** The tags that a row has, in the order of its columns. */
export function tagsOfRow({ tags }: Pick<ColumnRoles, 'tags'>, cellAt: CellAt): string[] {
  return tags.flatMap((tag) => tagsOfCell(cellAt(tag.column), tag));
}

/** Where new tags go. `isRepeated`: every tag of an object has a row. */
export function placeTags(
  roles: Pick<ColumnRoles, 'tags'>,
  cellAt: CellAt,
  tags: readonly string[],
  isRepeated = false,
): RowEdits {
  if (tags.length === 0) return NOTHING;
  const cells = new Map<number, Cell>(roles.tags.map(({ column }) => [column, cellAt(column)]));
  const items = new Map<number, string[]>();
  const [newRows, added, leftOut]: string[][] = [[], [], []];
  for (const tag of tags) {
    const column = place(roles.tags, cells, items, tag);
    if (!column && isRepeated) newRows.push(tag);
    (column || isRepeated ? added : leftOut).push(tag);
  }
  const edits = roles.tags.flatMap(({ column }): CellEdit[] => {
    const [cell, list] = [cells.get(column) ?? '', items.get(column)];
    if (list !== undefined) return [{ column, items: list }];
    return typeof cell === 'string' && cell !== cellAt(column) ? [{ column, text: cell }] : [];
  });
  return { edits, newRows, added, leftOut };
}

/** Puts a tag into one of the cells; false where none takes it. */
function place(
  columns: readonly TagColumn[],
  cells: Map<number, Cell>,
  items: Map<number, string[]>,
  tag: string,
): boolean {
  const flag = columns.find(({ indicates }) => indicates !== undefined && cleanName(indicates) === tag);
  if (flag !== undefined) {
    cells.set(flag.column, setFlag(cells.get(flag.column) ?? ''));
    return true;
  }
  for (const { column, style, indicates } of columns) {
    if (indicates !== undefined) continue;
    const cell = cells.get(column) ?? '';
    if (typeof cell !== 'string' || (style.form === 'array' && cell.trim() === '')) {
      items.set(column, [...(items.get(column) ?? []), style.hash ? `#${tag}` : tag]);
      return true;
    }
    const text = appended(cell, tag, style);
    if (text === undefined) continue;
    cells.set(column, text);
    return true;
  }
  return false;
}

/** A cell with one tag more, in its own style; undefined where it cannot be written. */
export function appended(cell: string, tag: string, style: TagStyle): string | undefined {
  const old = parseTags(cell, style);
  const wanted = JSON.stringify([...old, tag]);
  const readsBack = (text: string) => JSON.stringify(parseTags(text, style)) === wanted;
  if (old.length === 0) {
    const isBare = style.form === 'separated' || style.form === 'single';
    return [style.hash ? `#${tag}` : tag, formatTags([tag], style)].find(
      (text, i) => (i > 0 || isBare) && readsBack(text),
    );
  }
  if (style.form === 'single') return undefined;
  return candidates(cell, tag, style).find(readsBack) ?? [formatTags([...old, tag], style)].find(readsBack);
}

/** Ways to write one tag behind the others, the likeliest first. */
function candidates(cell: string, tag: string, style: TagStyle): string[] {
  const [, body, space] = /^([\s\S]*?)(\s*)$/.exec(cell) as unknown as [string, string, string];
  const form = enclosedForm(body.trimStart());
  const isQuoted = style.quoted && body.endsWith('"');
  const written = style.hash ? `#${tag}` : isQuoted ? `"${tag}"` : tag;
  const ways: string[] = [];
  if (form === 'angles') ways.push(`${body}${formatTags([tag], { ...style, form })}${space}`);
  else if (form !== undefined) {
    const between = /["'\w}],\s/.test(body) ? ', ' : /["'\w}],["'\w{]/.test(body) ? ',' : style.separator || ', ';
    const open = body.slice(0, -1);
    const inner = open.trimEnd();
    const comma = inner.endsWith(',') ? between.slice(1) : between; // ('a',)
    ways.push(
      `${inner}${comma}${itemLike(body, tag, { ...style, form })}${open.slice(inner.length)}${body.at(-1)}${space}`,
    );
  }
  const bare = separatorFor(body, style);
  if (bare === '') return ways;
  if (body.endsWith(bare)) ways.push(`${body}${written}${bare}${space}`); // a;b; stays with one at the end
  ways.push(`${body}${separatorIn(body, bare, style.separator)}${written}${space}`);
  return ways;
}

/** A tag as an item of an enclosed list: a text, or an object with a name where the last one is such. */
function itemLike(body: string, tag: string, style: TagStyle): string {
  const item = formatTags([tag], style).slice(1, -1);
  if (!/\}\s*\]$/.test(body) || style.form === 'braces') return item;
  const last = body.slice(body.lastIndexOf('{'));
  const key = NAME_KEYS.find((one) => new RegExp(`["']${one}["']\\s*:\\s*["']`).test(last)) ?? 'name';
  const quote = style.form === 'python' ? "'" : '"';
  return `{${quote}${key}${quote}:${/:\s/.test(last) ? ' ' : ''}${item}}`;
}

/** What stands between the last two tags of this cell, spaces included; that of the column where it has one tag. */
function separatorIn(body: string, bare: string, usual: string): string {
  const at = body.lastIndexOf(bare);
  if (at < 0) return usual;
  let [start, end] = [at, at + bare.length];
  while (start > 0 && body[start - 1] === ' ') start--;
  while (end < body.length && body[end] === ' ') end++;
  return body.slice(start, end);
}

function isSet(cell: string): boolean {
  return /^(1|true|yes|y|t)$/i.test(cell.trim());
}

const FLAGS: Readonly<Record<string, string>> = { '0': '1', false: 'true', no: 'yes', n: 'y', f: 't' };

/** From no to yes, in the same words and the same case. */
function setFlag(cell: Cell): string {
  const text = typeof cell === 'string' ? cell.trim() : '';
  if (isSet(text)) return cell as string;
  const yes = FLAGS[text.toLowerCase()] ?? '1';
  if (text === text.toLowerCase()) return yes;
  return text === text.toUpperCase() ? yes.toUpperCase() : yes[0].toUpperCase() + yes.slice(1);
}
