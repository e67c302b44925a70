// The largest of each row, those above a limit, and the count of numbers that are not finite.

import { expect, it } from 'vitest';
import { sameBytes } from './expected.ts';
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

  it('readLarge reads what is at least its row’s limit in size, in order, whatever its sign', async () => {
    await everyShape(async (t, n, m) => {
      const values = t.numbers(n * m);
      values.set([-0, 1e-40, Number.NaN, Number.NEGATIVE_INFINITY, 0.5].slice(0, values.length));
      const limits = Float32Array.from({ length: n }, (_, r) => [0.5, 0, 0.9, Number.POSITIVE_INFINITY][r % 4]);
      const isLarge = (value: number, row: number) => Math.abs(value) >= limits[row];
      const rows = Array.from({ length: n }, (_, r) => values.subarray(r * m, (r + 1) * m));
      const kept = rows.flatMap((row, r) => Array.from(row, (value, c) => ({ r, c, value })));
      const expected = kept.filter(({ r, value }) => isLarge(value, r));
      const found = await t.kernels.readLarge(t.input(n, m, values), limits);
      const counts = rows.map((row, r) => row.filter((value) => isLarge(value, r)).length);
      expect(Array.from(counts, (_, r) => found.rowStart[r + 1] - found.rowStart[r])).toEqual(counts);
      expect([...found.columns]).toEqual(expected.map(({ c }) => c));
      expect(
        sameBytes(
          found.values,
          Float32Array.from(expected, ({ value }) => value),
        ),
      ).toBe(true);
      await expect(t.kernels.readLarge(t.input(n, m, values), new Float32Array(n + 1))).rejects.toThrow(`${n + 1}`);
    });
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
