// Rows become columns, of plain numbers and of sparse arrays, before they go into an engine's memory.

import type { CsrArrays } from './matrix.ts';

/** A matrix of so many rows, by columns. */
export function transposed(values: Float32Array, numRows: number): Float32Array {
  const numColumns = values.length / numRows;
  const out = new Float32Array(values.length);
  for (let r = 0; r < numRows; r++)
    for (let c = 0; c < numColumns; c++) out[c * numRows + r] = values[r * numColumns + c];
  return out;
}

export function transposedArrays({ rowStart, columns, values }: CsrArrays, numColumns: number): CsrArrays {
  const starts = new Int32Array(numColumns + 1);
  for (const column of columns) starts[column + 1]++;
  for (let c = 0; c < numColumns; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const out = { rowStart: starts, columns: new Int32Array(columns.length), values: new Float32Array(columns.length) };
  for (let row = 0; row + 1 < rowStart.length; row++) {
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      const at = next[columns[e]]++;
      out.columns[at] = row;
      out.values[at] = values[e];
    }
  }
  return out;
}
