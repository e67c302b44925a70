// Two models on decisions that neither learnt, and what is said about them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import { train } from '../../src/pipeline.ts';
import { compareModels, verdictOf } from '../../src/retraining/compare-models.ts';
import type { Pair } from '../../src/retraining/held-back.ts';
import { compareSeparation, standings } from '../../src/retraining/separation.ts';
import { checkerboard } from '../checkerboard.ts';
import { checkerboardDecisions } from './decisions.ts';

const graph = split(checkerboard(), { trainFraction: 0.7, seed: 3 }).train;
const decisions = checkerboardDecisions(graph);
const pairs = (decision: 'accept' | 'reject'): Pair[] =>
  decisions.filter((one) => one.decision === decision).map(({ object, tag }) => ({ object, tag }));
const good = await train(graph, { model: 'itemknn', threads: 1 });
const poor = await train(graph, { model: 'popularity', threads: 1 });
const engine = { threads: 1, seed: 1 };
const nothing = { accepted: [], rejected: [] };

describe('comparing two models', () => {
  const heldBack = { accepted: pairs('accept').slice(0, 60), rejected: pairs('reject').slice(0, 60) };

  it('says which one is better, from both sides, with the numbers of both', async () => {
    const better = await compareModels({ old: poor, new: good }, { known: nothing, heldBack }, engine);
    const worse = await compareModels({ old: good, new: poor }, { known: nothing, heldBack }, engine);
    expect([better.verdict, worse.verdict]).toEqual(['better', 'worse']);
    expect(better.accepted.numFound.new).toBeGreaterThan(better.accepted.numFound.old);
    expect(better.rejected.numSuggested.new).toBeLessThan(better.rejected.numSuggested.old);
    expect(worse.accepted.recallAt3).toEqual({
      old: better.accepted.recallAt3.new,
      new: better.accepted.recallAt3.old,
    });
    const { numFound } = better.accepted;
    expect(better.separation?.share.new).toBeGreaterThan(better.separation?.share.old ?? 1);
    expect(
      better.statement.startsWith(
        `The new model is better on 120 decisions that were held back. It has ${numFound.new} of 60 accepted tags among its first 3 ` +
          `suggestions, the old one ${numFound.old}. Of 60 rejected tags it still suggests ${better.rejected.numSuggested.new}, the old one ${better.rejected.numSuggested.old}. ` +
          'Of an accepted and a rejected tag, it is surer of the accepted one in ',
      ),
    ).toBe(true);
  });

  it('sees no difference between a model and itself, and says with how many decisions', async () => {
    const same = await compareModels({ old: good, new: good }, { known: nothing, heldBack }, engine);
    expect(same.verdict).toBe('noDifference');
    expect(same.accepted.difference).toMatchObject({ mean: 0, pValue: 1 });
    expect(same.statement).toMatch(
      /^No difference can be seen on 120 decisions that were held back\. The new model has /,
    );
  });

  it('says that it knows too little from fewer than 20 accepted tags', async () => {
    const few = { accepted: pairs('accept').slice(0, 19), rejected: pairs('reject').slice(0, 60) };
    const told = await compareModels({ old: poor, new: good }, { known: nothing, heldBack: few }, engine);
    expect(told.verdict).toBe('tooFew');
    expect(told.accepted.difference).toBeUndefined();
    expect(told.statement).toBe(
      'Too few decisions to compare the models: of 79 decisions that were held back, 19 accepted a tag, and 20 are needed.',
    );
  });

  it('lets both know the other decisions of an object: what was accepted is its own, what was rejected is not suggested', async () => {
    const known = { accepted: [{ object: 'a', tag: 'x' }], rejected: [{ object: 'a', tag: 'y' }] };
    const tagged = [
      ['b', 'x'],
      ['b', 'z'],
      ['c', 'y'],
      ['c', 'x'],
      ['d', 'y'],
      ['e', 'x'],
      ['a', 'w'],
    ] as const;
    const small = await train(graphFrom({ interact: [], tagged: [...tagged] }), { model: 'popularity' });
    const heldBack = { accepted: [{ object: 'a', tag: 'z' }], rejected: [] };
    const blind = await compareModels({ old: small, new: small }, { known: nothing, heldBack }, engine);
    const knowing = await compareModels({ old: small, new: small }, { known, heldBack }, engine);
    expect(blind.accepted.reciprocalRank.old).toBeCloseTo(1 / 3); // behind x and y
    expect(knowing.accepted.reciprocalRank.old).toBe(1);
  });
});

describe('a verdict', () => {
  const difference = (mean: number, pValue: number) => ({ mean, pValue, low: mean, high: mean });

  it('needs a difference that chance does not explain, and is mixed where accepted and rejected tags disagree', () => {
    const [up, down, none] = [difference(0.2, 0.001), difference(-0.2, 0.001), difference(0.2, 0.03)];
    expect(verdictOf([up, none, none])).toBe('better');
    expect(verdictOf([none, none, up])).toBe('better');
    expect(verdictOf([up, up, up])).toBe('better');
    expect(verdictOf([down, none, none])).toBe('worse');
    expect(verdictOf([none, down, none])).toBe('worse');
    expect(verdictOf([up, down, none])).toBe('mixed');
    expect(verdictOf([none, none, none])).toBe('noDifference');
    expect(verdictOf([none, undefined, undefined])).toBe('better'); // asked once, at the full level
    expect(verdictOf([undefined, up, up])).toBe('tooFew');
  });
});

describe('telling accepted from rejected tags', () => {
  const sureness = fc.integer({ min: 0, max: 5 });

  it('counts in how many of all pairs the accepted one is above, equal ones half', () => {
    fc.assert(
      fc.property(fc.array(sureness, { minLength: 1 }), fc.array(sureness, { minLength: 1 }), (up, down) => {
        const pair = (prefix: string) => (_: number, i: number) => ({ object: `${prefix}${i}`, tag: 't' });
        const heldBack = { accepted: up.map(pair('up')), rejected: down.map(pair('down')) };
        const ranks = new Map(
          [...heldBack.accepted, ...heldBack.rejected].map(({ object }, i) => [
            object,
            new Map([['t', { rank: 1, sureness: [...up, ...down][i] }]]),
          ]),
        );
        const plain = up.flatMap((a) => down.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
        const share = plain.reduce((sum: number, one) => sum + one, 0) / plain.length;
        const found = compareSeparation({ old: ranks, new: ranks }, heldBack, 1);
        expect(found?.share.new).toBeCloseTo(share, 10);
        const values = standings(ranks, heldBack);
        const meanOf = (part: Float64Array) => part.reduce((sum, one) => sum + one, 0) / part.length;
        expect(meanOf(values.subarray(up.length))).toBeCloseTo(share, 10); // the same from the other side
      }),
    );
  });

  it('sees which model is surer of what was accepted where both suggest all of it', () => {
    const pairs = (prefix: string) => Array.from({ length: 40 }, (_, i) => ({ object: `${prefix}${i}`, tag: 't' }));
    const heldBack = { accepted: pairs('up'), rejected: pairs('down') };
    const ranksBy = (sure: (object: string, i: number) => number) =>
      new Map(
        [...heldBack.accepted, ...heldBack.rejected].map(({ object }, i) => [
          object,
          new Map([['t', { rank: 1, sureness: sure(object, i) }]]),
        ]),
      );
    const [random, right] = [ranksBy((_, i) => (i * 7) % 13), ranksBy((object) => (object.startsWith('up') ? 1 : 0))];
    const found = compareSeparation({ old: random, new: right }, heldBack, 1);
    expect(found?.share.new).toBe(1);
    expect(found?.difference?.pValue).toBeLessThan(0.01);
    expect(found?.difference?.mean).toBeGreaterThan(0.3);
  });
});
