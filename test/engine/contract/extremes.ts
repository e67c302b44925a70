// Numbers at the ends of float32: huge ones and denormal ones.

import { expect, it } from 'vitest';
import { ELEMENT, EXACT } from './expected.ts';
import { FUNCTIONS, OPERATIONS } from './functions.ts';
import type { RunTrial } from './trial.ts';

export function describeExtremes(trial: RunTrial): void {
  it('huge numbers neither overflow on the way nor turn into NaN', async () => {
    await trial(async (t) => {
      const values = Float32Array.of(1e30, -1e30, 1e30, 3e38, 1e-30);
      const [x, y, out] = [t.input(1, 5, values), t.input(1, 5, [1e30, 1e30, -1e-30, -3e38, 1e30]), t.output(1, 5)];
      t.kernels.add(out, x, y);
      await t.near(out, ELEMENT, (i) => values[i] + t.values(y)[i]);
      t.kernels.mul(out, x, y);
      await t.near(out, ELEMENT, (i) => values[i] * t.values(y)[i]);
      t.kernels.fill(out, 1e30);
      await t.near(out, EXACT, () => Math.fround(1e30));
      t.kernels.columnSums(out, x);
      await t.near(out, EXACT, (i) => values[i]);
      t.kernels.gemm(out, t.input(1, 1, [1e-30]), x);
      await t.near(out, ELEMENT, (i) => Math.fround(1e-30) * values[i]);
      expect(await t.kernels.countNonFinite(x)).toBe(0);
    });
  });

  it('softmaxCrossEntropy shares evenly between equal logits, however large', async () => {
    for (const size of [1, 1e4, 1e8, 1e30]) {
      await trial(async (t) => {
        const [losses, dLogits] = [t.output(1, 2), t.output(2, 3)];
        const logits = t.input(2, 3, [size, size, -size, -size, -size, -size]);
        t.kernels.softmaxCrossEntropy(losses, dLogits, logits, t.ints([0, 1]));
        const share = Math.exp(-2 * size);
        const gradients = [-0.5, 0.5, 0, 1 / 3, -2 / 3, 1 / 3];
        await t.near(losses, ELEMENT, (r) => (r === 0 ? Math.log(2 + share) : Math.log(3)));
        if (size > 1) await t.near(dLogits, ELEMENT, (i) => [gradients[i], 1]);
      });
    }
  });

  it('denormal numbers stay within the smallest normal number of the right result', async () => {
    await trial(async (t) => {
      const values = Float32Array.of(1e-40, -1e-40, 7e-39, 0, -0); // each, and half as much again, may be flushed
      const [x, out] = [t.input(1, 5, values), t.output(1, 5)];
      t.kernels.add(out, x, x, 1, 0.5);
      await t.near(out, ELEMENT, (i) => 1.5 * values[i]);
      t.kernels.mul(out, x, x);
      await t.near(out, ELEMENT, () => 0);
      t.kernels.gather(out, x, t.ints([0]));
      await t.near(out, ELEMENT, (i) => values[i]);
      for (const operation of OPERATIONS.filter((each) => each !== 'log')) {
        t.kernels.unary(out, operation, x);
        await t.near(out, ELEMENT, (i) => FUNCTIONS[operation](values[i]));
      }
    });
  });
}
