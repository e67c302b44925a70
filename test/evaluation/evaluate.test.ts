import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import { evaluate } from '../../src/evaluation/evaluate.ts';
import { ndcgAt, paperNdcgAt, recallAt } from '../../src/evaluation/metrics.ts';
import { topTags } from '../../src/evaluation/top-tags.ts';
import { oracle } from '../oracle.ts';

describe('metrics', () => {
  it.each(oracle.metrics)('agree with the oracle on $ranked against $relevant', ({ ranked, relevant, ...expected }) => {
    const isRelevant = (tag: number) => relevant.includes(tag);
    for (const k of [3, 5]) {
      expect(recallAt(k, ranked, isRelevant, relevant.length)).toBeCloseTo(expected[`recall@${k}`], 12);
      expect(ndcgAt(k, ranked, isRelevant, relevant.length)).toBeCloseTo(expected[`ndcg@${k}`], 12);
      expect(paperNdcgAt(k, ranked, isRelevant)).toBeCloseTo(expected[`ndcgPaper@${k}`], 12);
    }
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
});

describe('evaluate', () => {
  const graph = graphFrom({
    interact: [['u', 'o0']],
    tagged: Array.from({ length: 200 }, (_, i) => [`o${i % 20}`, `t${Math.floor(i / 20)}`] as const),
  });
  const parts = split(graph, { trainFraction: 0.8, seed: 1 });

  const worth = (object: number, tag: number) => (parts.test.has(object, tag) ? 1 : 0);

  it('gives a perfect scorer 1 and one that knows nothing less', () => {
    const perfect = evaluate((object, scores) => scores.set(scores.map((_, tag) => worth(object, tag))), parts, 10);
    expect(perfect).toMatchObject({ recall: 1, ndcg: 1, numObjects: new Set(parts.test.heads).size });
    expect(evaluate((_, scores) => scores.fill(0), parts, 1).recall).toBeLessThan(1);
  });

  it('masks training tags: a scorer that loves them is not punished for it', () => {
    const loving = (object: number, tag: number) => (parts.train.tagged.has(object, tag) ? 9 : worth(object, tag));
    const masked = evaluate((object, scores) => scores.set(scores.map((_, tag) => loving(object, tag))), parts, 10);
    expect(masked.recall).toBe(1);
  });
});
