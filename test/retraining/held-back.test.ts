// Which decisions are learnt and which are held back.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import type { Model } from '../../src/models/model.ts';
import { train } from '../../src/pipeline.ts';
import { divide, type Pair } from '../../src/retraining/held-back.ts';
import type { CountedReview } from '../../src/serving/training/training-messages.ts';

const objects = Array.from({ length: 40 }, (_, i) => `o${i}`);
const tags = Array.from({ length: 12 }, (_, i) => `t${i}`);
const tagged = objects.map((object, i) => [object, tags[i % tags.length]] as const);
const model: Model = await train(graphFrom({ interact: [], tagged }), { model: 'popularity' });

const keyOf = ({ object, tag }: Pair) => `${object} ${tag}`;
const isOwn = ({ object, tag }: Pair) => tagged.some(([o, t]) => o === object && t === tag);

const someReviews = fc.uniqueArray(
  fc.record({
    object: fc.constantFrom(...objects, 'elsewhere'),
    tag: fc.constantFrom(...tags, 'brand new'),
    decision: fc.constantFrom('accept' as const, 'reject' as const, 'unsure' as const),
    isUndone: fc.boolean(),
  }),
  { selector: keyOf, maxLength: 400, minLength: 0, size: 'max' },
);

describe('dividing decisions', () => {
  it('learns or holds back each standing verdict once, and holds back only what the model could suggest', () => {
    fc.assert(
      fc.property(someReviews, fc.nat(5), (reviews, seed) => {
        const { learnt, heldBack, reopened } = divide(reviews, model, seed);
        const known = reviews.filter(({ object }) => object !== 'elsewhere');
        for (const [kind, decision] of [
          ['accepted', 'accept'],
          ['rejected', 'reject'],
        ] as const) {
          const all = [...learnt[kind], ...heldBack[kind]].map(keyOf).sort();
          const standing = known.filter((one) => one.decision === decision && !one.isUndone);
          expect(all).toEqual(standing.map(keyOf).sort());
          const candidates = standing.filter((one) => one.tag !== 'brand new' && !isOwn(one));
          const wanted = Math.max(20, Math.round(candidates.length / 5));
          expect(heldBack[kind]).toHaveLength(Math.min(wanted, Math.floor(candidates.length / 2)));
          expect(heldBack[kind].filter((pair) => pair.tag === 'brand new' || isOwn(pair))).toEqual([]);
        }
        expect(reopened).toEqual(
          known.filter((one) => one.decision === 'reject' && one.isUndone).map(({ object, tag }) => ({ object, tag })),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('divides the same decisions in the same way in whatever order they come, and in another by another seed', () => {
    const reviews: CountedReview[] = objects.flatMap((object) =>
      tags.map((tag) => ({ object, tag, decision: 'accept' as const, isUndone: false })),
    );
    const heldBack = (all: readonly CountedReview[], seed: number) =>
      divide(all, model, seed).heldBack.accepted.map(keyOf);
    expect(heldBack([...reviews].reverse(), 1)).toEqual(heldBack(reviews, 1));
    expect(heldBack(reviews, 2)).not.toEqual(heldBack(reviews, 1));
    expect(heldBack(reviews, 1)).toHaveLength(88); // a fifth of 440
  });

  it('counts as new what training would teach: not own tags, nor what was rejected before, nor a rejected tag nobody has', () => {
    const review = (object: string, tag: string, decision: 'accept' | 'reject') => ({
      object,
      tag,
      decision,
      isUndone: false,
    });
    const numNew = (...reviews: CountedReview[]) => divide(reviews, model, 1).numNew;
    expect(numNew(review('o0', 't0', 'accept'))).toBe(0);
    expect(numNew(review('o0', 'brand new', 'accept'))).toBe(1);
    expect(numNew(review('o0', 't0', 'reject'))).toBe(1); // an own tag that is to be taken out
    expect(numNew(review('o0', 'brand new', 'reject'))).toBe(0);
    expect(numNew(review('elsewhere', 't0', 'accept'))).toBe(0);
  });
});
