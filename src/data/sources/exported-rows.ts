// Exports that are tables (CSV) or lists of objects (JSON), row by row, with the columns under the names that programs give them. How
// the file is written, its delimiter, quotes and encoding, is found as for any catalogue.

import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { type OpenCatalogue, openCatalogue } from '../catalogue/catalogue-rows.ts';
import { type Cell, textOf } from '../catalogue/column-look.ts';
import { plainName } from '../catalogue/column-names.ts';
import { shownHeader } from './release.ts';

/** By column as the reader calls it, the names it may have in the file; the first is how errors call it. */
export type ColumnNames<Column extends string> = Readonly<Record<Column, readonly string[]>>;

/** The cells of a row. A column that the file lacks is blank everywhere. */
export interface ExportedRow<Column extends string> {
  /** Whether it is of a table, where a list is a text with separators. */
  readonly isTable: boolean;
  cell(column: Column): Cell;
  text(column: Column): string;
}

export interface ExportKind<Column extends string> {
  readonly columns: ColumnNames<Column>;
  /** Columns without which the file is another one. */
  readonly required: readonly Column[];
  /** What to do where the file is another one. */
  readonly cure: string;
}

/** Opens an export, or refuses a file that lacks a column. */
export async function openExport<Column extends string>(
  path: string,
  { columns, required, cure }: ExportKind<Column>,
  options: Listener,
): Promise<OpenCatalogue & { readRows(onRow: (row: ExportedRow<Column>) => void): Promise<void> }> {
  const opened = await openCatalogue(path, { ...options, columns: required.flatMap((column) => columns[column]) });
  const plain = opened.names.map(plainName);
  const found = new Map<Column, number>();
  for (const column of Object.keys(columns) as Column[]) {
    const place = columns[column].map((name) => plain.indexOf(plainName(name))).find((at) => at >= 0);
    if (place !== undefined) found.set(column, place);
  }
  const missing = required.find((column) => !found.has(column));
  if (missing !== undefined) {
    await opened.close();
    const expected = `a column called ${columns[missing].join(' or ')}`;
    throw new InputError({ file: path, line: 1, got: shownHeader(opened.names.slice(0, 12)), expected, cure });
  }
  const isTable = opened.dialect.kind === 'delimited';
  const readRows = async (onRow: (row: ExportedRow<Column>) => void) => {
    await opened.read((row) => {
      const cell = (column: Column) => {
        const at = found.get(column);
        return at === undefined ? '' : row.cell(at);
      };
      onRow({ isTable, cell, text: (column) => textOf(cell(column)).trim() });
    });
  };
  return { ...opened, readRows };
}

/** The parts of a cell that is a list: an array as it is, a text cut at its separator. */
export function partsOf(cell: Cell, separator: string | RegExp): string[] {
  return typeof cell === 'string' ? cell.split(separator) : textsOf(cell);
}

function textsOf(cell: readonly unknown[]): string[] {
  return cell.flatMap((value) => textOf([value])).filter((text) => text !== '');
}
