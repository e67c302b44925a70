// The most similar rows of every row, exactly: all products of rows of length 1, a block at a time on the kernels.

import type { Kernels } from '../../engine/kernels.ts';
import { TopK } from '../../engine/numerics/top-k.ts';
import type { Neighbourhoods } from '../../engine/numerics/umap.ts';
import type { Rows } from './map-vectors.ts';

const BLOCK = 128; // rows at a time

export async function similarRows(kernels: Kernels, { width, values }: Rows, most: number): Promise<Neighbourhoods> {
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
      const best = mostSimilar(row, first + i, most);
      indices.push(best);
      // of rows of length 1, ‖a − b‖² = 2 − 2 a · b
      distances.push(best.map((j) => (j === first + i ? 0 : Math.sqrt(Math.max(0, 2 - 2 * row[j])))));
    }
  }
  kernels.release(all);
  return { indices, distances };
}

/** The row itself first, then the others from similar to dissimilar; of equals the first. */
function mostSimilar(row: Float32Array, self: number, most: number): number[] {
  const best = new TopK(most - 1, (a, b) => row[a] < row[b] || (row[a] === row[b] && a > b));
  for (let j = 0; j < row.length; j++) if (j !== self) best.offer(j);
  return [self, ...best.sorted()];
}
