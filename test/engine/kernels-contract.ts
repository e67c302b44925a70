// The contract of Kernels: what every backend is held to, against plain double precision written here and not against
// the reference, so that a mistake in the reference shows too. Every trial runs at awkward sizes, begins with outputs
// full of NaN, and ends by checking that inputs, padding and neighbours in memory are as they were and that all bytes
// came back. Numbers below the smallest normal float32 may be flushed to zero: no comparison here forbids it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AdamSettings,
  type AdamState,
  type Kernels,
  LEAKY_SLOPE,
  type NceInputs,
  type NceOutputs,
  NotPositiveDefiniteError,
  type UnaryOperation,
} from '../../src/engine/kernels.ts';
import { type Csr, type CsrArrays, type Dense, type Ints, strideOf } from '../../src/engine/matrix.ts';
import type { Memory } from '../../src/engine/memory.ts';
import { Random, threefry } from '../../src/random.ts';

export type MakeKernels = () => Kernels | Promise<Kernels>;

/** A value, or a value with the size of the terms it was summed from, which rounding is in proportion to. */
type Expected = number | readonly [value: number, scale: number];

const SIZES = [0, 1, 3, 4, 5, 15, 16, 17, 33];
const SHAPES = [...pairs(SIZES, SIZES), [257, 129], [1000, 5], [2, 3000]] as const;
const SYSTEM_SIZES = [1, 2, 3, 15, 16, 17, 33, 64, 65, 130, 200];
const EXACT = 0;
const ELEMENT = 1e-6; // relative: a few units in the last place of float32
const PRODUCT = 1e-5; // relative to the terms: sums in float32, in any order
const SMALLEST = 2 ** -126; // normal float32

const FUNCTIONS: Record<UnaryOperation, (x: number) => number> = {
  relu: (x) => Math.max(x, 0),
  leakyRelu: (x) => (x < 0 ? LEAKY_SLOPE * x : x),
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  softplus: (x) => (x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x))),
  exp: Math.exp,
  log: Math.log,
};
const DERIVATIVES: Record<UnaryOperation, (x: number, y: number) => Expected> = {
  relu: (x) => (x > 0 ? 1 : 0),
  leakyRelu: (x) => (x > 0 ? 1 : LEAKY_SLOPE),
  tanh: (_x, y) => [1 - y * y, 1], // the difference cancels near ±1
  sigmoid: (_x, y) => y * (1 - y),
  softplus: (x) => 1 / (1 + Math.exp(-x)),
  exp: (_x, y) => y,
  log: (x) => 1 / x,
};
const OPERATIONS = Object.keys(FUNCTIONS) as UnaryOperation[];

export function describeKernels(name: string, make: MakeKernels): void {
  describe(`${name} kernels`, () => {
    let kernels: Kernels;
    beforeAll(async () => {
      kernels = await make();
    });
    afterAll(() => kernels.close());

    const trial = async (body: (t: Trial) => unknown) => {
      const t = new Trial(kernels);
      await body(t);
      await t.finish();
    };
    const everyShape = async (body: (t: Trial, rows: number, cols: number) => unknown) => {
      for (const [rows, cols] of SHAPES) await trial((t) => body(t, rows, cols));
    };

    describeStorage(trial, everyShape);
    describeProducts(trial);
    describeElementwise(trial, everyShape);
    describeRows(everyShape);
    describeLosses(trial, everyShape);
    describeAdam(everyShape);
    describeSystems(trial);
    describeRanking(trial, everyShape);
    describeExtremes(trial);
  });
}

type RunTrial = (body: (t: Trial) => unknown) => Promise<void>;
type RunShapes = (body: (t: Trial, rows: number, cols: number) => unknown) => Promise<void>;
type ExpectedAt = (i: number, row: number, col: number) => Expected; // i = row · cols + col
type Tolerance = number | ((row: number) => number);
type Shape = readonly [rows: number, cols: number];

function describeStorage(trial: RunTrial, everyShape: RunShapes): void {
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
      expect(() => t.kernels.csr(3, 3, arrays)).toThrow(/4/);
      expect(() => t.kernels.csr(2, 3, { ...arrays, values: new Float32Array(1) })).toThrow(/1/);
    });
  });

  it('release gives the bytes back, and not twice', async () => {
    await trial(({ kernels }) => {
      const before = kernels.usedBytes;
      const arrays = { rowStart: Int32Array.of(0, 1), columns: Int32Array.of(4), values: Float32Array.of(1) };
      const held = [kernels.dense(33, 17), kernels.ints(100), kernels.csr(1, 5, arrays)];
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

function describeProducts(trial: RunTrial): void {
  const flags = pairs([false, true], [false, true]);
  it.each(flags)('gemm multiplies with transposeA %s and transposeB %s', async (transposeA, transposeB) => {
    for (const [n, m, depth] of [...triples(), [257, 129, 300], [1, 500, 64], [130, 1, 1000]]) {
      await trial(async (t) => {
        const a = transposeA ? t.input(depth, n) : t.input(n, depth);
        const b = transposeB ? t.input(m, depth) : t.input(depth, m);
        const [x, y] = [t.values(a), t.values(b)];
        const left = (r: number, k: number) => x[transposeA ? k * n + r : r * depth + k];
        const right = (k: number, c: number) => y[transposeB ? c * depth + k : k * m + c];
        const options = { transposeA, transposeB, scale: -0.7 };
        await t
          .result([n, m], PRODUCT, (_, r, c) => total(depth, (k) => -0.7 * left(r, k) * right(k, c)))
          .addedBy((out, accumulate) => t.kernels.gemm(out, a, b, { ...options, accumulate }));
      });
    }
  });

  it('spmm and spmmTransposed multiply, with empty rows, repeated entries and rows of any length', async () => {
    const shapes = triples().map(([n, m, d]) => [n, m, d, Math.min(6, m)]);
    // all empty; rows of up to 3,000 entries, most of them repeats; many rows
    for (const [n, m, d, most] of [...shapes, [9, 9, 5, 0], [5, 40, 33, 3000], [1000, 300, 20, 30]]) {
      await trial(async (t) => {
        const arrays = sparse(t.random, n, m, most);
        const [a, x, y] = [t.csr(n, m, arrays), t.input(m, d), t.input(n, d)];
        const product = t.result([n, d], PRODUCT, sparseProduct(arrays, t.values(x), n, d, false));
        await product.addedBy((out, accumulate) => t.kernels.spmm(out, a, x, accumulate));
        const back = t.result([m, d], PRODUCT, sparseProduct(arrays, t.values(y), m, d, true));
        await back.addedBy((out, accumulate) => t.kernels.spmmTransposed(out, a, y, accumulate));
      });
    }
  });
}

function describeElementwise(trial: RunTrial, everyShape: RunShapes): void {
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
    const keys: [number, number][] = pairs([1, 0xffffffff], [0x80000001]);
    for (const [key, rate] of pairs(keys, [0, 0.1, 0.5, 0.9])) {
      await everyShape(async (t, ...shape) => {
        const [x, k] = [t.input(...shape), t.kernels];
        const [values, draws, scale] = [t.values(x), drawsOf(key, x.rows * x.cols), Math.fround(1 / (1 - rate))];
        const kept = (i: number) => (draws[i] >= rate * 2 ** 32 ? values[i] * scale : 0);
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

function describeRows(everyShape: RunShapes): void {
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

  it('rowDot, rowNorm, scaleRows and rowNormBackward are right, also for a row of zeros', async () => {
    await everyShape(async (t, n, m) => {
      const [x, y, s, k] = [t.input(n, m, t.numbers(n * m).fill(0, 0, m)), t.input(n, m), t.input(1, n), t.kernels];
      const [a, b, factors] = [t.values(x), t.values(y), t.values(s)];
      const norms = new Float32Array(n).map((_, r) => Math.sqrt(total(m, (c) => a[r * m + c] ** 2)[0]));
      const norm = t.input(1, n, norms);
      const dots = t.result([1, n], PRODUCT, (r) => total(m, (c) => a[r * m + c] * b[r * m + c]));
      await dots.by((out) => k.rowDot(out, x, y));
      await t.result([1, n], PRODUCT, (r) => norms[r]).by((out) => k.rowNorm(out, x));
      const scaled = t.result([n, m], ELEMENT, (i, r) => factors[r] * a[i]);
      await scaled.addedBy((out, accumulate) => k.scaleRows(out, x, s, accumulate));
      const gradient = t.result([n, m], ELEMENT, (i, r) => (norms[r] > 0 ? (factors[r] * a[i]) / norms[r] : 0));
      await gradient.addedBy((out, accumulate) => k.rowNormBackward(out, s, x, norm, accumulate));
    });
  });
}

function describeLosses(trial: RunTrial, everyShape: RunShapes): void {
  it('softmaxCrossEntropy and its gradient, for even and for very uneven logits', async () => {
    for (const spread of [1, 30, 300]) {
      await everyShape(async (t, n, m) => {
        if (m === 0) return; // there is no target
        const logits = t.numbers(n * m).map((value) => value * spread);
        const targets = t.whole(n, m);
        const [losses, dLogits] = [t.output(1, n), t.output(n, m)];
        t.kernels.softmaxCrossEntropy(losses, dLogits, t.input(n, m, logits), t.ints(targets));
        const expected = Array.from({ length: n }, (_, r) => softmax(logits.subarray(r * m, r * m + m), targets[r]));
        await t.near(losses, PRODUCT, (r) => [expected[r].loss, 1 + spread]);
        await t.near(dLogits, PRODUCT, (_, r, c) => [expected[r].gradient[c], 1 + spread / 10]);
      });
    }
  });

  it('nce and its gradients, with repeated objects and tags, for 1 to 17 noise tags', async () => {
    const shapes = Array.from({ length: 17 }, (_, i) => [SIZES[i % 9], i + 1, SIZES[1 + (i % 8)], 1]);
    // many pairs on few rows; logits far out of the range of exp
    for (const [numPairs, numNoise, d, size] of [...shapes, [500, 5, 33, 1], [40, 3, 17, 12]]) {
      await trial(async (t) => {
        const [numObjects, numTags, scale] = [7, 5, 0.25];
        const [objects, tags, noise] = [numObjects, numTags, numTags].map((n, i) =>
          t.whole(i < 2 ? numPairs : numPairs * numNoise, n),
        );
        const [zo, zt] = [numObjects, numTags].map((n) => t.numbers(n * d).map((value) => value * size));
        const inputs: NceInputs = {
          objectEmbeddings: t.input(numObjects, d, zo),
          tagEmbeddings: t.input(numTags, d, zt),
          objects: t.ints(objects),
          tags: t.ints(tags),
          noise: t.ints(noise),
          offsets: t.input(1, numTags),
        };
        const out: NceOutputs = {
          losses: t.output(1, numPairs),
          dObjectEmbeddings: t.output(numObjects, d, t.numbers(numObjects * d)),
          dTagEmbeddings: t.output(numTags, d, t.numbers(numTags * d)),
          coefficients: t.output(numPairs, numNoise + 1),
        };
        t.kernels.nce(out, inputs, scale);

        // each gradient with, behind it, the sum of the sizes of its terms
        const [dzo, dzt] = [zo, zt].map((z) => [new Float64Array(z.length), new Float64Array(z.length)]);
        const losses = Array.from({ length: numPairs }, (_, b) => {
          let loss: readonly [number, number] = [0, 0];
          for (let k = 0; k <= numNoise; k++) {
            const object = objects[b] * d;
            const [tag, sign] = k === 0 ? [tags[b], -1] : [noise[b * numNoise + k - 1], 1];
            const dot = total(d, (c) => zo[object + c] * zt[tag * d + c]);
            const logit = plus(dot, t.values(inputs.offsets)[tag]);
            loss = [loss[0] + FUNCTIONS.softplus(sign * logit[0]), loss[1] + 1 + logit[1]];
            const coefficient = scale * sign * FUNCTIONS.sigmoid(sign * logit[0]);
            for (let c = 0; c < d; c++) {
              dzo[0][object + c] += coefficient * zt[tag * d + c];
              dzo[1][object + c] += scale * Math.abs(zt[tag * d + c]) * (1 + logit[1]);
              dzt[0][tag * d + c] += coefficient * zo[object + c];
              dzt[1][tag * d + c] += scale * Math.abs(zo[object + c]) * (1 + logit[1]);
            }
          }
          return loss;
        });
        await t.near(out.losses, PRODUCT, (b) => losses[b]);
        for (const [dz, [sum, terms]] of [[out.dObjectEmbeddings, dzo] as const, [out.dTagEmbeddings, dzt] as const]) {
          await t.near(dz, PRODUCT, (i) => plus([sum[i], terms[i]], t.values(dz)[i]));
        }
      });
    }
  });
}

function describeAdam(everyShape: RunShapes): void {
  const makeState = (t: Trial, n: number, m: number): AdamState => {
    const [weights, gradient, mean, variance] = [1, 2, 3, 4].map(() => t.numbers(n * m));
    gradient.set([0, 1e15, -1e15, 1e-20, 1e-30].slice(0, gradient.length));
    return {
      weights: t.output(n, m, weights),
      gradient: t.input(n, m, gradient),
      mean: t.output(n, m, mean.fill(0, 0, 1)), // nothing in the first place ever moved
      variance: t.output(n, m, variance.map(Math.abs).fill(0, 0, 1)),
    };
  };
  const check = async (t: Trial, state: AdamState, settings: AdamSettings, isMoved: (row: number) => boolean) => {
    const { learningRate, beta1, beta2, epsilon, step } = settings;
    const moved = (i: number, row: number) => {
      const [w, g, m, v] = [state.weights, state.gradient, state.mean, state.variance].map((x) => t.values(x)[i]);
      const [mean, variance] = [plus(beta1 * m, (1 - beta1) * g), beta2 * v + (1 - beta2) * g * g];
      const change = (x: number) =>
        (learningRate * x) / (1 - beta1 ** step) / (Math.sqrt(variance / (1 - beta2 ** step)) + epsilon);
      const weight: Expected = [w - change(mean[0]), Math.abs(w) + 10 * change(mean[1])];
      return isMoved(row) ? { weight, mean, variance } : { weight: w, mean: m, variance: v };
    };
    const tolerance = (row: number) => (isMoved(row) ? ELEMENT : EXACT);
    await t.near(state.weights, tolerance, (i, r) => moved(i, r).weight);
    await t.near(state.mean, tolerance, (i, r) => moved(i, r).mean);
    await t.near(state.variance, tolerance, (i, r) => moved(i, r).variance);
  };

  const settings = { learningRate: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
  it.each([1, 2, 1000, 100_000])('adam moves weights as published, at step %i', async (step) => {
    await everyShape(async (t, n, m) => {
      const state = makeState(t, n, m);
      t.kernels.adam(state, { ...settings, step });
      await check(t, state, { ...settings, step }, () => true);
    });
  });

  it('adamRows does the same to the given rows and leaves every bit of the others', async () => {
    await everyShape(async (t, n, m) => {
      const rows = Int32Array.from({ length: n }, (_, r) => r).filter((r) => r % 3 === 1);
      const state = makeState(t, n, m);
      t.kernels.adamRows(state, t.ints(t.random.shuffle(rows)), { ...settings, step: 7 });
      await check(t, state, { ...settings, step: 7 }, (row) => row % 3 === 1);
    });
  });
}

function describeSystems(trial: RunTrial): void {
  /** B Bᵀ / n + I: eigenvalues from 1 to about 2.5. */
  const definite = (t: Trial, n: number): Float32Array => {
    const b = t.numbers(n * n);
    return Float32Array.from({ length: n * n }, (_, i) => {
      const [r, c] = [Math.floor(i / n), i % n];
      return total(n, (k) => b[r * n + k] * b[c * n + k])[0] / n + (r === c ? 1 : 0);
    });
  };

  it('cholesky gives the lower factor, with zeros above the diagonal', async () => {
    for (const n of [0, ...SYSTEM_SIZES]) {
      await trial(async (t) => {
        const values = definite(t, n);
        const a = t.output(n, n, values);
        t.kernels.cholesky(a);
        const l = await t.kernels.read(a);
        for (let r = 0; r < n; r++) expect(l.subarray(r * n + r + 1, r * n + n).every((x) => x === 0)).toBe(true);
        for (let r = 0; r < n; r++) expect(l[r * n + r]).toBeGreaterThan(0);
        expectNear(values, n, PRODUCT, (_, r, c) => total(n, (k) => l[r * n + k] * l[c * n + k]));
      });
    }
  });

  it('solveTriangular solves for every column, with L and with its transpose', async () => {
    for (const [n, m] of pairs([0, ...SYSTEM_SIZES], [0, 1, 5, 17, 70])) {
      await trial(async (t) => {
        const lower = (r: number, c: number, x: number) => (r < c ? 0 : r === c ? 1.5 + x : x / Math.sqrt(n));
        const lValues = t.numbers(n * n).map((x, i) => lower(Math.floor(i / n), i % n, x));
        const l = t.input(n, n, lValues);
        for (const transposed of [false, true]) {
          const b = t.output(n, m, t.numbers(n * m));
          t.kernels.solveTriangular(b, l, transposed);
          const x = await t.kernels.read(b);
          expectNear(t.values(b), m, PRODUCT, (_, r, c) =>
            total(n, (k) => lValues[transposed ? k * n + r : r * n + k] * x[k * m + c]),
          );
        }
      });
    }
  });

  it('invertSymmetric gives the whole inverse from the lower triangle alone', async () => {
    for (const n of [0, ...SYSTEM_SIZES]) {
      await trial(async (t) => {
        const values = definite(t, n);
        const lower = values.map((x, i) => (i % n > Math.floor(i / n) ? Number.NaN : x));
        const a = t.output(n, n, lower);
        t.kernels.invertSymmetric(a);
        const inverse = await t.kernels.read(a);
        const identity = new Float32Array(n * n);
        for (let i = 0; i < n; i++) identity[i * n + i] = 1;
        expectNear(identity, n, 1e-3, (_, r, c) => [total(n, (k) => values[r * n + k] * inverse[k * n + c])[0], 1]);
      });
    }
  });

  it('a matrix that is not positive definite throws, wherever the bad pivot is, and nothing is lost', async () => {
    for (const [n, bad] of pairs([1, 2, 17, 65, 130], [-1, 0, Number.NaN])) {
      for (const row of new Set([0, n >> 1, n - 1])) {
        await trial((t) => {
          const values = definite(t, n);
          values[row * n + row] = bad;
          const copies = [t.output(n, n, values), t.output(n, n, values)];
          expect(() => t.kernels.cholesky(copies[0])).toThrow(NotPositiveDefiniteError);
          expect(() => t.kernels.invertSymmetric(copies[1])).toThrow(NotPositiveDefiniteError);
        });
      }
    }
    await trial((t) => {
      const indefinite = [1, 2, 2, 1]; // eigenvalues 3 and −1
      expect(() => t.kernels.cholesky(t.output(2, 2, indefinite))).toThrow(NotPositiveDefiniteError);
      expect(() => t.kernels.invertSymmetric(t.output(2, 2, indefinite))).toThrow(NotPositiveDefiniteError);
    });
  });
}

function describeRanking(trial: RunTrial, everyShape: RunShapes): void {
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

function describeExtremes(trial: RunTrial): void {
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
      const values = Float32Array.of(1e-40, -1e-40, 1e-38, 0, -0);
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

/** Everything one check makes, and the checks common to all of them. */
class Trial {
  readonly kernels: Kernels;
  readonly random = new Random(1, 'kernels contract');
  readonly #usedBefore: number;
  readonly #values = new Map<Dense, Float32Array>(); // as written
  readonly #inputs: Dense[] = [];
  readonly #lists = new Map<Ints, Int32Array>(); // as written; half of them only stand behind a matrix as its neighbour
  readonly #sparse: Csr[] = [];

  constructor(kernels: Kernels) {
    this.kernels = kernels;
    this.#usedBefore = kernels.usedBytes;
  }

  /** From −1 to 1. */
  numbers(count: number): Float32Array {
    return new Float32Array(count).map(() => this.random.float() * 2 - 1);
  }

  /** From 0 to n − 1. */
  whole(count: number, n: number): Int32Array {
    return new Int32Array(count).map(() => this.random.below(n));
  }

  /** A matrix that no kernel may change. */
  input(rows: number, cols: number, values: ArrayLike<number> = this.numbers(rows * cols)): Dense {
    const out = this.output(rows, cols, values);
    this.#inputs.push(out);
    return out;
  }

  /** A matrix to be written or added to. */
  output(
    rows: number,
    cols: number,
    values: ArrayLike<number> = new Float32Array(rows * cols).fill(Number.NaN),
  ): Dense {
    const out = this.kernels.dense(rows, cols);
    this.kernels.write(out, values);
    this.#values.set(out, Float32Array.from(values));
    this.ints([123_456_789]);
    return out;
  }

  ints(values: ArrayLike<number>): Ints {
    const out = this.kernels.ints(values.length);
    this.kernels.writeInts(out, values);
    this.#lists.set(out, Int32Array.from(values));
    return out;
  }

  csr(rows: number, cols: number, arrays: CsrArrays): Csr {
    const out = this.kernels.csr(rows, cols, arrays);
    this.#sparse.push(out);
    return out;
  }

  /** What was written into a matrix at first. */
  values(x: Dense): Float32Array {
    return this.#values.get(x) as Float32Array;
  }

  async near(x: Dense, tolerance: Tolerance, expected: ExpectedAt): Promise<void> {
    const actual = await this.kernels.read(x);
    expect(actual.length).toBe(x.rows * x.cols);
    expectNear(actual, x.cols, tolerance, expected);
  }

  /** What a call must give on a new output, on one that holds `old`, or when it adds to its output. */
  result(shape: Shape, tolerance: Tolerance, expected: ExpectedAt) {
    const by = (call: (out: Dense) => void) => inPlace(undefined, call);
    const inPlace = async (old: Float32Array | undefined, call: (out: Dense) => void) => {
      const out = this.output(...shape, old);
      call(out);
      await this.near(out, tolerance, expected);
    };
    const addedBy = async (call: (out: Dense, accumulate: boolean) => void) => {
      const old = this.numbers(shape[0] * shape[1]);
      const [out, sum] = [this.output(...shape), this.output(...shape, old)];
      call(out, false);
      call(sum, true);
      const results = Array.from(old, (_, i) => expected(i, Math.floor(i / shape[1]), i % shape[1]));
      await this.near(out, tolerance, (i) => results[i]);
      await this.near(sum, tolerance, (i) => plus(results[i], old[i]));
    };
    return { by, inPlace, addedBy };
  }

  async expectTopK(values: Float32Array, n: number, m: number, k: number): Promise<void> {
    const ids = this.ints(new Int32Array(n * k).fill(-1));
    this.kernels.topK(ids, this.input(n, m, values), k);
    const actual = await this.kernels.readInts(ids);
    this.#lists.set(ids, actual);
    for (let r = 0; r < n; r++) {
      const row = values.subarray(r * m, r * m + m);
      const columns = Array.from(row.keys());
      columns.sort((a, b) => (row[a] === row[b] ? a - b : row[a] > row[b] ? -1 : 1));
      const isRight = actual.subarray(r * k, r * k + k).every((id, i) => id === columns[i]);
      if (!isRight) expect([...actual.subarray(r * k, r * k + k)]).toEqual(columns.slice(0, k));
    }
  }

  async finish(): Promise<void> {
    for (const x of this.#inputs) {
      if (!sameBytes(await this.kernels.read(x), this.values(x))) throw new Error('An input has changed.');
    }
    for (const [list, values] of this.#lists) {
      const isSame = sameBytes(await this.kernels.readInts(list), values);
      if (!isSame) throw new Error('A list, or what lies behind a matrix, has changed.');
    }
    for (const x of this.#values.keys()) this.#expectPadding(x);
    this.kernels.release(...this.#values.keys(), ...this.#lists.keys(), ...this.#sparse);
    expect(this.kernels.usedBytes).toBe(this.#usedBefore);
  }

  #expectPadding({ rows, cols, stride, pointer }: Dense): void {
    const { memory } = this.kernels as { memory?: Memory };
    if (memory === undefined) return;
    const data = memory.floats({ rows, cols, stride, pointer });
    for (let r = 0; r < rows; r++) {
      const padding = data.subarray(r * stride + cols, (r + 1) * stride);
      if (padding.some((value) => value !== 0))
        throw new Error(`The padding of a ${rows} × ${cols} matrix has changed.`);
    }
  }
}

function expectNear(actual: Float32Array, cols: number, tolerance: Tolerance, expected: ExpectedAt): void {
  for (let i = 0; i < actual.length; i++) {
    const [row, col] = [Math.floor(i / cols), i % cols];
    const result = expected(i, row, col);
    const [value, scale] = typeof result === 'number' ? [result, Math.abs(result)] : result;
    const [got, want] = [actual[i], Math.fround(value)];
    const allowed = typeof tolerance === 'number' ? tolerance : tolerance(row);
    const slack = allowed === EXACT || !Number.isFinite(want) ? 0 : allowed * scale + SMALLEST;
    if (got === want || Object.is(got, want) || Math.abs(got - value) <= slack) continue;
    const place = `row ${row}, column ${col} of ${actual.length / cols} × ${cols}`;
    throw new Error(`Got ${got} in ${place} when expected ${value}.`);
  }
}

function total(count: number, term: (i: number) => number): readonly [number, number] {
  let [value, scale] = [0, 0];
  for (let i = 0; i < count; i++) {
    const each = term(i);
    value += each;
    scale += Math.abs(each);
  }
  return [value, scale];
}

function plus(a: Expected, b: number): readonly [number, number] {
  const [value, scale] = typeof a === 'number' ? [a, Math.abs(a)] : a;
  return [value + b, scale + Math.abs(b)];
}

function times(factor: number, a: Expected): readonly [number, number] {
  const [value, scale] = typeof a === 'number' ? [a, Math.abs(a)] : a;
  return [factor * value, Math.abs(factor) * scale];
}

function pairs<A, B>(as: readonly A[], bs: readonly B[]): [A, B][] {
  return as.flatMap((a) => bs.map((b): [A, B] => [a, b]));
}

/** All of (n, m, d) over the awkward sizes. */
function triples(): number[][] {
  return pairs(pairs(SIZES, SIZES), SIZES).map(([[n, m], d]) => [n, m, d]);
}

function sameBytes(a: Float32Array | Int32Array, b: Float32Array | Int32Array): boolean {
  const [left, right] = [a, b].map((x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength));
  return left.equals(right);
}

/** Rows of 0 to `most` entries, columns ascending, repeats likely; about a third of the rows are empty. */
function sparse(random: Random, rows: number, cols: number, most: number): CsrArrays {
  const rowStart = new Int32Array(rows + 1);
  const columns: number[] = [];
  for (let r = 0; r < rows; r++) {
    const count = most === 0 || random.below(3) === 0 ? 0 : random.below(most + 1);
    columns.push(...Array.from({ length: count }, () => random.below(cols)).sort((a, b) => a - b));
    rowStart[r + 1] = columns.length;
  }
  const values = new Float32Array(columns.length).map(() => random.float() * 2 - 1);
  return { rowStart, columns: Int32Array.from(columns), values };
}

function sparseProduct(a: CsrArrays, x: Float32Array, rows: number, d: number, transposed: boolean) {
  const [sums, scales] = [new Float64Array(rows * d), new Float64Array(rows * d)];
  for (let r = 0; r + 1 < a.rowStart.length; r++) {
    for (let e = a.rowStart[r]; e < a.rowStart[r + 1]; e++) {
      const [to, from] = transposed ? [a.columns[e], r] : [r, a.columns[e]];
      for (let c = 0; c < d; c++) {
        sums[to * d + c] += a.values[e] * x[from * d + c];
        scales[to * d + c] += Math.abs(a.values[e] * x[from * d + c]);
      }
    }
  }
  return (i: number) => [sums[i], scales[i]] as const;
}

function drawsOf(key: readonly [number, number], count: number): Uint32Array {
  const draws = new Uint32Array(count + 1);
  for (let i = 0; i < count; i += 2) threefry(draws.subarray(i, i + 2), key[0], key[1], i / 2, 0);
  return draws;
}

function softmax(logits: Float32Array, target: number): { loss: number; gradient: Float64Array } {
  const largest = Math.max(...logits);
  const powers = Float64Array.from(logits, (value) => Math.exp(value - largest));
  const sum = powers.reduce((a, b) => a + b);
  const gradient = powers.map((power, c) => power / sum - (c === target ? 1 : 0));
  return { loss: Math.log(sum) - (logits[target] - largest), gradient };
}

/** Holds backends, or one backend with several numbers of threads, to the same bytes. The first is what others must equal. */
export function describeSameBytes(makers: Record<string, MakeKernels>): void {
  const names = Object.keys(makers);
  describe(`the bytes of ${names.join(', ')}`, () => {
    const results = new Map<string, Record<string, Float32Array | Int32Array>>();
    beforeAll(async () => {
      for (const name of names) {
        const kernels = await makers[name]();
        results.set(name, await runEverything(kernels));
        kernels.close();
      }
    });

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
async function runEverything(kernels: Kernels): Promise<Record<string, Float32Array | Int32Array>> {
  const random = new Random(2, 'same bytes');
  const [n, m, d] = [701, 333, 67];
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
  const on = async (name: string, rows: number, cols: number, run: (out: Dense) => void) => {
    const out = input(rows, cols);
    run(out);
    outputs[name] = await kernels.read(out);
    kernels.release(out);
  };

  const aboveZero = numbers(n * d).map((value) => Math.abs(value) + 0.1);
  const [x, y, positive] = [input(n, d), input(n, d), input(n, d, aboveZero)];
  const [other, bias, s, one] = [input(m, d), input(1, d), input(1, n), input(1, 1)];
  const a = kernels.csr(n, m, sparse(random, n, m, 60));
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
  const some = kernels.ints(200);
  const everyThird = new Int32Array(200).map((_, i) => 3 * i);
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
    kernels.invertSymmetric(out);
  });
  kernels.cholesky(factor);
  outputs.cholesky = await kernels.read(factor);
  for (const transposed of [false, true]) {
    await on(`solveTriangular ${transposed}`, m, d, (out) => kernels.solveTriangular(out, factor, transposed));
  }
  const ids = kernels.ints(n * 20);
  kernels.topK(ids, x, 20);
  outputs.topK = await kernels.readInts(ids);
  return outputs;
}
