// Symmetric systems: the Cholesky factor, triangular solutions, the inverse, and matrices that have none.

import { expect, it } from 'vitest';
import { NotPositiveDefiniteError } from '../../../src/engine/kernels.ts';
import { expectNear, PRODUCT, total } from './expected.ts';
import { pairs, type Sizes } from './sizes.ts';
import type { RunTrial, Trial } from './trial.ts';

export function describeSymmetric(trial: RunTrial, { systems }: Sizes): void {
  /** B Bᵀ / n + I: eigenvalues from 1 to about 2.5. */
  const definite = (t: Trial, n: number): Float32Array => {
    const b = t.numbers(n * n);
    return Float32Array.from({ length: n * n }, (_, i) => {
      const [r, c] = [Math.floor(i / n), i % n];
      return total(n, (k) => b[r * n + k] * b[c * n + k])[0] / n + (r === c ? 1 : 0);
    });
  };

  it('cholesky gives the lower factor, with zeros above the diagonal', async () => {
    for (const n of [0, ...systems]) {
      await trial(async (t) => {
        const values = definite(t, n);
        const a = t.output(n, n, values);
        await t.kernels.cholesky(a);
        const l = await t.kernels.read(a);
        for (let r = 0; r < n; r++) expect(l.subarray(r * n + r + 1, r * n + n).every((x) => x === 0)).toBe(true);
        for (let r = 0; r < n; r++) expect(l[r * n + r]).toBeGreaterThan(0);
        expectNear(values, n, PRODUCT, (_, r, c) => total(n, (k) => l[r * n + k] * l[c * n + k]));
      });
    }
  });

  it('solveTriangular solves for every column, with L and with its transpose', async () => {
    for (const [n, m] of pairs([0, ...systems], [0, 1, 17, 33])) {
      await trial(async (t) => {
        const lower = (r: number, c: number, x: number) => (r < c ? 0 : r === c ? 1.5 + x : x / Math.sqrt(n));
        const lValues = t.numbers(n * n).map((x, i) => lower(Math.floor(i / n), i % n, x));
        const l = t.input(n, n, lValues);
        for (const transposed of [false, true]) {
          const b = t.output(n, m, t.numbers(n * m));
          await t.kernels.solveTriangular(b, l, transposed);
          const x = await t.kernels.read(b);
          expectNear(t.values(b), m, PRODUCT, (_, r, c) =>
            total(n, (k) => lValues[transposed ? k * n + r : r * n + k] * x[k * m + c]),
          );
        }
      });
    }
  });

  it('invertSymmetric gives the whole inverse from the lower triangle alone', async () => {
    for (const n of [0, ...systems]) {
      await trial(async (t) => {
        const values = definite(t, n);
        const lower = values.map((x, i) => (i % n > Math.floor(i / n) ? Number.NaN : x));
        const a = t.output(n, n, lower);
        await t.kernels.invertSymmetric(a);
        const inverse = await t.kernels.read(a);
        const identity = new Float32Array(n * n);
        for (let i = 0; i < n; i++) identity[i * n + i] = 1;
        expectNear(identity, n, 1e-3, (_, r, c) => [total(n, (k) => values[r * n + k] * inverse[k * n + c])[0], 1]);
      });
    }
  });

  it('a matrix that is not positive definite throws, wherever the bad pivot is, and nothing is lost', async () => {
    for (const n of [1, 2, 17, 65, 130]) {
      await trial(async (t) => {
        const good = definite(t, n);
        for (const [row, bad] of pairs([...new Set([0, n >> 1, n - 1])], [-1, 0, Number.NaN])) {
          const values = good.with(row * n + row, bad);
          const copies = [t.output(n, n, values), t.output(n, n, values)];
          await expect(t.kernels.cholesky(copies[0])).rejects.toThrow(NotPositiveDefiniteError);
          await expect(t.kernels.invertSymmetric(copies[1])).rejects.toThrow(NotPositiveDefiniteError);
        }
      });
    }
    await trial(async (t) => {
      const indefinite = [1, 2, 2, 1]; // eigenvalues 3 and −1
      await expect(t.kernels.cholesky(t.output(2, 2, indefinite))).rejects.toThrow(NotPositiveDefiniteError);
      await expect(t.kernels.invertSymmetric(t.output(2, 2, indefinite))).rejects.toThrow(NotPositiveDefiniteError);
    });
  });
}
