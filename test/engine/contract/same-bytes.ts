// The same bytes from several backends, or from one backend with several numbers of threads.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Kernels } from '../../../src/engine/kernels.ts';
import type { Dense } from '../../../src/engine/matrix.ts';
import { Random } from '../../../src/random.ts';
import type { MakeKernels } from '../backends.ts';
import { sameBytes } from './expected.ts';
import { OPERATIONS } from './functions.ts';
import { sparse } from './sparse.ts';

type Shape = readonly [n: number, m: number, d: number];

/** Shared out between threads. */
const LARGE: Shape = [701, 333, 67];

/** Holds backends, or one backend with several numbers of threads, to the same bytes. The first is what others must equal. */
export function describeSameBytes(makers: Record<string, MakeKernels>, shape = LARGE): void {
  const names = Object.keys(makers);
  describe(`the bytes of ${names.join(', ')}`, () => {
    const results = new Map<string, Record<string, Float32Array | Int32Array>>();
    beforeAll(async () => {
      for (const name of names) {
        const kernels = await makers[name]();
        results.set(name, await runEverything(kernels, shape));
        kernels.close();
      }
    }, 120_000);

    it.each(names.slice(1))(`%s gives those of ${names[0]}`, (name) => {
      const [actual, expected] = [results.get(name) ?? {}, results.get(names[0]) ?? {}];
      expect(Object.keys(actual)).toEqual(Object.keys(expected));
      for (const [output, values] of Object.entries(expected)) {
        expect(sameBytes(actual[output], values), output).toBe(true);
      }
    });
  });
}

/** A fixed run through all operations on matrices large enough to be shared out between threads; outputs by operation. */
async function runEverything(kernels: Kernels, [n, m, d]: Shape): Promise<Record<string, Float32Array | Int32Array>> {
  const random = new Random(2, 'same bytes');
  const outputs: Record<string, Float32Array | Int32Array> = {};
  const numbers = (count: number) => new Float32Array(count).map(() => random.float() * 2 - 1);
  const input = (rows: number, cols: number, values: ArrayLike<number> = numbers(rows * cols)) => {
    const x = kernels.dense(rows, cols);
    kernels.write(x, values);
    return x;
  };
  const whole = (count: number, below: number) => {
    const list = kernels.ints(count);
    const values = Array.from({ length: count }, () => random.below(below));
    kernels.writeInts(list, values);
    return list;
  };
  /** Runs an operation on an output that already holds something. */
  const on = async (name: string, rows: number, cols: number, run: (out: Dense) => unknown) => {
    const out = input(rows, cols);
    await run(out);
    outputs[name] = await kernels.read(out);
    kernels.release(out);
  };

  const aboveZero = numbers(n * d).map((value) => Math.abs(value) + 0.1);
  const [x, y, positive] = [input(n, d), input(n, d), input(n, d, aboveZero)];
  const [other, bias, s, one] = [input(m, d), input(1, d), input(1, n), input(1, 1)];
  const a = kernels.sparse(n, m, sparse(random, n, m, 60));
  const rows = whole(2 * n, m);
  for (const add of [false, true]) {
    await on(`spmm ${add}`, n, d, (out) => kernels.spmm(out, a, other, add));
    await on(`spmmTransposed ${add}`, m, d, (out) => kernels.spmmTransposed(out, a, x, add));
    await on(`gemm ${add}`, n, m, (out) =>
      kernels.gemm(out, x, other, { transposeB: true, accumulate: add, scale: 0.3 }),
    );
    await on(`gemm of the transposed ${add}`, d, d, (out) =>
      kernels.gemm(out, x, y, { transposeA: true, accumulate: add }),
    );
    await on(`mul ${add}`, n, d, (out) => kernels.mul(out, x, y, add));
    await on(`dropout ${add}`, n, d, (out) => kernels.dropout(out, x, 0.4, [3, 4], add));
    await on(`columnSums ${add}`, 1, d, (out) => kernels.columnSums(out, x, add));
    await on(`broadcast ${add}`, n, d, (out) => kernels.broadcast(out, one, 0.7, add));
    await on(`scaleRows ${add}`, n, d, (out) => kernels.scaleRows(out, x, s, add));
    await on(`rowNormBackward ${add}`, n, d, (out) => kernels.rowNormBackward(out, s, x, s, add));
    for (const operation of OPERATIONS) {
      const from = operation === 'log' ? positive : x;
      await on(`${operation} backward ${add}`, n, d, (out) => kernels.unaryBackward(out, operation, y, from, y, add));
    }
  }
  for (const operation of OPERATIONS)
    await on(operation, n, d, (out) => kernels.unary(out, operation, operation === 'log' ? positive : x));
  await on('fill', n, d, (out) => kernels.fill(out, 0.1));
  await on('add', n, d, (out) => kernels.add(out, x, y, 0.3, 0.7));
  await on('addBias', n, d, (out) => kernels.addBias(out, x, bias));
  await on('sum', 1, 1, (out) => kernels.sum(out, x, 0.3));
  await on('gather', 2 * n, d, (out) => kernels.gather(out, other, rows));
  const wide = input(2 * n, d);
  await on('scatterAdd', m, d, (out) => kernels.scatterAdd(out, rows, wide));
  await on('rowDot', 1, n, (out) => kernels.rowDot(out, x, y));
  await on('rowNorm', 1, n, (out) => kernels.rowNorm(out, x));

  const targets = whole(n, d);
  const dLogits = input(n, d);
  await on('softmaxCrossEntropy', 1, n, (out) => kernels.softmaxCrossEntropy(out, dLogits, x, targets));
  outputs.dLogits = await kernels.read(dLogits);
  const nceLists = { objects: whole(3 * n, n), tags: whole(3 * n, m), noise: whole(3 * n * 5, m) };
  const nceInputs = { objectEmbeddings: x, tagEmbeddings: other, offsets: input(1, m), ...nceLists };
  const gradients = { dObjectEmbeddings: input(n, d), dTagEmbeddings: input(m, d), coefficients: input(3 * n, 6) };
  await on('nce', 1, 3 * n, (losses) => kernels.nce({ losses, ...gradients }, nceInputs, 0.3));
  outputs.dObjectEmbeddings = await kernels.read(gradients.dObjectEmbeddings);
  outputs.dTagEmbeddings = await kernels.read(gradients.dTagEmbeddings);

  const state = { gradient: x, mean: input(n, d), variance: positive };
  const settings = { learningRate: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, step: 3 };
  const some = kernels.ints(Math.floor(n / 3.5));
  const everyThird = new Int32Array(some.length).map((_, i) => 3 * i);
  kernels.writeInts(some, everyThird);
  await on('adam', n, d, (weights) => kernels.adam({ weights, ...state }, settings));
  await on('adamRows', n, d, (weights) => kernels.adamRows({ weights, ...state }, some, settings));
  outputs.mean = await kernels.read(state.mean);
  outputs.variance = await kernels.read(state.variance);

  const factor = kernels.dense(m, m);
  const ones = new Float32Array(m * m).map((_, i) => (i % (m + 1) === 0 ? 1 : 0));
  const identity = input(m, m, ones);
  kernels.gemm(factor, other, other, { transposeB: true });
  kernels.add(factor, factor, identity, 1, 1);
  await on('invertSymmetric', m, m, (out) => {
    kernels.add(out, factor, factor, 1, 0);
    return kernels.invertSymmetric(out);
  });
  await kernels.cholesky(factor);
  outputs.cholesky = await kernels.read(factor);
  for (const transposed of [false, true]) {
    await on(`solveTriangular ${transposed}`, m, d, (out) => kernels.solveTriangular(out, factor, transposed));
  }
  const ids = kernels.ints(n * 20);
  kernels.topK(ids, x, 20);
  outputs.topK = await kernels.readInts(ids);
  return outputs;
}
