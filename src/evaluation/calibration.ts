// Whether a model knows how sure it may be. Its first suggestions for objects whose tags were partly held back are right or
// wrong; isotonic regression (pool adjacent violators; Ayer et al., Ann. Math. Statist. 26(4), 1955) over their scores makes a
// curve of confidence, and on other pairs a reliability table shows what became of it.

import type { Split } from '../data/split.ts';
import { type Listener, makeBreather } from '../listener.ts';
import {
  type Confidence,
  type Curve,
  confidenceOf,
  MISSING_SHARE,
  NUM_JUDGED,
  type Outcome,
} from '../models/confidence.ts';
import type { ScoreTags } from '../models/score-tags.ts';
import { topTags } from '../models/top-tags.ts';
import { permutation, Random } from '../random.ts';

const BLOCK_OBJECTS = 256;

/** The first suggestions for objects that have a tag on either side; of very many objects a sample. */
export async function outcomesOf(
  score: ScoreTags,
  { train, test }: Split,
  maxObjects: number,
  listener: Listener = {},
): Promise<Outcome[]> {
  const breathe = makeBreather(listener);
  const numTags = train.tags.size;
  const order = permutation(train.objects.size, new Random(1, 'objects to calibrate on'));
  const judged = order.filter((object) => train.tagged.rowLength(object) + test.rowLength(object) > 0);
  const objects = judged.slice(0, maxObjects);
  const outcomes: Outcome[] = [];
  const scores = new Float32Array(BLOCK_OBJECTS * numTags);
  for (let first = 0; first < objects.length; first += BLOCK_OBJECTS) {
    listener.progress?.('judging confidence', first, objects.length);
    await breathe();
    const block = objects.subarray(first, first + BLOCK_OBJECTS);
    await score(block, scores.subarray(0, block.length * numTags));
    for (let i = 0; i < block.length; i++) {
      const row = scores.subarray(i * numTags, (i + 1) * numTags);
      const own = train.tagged.row(block[i]);
      for (const tag of topTags(row, own, NUM_JUDGED)) {
        outcomes.push({ score: row[tag], isRight: test.has(block[i], tag), hasTags: own.length > 0 });
      }
    }
  }
  return outcomes;
}

export function confidenceFrom(outcomes: readonly Outcome[]): Confidence {
  const tagged = outcomes.filter(({ hasTags }) => hasTags);
  const untagged = outcomes.filter(({ hasTags }) => !hasTags);
  const curve = isotonic(tagged);
  return { tagged: curve, untagged: untagged.length < 2 * LEAST ? curve : isotonic(untagged) };
}

/**
 * Where data lacks a fifth of its tags, what was hidden from it to be found again is not all there is to find: as many again
 * count as wrong and are not. So of an object with tags, p = found / (found + others) should be found / others; of one
 * without, where all of its tags were hidden, one in five is missing from those.
 */
export function allowingForMissing({ tagged, untagged }: Confidence): Confidence {
  const corrected = ({ scores, probabilities }: Curve, correct: (p: number) => number) => {
    return { scores, probabilities: probabilities.map((p) => Math.min(SUREST, correct(p))) };
  };
  return {
    tagged: corrected(tagged, (p) => p / (1 - p)),
    untagged: corrected(untagged, (p) => p / (1 - MISSING_SHARE)),
  };
}

const SUREST = 0.99; // nothing here rests on so many suggestions that more could be said
const LEAST = 50; // outcomes a point of a curve rests on

/** Points of a curve that does not fall: means over runs of scores, joined until they rise. */
function isotonic(outcomes: readonly Outcome[]): Curve {
  const sorted = [...outcomes].sort((a, b) => a.score - b.score);
  const pools: { score: number; right: number; size: number }[] = []; // sums
  for (let first = 0; first < sorted.length; ) {
    // at least so many, and all that share the last one's score
    let end = Math.min(sorted.length, first + LEAST);
    if (sorted.length - end < LEAST) end = sorted.length;
    while (end < sorted.length && sorted[end].score === sorted[end - 1].score) end++;
    const run = sorted.slice(first, end);
    let pool = {
      score: run.reduce((sum, { score }) => sum + score, 0),
      right: run.filter(({ isRight }) => isRight).length,
      size: run.length,
    };
    for (let last = pools.at(-1); last && last.right / last.size >= pool.right / pool.size; last = pools.at(-1)) {
      pool = { score: last.score + pool.score, right: last.right + pool.right, size: last.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
    first = end;
  }
  return {
    scores: Float32Array.from(pools, ({ score, size }) => score / size),
    probabilities: Float32Array.from(pools, ({ right, size }) => right / size),
  };
}

export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  /** Means over the suggestions in it. */
  readonly confidence: number;
  readonly right: number;
}

export interface Reliability {
  readonly bins: readonly ReliabilityBin[];
  /** Expected calibration error: the mean distance of confidence and truth, bin by bin. */
  readonly error: number;
}

const NUM_BINS = 10;

export function reliability(outcomes: readonly Outcome[], confidence: Confidence): Reliability {
  const sums = Array.from({ length: NUM_BINS }, () => ({ size: 0, confidence: 0, right: 0 }));
  for (const { score, isRight, hasTags } of outcomes) {
    const probability = confidenceOf(confidence, score, hasTags);
    const bin = sums[Math.min(NUM_BINS - 1, Math.floor(probability * NUM_BINS))];
    bin.size++;
    bin.confidence += probability;
    bin.right += isRight ? 1 : 0;
  }
  const bins = sums.map(({ size, confidence: sum, right }, i) => ({
    from: i / NUM_BINS,
    to: (i + 1) / NUM_BINS,
    size,
    confidence: size === 0 ? 0 : sum / size,
    right: size === 0 ? 0 : right / size,
  }));
  const distance = bins.reduce((sum, bin) => sum + bin.size * Math.abs(bin.confidence - bin.right), 0);
  return { bins: bins.filter(({ size }) => size > 0), error: outcomes.length === 0 ? 0 : distance / outcomes.length };
}
