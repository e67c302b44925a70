// The tape as a whole: its memory, its order, its dropout, its errors. Gradients of single operations are in
// gradients.test.ts.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernels } from '../../../src/engine/kernels.ts';
import type { Ints } from '../../../src/engine/matrix.ts';
import { Adam } from '../../../src/engine/tape/adam.ts';
import { NonFiniteError, Tape, type Tensor } from '../../../src/engine/tape/tape.ts';
import { BACKENDS } from '../backends.ts';
import { makeInts } from '../matrices.ts';

const SETTINGS = { learningRate: 0.05, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

describe.each(BACKENDS)('the tape on %s', (_name, makeKernels) => {
  let kernels: Kernels;

  beforeAll(async () => {
    kernels = await makeKernels();
  });
  afterAll(() => kernels.close());

  function parameter(tape: Tape, rows: readonly (readonly number[])[], name = ''): Tensor {
    const made = tape.parameter(rows.length, rows[0].length, name);
    kernels.write(made.value, rows.flat());
    return made;
  }

  const ints = (...values: readonly number[]) => makeInts(kernels, values);

  async function gradientOf({ gradient }: Tensor): Promise<number[]> {
    if (gradient === undefined) throw new Error('There is no gradient.');
    return [...(await kernels.read(gradient))];
  }

  const numbersOf = async ({ value }: Tensor) => [...(await kernels.read(value))];

  /** Something of every kind, so that all that allocates has its turn. */
  function recordMixture(tape: Tape, ids: Ints): Tensor[] {
    const w = parameter(tape, [
      [1, -2, 3],
      [0.5, 1, -1],
    ]);
    const v = parameter(tape, [
      [0.3, 0.1],
      [-0.2, 0.4],
      [0.6, 0.7],
    ]);
    const offsets = tape.constant(1, 2);
    const x = tape.dropout(tape.tanh(tape.matmul(w, v)), 0.5, 3);
    const scaled = tape.scaleRows(x, tape.rowNorm(w));
    const crossEntropy = tape.mean(tape.softmaxCrossEntropy(tape.gather(scaled, ids), ids));
    const embeddings = { objectEmbeddings: scaled, tagEmbeddings: x, offsets: offsets.value };
    tape.minimize(tape.add(crossEntropy, tape.nce({ ...embeddings, objects: ids, tags: ids, noise: ids })));
    return [w, v];
  }

  it('takes no memory in a step and gives all of it back', () => {
    const before = kernels.usedBytes;
    const ids = ints(1, 0, 1);
    const tape = new Tape(kernels);
    const adam = new Adam(kernels, recordMixture(tape, ids));
    const runSteps = (count: number) => {
      for (let i = 0; i < count; i++) {
        tape.run();
        adam.step(SETTINGS);
      }
      return kernels.usedBytes;
    };
    expect(runSteps(10)).toBeGreaterThan(before);
    const after10 = kernels.usedBytes;
    expect(runSteps(990)).toBe(after10);
    adam.release();
    tape.release();
    tape.release(); // the second time there is nothing left to give
    kernels.release(ids);
    expect(kernels.usedBytes).toBe(before);
  });

  it('leaves a constant that was handed in to its owner', async () => {
    const matrix = kernels.dense(1, 2);
    kernels.write(matrix, [3, 4]);
    const before = kernels.usedBytes;
    const tape = new Tape(kernels);
    tape.mul(parameter(tape, [[1, 1]]), tape.constant(matrix));
    tape.release();
    expect(kernels.usedBytes).toBe(before);
    expect([...(await kernels.read(matrix))]).toEqual([3, 4]);
    kernels.release(matrix);
  });

  it('makes gradients only above parameters', () => {
    const tape = new Tape(kernels);
    const constant = tape.constant(2, 2);
    expect(constant.gradient).toBeUndefined();
    expect(tape.exp(constant).gradient).toBeUndefined();
    expect(tape.add(tape.exp(constant), tape.parameter(2, 2)).gradient).toBeDefined();
    tape.release();
  });

  it('adds up the gradients of a tensor used more than once, in every step anew', async () => {
    const tape = new Tape(kernels);
    const x = parameter(tape, [[2, -3]]);
    const squared = tape.mul(x, x);
    // Σ x² + x + x³
    tape.minimize(tape.sum(tape.add(tape.add(squared, x), tape.mul(squared, x))));
    for (let step = 0; step < 3; step++) {
      tape.run();
      expect(await gradientOf(x)).toEqual([4 + 1 + 12, -6 + 1 + 27]);
    }
    expect(await tape.loss()).toBe(4 + 2 + 8 + (9 - 3 - 27));
    tape.release();
  });

  it('adds nce to what else uses the embeddings, before or after it, weighted', async () => {
    const ids = { objects: ints(0), tags: ints(0), noise: ints(0, 0) };
    const tape = new Tape(kernels);
    const z = parameter(tape, [[0, 4]]); // z · t = 0: all sigmoids are ½, dz = (−½ + ½ + ½) · t, dt the same of z
    const t = parameter(tape, [[2, 0]]);
    const nce = () => tape.nce({ objectEmbeddings: z, tagEmbeddings: t, ...ids, offsets: tape.constant(1, 1).value });
    const first = nce();
    const thrice = tape.add(tape.scale(first, 2), first);
    const loss = tape.add(tape.sum(z), tape.scale(tape.sub(thrice, tape.scale(nce(), 5)), 10));
    tape.minimize(tape.add(loss, tape.sum(tape.scale(z, 100))));
    for (let step = 0; step < 2; step++) {
      tape.run();
      // nce by (2 + 1 − 5) · 10, z by 1 + 100
      expect(await gradientOf(z)).toEqual([-20 + 101, 101]);
      expect(await gradientOf(t)).toEqual([0, -40]);
    }
    expect(await tape.loss()).toBeCloseTo(-20 * 3 * Math.LN2 + 101 * 4, 3);
    tape.release();
    kernels.release(...Object.values(ids));
  });

  it('adds both sides of nce where objects and tags share their embeddings', async () => {
    const ids = { objects: ints(0), tags: ints(1), noise: ints() };
    const tape = new Tape(kernels);
    const z = parameter(tape, [[0], [4]]);
    const offsets = tape.constant(1, 2).value;
    tape.minimize(tape.nce({ objectEmbeddings: z, tagEmbeddings: z, ...ids, offsets }));
    for (let step = 0; step < 2; step++) tape.run();
    expect(await gradientOf(z)).toEqual([-2, 0]);
    tape.release();
    kernels.release(...Object.values(ids));
  });

  it('refuses nce where its weight in the loss is not known beforehand', () => {
    const ids = ints(0);
    const tape = new Tape(kernels);
    const z = tape.parameter(1, 1);
    const offsets = tape.constant(1, 1).value;
    const nce = tape.nce({ objectEmbeddings: z, tagEmbeddings: z, objects: ids, tags: ids, noise: ids, offsets });
    const loss = tape.exp(nce);
    expect(() => tape.minimize(loss)).toThrow('Got nce below other operations');
    tape.release();
    kernels.release(ids);
  });

  it('forward() gives values and leaves gradients alone', async () => {
    const ids = ints(0);
    const tape = new Tape(kernels);
    const z = parameter(tape, [[0.5]]);
    const t = parameter(tape, [[2]]);
    const offsets = tape.constant(1, 1).value;
    const nce = tape.nce({ objectEmbeddings: z, tagEmbeddings: t, objects: ids, tags: ids, noise: ids, offsets });
    tape.minimize(nce);
    const beside = tape.exp(z); // not needed by the loss: only forward() computes it
    tape.run();
    const gradients = [await gradientOf(z), await gradientOf(t)];
    expect(await numbersOf(beside)).toEqual([0]);
    kernels.write(z.value, [1]);
    tape.forward();
    expect(await numbersOf(beside)).toEqual([expect.closeTo(Math.E, 5)]);
    expect(await tape.loss()).toBeCloseTo(2 * Math.log1p(Math.exp(2)) - 2, 5); // softplus(−2) + softplus(2)
    expect([await gradientOf(z), await gradientOf(t)]).toEqual(gradients);
    tape.release();
    kernels.release(ids);
  });

  it('dropout draws anew each step, repeats for the same seed and rests in forward()', async () => {
    const ones = [new Array<number>(64).fill(1)];
    const draw = async (seed: number) => {
      const tape = new Tape(kernels);
      const x = parameter(tape, ones);
      const dropped = tape.dropout(x, 0.5, seed);
      tape.minimize(tape.sum(dropped));
      const masks: number[][] = [];
      for (let step = 0; step < 3; step++) {
        tape.run();
        masks.push(await numbersOf(dropped));
        expect(await gradientOf(x)).toEqual(masks[step]); // the loss is their sum: the mask itself
        tape.forward(); // an evaluation in between is no step
        expect(await numbersOf(dropped)).toEqual(ones[0]);
      }
      tape.release();
      return masks;
    };
    const masks = await draw(1);
    expect(new Set(masks.flat())).toEqual(new Set([0, 2]));
    expect(new Set(masks.map(String)).size).toBe(3);
    expect(await draw(1)).toEqual(masks);
    expect(await draw(2)).not.toEqual(masks);
  });

  it('names the first operation whose output is not finite', async () => {
    const tape = new Tape(kernels);
    const x = parameter(tape, [[1, 1000]], 'x');
    const grown = tape.exp(tape.scale(x, 1));
    tape.minimize(tape.mean(tape.sub(grown, tape.mul(grown, grown))));
    kernels.write(x.value, [1, 2]);
    tape.run();
    expect(await tape.loss()).toBeLessThan(0);
    kernels.write(x.value, [1, 1000]);
    tape.run();
    const error = await tape.loss().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NonFiniteError);
    expect(error).toMatchObject({
      operation: 'exp',
      step: 2,
      message: 'Got NaN or infinity from exp (1 × 2) in step 2 when expected finite numbers. Lower the learning rate.',
    });
    tape.release();
  });

  it('minimises', async () => {
    const tape = new Tape(kernels);
    const x = parameter(tape, [[3, -2]]);
    tape.minimize(tape.sum(tape.mul(x, x)));
    const adam = new Adam(kernels, [x]);
    for (let step = 0; step < 500; step++) {
      tape.run();
      adam.step(SETTINGS);
    }
    expect(await tape.loss()).toBeLessThan(1e-4);
    adam.release();
    tape.release();
  });

  it('refuses what cannot work, while recording', () => {
    const tape = new Tape(kernels);
    const x = tape.parameter(2, 3);
    expect(() => tape.run()).toThrow('Call minimize first.');
    expect(() => tape.minimize(x)).toThrow('Got a loss of 2 × 3');
    expect(() => tape.minimize(tape.sum(tape.constant(2, 3)))).toThrow('with a parameter below it');
    expect(() => tape.matmul(x, x)).toThrow('Got 2 × 3 and 2 × 3 when expected two shapes that fit. Check matmul.');
    expect(() => tape.add(x, tape.constant(3, 2))).toThrow('Check add.');
    expect(() => tape.dropout(x, 1, 1)).toThrow('Got dropout rate 1');
    expect(() => new Adam(kernels, [tape.constant(1, 1)])).toThrow('Got a constant to learn');
    tape.minimize(tape.sum(x));
    expect(() => tape.minimize(tape.sum(x))).toThrow('Got a second loss');
    tape.release();
  });
});
