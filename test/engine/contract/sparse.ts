// Random sparse matrices, and their products in double precision.

import type { Csr } from '../../../src/csr.ts';
import type { Random } from '../../../src/random.ts';

/** Rows of 0 to `most` entries, columns ascending, repeats likely; about a third of the rows are empty. */
export function sparse(random: Random, rows: number, cols: number, most: number): Csr {
  const rowStart = new Int32Array(rows + 1);
  const columns: number[] = [];
  for (let r = 0; r < rows; r++) {
    const count = most === 0 || random.below(3) === 0 ? 0 : random.below(most + 1);
    columns.push(...Array.from({ length: count }, () => random.below(cols)).sort((a, b) => a - b));
    rowStart[r + 1] = columns.length;
  }
  const values = new Float32Array(columns.length).map(() => random.float() * 2 - 1);
  return { rowStart, columns: Int32Array.from(columns), values };
}

export function sparseProduct(a: Csr, x: Float32Array, rows: number, d: number, transposed: boolean) {
  const [sums, scales] = [new Float64Array(rows * d), new Float64Array(rows * d)];
  for (let r = 0; r + 1 < a.rowStart.length; r++) {
    for (let e = a.rowStart[r]; e < a.rowStart[r + 1]; e++) {
      const [to, from] = transposed ? [a.columns[e], r] : [r, a.columns[e]];
      for (let c = 0; c < d; c++) {
        sums[to * d + c] += a.values[e] * x[from * d + c];
        scales[to * d + c] += Math.abs(a.values[e] * x[from * d + c]);
      }
    }
  }
  return (i: number) => [sums[i], scales[i]] as const;
}
