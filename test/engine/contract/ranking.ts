// The largest of each row, and the count of numbers that are not finite.

import { expect, it } from 'vitest';
import type { RunShapes, RunTrial } from './trial.ts';

export function describeRanking(trial: RunTrial, everyShape: RunShapes): void {
  it('topK ranks the largest first and the smaller column first among equals, for any k up to all', async () => {
    await everyShape(async (t, n, m) => {
      for (const k of new Set([1, 3, 10, m].filter((k) => k > 0 && k <= m))) {
        // few different numbers, so that many are equal; all negative, so that padding must not win; all different
        const ties = t.whole(n * m, 4).map((value) => value - 2);
        for (const values of [ties, t.numbers(n * m).map((x) => x - 2), t.numbers(n * m)]) {
          await t.expectTopK(Float32Array.from(values), n, m, k);
        }
      }
    });
  });

  it('topK ranks infinities and counts 0 and −0 as equal', async () => {
    const low = Number.NEGATIVE_INFINITY;
    await trial((t) => t.expectTopK(Float32Array.of(low, -0, 0, -low, 1e30, -0, low, -1e30), 1, 8, 8));
    await trial((t) => t.expectTopK(new Float32Array(40).fill(low), 2, 20, 7));
  });

  it('countNonFinite counts NaN and infinities', async () => {
    await everyShape(async (t, n, m) => {
      const values = t.numbers(n * m);
      expect(await t.kernels.countNonFinite(t.input(n, m, values))).toBe(0);
      const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].slice(0, values.length);
      for (const [i, value] of bad.entries()) values[values.length - 1 - i * Math.floor(values.length / 3)] = value;
      expect(await t.kernels.countNonFinite(t.input(n, m, values))).toBe(bad.length);
    });
  });
}
