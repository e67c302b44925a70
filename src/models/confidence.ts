// From a score to a probability. A curve says for rising scores how often a suggestion of such a score was right on pairs held
// back; between its points it is straight, beyond them level. Objects without a tag have a curve of their own: all their
// tags are missing, not some. Curves are learnt by isotonic regression (pool adjacent violators; Ayer et al., Ann. Math.
// Statist. 26(4), 1955).

import { checkAscending } from './tensor-checks.ts';
import { type TensorEntry, type TensorReader, vector } from './tensors.ts';

/** The share of all tags that data is taken to lack: what the curves are learnt under. */
export const MISSING_SHARE = 0.2;
/** As many suggestions for an object as a person may look at: what the curves are learnt from, and judged on. */
export const NUM_JUDGED = 10;

/** Probabilities at ascending scores; straight lines in between. */
export interface Curve {
  readonly scores: Float32Array; // ascending
  readonly probabilities: Float32Array; // not falling
}

/** From scores to probabilities, apart for objects with and without tags. */
export interface Confidence {
  /** Of objects with tags. */
  readonly tagged: Curve;
  /** Of objects without. */
  readonly untagged: Curve;
}

/** What became of one suggestion. */
export interface Outcome {
  readonly score: number;
  readonly isRight: boolean;
  /** Whether the object has a training tag. */
  readonly hasTags: boolean;
  /** How many such suggestions it stands for; 1 by default. */
  readonly weight?: number;
}

/** How likely a suggestion is right: that the tag is among those of the object that were not told. */
export function confidenceOf({ tagged, untagged }: Confidence, score: number, hasTags: boolean): number {
  return heightAt(hasTags ? tagged : untagged, score);
}

function heightAt({ scores, probabilities }: Curve, score: number): number {
  let [low, high] = [0, scores.length]; // the first point above the score
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (scores[middle] <= score) low = middle + 1;
    else high = middle;
  }
  if (scores.length === 0) return 0;
  if (low === 0) return probabilities[0];
  if (low === scores.length) return probabilities[low - 1];
  const share = (score - scores[low - 1]) / (scores[low] - scores[low - 1]);
  return probabilities[low - 1] + share * (probabilities[low] - probabilities[low - 1]);
}

const MIN_OUTCOMES = 100; // from fewer, confidence cannot be told
const SUREST = 0.99; // nothing here rests on so many suggestions that more could be said
const LEAST = 50; // outcomes a point of a curve rests on

/**
 * How likely suggestions are right, from the outcomes of some; undefined where there are too few. `missingPerHidden`: how many tags the
 * data lacks for each that was hidden from an object with tags.
 */
export function confidenceFrom(outcomes: readonly Outcome[], missingPerHidden = 1): Confidence | undefined {
  return outcomes.length < MIN_OUTCOMES ? undefined : allowingForMissing(curvesFrom(outcomes), missingPerHidden);
}

/** How often suggestions were right, by their scores. */
export function curvesFrom(outcomes: readonly Outcome[]): Confidence {
  const tagged = outcomes.filter(({ hasTags }) => hasTags);
  const untagged = outcomes.filter(({ hasTags }) => !hasTags);
  const curve = isotonic(tagged);
  return { tagged: curve, untagged: untagged.length < 2 * LEAST ? curve : isotonic(untagged) };
}

/**
 * Where data lacks a fifth of its tags, what was hidden from it to be found again is not all there is to find: as many again, or
 * some times as many, count as wrong and are not. So of an object with tags, p = found / (found + others) should be
 * missing per hidden · found / others. Of an object without, all tags were hidden.
 */
export function allowingForMissing({ tagged, untagged }: Confidence, missingPerHidden = 1): Confidence {
  const corrected = ({ scores, probabilities }: Curve, correct: (p: number) => number) => {
    return { scores, probabilities: probabilities.map((p) => Math.min(SUREST, correct(p))) };
  };
  return {
    tagged: corrected(tagged, (p) => (missingPerHidden * p) / (1 - p)),
    untagged: corrected(untagged, (p) => p),
  };
}

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
    let pool = { score: 0, right: 0, size: 0 };
    for (const { score, isRight, weight = 1 } of run) {
      pool.score += weight * score;
      pool.right += isRight ? weight : 0;
      pool.size += weight;
    }
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

export function confidenceToTensors({ tagged, untagged }: Confidence): TensorEntry[] {
  return Object.entries({ tagged, untagged }).flatMap(([name, { scores, probabilities }]) => [
    [`confidence.${name}.scores`, vector(scores)],
    [`confidence.${name}.probabilities`, vector(probabilities)],
  ]);
}

export function confidenceFromTensors(tensors: TensorReader): Confidence {
  const curve = (name: string) => {
    const scores = tensors.array(`confidence.${name}.scores`, Float32Array);
    const probabilities = tensors.within(`confidence.${name}.probabilities`, { low: 0, high: 1 }, scores.length);
    checkAscending(`confidence.${name}.scores`, scores);
    checkAscending(`confidence.${name}.probabilities`, probabilities);
    return { scores, probabilities };
  };
  return { tagged: curve('tagged'), untagged: curve('untagged') };
}
