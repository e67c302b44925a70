// The models of the oracle, written with the tape and the kernels: what an independent implementation computed in
// float64 must come out again.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernels } from '../../src/engine/kernels.ts';
import type { Dense, Ints, Sparse } from '../../src/engine/matrix.ts';
import { Adam } from '../../src/engine/tape/adam.ts';
import { Tape, type Tensor } from '../../src/engine/tape/tape.ts';
import { type OracleWeights, oracle } from '../oracle.ts';
import { BACKENDS } from './backends.ts';
import { makeCsr, makeInts, type Rows } from './matrices.ts';

const WEIGHTS = ['objectW0', 'objectW1', 'tagW0', 'tagW1'] as const;
const VARIANTS = [
  ['dge', { hasObjectGraph: true, hasTagGraph: true, hasPrior: true }],
  ['dgeWithoutPrior', { hasObjectGraph: true, hasTagGraph: true, hasPrior: false }],
  ['soGe', { hasObjectGraph: true, hasTagGraph: false, hasPrior: true }],
  ['stGe', { hasObjectGraph: false, hasTagGraph: true, hasPrior: true }],
] as const;
type Variant = (typeof VARIANTS)[number][1];

let kernels: Kernels;

function dense(rows: Rows): Dense {
  const made = kernels.dense(rows.length, rows[0].length);
  kernels.write(made, rows.flat());
  return made;
}

const ints = (values: readonly number[]) => makeInts(kernels, values);

async function expectRows(got: Dense | undefined, expected: Rows, name: string): Promise<void> {
  if (got === undefined) throw new Error(`${name} is missing.`);
  expect([got.rows, got.cols], name).toEqual([expected.length, expected[0].length]);
  const values = await kernels.read(got);
  const largest = Math.max(...expected.flat().map(Math.abs));
  for (const [i, value] of expected.flat().entries()) expectClose(values[i], value, largest, `${name}, number ${i}`);
}

/** `size` is that of the numbers compared: gradients of 0.01 are not held to the error of 1. */
function expectClose(got: number, expected: number, size: number, name: string): void {
  expect(Math.abs(got - expected), `${name}: got ${got}, expected ${expected}`).toBeLessThanOrEqual(1e-5 * size);
}

/** The paper's model: two encoders, one noise-contrastive loss. A graph left out makes an encoder a plain MLP. */
class Dge {
  readonly tape = new Tape(kernels);
  readonly weights: Readonly<Record<keyof OracleWeights, Tensor>>;
  readonly objectEmbeddings: Tensor;
  readonly tagEmbeddings: Tensor;
  readonly #kept: (Sparse | Ints | Dense)[] = [];

  constructor({ hasObjectGraph, hasTagGraph, hasPrior }: Variant) {
    const [objectW0, objectW1, tagW0, tagW1] = WEIGHTS.map((name) => this.#parameter(name));
    this.weights = { objectW0, objectW1, tagW0, tagW1 };
    this.objectEmbeddings = this.#encode(hasObjectGraph ? oracle.normalizedObjects : undefined, objectW0, objectW1);
    this.tagEmbeddings = this.#encode(hasTagGraph ? oracle.normalizedTags : undefined, tagW0, tagW1);
    const offsets = oracle.noise.map((p) => (hasPrior ? Math.log(p) : 0) - Math.log(oracle.negativesPerPositive * p));
    const loss = this.tape.nce({
      objectEmbeddings: this.objectEmbeddings,
      tagEmbeddings: this.tagEmbeddings,
      objects: this.#keep(ints(oracle.tagged.map(([object]) => object))),
      tags: this.#keep(ints(oracle.tagged.map(([, tag]) => tag))),
      noise: this.#keep(ints(oracle.negatives.flat())),
      offsets: this.#keep(dense([offsets])),
    });
    this.tape.minimize(loss);
  }

  release(): void {
    this.tape.release();
    kernels.release(...this.#kept);
  }

  /** Z = Â · ReLU(Â · W0) · W1 */
  #encode(graph: Rows | undefined, w0: Tensor, w1: Tensor): Tensor {
    const { tape } = this;
    if (graph === undefined) return tape.matmul(tape.relu(w0), w1);
    const a = this.#keep(makeCsr(kernels, graph));
    const hidden = tape.relu(tape.spmm(a, w0, { symmetric: true }));
    return tape.spmm(a, tape.matmul(hidden, w1), { symmetric: true });
  }

  #parameter(name: keyof OracleWeights): Tensor {
    const rows = oracle.weights[name];
    const parameter = this.tape.parameter(rows.length, rows[0].length, name);
    kernels.write(parameter.value, rows.flat());
    return parameter;
  }

  #keep<T extends Sparse | Ints | Dense>(matrix: T): T {
    this.#kept.push(matrix);
    return matrix;
  }
}

/** Which tags an object has, as 0 and 1. */
function tagRows(): number[][] {
  const rows = Array.from({ length: oracle.objects }, () => new Array<number>(oracle.tags).fill(0));
  for (const [object, tag] of oracle.tagged) rows[object][tag] = 1;
  return rows;
}

const diagonal = (values: readonly number[]): Rows =>
  values.map((value, i) => values.map((_, j) => (i === j ? value : 0)));

/**
 * Ridge regression of tags on features whose first columns are those tags, where no tag may predict itself: with
 * P = (FᵀF + Λ)⁻¹, weights[f][t] = −P[f][t] / P[t][t], and 0 where f = t.
 */
async function solveWithoutSelf(features: Rows, lambdas: readonly number[]): Promise<Dense> {
  const f = dense(features);
  const p = dense(diagonal(lambdas));
  kernels.gemm(p, f, f, { transposeA: true, accumulate: true });
  await kernels.invertSymmetric(p);
  const inverse = await kernels.read(p);
  const at = (row: number, column: number) => inverse[row * lambdas.length + column];
  kernels.release(f, p);
  return dense(
    lambdas.map((_, feature) =>
      Array.from({ length: oracle.tags }, (_, tag) => (feature === tag ? 0 : -at(feature, tag) / at(tag, tag))),
    ),
  );
}

async function expectScores(features: Rows, weights: Dense, expected: Rows, name: string): Promise<void> {
  const f = dense(features);
  const scores = kernels.dense(features.length, weights.cols);
  kernels.gemm(scores, f, weights);
  await expectRows(scores, expected, name);
  kernels.release(f, scores);
}

/** Own tags; neighbours' tags, averaged by SPPMI over all neighbours, tagged or not, times a scale; 1. */
function twoViews(): number[][] {
  const tags = tagRows();
  return tags.map((own, object) => {
    const row = oracle.sppmiObjects[object];
    const total = row.reduce((sum, weight) => sum + weight, 0);
    const mean = own.map(
      (_, tag) => row.reduce((sum, weight, other) => sum + weight * tags[other][tag], 0) / (total || 1),
    );
    return [...own, ...mean.map((value) => oracle.twoViewRidge.neighbourScale * value), 1];
  });
}

describe.each(BACKENDS)('the oracle on %s', (_name, makeKernels) => {
  beforeAll(async () => {
    kernels = await makeKernels();
  });
  afterAll(() => kernels.close());

  it.each(VARIANTS)('agrees on embeddings, loss and gradients of %s', async (name, variant) => {
    const before = kernels.usedBytes;
    const model = new Dge(variant);
    const expected = oracle.variants[name];
    model.tape.run();
    expectClose(await model.tape.loss(), expected.loss, expected.loss, 'loss');
    await expectRows(model.objectEmbeddings.value, expected.objectEmbeddings, 'objectEmbeddings');
    await expectRows(model.tagEmbeddings.value, expected.tagEmbeddings, 'tagEmbeddings');
    for (const name of WEIGHTS) await expectRows(model.weights[name].gradient, expected.gradients[name], name);
    model.release();
    expect(kernels.usedBytes).toBe(before);
  });

  it('agrees on ten steps of Adam', async () => {
    const model = new Dge(VARIANTS[0][1]);
    const adam = new Adam(kernels, Object.values(model.weights));
    for (const [step, loss] of oracle.adam.losses.entries()) {
      model.tape.run();
      expectClose(await model.tape.loss(), loss, loss, `loss before step ${step + 1}`);
      adam.step(oracle.adam);
    }
    await expectRows(model.weights.objectW1.value, oracle.adam.finalObjectW1, 'objectW1');
    await expectRows(model.weights.tagW0.value, oracle.adam.finalTagW0, 'tagW0');
    adam.release();
    model.release();
  });

  it('agrees on EASE', async () => {
    const { lam, weights, scores } = oracle.ease;
    const tags = tagRows();
    const got = await solveWithoutSelf(tags, new Array(oracle.tags).fill(lam));
    await expectRows(got, weights, 'weights');
    await expectScores(tags, got, scores, 'scores');
    kernels.release(got);
  });

  it('agrees on the two-view ridge', async () => {
    const { ownLambda, neighbourLambda, interceptLambda, weights, scores } = oracle.twoViewRidge;
    const perTag = (value: number) => new Array<number>(oracle.tags).fill(value);
    const lambdas = [...perTag(ownLambda), ...perTag(neighbourLambda), interceptLambda];
    const features = twoViews();
    const isTagged = (object: number) => oracle.tagged.some(([tagged]) => tagged === object);
    const got = await solveWithoutSelf(
      features.filter((_, object) => isTagged(object)),
      lambdas,
    );
    await expectRows(got, weights, 'weights');
    await expectScores(features, got, scores, 'scores');
    kernels.release(got);
  });
});
