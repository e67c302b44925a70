// The nearest rows of every row, exactly: all products of rows of length 1, a block at a time on the kernels.

import type { Kernels } from '../../engine/kernels.ts';
import type { Rows } from './map-vectors.ts';

export interface Nearest {
  readonly indices: number[][]; // (n, most): each row itself first, then from near to far
  readonly distances: number[][];
}

const BLOCK = 128; // rows at a time

export async function nearestRows(kernels: Kernels, { width, values }: Rows, most: number): Promise<Nearest> {
  const numRows = values.length / width;
  const all = kernels.dense(numRows, width);
  kernels.write(all, values);
  const [indices, distances]: [number[][], number[][]] = [[], []];
  for (let first = 0; first < numRows; first += BLOCK) {
    const size = Math.min(BLOCK, numRows - first);
    const [block, products] = [kernels.dense(size, width), kernels.dense(size, numRows)];
    kernels.write(block, values.subarray(first * width, (first + size) * width));
    kernels.gemm(products, block, all, { transposeB: true });
    const cosines = await kernels.read(products);
    kernels.release(block, products);
    for (let i = 0; i < size; i++) {
      const row = cosines.subarray(i * numRows, (i + 1) * numRows);
      const best = strongest(row, first + i, most);
      indices.push(best);
      // of rows of length 1, ‖a − b‖² = 2 − 2 a · b
      distances.push(best.map((j) => (j === first + i ? 0 : Math.sqrt(Math.max(0, 2 - 2 * row[j])))));
    }
  }
  kernels.release(all);
  return { indices, distances };
}

function strongest(row: Float32Array, self: number, most: number): number[] {
  const best: number[] = []; // from strong to weak, without the row itself
  for (let j = 0; j < row.length; j++) {
    if (j === self || (best.length === most - 1 && row[j] <= row[best[most - 2]])) continue;
    let at = best.length === most - 1 ? most - 2 : best.length;
    for (; at > 0 && row[best[at - 1]] < row[j]; at--) best[at] = best[at - 1];
    best[at] = j;
  }
  return [self, ...best];
}
