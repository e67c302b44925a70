import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { EASE_SETTINGS, type EaseSettings, fitEase } from '../../src/models/ease.ts';
import { type Linear, linearScorer } from '../../src/models/forms/linear.ts';
import { resolveSettings } from '../../src/settings.ts';
import { checkerboard } from '../checkerboard.ts';
import { oracle } from '../oracle.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

const settings = resolveSettings(EASE_SETTINGS);
const name = (prefix: string, i: number) => `${prefix}${String(i).padStart(3, '0')}`;

/** A graph of numbered objects and tags. All of them are in the vocabularies, paired or not. */
function graphOf(tagged: readonly (readonly [number, number])[], numObjects: number, numTags: number): KnowledgeGraph {
  const all = graphFrom({
    interact: Array.from({ length: numObjects }, (_, o) => ['u', name('o', o)]),
    tagged: Array.from({ length: numTags }, (_, t) => [name('o', 0), name('t', t)] as const).concat(
      tagged.map(([o, t]) => [name('o', o), name('t', t)] as const),
    ),
  });
  const keeps = new Set(tagged.map(([o, t]) => o * numTags + t));
  const { heads, tails } = all.tagged;
  const marks = Uint8Array.from(heads, (object, i) => (keeps.has(object * numTags + tails[i]) ? 1 : 0));
  return { ...all, tagged: all.tagged.select(marks) };
}

function denseWeights({ weights, base }: Linear): number[][] {
  const numTags = base.length;
  const rows = Array.from({ length: numTags }, () => new Array<number>(numTags).fill(0));
  for (const [tag, row] of rows.entries()) {
    for (let e = weights.rowStart[tag]; e < weights.rowStart[tag + 1]; e++) row[weights.columns[e]] = weights.values[e];
  }
  return rows;
}

async function scoresOf(fitted: Linear, train: KnowledgeGraph): Promise<number[][]> {
  const scores = new Float32Array(train.objects.size * train.tags.size);
  await linearScorer(fitted, train).score(
    Int32Array.from({ length: train.objects.size }, (_, o) => o),
    scores,
  );
  return Array.from({ length: train.objects.size }, (_, o) => [
    ...scores.subarray(o * train.tags.size, (o + 1) * train.tags.size),
  ]);
}

function expectClose(got: readonly (readonly number[])[], expected: readonly (readonly number[])[]): void {
  expect(got.length).toBe(expected.length);
  for (const [i, row] of expected.entries()) {
    for (const [j, value] of row.entries()) expect(Math.abs(got[i][j] - value), `[${i}][${j}]`).toBeLessThan(2e-6);
  }
}

/** EASE_SETTINGS as it is published, in float64: every tag a feature of its own, the constant one last. */
function plainEase(train: KnowledgeGraph, lambda: number): { weights: number[][]; base: number[] } {
  const numTags = train.tags.size;
  const rows = Array.from({ length: train.objects.size }, (_, o) => [...train.tagged.row(o)])
    .filter((tags) => tags.length > 0)
    .map((tags) => Array.from({ length: numTags + 1 }, (_, t) => (t === numTags || tags.includes(t) ? 1 : 0)));
  const p = inverse(
    Array.from({ length: numTags + 1 }, (_, i) =>
      Array.from({ length: numTags + 1 }, (_, j) =>
        rows.reduce((sum, row) => sum + row[i] * row[j], i === j ? lambda : 0),
      ),
    ),
  );
  const weights = p.map((row, i) => row.slice(0, numTags).map((value, j) => (i === j ? 0 : -value / p[j][j])));
  return { weights: weights.slice(0, numTags), base: weights[numTags] };
}

/** By Gauss and Jordan; fit for positive definite matrices. */
function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let pivot = 0; pivot < n; pivot++) {
    const scale = rows[pivot][pivot];
    rows[pivot] = rows[pivot].map((value) => value / scale);
    for (let i = 0; i < n; i++) {
      const factor = rows[i][pivot];
      if (i !== pivot) rows[i] = rows[i].map((value, j) => value - factor * rows[pivot][j]);
    }
  }
  return rows.map((row) => row.slice(n));
}

describe('fitEase', () => {
  it('agrees with the oracle on weights and scores without the intercept', async () => {
    const train = graphOf(oracle.tagged, oracle.objects, oracle.tags);
    const exact: EaseSettings = { lambda: oracle.ease.lam, intercept: 'off', weightsPerTag: oracle.tags };
    const fitted = await fitEase(kernels, train, exact);
    expectClose(denseWeights(fitted), oracle.ease.weights);
    expectClose(await scoresOf(fitted, train), oracle.ease.scores);
  });

  it('is exact where tags are carried by the same objects, with the intercept', async () => {
    // tags 1, 3, 5 are on objects 1, 2; tags 2, 6 on object 2 alone; tag 7 on none
    const one = [0, 1, 3, 5].map((tag) => [1, tag] as const);
    const two = [1, 2, 3, 5, 6].map((tag) => [2, tag] as const);
    const train = graphOf([...one, ...two, [3, 0], [3, 4], [4, 4], [5, 0]], 7, 8);
    const fitted = await fitEase(kernels, train, { lambda: 0.7, intercept: 'on', weightsPerTag: 8 });
    const { weights, base } = plainEase(train, 0.7);
    expectClose(denseWeights(fitted), weights);
    expectClose([[...fitted.base]], [base]);
    expect(weights[1][3]).toBeGreaterThan(0.1); // inside a group
    const scores = await scoresOf(fitted, train);
    expectClose([scores[6], scores[4]], [base, base.map((value, t) => value + weights[4][t])]);
  });

  it('finds the missing squares of a checkerboard and leaves no memory behind', async () => {
    const before = kernels.usedBytes;
    const parts = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
    const fitted = await fitEase(kernels, parts.train, settings);
    const evaluation = await evaluate(linearScorer(fitted, parts.train).score, parts, [5]);
    expect(meanOf(evaluation, 'recall@5')).toBeGreaterThan(0.95);
    expect(kernels.usedBytes).toBe(before);
  });

  it('keeps the strongest weights', async () => {
    const { train } = split(checkerboard(), { trainFraction: 0.5, seed: 1 });
    const all = denseWeights(await fitEase(kernels, train, { ...settings, weightsPerTag: 20 })).flat();
    const few = denseWeights(await fitEase(kernels, train, { ...settings, weightsPerTag: 3 })).flat();
    const kept = few.filter((weight) => weight !== 0);
    expect(kept.length).toBeGreaterThanOrEqual(60);
    expect(kept.length).toBeLessThan(75);
    expect(all.filter((weight) => weight !== 0)).toHaveLength(380);
    const least = Math.min(...kept.map(Math.abs));
    for (const [i, weight] of all.entries()) expect(few[i]).toBe(Math.abs(weight) >= least ? weight : 0);
  });

  it('gives the same bytes on one thread and on two', async () => {
    const { train } = split(checkerboard(160, 140), { trainFraction: 0.5, seed: 1 });
    const two = await openKernels({ threads: 2 });
    expect(await fitEase(two, train, settings)).toEqual(await fitEase(kernels, train, settings));
    two.close();
  });

  it('survives tags never seen, objects without tags, and no tags at all', async () => {
    const train = graphOf([[1, 1], [1, 2], [2, 1]], 4, 4); // biome-ignore format: pairs
    const scores = await scoresOf(await fitEase(kernels, train, settings), train);
    expect(scores.flat().every(Number.isFinite)).toBe(true);
    expect(scores[3]).toEqual(scores[0]); // neither has tags: how common they are
    expect(scores[3][1]).toBeGreaterThan(scores[3][2]);
    expect(scores[3][2]).toBeGreaterThan(scores[3][0]);
    for (const intercept of ['on', 'off'] as const) {
      const none = await fitEase(kernels, graphOf([], 2, 3), { ...settings, intercept });
      expect(none.base).toEqual(new Float32Array(3));
      expect(none.weights.columns).toHaveLength(0);
    }
  });
});
