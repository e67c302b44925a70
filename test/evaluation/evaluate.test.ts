import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { METRICS } from '../../src/evaluation/metrics.ts';
import { rowByRow, topTags } from '../../src/models/scorer.ts';
import { Random } from '../../src/random.ts';
import { oracle } from '../oracle.ts';

describe('metrics', () => {
  it.each(oracle.metrics)('agree with the oracle on $ranked against $relevant', ({ ranked, relevant, ...expected }) => {
    const list = { ranked, isRelevant: (tag: number) => relevant.includes(tag), numRelevant: relevant.length };
    for (const k of [3, 5]) {
      expect(METRICS.recall(list, k)).toBeCloseTo(expected[`recall@${k}`], 12);
      expect(METRICS.ndcg(list, k)).toBeCloseTo(expected[`ndcg@${k}`], 12);
      expect(METRICS.paperNdcg(list, k)).toBeCloseTo(expected[`ndcgPaper@${k}`], 12);
    }
  });

  it('of a list worked out by hand', () => {
    const list = {
      ranked: [7, 3, 9, 1],
      isRelevant: (tag: number) => tag === 3 || tag === 1 || tag === 5,
      numRelevant: 3,
    };
    expect(METRICS.precision(list, 3)).toBeCloseTo(1 / 3, 12);
    expect(METRICS.precision(list, 4)).toBe(0.5);
    expect(METRICS.mrr(list, 3)).toBe(0.5);
    expect(METRICS.mrr(list, 1)).toBe(0);
    expect(METRICS.hitRate(list, 1)).toBe(0);
    expect(METRICS.hitRate(list, 2)).toBe(1);
    expect(METRICS.recall(list, 10)).toBeCloseTo(2 / 3, 12); // fewer ranked than k
  });
});

describe('topTags', () => {
  it('is the sorted list, cut: best first, smaller id first among equals, hidden tags never', () => {
    const scores = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 30 });
    fc.assert(
      fc.property(scores, fc.uniqueArray(fc.nat(29)), fc.nat(8), (values, hidden, limit) => {
        const hiddenIds = Int32Array.from(hidden).sort();
        const expected = [...values.keys()]
          .filter((tag) => !hidden.includes(tag))
          .sort((a, b) => values[b] - values[a] || a - b);
        expect(topTags(Float32Array.from(values), hiddenIds, limit)).toEqual(expected.slice(0, limit));
      }),
    );
  });

  it('is the same where there are many more tags than are asked for, many of them equal', () => {
    const level = fc.constantFrom(1, 3, 50, 1e6);
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 700 }), level, fc.nat(12), fc.nat(), (numTags, levels, limit, seed) => {
        const random = new Random(seed, 'scores');
        const scores = Float32Array.from({ length: numTags }, () => random.below(levels) / 10);
        for (let i = 0; i < numTags / 20; i++) scores[random.below(numTags)] = Number.NEGATIVE_INFINITY;
        const byScore = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b);
        const hidden = byScore.filter((_, rank) => rank < 9 && rank % 2 === 0).sort((a, b) => a - b);
        const expected = byScore.filter((tag) => !hidden.includes(tag)).slice(0, limit);
        expect(topTags(scores, hidden, limit)).toEqual(expected);
      }),
    );
  });
});

describe('evaluate', () => {
  const graph = graphFrom({
    interact: [['u', 'o0']],
    tagged: Array.from({ length: 200 }, (_, i) => [`o${i % 20}`, `t${Math.floor(i / 20)}`] as const),
  });
  const parts = split(graph, { trainFraction: 0.8, seed: 1 });

  const worth = (object: number, tag: number) => (parts.test.has(object, tag) ? 1 : 0);
  const scorer = (score: (object: number, tag: number) => number) =>
    rowByRow(graph.tags.size, (object, row) => row.set(row.map((_, tag) => score(object, tag))));

  it('gives a perfect scorer 1 and one that knows nothing less', async () => {
    const perfect = await evaluate(scorer(worth), parts, [10]);
    expect(meanOf(perfect, 'recall@10')).toBe(1);
    expect(meanOf(perfect, 'ndcg@10')).toBe(1);
    expect([...perfect.objects]).toEqual([...new Set(parts.test.heads)]);
    const idle = await evaluate(
      scorer(() => 0),
      parts,
      [1],
    );
    expect(meanOf(idle, 'recall@1')).toBeLessThan(1);
  });

  it('masks training tags: a scorer that loves them is not punished for it', async () => {
    const loving = (object: number, tag: number) => (parts.train.tagged.has(object, tag) ? 9 : worth(object, tag));
    expect(meanOf(await evaluate(scorer(loving), parts, [10]), 'recall@10')).toBe(1);
  });

  it('keeps values by object, tells cold objects apart and counts the tags that are ever shown', async () => {
    const cold = split(graph, { trainFraction: 0.5, seed: 1, by: 'object' });
    const one = await evaluate(
      scorer((_object, tag) => (tag === 2 ? 1 : 0)),
      cold,
      [1],
    );
    expect([...one.numTrainTags].every((n) => n === 0)).toBe(true);
    expect(one.coverage.get(1)).toBeCloseTo(1 / graph.tags.size, 12);
    expect(meanOf(one, 'recall@1', (n) => n === 0)).toBeCloseTo(0.1, 12);
    expect(meanOf(one, 'recall@1', (n) => n > 0)).toBeNaN();
    expect(() => meanOf(one, 'recall@7')).toThrow(/Got the metric recall@7 when expected one of/);
  });
});
