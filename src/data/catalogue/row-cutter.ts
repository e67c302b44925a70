// What whoever cuts a text into rows has in common, whatever the format.

import { basename } from '#platform';
import type { Listener } from '../../listener.ts';
import type { TextStore } from '../text-store.ts';
import type { Cell } from './column-look.ts';
import { MAX_CELL_BYTES } from './records.ts';

/** One row. Reused: copy what you keep. */
export interface CatalogueRow {
  /** From 1, the header not counted. Rows that are left out count. */
  readonly number: number;
  cell(column: number): Cell;
  /** Puts the text of a cell, without white space around it, into a store. */
  putText(column: number, store: TextStore, object: number): void;
}

/** Takes rows as they are cut from text, whatever the format. */
export interface RowCutter {
  names: readonly string[];
  push(bytes: Uint8Array, onRow: (row: CatalogueRow) => void): void;
  finish(onRow: (row: CatalogueRow) => void, isWhole: boolean): void;
  /** Says what was left out, or refuses. */
  report(options: Listener): void;
  numRows: number;
}

export function warnCut(path: string, numCut: number, options: Listener): void {
  const cells = numCut === 1 ? '1 cell was' : `${numCut.toLocaleString('en')} cells were`;
  options.warn?.(
    `${basename(path)}: ${cells} longer than ${MAX_CELL_BYTES.toLocaleString('en')} bytes; the rest was left out.`,
  );
}
