// Handles to numbers that live in an engine's memory: dense matrices, sparse matrices, lists of whole numbers. They say
// where and how large, never what: nothing above the engine sees a number except through an awaited read.

import type { Csr } from '../csr.ts';

/**
 * A dense float32 matrix, row-major. Rows are `stride` floats apart, `stride` being `cols` rounded up to 16, and begin
 * at multiples of 64 bytes. The floats between `cols` and `stride` are always zero, so that kernels may run over them.
 */
export interface Dense {
  readonly rows: number;
  readonly cols: number;
  readonly stride: number;
  readonly pointer: number; // bytes
}

/** Whole numbers (int32): row indices, targets, samples. */
export interface Ints {
  readonly length: number;
  readonly pointer: number; // bytes
}

/** A sparse matrix by rows: the entries of row r are rowStart[r] to rowStart[r + 1]. Columns ascend in a row; repeats add up. */
export interface Sparse {
  readonly rows: number;
  readonly cols: number;
  readonly numEntries: number;
  readonly rowStart: Ints; // (rows + 1)
  readonly columns: Ints; // (numEntries)
  readonly values: Dense; // (1, numEntries)
}

export const LANES = 16; // floats a row is padded to: one cache line

export function strideOf(cols: number): number {
  return Math.max(LANES, Math.ceil(cols / LANES) * LANES);
}

/** The number of entries, if the arrays fit together. */
export function checkArrays(rows: number, { rowStart, columns, values }: Csr): number {
  const numEntries = columns.length;
  if (rowStart.length !== rows + 1 || values.length !== numEntries) {
    throw new Error(
      `Got ${rowStart.length} row starts and ${values.length} values when expected ${rows + 1} and ${numEntries}.`,
    );
  }
  return numEntries;
}

export function checkLength(got: number, expected: number, shape: string): void {
  if (got !== expected) throw new Error(`Got ${got} numbers to write when expected ${shape}.`);
}
