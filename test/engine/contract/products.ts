// Products of matrices, dense and sparse.

import { it } from 'vitest';
import { PRODUCT, total } from './expected.ts';
import { pairs, type Sizes } from './sizes.ts';
import { sparse, sparseProduct } from './sparse.ts';
import type { RunTrial } from './trial.ts';

export function describeProducts(trial: RunTrial, { triples }: Sizes): void {
  const flags = pairs([false, true], [false, true]);
  it.each(flags)('gemm multiplies with transposeA %s and transposeB %s', async (transposeA, transposeB) => {
    for (const [n, m, depth] of [...triples, [67, 130, 300], [1, 500, 64], [130, 1, 1000]]) {
      await trial(async (t) => {
        const a = transposeA ? t.input(depth, n) : t.input(n, depth);
        const b = transposeB ? t.input(m, depth) : t.input(depth, m);
        const [x, y] = [t.values(a), t.values(b)];
        const left = (r: number, k: number) => x[transposeA ? k * n + r : r * depth + k];
        const right = (k: number, c: number) => y[transposeB ? c * depth + k : k * m + c];
        const options = { transposeA, transposeB, scale: -0.7 };
        await t
          .result([n, m], PRODUCT, (_, r, c) => total(depth, (k) => -0.7 * left(r, k) * right(k, c)))
          .addedBy((out, accumulate) => t.kernels.gemm(out, a, b, { ...options, accumulate }));
      });
    }
  });

  it('spmm and spmmTransposed multiply, with empty rows, repeated entries and rows of any length', async () => {
    const shapes = triples.map(([n, m, d]) => [n, m, d, Math.min(6, m)]);
    // all empty; rows of up to 3,000 entries, most of them repeats; many rows
    for (const [n, m, d, most] of [...shapes, [9, 9, 5, 0], [5, 40, 33, 3000], [1000, 300, 20, 30]]) {
      await trial(async (t) => {
        const arrays = sparse(t.random, n, m, most);
        const [a, x, y] = [t.sparse(n, m, arrays), t.input(m, d), t.input(n, d)];
        const product = t.result([n, d], PRODUCT, sparseProduct(arrays, t.values(x), n, d, false));
        await product.addedBy((out, accumulate) => t.kernels.spmm(out, a, x, accumulate));
        const back = t.result([m, d], PRODUCT, sparseProduct(arrays, t.values(y), m, d, true));
        await back.addedBy((out, accumulate) => t.kernels.spmmTransposed(out, a, y, accumulate));
      });
    }
  });
}
