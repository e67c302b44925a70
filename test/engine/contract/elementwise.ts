// Operations that work number by number: fill, add, mul, the unary ones and dropout.

import { expect, it } from 'vitest';
import { threefry } from '../../../src/random.ts';
import { ELEMENT, EXACT, plus, times } from './expected.ts';
import { DERIVATIVES, FUNCTIONS, OPERATIONS } from './functions.ts';
import type { RunShapes, RunTrial } from './trial.ts';

export function describeElementwise(trial: RunTrial, everyShape: RunShapes): void {
  it('fill, add and mul work number by number', async () => {
    await everyShape(async (t, ...shape) => {
      const [a, b, k] = [t.input(...shape), t.input(...shape), t.kernels];
      const [x, y] = [t.values(a), t.values(b)];
      await t.result(shape, EXACT, () => 2.5).by((out) => k.fill(out, 2.5));
      await t.result(shape, EXACT, (i) => x[i] + y[i]).by((out) => k.add(out, a, b));
      const mixed = t.result(shape, ELEMENT, (i) => plus(0.3 * x[i], -1.7 * y[i]));
      await mixed.by((out) => k.add(out, a, b, 0.3, -1.7));
      await t.result(shape, ELEMENT, (i) => x[i] * y[i]).addedBy((out, accumulate) => k.mul(out, a, b, accumulate));
    });
  });

  it('add may write over either input or both', async () => {
    await everyShape(async (t, ...shape) => {
      const other = t.input(...shape);
      const [x, y] = [t.values(other), t.numbers(shape[0] * shape[1])];
      const [a, b, both] = [t.output(...shape, y), t.output(...shape, y), t.output(...shape, y)];
      t.kernels.add(a, a, other, 2, 3);
      t.kernels.add(b, other, b, 2, 3);
      t.kernels.add(both, both, both, 2, 3);
      await t.near(a, ELEMENT, (i) => plus(2 * y[i], 3 * x[i]));
      await t.near(b, ELEMENT, (i) => plus(2 * x[i], 3 * y[i]));
      await t.near(both, ELEMENT, (i) => 5 * y[i]);
    });
  });

  it.each(OPERATIONS)('unary %s and its derivative are right at every shape, also in place', async (operation) => {
    const [f, derivative] = [FUNCTIONS[operation], DERIVATIVES[operation]];
    await everyShape(async (t, ...shape) => {
      const values = t.numbers(shape[0] * shape[1]).map((value) => value * 8);
      if (operation === 'log') values.set(values.map((value) => Math.abs(value) + 0.01));
      else values.set([0, -0].slice(0, values.length));
      const [x, dy, y] = [t.input(...shape, values), t.input(...shape), t.input(...shape, values.map(f))];
      const result = t.result(shape, ELEMENT, (i) => f(values[i]));
      await result.by((out) => t.kernels.unary(out, operation, x));
      await result.inPlace(values, (out) => t.kernels.unary(out, operation, out));
      const [upstream, results] = [t.values(dy), t.values(y)];
      await t
        .result(shape, ELEMENT, (i) => times(upstream[i], derivative(values[i], results[i])))
        .addedBy((out, accumulate) => t.kernels.unaryBackward(out, operation, dy, x, y, accumulate));
    });
  });

  it.each(OPERATIONS)('unary %s keeps its precision from −100 to 100, near zero and far out', async (operation) => {
    const line = Array.from({ length: 541 }, (_, i) => -100 + i * 0.37);
    const small = Array.from({ length: 30 }, (_, i) => 2 ** -(2 * i)).flatMap((x) => [x, -x, 1 + x, 1 - x]);
    const values = Float32Array.from([...line, ...small, 88, -87, 1e30, -1e30]);
    if (operation === 'log') values.set(values.map(Math.abs));
    await trial(async (t) => {
      const x = t.input(1, values.length, values);
      const result = t.result([1, values.length], ELEMENT, (i) => FUNCTIONS[operation](values[i]));
      await result.by((out) => t.kernels.unary(out, operation, x));
    });
  });

  it.each(OPERATIONS)('unary %s passes NaN on, so that it can stop the run', async (operation) => {
    await trial(async (t) => {
      const x = t.input(1, 7, new Float32Array(7).fill(Number.NaN));
      const result = t.result([1, 7], EXACT, () => Number.NaN);
      await result.inPlace(new Float32Array(7), (out) => t.kernels.unary(out, operation, x));
    });
  });

  it('unary log is right for tiny numbers, zeros and negative numbers', async () => {
    await trial(async (t) => {
      const values = Float32Array.of(1.2e-38, 1e-30, 1e-7, 0, -0, -1, 1e-40);
      const [x, out] = [t.input(1, 7, values), t.output(1, 7)];
      t.kernels.unary(out, 'log', x);
      const isFlushed = (await t.kernels.read(out))[6] === Number.NEGATIVE_INFINITY;
      await t.near(out, ELEMENT, (i) => Math.log(i === 6 && isFlushed ? 0 : values[i]));
    });
  });

  it('dropout keeps number i by draw i of the key, bit for bit, also in place', async () => {
    const draws: [key: [number, number], rate: number][] = [
      [[1, 0x80000001], 0],
      [[1, 0x80000001], 0.5],
      [[0xffffffff, 0x80000001], 0.1],
      [[0xffffffff, 0x80000001], 0.9],
    ];
    for (const [key, rate] of draws) {
      await everyShape(async (t, ...shape) => {
        const [x, k] = [t.input(...shape), t.kernels];
        const [values, words, scale] = [t.values(x), drawsOf(key, x.rows * x.cols), Math.fround(1 / (1 - rate))];
        const kept = (i: number) => (words[i] >= rate * 2 ** 32 ? values[i] * scale : 0);
        await t.result(shape, EXACT, kept).by((out) => k.dropout(out, x, rate, key));
        await t.result(shape, EXACT, kept).inPlace(values, (out) => k.dropout(out, out, rate, key));
        await t.result(shape, ELEMENT, kept).addedBy((out, accumulate) => k.dropout(out, x, rate, key, accumulate));
      });
    }
  });

  it('dropout drops at the given rate', async () => {
    await trial(async (t) => {
      const [x, out] = [t.input(300, 333, new Float32Array(99_900).fill(1)), t.output(300, 333)];
      t.kernels.dropout(out, x, 0.3, [11, 12]);
      const dropped = (await t.kernels.read(out)).filter((value) => value === 0).length;
      expect(Math.abs(dropped - 0.3 * 99_900)).toBeLessThan(5 * Math.sqrt(99_900 * 0.3 * 0.7));
    });
  });
}

function drawsOf(key: readonly [number, number], count: number): Uint32Array {
  const draws = new Uint32Array(count + 1);
  for (let i = 0; i < count; i += 2) threefry(draws.subarray(i, i + 2), key[0], key[1], i / 2, 0);
  return draws;
}
