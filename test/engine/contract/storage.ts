// Making, writing, reading and releasing matrices, and the order in which calls take effect.

import { expect, it } from 'vitest';
import { strideOf } from '../../../src/engine/matrix.ts';
import { PRODUCT, sameBytes, total } from './expected.ts';
import type { RunShapes, RunTrial } from './trial.ts';

export function describeStorage(trial: RunTrial, everyShape: RunShapes): void {
  it('a new matrix is zeros, also where another was released, its rows padded to whole cache lines', async () => {
    await everyShape(async ({ kernels }, rows, cols) => {
      const old = kernels.dense(rows, cols);
      kernels.write(old, new Float32Array(rows * cols).fill(7));
      kernels.release(old);
      const x = kernels.dense(rows, cols);
      expect(x).toMatchObject({ rows, cols, stride: strideOf(cols) });
      expect(x.pointer % 64).toBe(0);
      expect((await kernels.read(x)).every((value) => value === 0)).toBe(true);
      kernels.release(x);
    });
  });

  it('read gives back every bit that write wrote', async () => {
    await everyShape(async (t, rows, cols) => {
      const values = t.numbers(rows * cols);
      values.set([-0, 1e30, 3e38, Number.NaN, Number.POSITIVE_INFINITY].slice(0, values.length));
      expect(sameBytes(await t.kernels.read(t.input(rows, cols, values)), values)).toBe(true);
      const whole = t.whole(rows * cols, 1000).map((value) => value * -2_000_000);
      expect(sameBytes(await t.kernels.readInts(t.ints(whole)), whole)).toBe(true);
    });
  });

  it('write, writeInts and csr refuse arrays of the wrong length', async () => {
    await trial((t) => {
      const [x, list] = [t.input(3, 5), t.ints([1, 2, 3])];
      expect(() => t.kernels.write(x, new Float32Array(14))).toThrow(/14/);
      expect(() => t.kernels.write(x, new Float32Array(3 * x.stride))).toThrow(/48/);
      expect(() => t.kernels.writeInts(list, [1, 2])).toThrow(/2/);
      const arrays = { rowStart: new Int32Array(3), columns: new Int32Array(0), values: new Float32Array(0) };
      expect(() => t.kernels.sparse(3, 3, arrays)).toThrow(/4/);
      expect(() => t.kernels.sparse(2, 3, { ...arrays, values: new Float32Array(1) })).toThrow(/1/);
    });
  });

  it('release gives the bytes back, and not twice', async () => {
    await trial(({ kernels }) => {
      const before = kernels.usedBytes;
      const arrays = { rowStart: Int32Array.of(0, 1), columns: Int32Array.of(4), values: Float32Array.of(1) };
      const held = [kernels.dense(33, 17), kernels.ints(100), kernels.sparse(1, 5, arrays)];
      expect(kernels.usedBytes).toBeGreaterThanOrEqual(before + 33 * 32 * 4 + 400);
      kernels.release(...held);
      expect(kernels.usedBytes).toBe(before);
      expect(() => kernels.release(held[0])).toThrow();
    });
  });

  it('calls take effect in order, even if their inputs are overwritten or released before they are done', async () => {
    await trial(async (t) => {
      const [n, values] = [200, t.numbers(200 * 200)];
      const [out, a, b] = [t.output(n, n), t.output(n, n, values), t.kernels.dense(n, n)];
      t.kernels.write(b, values);
      t.kernels.gemm(out, a, b);
      t.kernels.write(a, new Float32Array(n * n).fill(Number.NaN));
      t.kernels.release(b);
      t.output(n, n); // likely the place of b
      await t.near(out, PRODUCT, (_, r, c) => total(n, (k) => values[r * n + k] * values[k * n + c]));
    });
  });
}
