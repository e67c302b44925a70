// Every operation of the tape on a backend, against central differences. The loss is a random weighted sum of the operation's output,
// added up in float64 from what the engine computed, so that float32 does not drown the difference.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernels } from '../../src/engine/kernels.ts';
import type { Ints, Sparse } from '../../src/engine/matrix.ts';
import { Tape, type Tensor } from '../../src/engine/tape/tape.ts';
import type { MakeKernels } from './backends.ts';
import { makeCsr, makeInts } from './matrices.ts';

const STEP = 1 / 128; // exact in float32, as are all values drawn: multiples of 1 / 64
const TOLERANCE = 2e-3;

interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly values: readonly number[];
}

/** Whole numbers and sparse matrices for the operation under test; the test releases them. */
interface Maker {
  ints(values: readonly number[]): Ints;
  sparse(matrix: Matrix): Sparse;
}

interface Example {
  readonly inputs: readonly Matrix[];
  record(tape: Tape, inputs: readonly Tensor[], make: Maker): Tensor;
}

const size = fc.integer({ min: 1, max: 6 });
const sizes = fc.tuple(size, size, size);
const anyNumber = fc.integer({ min: -128, max: 128 }).map((n) => n / 64);
const positive = fc.integer({ min: 32, max: 128 }).map((n) => n / 64);
const offZero = fc.tuple(positive, fc.boolean()).map(([x, isNegative]) => (isNegative ? -x : x));
const sparse = fc.oneof(fc.constant(0), anyNumber);
const id = fc.nat({ max: 1000 }); // taken modulo what it points into

function matrix(rows: number, cols: number, number = anyNumber): fc.Arbitrary<Matrix> {
  const length = { minLength: rows * cols, maxLength: rows * cols };
  return fc.array(number, length).map((values) => ({ rows, cols, values }));
}

const idsBelow = (limit: number, length: number) =>
  fc.array(id, { minLength: length, maxLength: length }).map((ids) => ids.map((i) => i % limit));

/** An operation on one matrix of any shape. */
function onOne(record: (tape: Tape, x: Tensor) => Tensor, number = anyNumber): fc.Arbitrary<Example> {
  return sizes
    .chain(([n, m]) => matrix(n, m, number))
    .map((x) => ({ inputs: [x], record: (tape, [input]) => record(tape, input) }));
}

/** An operation on two: the first is n × m, the second as `shape` says. */
function onTwo(
  record: (tape: Tape, a: Tensor, b: Tensor) => Tensor,
  shape: (n: number, m: number) => readonly [number, number] = (n, m) => [n, m],
): fc.Arbitrary<Example> {
  return sizes
    .chain(([n, m]) => fc.tuple(matrix(n, m), matrix(...shape(n, m))))
    .map((inputs) => ({ inputs, record: (tape, [a, b]) => record(tape, a, b) }));
}

const matmul = fc
  .tuple(sizes, fc.boolean(), fc.boolean())
  .chain(([[n, k, m], transposeA, transposeB]) =>
    fc
      .tuple(transposeA ? matrix(k, n) : matrix(n, k), transposeB ? matrix(m, k) : matrix(k, m))
      .map((inputs): Example => ({ inputs, record: (tape, [a, b]) => tape.matmul(a, b, { transposeA, transposeB }) })),
  );

const spmm = sizes
  .chain(([n, k, m]) => fc.tuple(matrix(n, k, sparse), matrix(k, m)))
  .map(([a, x]): Example => ({ inputs: [x], record: (tape, [input], make) => tape.spmm(make.sparse(a), input) }));

const symmetricSpmm = sizes
  .chain(([n, m]) => fc.tuple(matrix(n, n, sparse), matrix(n, m)))
  .map(([a, x]): Example => {
    const mirrored = a.values.map((value, i) => value + a.values[(i % a.rows) * a.rows + Math.floor(i / a.rows)]);
    const record: Example['record'] = (tape, [input], make) =>
      tape.spmm(make.sparse({ ...a, values: mirrored }), input, { symmetric: true });
    return { inputs: [x], record };
  });

const spmmTransposed = sizes
  .chain(([n, k, m]) => fc.tuple(matrix(n, k, sparse), matrix(n, m)))
  .map(
    ([a, x]): Example => ({ inputs: [x], record: (tape, [input], make) => tape.spmmTransposed(make.sparse(a), input) }),
  );

const gather = sizes
  .chain(([n, m, length]) => fc.tuple(matrix(n, m), idsBelow(n, length)))
  .map(([x, rows]): Example => ({ inputs: [x], record: (tape, [input], make) => tape.gather(input, make.ints(rows)) }));

const softmaxCrossEntropy = sizes
  .chain(([n, m]) => fc.tuple(matrix(n, m), idsBelow(m, n)))
  .map(([x, targets]): Example => {
    return { inputs: [x], record: (tape, [input], make) => tape.softmaxCrossEntropy(input, make.ints(targets)) };
  });

const nce = fc
  .tuple(sizes, size, fc.integer({ min: 0, max: 3 }), anyNumber)
  .chain(([[numObjects, numTags, d], numPairs, numNoise, factor]) =>
    fc
      .record({
        inputs: fc.tuple(matrix(numObjects, d), matrix(numTags, d)),
        offsets: matrix(1, numTags),
        objects: idsBelow(numObjects, numPairs),
        tags: idsBelow(numTags, numPairs),
        noise: idsBelow(numTags, numPairs * numNoise),
      })
      .map(({ inputs, offsets, ...ids }): Example => {
        const record: Example['record'] = (tape, [objectEmbeddings, tagEmbeddings], make) => {
          const { value } = tape.constant(1, numTags);
          kernels.write(value, offsets.values);
          const [objects, tags, noise] = [ids.objects, ids.tags, ids.noise].map(make.ints);
          return tape.scale(
            tape.nce({ objectEmbeddings, tagEmbeddings, objects, tags, noise, offsets: value }),
            factor,
          );
        };
        return { inputs, record };
      }),
  );

/** By operation. nce must reach the loss linearly, so there the output is the loss. */
const EXAMPLES: Record<string, fc.Arbitrary<Example>> = {
  spmm: fc.oneof(spmm, symmetricSpmm),
  spmmTransposed,
  matmul,
  add: onTwo((tape, a, b) => tape.add(a, b)),
  sub: onTwo((tape, a, b) => tape.sub(a, b)),
  scale: onOne((tape, x) => tape.scale(x, -1.5)),
  mul: onTwo((tape, a, b) => tape.mul(a, b)),
  relu: onOne((tape, x) => tape.relu(x), offZero),
  leakyRelu: onOne((tape, x) => tape.leakyRelu(x), offZero),
  tanh: onOne((tape, x) => tape.tanh(x)),
  sigmoid: onOne((tape, x) => tape.sigmoid(x)),
  softplus: onOne((tape, x) => tape.softplus(x)),
  exp: onOne((tape, x) => tape.exp(x)),
  log: onOne((tape, x) => tape.log(x), positive),
  dropout: onOne((tape, x) => tape.dropout(x, 0.4, 7)),
  addBias: onTwo(
    (tape, x, bias) => tape.addBias(x, bias),
    (_n, m) => [1, m],
  ),
  gather,
  rowDot: onTwo((tape, a, b) => tape.rowDot(a, b)),
  rowNorm: onOne((tape, x) => tape.rowNorm(x), offZero),
  scaleRows: onTwo(
    (tape, x, s) => tape.scaleRows(x, s),
    (n) => [1, n],
  ),
  columnSums: onOne((tape, x) => tape.columnSums(x)),
  sum: onOne((tape, x) => tape.sum(x)),
  mean: onOne((tape, x) => tape.mean(x)),
  softmaxCrossEntropy,
  nce,
};

let kernels: Kernels;

/** Weights of the sums that make the loss: fixed, uneven, never zero. */
const weightOf = (i: number) => ((i * 37) % 11) / 8 - 0.65;

function weightedSum(tape: Tape, x: Tensor): Tensor {
  const weights = tape.constant(x.rows, x.cols);
  kernels.write(
    weights.value,
    Array.from({ length: x.rows * x.cols }, (_, i) => weightOf(i)),
  );
  return tape.sum(tape.mul(x, weights));
}

function toCsr({ rows, cols, values }: Matrix): Sparse {
  const table = Array.from({ length: rows }, (_, r) => values.slice(r * cols, (r + 1) * cols));
  return makeCsr(kernels, table);
}

interface Setting {
  readonly example: Example;
  readonly isTerminal: boolean; // the output is the loss
  readonly isShared: boolean; // the loss uses the inputs directly too, so that the operation's gradients come second
}

/** Output and gradients at these inputs, from a fresh tape at its first step: dropout then always draws the same. */
async function evaluate({ example, isTerminal, isShared }: Setting, inputs: readonly (readonly number[])[]) {
  const tape = new Tape(kernels);
  const made: (Ints | Sparse)[] = [];
  const own = <T extends Ints | Sparse>(matrix: T): T => {
    made.push(matrix);
    return matrix;
  };
  const make: Maker = {
    ints: (values) => own(makeInts(kernels, values)),
    sparse: (matrix) => own(toCsr(matrix)),
  };
  const parameters = example.inputs.map(({ rows, cols }) => tape.parameter(rows, cols));
  const output = example.record(tape, parameters, make);
  let loss = isTerminal ? output : weightedSum(tape, output);
  if (isShared) for (const parameter of parameters) loss = tape.add(loss, weightedSum(tape, parameter));
  tape.minimize(loss);
  for (const [i, { value, gradient }] of parameters.entries()) {
    kernels.write(value, inputs[i]);
    if (gradient) kernels.fill(gradient, 1000); // left from another step: to be overwritten
  }
  tape.run();
  const gradients: Float32Array[] = [];
  for (const { gradient } of parameters) if (gradient) gradients.push(await kernels.read(gradient));
  const result = { output: await kernels.read(output.value), gradients };
  tape.release();
  kernels.release(...made);
  return result;
}

async function expectGradients(operation: string, setting: Setting): Promise<void> {
  const inputs = setting.example.inputs.map(({ values }) => values);
  const lossAt = async (input: number, i: number, change: number) => {
    const moved = inputs.map((values, j) => (j === input ? values.with(i, values[i] + change) : values));
    const { output } = await evaluate(setting, moved);
    const ofOutput = output.reduce((sum, value, j) => sum + value * (setting.isTerminal ? 1 : weightOf(j)), 0);
    return ofOutput + (setting.isShared ? change * weightOf(i) : 0); // of the direct use, what changes
  };
  const { gradients } = await evaluate(setting, inputs);
  for (const [input, values] of inputs.entries()) {
    for (const i of values.keys()) {
      const expected = ((await lossAt(input, i, STEP)) - (await lossAt(input, i, -STEP))) / (2 * STEP);
      const error = Math.abs(gradients[input][i] - expected);
      const message = `${operation}, input ${input}, number ${i}: got ${gradients[input][i]}, expected ${expected}`;
      expect(error, message).toBeLessThanOrEqual(TOLERANCE * Math.max(1, Math.abs(expected)));
    }
  }
}

export function describeGradients(name: string, make: MakeKernels, numRuns = 30): void {
  describe(`gradients on ${name}`, () => {
    beforeAll(async () => {
      kernels = await make();
    });
    afterAll(() => kernels.close());

    it.each(Object.entries(EXAMPLES))('%s agrees with central differences', async (operation, examples) => {
      const before = kernels.usedBytes;
      const property = fc.asyncProperty(examples, fc.boolean(), (example, isShared) =>
        expectGradients(operation, { example, isTerminal: operation === 'nce', isShared }),
      );
      await fc.assert(property, { numRuns });
      expect(kernels.usedBytes).toBe(before);
    });

    it('are checked for every operation there is', () => {
      const operations = Object.getOwnPropertyNames(Tape.prototype).filter((name) => name !== 'constructor');
      expect(Object.keys(EXAMPLES).sort()).toEqual(operations.sort());
    });
  });
}
