import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { type SparseScores, sparseScorer } from '../../src/models/forms/sparse-scores.ts';
import { fitHeteLearn, HETELEARN_SETTINGS, learnTagWeight, walkToTags } from '../../src/models/hetelearn.ts';
import { Random } from '../../src/random.ts';
import { resolveSettings } from '../../src/settings.ts';
import { checkerboard } from '../checkerboard.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

const settings = resolveSettings(HETELEARN_SETTINGS);

/** All objects by all tags, 0 where a tag is not kept. */
function scoresOf({ rowStart, columns, values }: SparseScores, train: KnowledgeGraph): Float32Array {
  const numTags = train.tags.size;
  const scores = new Float32Array(train.objects.size * numTags);
  for (let object = 0; object < train.objects.size; object++) {
    for (let e = rowStart[object]; e < rowStart[object + 1]; e++) scores[object * numTags + columns[e]] = values[e];
  }
  return scores;
}

/** One walk: the probabilities of all tags from p = α e + (1 − α) Wᵀ p over users, objects and tags, one after the other. */
function plainWalk(train: KnowledgeGraph, start: number, restart: number, tagWeight: number): number[] {
  const { users, objects, tags, interact, tagged } = train;
  const [firstObject, firstTag] = [users.size, users.size + objects.size];
  const numNodes = firstTag + tags.size;
  const edges = Array.from({ length: numNodes }, () => new Array<number>(numNodes).fill(0));
  for (const [i, user] of interact.heads.entries()) {
    edges[user][firstObject + interact.tails[i]] = edges[firstObject + interact.tails[i]][user] = 1;
  }
  for (const [i, object] of tagged.heads.entries()) {
    edges[firstObject + object][firstTag + tagged.tails[i]] = tagWeight;
    edges[firstTag + tagged.tails[i]][firstObject + object] = tagWeight;
  }
  const w = edges.map((row) => row.map((weight) => weight / (row.reduce((sum, value) => sum + value, 0) || 1)));
  let p = new Array<number>(numNodes).fill(0);
  for (let round = 0; round < 200; round++) {
    p = p.map((_, to) => {
      const arrives = w.reduce((sum, row, from) => sum + row[to] * p[from], 0);
      return (to === firstObject + start ? restart : 0) + (1 - restart) * arrives;
    });
  }
  return p.slice(firstTag);
}

describe('walkToTags', () => {
  it.each([
    [0.8, 1],
    [0.5, 3],
    [0.2, 0.3],
  ])('agrees with a plain walk at α = %f and a tag weight of %f', async (restart, tagWeight) => {
    const { train } = split(checkerboard(12, 8, 9), { trainFraction: 0.4, seed: 1 });
    const got = scoresOf(await walkToTags(kernels, train, { restart, tagWeight, rounds: 100, keep: 8 }), train);
    for (let object = 0; object < train.objects.size; object++) {
      for (const [tag, value] of plainWalk(train, object, restart, tagWeight).entries()) {
        const score = train.tagged.has(object, tag) ? 0 : value;
        expect(Math.abs(got[object * train.tags.size + tag] - score)).toBeLessThanOrEqual(1e-5 * score);
      }
    }
  });
});

describe('fitHeteLearn', () => {
  it('finds the missing squares of a checkerboard and leaves no memory behind', async () => {
    const before = kernels.usedBytes;
    const parts = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
    const fitted = await fitHeteLearn(kernels, parts.train, settings);
    const evaluation = await evaluate(sparseScorer(fitted, parts.train).score, parts, [5]);
    expect(meanOf(evaluation, 'recall@5')).toBeGreaterThan(0.95);
    expect(kernels.usedBytes).toBe(before);
  });

  it('learns whether users or tags are worth following', async () => {
    const random = new Random(1, 'noise in a test');
    const noise = (prefix: string, count: number) =>
      Array.from({ length: 1200 }, () => [prefix + random.below(count), `o${random.below(90)}`] as const);
    const coloured = (prefix: string, count: number, share: number) =>
      Array.from(
        { length: 90 * count },
        (_, i) => [`${prefix}${i % count}`, `o${Math.floor(i / count)}`] as const,
      ).filter(([name, object]) => Number(name.slice(1)) % 3 === Number(object.slice(1)) % 3 && random.float() < share);
    const tagsKnow = graphFrom({
      interact: noise('u', 60),
      tagged: coloured('t', 30, 0.5).map(([tag, object]) => [object, tag] as const),
    });
    const usersKnow = graphFrom({
      interact: coloured('u', 60, 0.8),
      tagged: coloured('t', 30, 0.2).map(([tag, object]) => [object, tag] as const),
    });
    expect(await learnTagWeight(kernels, tagsKnow, settings)).toBeGreaterThan(1);
    expect(await learnTagWeight(kernels, usersKnow, settings)).toBeLessThan(1);
  });

  it('gives the same bytes for the same seed on one thread and on two', async () => {
    const { train } = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
    const two = await openKernels({ threads: 2 });
    expect(await fitHeteLearn(two, train, settings)).toEqual(await fitHeteLearn(kernels, train, settings));
    two.close();
  });

  it('survives tags never seen, objects with neither tags nor users, and no tags at all', async () => {
    const whole = graphFrom({
      interact: [['u', 'a'], ['u', 'b'], ['v', 'c']], // biome-ignore format: pairs
      tagged: [['a', 's'], ['a', 't'], ['b', 's'], ['d', 't'], ['lonely', 'unseen']], // biome-ignore format: pairs
    });
    const train = { ...whole, tagged: whole.tagged.select(Uint8Array.of(1, 1, 1, 1, 0)) };
    const scores = scoresOf(await fitHeteLearn(kernels, train, settings), train);
    expect(scores.every(Number.isFinite)).toBe(true);
    const at = (object: string, tag: string) => scores[whole.objects.idOf(object) * 3 + whole.tags.idOf(tag)];
    expect(at('b', 't')).toBeGreaterThan(0);
    expect(at('d', 's')).toBeGreaterThan(0); // has no users
    expect(at('lonely', 't')).toBe(0);
    for (const numPairs of [0, 1]) {
      const few = { ...whole, tagged: whole.tagged.select(Uint8Array.from({ length: 5 }, (_, i) => +(i < numPairs))) };
      const fitted = await fitHeteLearn(kernels, few, settings);
      expect(fitted.values.every(Number.isFinite)).toBe(true);
      expect(fitted.columns).toHaveLength(numPairs); // one pair: its tag goes to the other object of its user
    }
  });
});
