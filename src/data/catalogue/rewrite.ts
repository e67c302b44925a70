// What it takes to write a catalogue file back with tags added: the rows as whoever decides sees them, and what became of them.
// Each format has a file of its own (rewrite-delimited.ts, rewrite-json.ts, rewrite-parquet.ts), which copies everything but the
// cells that gain tags, byte for byte.

import { cleanName } from '../name.ts';
import { type CellAt, placeTags, type RowEdits, tagsOfRow } from './append-tags.ts';
import { textOf } from './column-look.ts';
import type { ColumnRoles } from './columns.ts';
import type { Dialect } from './dialect.ts';
import { canEncode } from './encoding.ts';
import type { RepeatedRows } from './repeated-rows.ts';

/** A row before anything is added. */
export interface FileRow {
  /** From 1, without the header and blank lines: the name of its object where the file has no ids. */
  readonly number: number;
  /** Clean; undefined where the file has no ids. */
  readonly id: string | undefined;
  /** The id where the file has no titles. */
  readonly title: string;
  /** In the order of the text columns. */
  readonly texts: readonly string[];
  /** Those of all rows of the object. */
  readonly tags: readonly string[];
}

/** Decides what to add, and hears what came of it. */
export interface TagAdder {
  /** The tags to add to each row. Rows come in the order of the file, some hundred at a time. */
  decide(rows: readonly FileRow[]): Promise<readonly (readonly string[])[]>;
  /** For every row, in their order: what was added, and what the file has no place for. */
  placed?(row: FileRow, added: readonly string[], leftOut: readonly string[]): void;
}

/** How the file is written, and where rows have what. */
export interface RowPlan {
  readonly path: string;
  readonly dialect: Dialect;
  readonly roles: ColumnRoles;
  /** Of a file in which objects have several rows. */
  readonly repeated?: RepeatedRows | undefined;
}

/** A row that waits for the decision about it. */
export interface WaitingRow {
  readonly row: FileRow;
  readonly cellAt: CellAt;
  /** Whether a cell holds something that tags cannot be added to. */
  readonly isFixed?: (column: number) => boolean;
}

export const BLOCK_ROWS = 256;

export function fileRow({ roles, repeated }: RowPlan, number: number, cellAt: CellAt): FileRow {
  const text = (column: number) => textOf(cellAt(column));
  const id = roles.id < 0 ? undefined : cleanName(text(roles.id));
  return {
    number,
    id,
    title: roles.title < 0 ? (id ?? '') : text(roles.title).trim(),
    texts: roles.texts.map(text),
    tags: repeated === undefined || id === '' ? tagsOfRow(roles, cellAt) : repeated.tagsOf(id ?? ''),
  };
}

/** Whether the decision about its object is made at this row. A row without an id is on its own. */
export function isDecided({ repeated }: RowPlan, { id, number }: FileRow): boolean {
  return repeated === undefined || id === '' || repeated.takesTags(id ?? '', number);
}

/** Decides about rows and finds places for what is added; edits come in the order of the rows. */
export async function decideRows(
  plan: RowPlan,
  rows: readonly WaitingRow[],
  adder: TagAdder,
): Promise<readonly RowEdits[]> {
  const asked = rows.filter(({ row }) => isDecided(plan, row));
  const found: (readonly string[])[] = [];
  for (let first = 0; first < asked.length; first += BLOCK_ROWS) {
    found.push(...(await adder.decide(asked.slice(first, first + BLOCK_ROWS).map(({ row }) => row))));
  }
  const byRow = new Map(asked.map((one, i) => [one, found[i]]));
  const isWritable = (tag: string) => canEncode(tag, plan.dialect.encoding);
  return rows.map((one) => {
    const tags = byRow.get(one) ?? [];
    const places = { tags: plan.roles.tags.filter(({ column }) => !one.isFixed?.(column)) };
    const edits = placeTags(places, one.cellAt, tags.filter(isWritable), plan.repeated?.hasRowPerTag);
    const leftOut = [...edits.leftOut, ...tags.filter((tag) => !isWritable(tag))];
    if (byRow.has(one)) adder.placed?.(one.row, edits.added, leftOut);
    return edits;
  });
}
