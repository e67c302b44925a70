// Operations on rows and columns: bias, sums, broadcast, gather and scatter, dot products, norms.

import { it } from 'vitest';
import { ELEMENT, EXACT, PRODUCT, plus, times, total } from './expected.ts';
import type { RunShapes } from './trial.ts';

export function describeRows(everyShape: RunShapes): void {
  it('addBias, columnSums, sum and broadcast are right', async () => {
    await everyShape(async (t, n, m) => {
      const [x, bias, s, k] = [t.input(n, m), t.input(1, m), t.input(1, 1), t.kernels];
      const [values, offsets, one] = [t.values(x), t.values(bias), t.values(s)[0]];
      const sum = total(n * m, (i) => values[i]);
      await t.result([n, m], EXACT, (i, _, c) => values[i] + offsets[c]).by((out) => k.addBias(out, x, bias));
      await t.result([1, 1], PRODUCT, () => sum).by((out) => k.sum(out, x));
      await t.result([1, 1], PRODUCT, () => times(-0.3, sum)).by((out) => k.sum(out, x, -0.3));
      const sums = t.result([1, m], PRODUCT, (c) => total(n, (r) => values[r * m + c]));
      await sums.addedBy((out, accumulate) => k.columnSums(out, x, accumulate));
      await t.result([n, m], EXACT, () => one).by((out) => k.broadcast(out, s));
      await t.result([n, m], ELEMENT, () => 3 * one).addedBy((out, accumulate) => k.broadcast(out, s, 3, accumulate));
    });
  });

  it('gather and scatterAdd are right, with rows that repeat', async () => {
    await everyShape(async (t, n, m) => {
      for (const numRows of n === 0 ? [0] : [0, 1, 5, 100]) {
        const rows = t.whole(numRows, n);
        const [list, x, dy, k] = [t.ints(rows), t.input(n, m), t.input(numRows, m), t.kernels];
        const [values, terms, old] = [t.values(x), t.values(dy), t.numbers(n * m)];
        const gathered = t.result([numRows, m], EXACT, (_, r, c) => values[rows[r] * m + c]);
        await gathered.by((out) => k.gather(out, x, list));
        const added = (r: number, c: number) => total(numRows, (i) => (rows[i] === r ? terms[i * m + c] : 0));
        const scattered = t.result([n, m], PRODUCT, (i, r, c) => plus(added(r, c), old[i]));
        await scattered.inPlace(old, (out) => k.scatterAdd(out, list, dy));
      }
    });
  });

  it('addBlock adds to a part of a matrix and leaves the rest', async () => {
    await everyShape(async (t, n, m) => {
      const [x, old] = [t.input(n, m), t.numbers((n + 3) * (m + 5))];
      const values = t.values(x);
      const sum = t.result([n + 3, m + 5], EXACT, (i, r, c) => {
        const isIn = r >= 1 && r <= n && c >= 2 && c < m + 2;
        return isIn ? old[i] + values[(r - 1) * m + c - 2] : old[i];
      });
      await sum.inPlace(old, (out) => t.kernels.addBlock(out, 1, 2, x));
    });
  });

  it('rowDot, rowNorm, scaleRows and rowNormBackward are right, also for a row of zeros', async () => {
    await everyShape(async (t, n, m) => {
      const [x, y, s, k] = [t.input(n, m, t.numbers(n * m).fill(0, 0, m)), t.input(n, m), t.input(1, n), t.kernels];
      const [a, b, factors] = [t.values(x), t.values(y), t.values(s)];
      const norms = new Float32Array(n).map((_, r) => Math.sqrt(total(m, (c) => a[r * m + c] ** 2)[0]));
      const norm = t.input(1, n, norms);
      const dots = t.result([1, n], PRODUCT, (r) => total(m, (c) => a[r * m + c] * b[r * m + c]));
      await dots.by((out) => k.rowDot(out, x, y));
      const one = t.input(1, m);
      const ofOne = t.values(one);
      const withOne = t.result([1, n], PRODUCT, (r) => total(m, (c) => a[r * m + c] * ofOne[c]));
      await withOne.by((out) => k.rowDot(out, x, one));
      await t.result([1, n], PRODUCT, (r) => norms[r]).by((out) => k.rowNorm(out, x));
      const scaled = t.result([n, m], ELEMENT, (i, r) => factors[r] * a[i]);
      await scaled.addedBy((out, accumulate) => k.scaleRows(out, x, s, accumulate));
      const gradient = t.result([n, m], ELEMENT, (i, r) => (norms[r] > 0 ? (factors[r] * a[i]) / norms[r] : 0));
      await gradient.addedBy((out, accumulate) => k.rowNormBackward(out, s, x, norm, accumulate));
    });
  });
}
