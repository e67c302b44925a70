// Dense vectors and matrices in plain arrays: a dot product, transposed, the identity, and the large numbers of one as sparse rows.

import { type Csr, enlarged } from '../../csr.ts';
import type { Dense } from '../matrix.ts';

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** A matrix of so many rows, by columns. */
export function transposed(values: Float32Array, numRows: number): Float32Array {
  const numColumns = values.length / numRows;
  const out = new Float32Array(values.length);
  for (let r = 0; r < numRows; r++)
    for (let c = 0; c < numColumns; c++) out[c * numRows + r] = values[r * numColumns + c];
  return out;
}

/** (n, n), ones on the diagonal. */
export function identityOf(n: number): Float32Array {
  const out = new Float32Array(n * n);
  for (let i = 0; i < n; i++) out[i * n + i] = 1;
  return out;
}

/** The numbers of at least their row's limit in size; a row of them begins `stride` after the one before. */
export function largeNumbers(
  values: Float32Array,
  { rows, cols, stride }: Pick<Dense, 'rows' | 'cols' | 'stride'>,
  limits: Float32Array,
): Csr {
  const rowStart = new Int32Array(rows + 1);
  let [found, columns] = [new Float32Array(1 << 12), new Int32Array(1 << 12)];
  let size = 0;
  for (let r = 0; r < rows; r++) {
    const [first, limit] = [r * stride, limits[r]];
    for (let c = 0; c < cols; c++) {
      const value = values[first + c];
      if (!(Math.abs(value) >= limit)) continue;
      if (size === found.length) {
        found = enlarged(found, new Float32Array(2 * size));
        columns = enlarged(columns, new Int32Array(2 * size));
      }
      columns[size] = c;
      found[size++] = value;
    }
    rowStart[r + 1] = size;
  }
  return { rowStart, columns: columns.slice(0, size), values: found.slice(0, size) };
}
