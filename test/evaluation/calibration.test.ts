import { describe, expect, it } from 'vitest';
import { split } from '../../src/data/split.ts';
import { outcomesOf, reliability } from '../../src/evaluation/calibration.ts';
import {
  allowingForMissing,
  confidenceFrom,
  confidenceInUse,
  confidenceOf,
  curvesFrom,
  type Outcome,
} from '../../src/models/confidence.ts';
import { Random } from '../../src/random.ts';
import { checkerboard } from '../checkerboard.ts';

/** Suggestions that are right as often as their score squared says. */
function squares(count: number, seed: number, hasTags = true): Outcome[] {
  const random = new Random(seed, 'outcomes');
  return Array.from({ length: count }, () => {
    const score = random.float();
    return { score, isRight: random.float() < score ** 2, hasTags };
  });
}

describe('confidence', () => {
  it('finds how likely scores are right, and holds on other suggestions', () => {
    const confidence = curvesFrom(squares(20_000, 1));
    for (const score of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      expect(Math.abs(confidenceOf(confidence, score, true) - score ** 2)).toBeLessThan(0.06);
    }
    expect(reliability(squares(20_000, 2), confidence).error).toBeLessThan(0.015);
  });

  it('never falls, and stays between 0 and 1 beyond all scores seen', () => {
    const confidence = curvesFrom(squares(3000, 3));
    let last = 0;
    for (let score = -1; score <= 2; score += 0.01) {
      const probability = confidenceOf(confidence, score, true);
      expect(probability).toBeGreaterThanOrEqual(last);
      expect(probability).toBeLessThanOrEqual(1);
      last = probability;
    }
  });

  it('knows objects without tags apart, where there are enough of them', () => {
    const sure = squares(2000, 4, false).map((one) => ({ ...one, isRight: true }));
    const confidence = curvesFrom([...squares(2000, 5), ...sure]);
    expect(confidenceOf(confidence, 0.5, false)).toBe(1);
    expect(confidenceOf(confidence, 0.5, true)).toBeLessThan(0.5);
    const few = curvesFrom([...squares(2000, 5), ...sure.slice(0, 20)]);
    expect(confidenceOf(few, 0.5, false)).toBe(confidenceOf(few, 0.5, true));
  });

  it('bears no suggestions at all, and scores that are all the same', () => {
    expect(confidenceOf(curvesFrom([]), 1, true)).toBe(0);
    expect(reliability([], curvesFrom([])).error).toBe(0);
    const same = Array.from({ length: 400 }, (_, i) => ({ score: 2, isRight: i % 4 === 0, hasTags: true }));
    expect(confidenceOf(curvesFrom(same), 2, true)).toBeCloseTo(0.25, 6);
  });

  it('allows for tags that are right and missing from the data', () => {
    // score 1: of 100 suggestions 30 are hidden tags, and of the 70 others 30 are missing ones
    const hidden = Array.from({ length: 1000 }, (_, i) => ({ score: 1, isRight: i % 10 < 3, hasTags: true }));
    const confidence = allowingForMissing(curvesFrom(hidden));
    expect(confidenceOf(confidence, 1, true)).toBeCloseTo(30 / 70, 5);
    const certain = hidden.map((one) => ({ ...one, isRight: true }));
    expect(confidenceOf(allowingForMissing(curvesFrom(certain)), 1, true)).toBeCloseTo(0.99, 5);
  });

  it('is what was found of hidden tags, times those missing for each, among all that is suggested in use', () => {
    // scores 1 and 2: 1,000 suggestions each; of as many objects, 50 and 200 hidden tags were found, for each of which two are missing
    const suggested = Float32Array.from({ length: 2000 }, (_, i) => 1 + (i % 2));
    const found = Float32Array.from({ length: 250 }, (_, i) => (i < 50 ? 1 : 2));
    const unknown = squares(2000, 9, false);
    const confidence = confidenceInUse({ suggested, found, missingPerFound: 2 }, unknown);
    if (confidence === undefined) throw new Error('there are enough');
    expect(confidenceOf(confidence, 1, true)).toBeCloseTo(0.1, 6);
    expect(confidenceOf(confidence, 2, true)).toBeCloseTo(0.4, 6);
    expect(confidence.untagged).toEqual(curvesFrom(unknown).untagged);
    const much = confidenceInUse({ suggested, found, missingPerFound: 20 }, []);
    expect(much && confidenceOf(much, 2, true)).toBeCloseTo(0.99, 6);
    const few = { suggested: suggested.subarray(0, 60), found, missingPerFound: 2 };
    expect(confidenceInUse(few, unknown.slice(0, 39))).toBeUndefined();
    expect(confidenceInUse(few, unknown.slice(0, 40))).toBeDefined();
  });

  it('does not take what was found with high scores for what is suggested with low ones, where nothing is missing', () => {
    // every tag that a text calls for is there: found again at once when it was hidden, and what else is suggested has low scores
    const suggested = Float32Array.from({ length: 500 }, (_, i) => 0.06 * (i / 500));
    const found = Float32Array.from({ length: 300 }, (_, i) => 0.85 + 0.1 * (i / 300));
    const confidence = confidenceInUse({ suggested, found, missingPerFound: 2 }, []);
    if (confidence === undefined) throw new Error('there are enough');
    expect(confidenceOf(confidence, 0.05, true)).toBeLessThan(0.03);
    expect(confidenceOf(confidence, 0.06, true)).toBeLessThan(0.05);
    expect(confidenceOf(confidence, 0.9, true)).toBeCloseTo(0.99, 6);
    // a suggestion of nearly such a score is one of those
    const some = confidenceInUse({ suggested: suggested.fill(0.8, 0, 60), found, missingPerFound: 2 }, []);
    expect(some && confidenceOf(some, 0.8, true)).toBeGreaterThan(0.9);
    expect(some && confidenceOf(some, 0.05, true)).toBe(0);
  });

  it('says nothing where there are too few suggestions to tell', () => {
    expect(confidenceFrom(squares(99, 8))).toBeUndefined();
    expect(confidenceFrom(squares(200, 8))).toEqual(allowingForMissing(curvesFrom(squares(200, 8))));
  });

  it('sees through a model that is too sure of itself', () => {
    const confidence = curvesFrom(squares(20_000, 6));
    const wrong = squares(20_000, 7).map((one) => ({ ...one, isRight: false }));
    expect(reliability(wrong, confidence).error).toBeGreaterThan(0.2);
  });
});

describe('outcomes', () => {
  it('are the first suggestions for objects with a tag on either side, judged by the test side', async () => {
    const parts = split(checkerboard(), { trainFraction: 0.6, seed: 1 });
    const numTags = parts.train.tags.size;
    // right: tags of the object's colour
    const score = (ids: Int32Array, scores: Float32Array) => {
      for (const [i, id] of ids.entries()) {
        for (let tag = 0; tag < numTags; tag++) scores[i * numTags + tag] = tag % 2 === id % 2 ? 1 : 0;
      }
    };
    const outcomes = await outcomesOf(score, parts, 1000);
    expect(outcomes.filter(({ isRight }) => isRight)).toHaveLength(parts.test.size);
    for (const { score: value, isRight } of outcomes) expect(isRight).toBe(value === 1);
    expect(await outcomesOf(score, parts, 5)).toHaveLength(50);
  });

  it('is judged on hidden objects alone where whole objects are hidden', async () => {
    const graph = checkerboard();
    const score = (objects: Int32Array, scores: Float32Array) => void scores.fill(1, 0, objects.length);
    const whole = split(graph, { trainFraction: 0.7, seed: 1, by: 'object' });
    const outcomes = await outcomesOf(score, whole, 1e6);
    expect(outcomes.every(({ hasTags }) => !hasTags)).toBe(true);
    expect(outcomes).toHaveLength(10 * new Set(whole.test.heads).size);
    const pairs = split(graph, { trainFraction: 0.7, seed: 1 });
    expect((await outcomesOf(score, pairs, 1e6)).some(({ hasTags }) => hasTags)).toBe(true);
  });
});
