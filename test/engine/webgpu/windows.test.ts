// What a GPU's kernels make of matrices they cannot see at once, and of rows so long that several workgroups share them:
// the same as the reference makes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernels } from '../../../src/engine/kernels.ts';
import type { Dense, Ints } from '../../../src/engine/matrix.ts';
import { ReferenceKernels } from '../../../src/engine/reference/reference-kernels.ts';
import { InputError } from '../../../src/errors.ts';
import { Random } from '../../../src/random.ts';
import { sparse } from '../contract/sparse.ts';
import { gpuSkipped, hasGpu, openGpu } from '../gpu.ts';

const WINDOW = 8192; // bytes
const TOLERANCE = 1e-5; // relative to the largest number
const [N, M, D] = [150, 90, 20]; // rows of D numbers take 128 bytes: 64 fit into a window

describe.skipIf(!hasGpu)(`on a GPU${gpuSkipped}`, () => {
  let gpu: Kernels;
  const reference = new ReferenceKernels();
  beforeAll(async () => {
    gpu = await openGpu(WINDOW);
  });
  afterAll(() => gpu.close());

  it.each<[string, (make: Maker) => readonly Dense[] | Promise<readonly Dense[]>]>([
    [
      'elementwise',
      ({ k, numbers }) => {
        const [x, y, out] = [numbers(N, D), numbers(N, D), numbers(N, D)];
        k.add(out, x, y, 0.5, 2);
        k.mul(out, out, y, true);
        k.unary(x, 'tanh', x);
        k.unaryBackward(y, 'tanh', out, y, x, true);
        k.dropout(x, y, 0.3, [1, 2]);
        return [out, x, y];
      },
    ],
    [
      'rows',
      ({ k, numbers, whole }) => {
        const [x, s, out] = [numbers(N, D), numbers(1, N), numbers(N, D)];
        const [sums, total, dots] = [numbers(1, D), numbers(1, 1), numbers(1, N)];
        k.columnSums(sums, x, true);
        k.sum(total, x, 0.5);
        k.rowDot(dots, x, out);
        k.scaleRows(out, x, s, true);
        const picked = numbers(2 * N, D);
        k.gather(picked, out, whole(2 * N, N));
        return [sums, total, dots, out, picked];
      },
    ],
    [
      'large numbers',
      async ({ k, numbers }) => {
        const { rowStart, columns, values } = await k.readLarge(numbers(N, D), new Float32Array(N).fill(0.7));
        const [starts, found] = [k.dense(1, N + 1), k.dense(2, values.length)];
        k.write(starts, rowStart);
        k.write(found, [...columns, ...values]);
        return [starts, found];
      },
    ],
    [
      'gemm',
      ({ k, numbers }) => {
        const out: Dense[] = [];
        for (const transposeA of [false, true]) {
          for (const transposeB of [false, true]) {
            const a = transposeA ? numbers(M, N) : numbers(N, M);
            const b = transposeB ? numbers(D, M) : numbers(M, D);
            out.push(numbers(N, D));
            k.gemm(out[out.length - 1], a, b, { transposeA, transposeB, scale: 0.3, accumulate: transposeA });
          }
        }
        const deep = numbers(D, D);
        k.gemm(deep, numbers(N, D), numbers(N, D), { transposeA: true });
        return [...out, deep];
      },
    ],
    [
      'spmm',
      ({ k, numbers, random }) => {
        const arrays = sparse(random, N, M, 60); // of its entries 2,048 can be seen
        expect(arrays.columns.length).toBeGreaterThan(2048);
        const [out, added] = [numbers(N, D), numbers(N, D)];
        const a = k.sparse(N, M, arrays);
        const x = numbers(M, D);
        k.spmm(out, a, x);
        k.spmm(added, a, x, true);
        return [out, added];
      },
    ],
    [
      'nce',
      ({ k, numbers, whole }) => {
        const [pairs, numNoise] = [40, 3];
        const inputs = {
          ...{ objectEmbeddings: numbers(N, D), tagEmbeddings: numbers(30, D), offsets: numbers(1, 30) },
          ...{ objects: whole(pairs, N), tags: whole(pairs, 30), noise: whole(pairs * numNoise, 30) },
        };
        const out = {
          ...{ losses: numbers(1, pairs), coefficients: numbers(pairs, numNoise + 1) },
          ...{ dObjectEmbeddings: numbers(N, D), dTagEmbeddings: numbers(30, D) },
        };
        k.nce(out, inputs, 0.1);
        return [out.losses, out.dObjectEmbeddings, out.dTagEmbeddings];
      },
    ],
    [
      'softmax and adam',
      ({ k, numbers, whole }) => {
        const [losses, slopes] = [numbers(1, N), numbers(N, D)];
        k.softmaxCrossEntropy(losses, slopes, numbers(N, D), whole(N, D));
        const state = { weights: numbers(N, D), gradient: slopes, mean: numbers(N, D), variance: numbers(N, D) };
        k.mul(state.variance, state.variance, state.variance);
        k.adam(state, { learningRate: 0.1, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, step: 3 });
        return [losses, slopes, state.weights];
      },
    ],
  ])('%s goes by parts', async (_name, run) => {
    const expected = await resultsOf(reference, run);
    for (const [i, values] of (await resultsOf(gpu, run)).entries()) expectClose(values, expected[i]);
  });

  it('shares rows of many thousand entries among workgroups', async () => {
    const whole = await openGpu();
    const run = ({ k, numbers, random }: Maker) => {
      const lengths = [0, 30_000, 5, 8192, 8193, 600, 70];
      const rowStart = Int32Array.from([0, ...lengths.map((_, r) => lengths.slice(0, r + 1).reduce((a, b) => a + b))]);
      const columns = new Int32Array(rowStart[lengths.length]).map(() => random.below(M));
      for (let r = 0; r < lengths.length; r++) columns.subarray(rowStart[r], rowStart[r + 1]).sort();
      const values = new Float32Array(columns.length).map(() => random.float() - 0.5);
      const a = k.sparse(lengths.length, M, { rowStart, columns, values });
      const [out, back] = [numbers(lengths.length, D), numbers(M, D)];
      k.spmm(out, a, numbers(M, D), true);
      k.spmmTransposed(back, a, numbers(lengths.length, D));
      // so many places of one key are put in order by marks
      const rows = k.ints(40_000);
      k.writeInts(
        rows,
        new Int32Array(rows.length).map((_, i) => (i % 7 === 0 ? 2 : i % 3 === 0 ? 4 : 1)),
      );
      const added = numbers(6, 3);
      k.scatterAdd(added, rows, numbers(rows.length, 3));
      return [out, back, added];
    };
    const expected = await resultsOf(reference, run);
    for (const [i, values] of (await resultsOf(whole, run)).entries()) expectClose(values, expected[i], 1e-4);
    whole.close();
  });

  it('refuses what it cannot see or hold, with the sizes', () => {
    const wide = gpu.dense(1, 10_000);
    expect(() => gpu.fill(wide, 1)).toThrow(InputError);
    expect(() => gpu.fill(wide, 1)).toThrow(/got a request for 0.04 MB of GPU memory, expected at most 0.01 MB/);
    gpu.release(wide);
    const used = gpu.usedBytes;
    expect(() => gpu.dense(1 << 26, 1 << 14)).toThrow(/got a request for 4398.05 GB of GPU memory, expected at most/);
    expect(gpu.usedBytes).toBe(used);
  });
});

interface Maker {
  readonly k: Kernels;
  readonly random: Random;
  numbers(rows: number, cols: number): Dense;
  whole(length: number, below: number): Ints;
}

async function resultsOf(
  k: Kernels,
  run: (make: Maker) => readonly Dense[] | Promise<readonly Dense[]>,
): Promise<Float32Array[]> {
  const random = new Random(3, 'windows');
  const made = await run({
    k,
    random,
    numbers(rows, cols) {
      const out = k.dense(rows, cols);
      k.write(
        out,
        new Float32Array(rows * cols).map(() => random.float() - 0.5),
      );
      return out;
    },
    whole(length, below) {
      const out = k.ints(length);
      k.writeInts(
        out,
        new Int32Array(length).map(() => random.below(below)),
      );
      return out;
    },
  });
  return Promise.all(made.map((x) => k.read(x)));
}

function expectClose(got: Float32Array, expected: Float32Array, tolerance = TOLERANCE): void {
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const difference = expected.reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0);
  expect(got.length).toBe(expected.length);
  expect(difference).toBeLessThanOrEqual(tolerance * largest);
}
