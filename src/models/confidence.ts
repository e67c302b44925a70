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
}

/** What a model in use suggests to objects with tags, and what it would have found of tags hidden from it. */
export interface FindsInUse {
  /** Scores of the first suggestions to some objects. */
  readonly suggested: Float32Array;
  /** By hidden tag that was found among the first suggestions to an object, its score. */
  readonly found: Float32Array;
  /** How many tags the data lacks for each that is found, with as many objects as there were suggestions for. */
  readonly missingPerFound: number;
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

/** How likely suggestions are right, from the outcomes of some; undefined where there are too few. */
export function confidenceFrom(outcomes: readonly Outcome[]): Confidence | undefined {
  return outcomes.length < MIN_OUTCOMES ? undefined : allowingForMissing(curvesFrom(outcomes));
}

/**
 * The same where it is known what is suggested in use: of objects with tags, what the data lacks of each score is what was found of
 * hidden tags, times how many are missing for each, and all suggestions of that score are what it is a part of.
 */
export function confidenceInUse(
  { suggested, found, missingPerFound }: FindsInUse,
  unknown: readonly Outcome[],
): Confidence | undefined {
  if (suggested.length + unknown.length < MIN_OUTCOMES) return undefined;
  const tagged = isotonic([
    ...Array.from(suggested, (score) => ({ score, right: 0, size: 1 })),
    ...amongSuggested(suggested, found, missingPerFound),
  ]);
  const untagged = unknown.length < 2 * LEAST ? tagged : isotonic(unknown.map(countedOnce));
  return { tagged: atMostSurest(tagged), untagged: atMostSurest(untagged) };
}

const NEARLY = 0.9; // of a score

/**
 * What was found is part of what is suggested in use, as far as anything of about such a score or a higher one is suggested. Where it
 * is not, the data lacks no such tag; if one is missing one day, that score says so: what is left of the finds stands alone.
 */
function amongSuggested(suggested: Float32Array, found: Float32Array, missingPerFound: number): Evidence[] {
  const scores = suggested.slice().sort().reverse();
  const finds = [...found.slice().sort().reverse()];
  let [numSuggested, numRight] = [0, 0];
  return finds.flatMap((score) => {
    while (numSuggested < scores.length && scores[numSuggested] >= Math.min(score, NEARLY * score)) numSuggested++;
    const right = Math.min(missingPerFound, Math.max(0, numSuggested - numRight));
    numRight += right;
    return [
      { score, right, size: 0 },
      { score, right: missingPerFound - right, size: missingPerFound - right },
    ];
  });
}

/** How often suggestions were right, by their scores. */
export function curvesFrom(outcomes: readonly Outcome[]): Confidence {
  const tagged = outcomes.filter(({ hasTags }) => hasTags);
  const untagged = outcomes.filter(({ hasTags }) => !hasTags);
  const curve = isotonic(tagged.map(countedOnce));
  return { tagged: curve, untagged: untagged.length < 2 * LEAST ? curve : isotonic(untagged.map(countedOnce)) };
}

/**
 * Where data lacks a fifth of its tags, what was hidden from it to be found again is not all there is to find: as many again count as
 * wrong and are not. So of an object with tags, p = found / (found + others) should be found / others. Of an object without, all tags were hidden.
 */
export function allowingForMissing({ tagged, untagged }: Confidence): Confidence {
  const others = { ...tagged, probabilities: tagged.probabilities.map((p) => p / (1 - p)) };
  return { tagged: atMostSurest(others), untagged: atMostSurest(untagged) };
}

function atMostSurest({ scores, probabilities }: Curve): Curve {
  return { scores, probabilities: probabilities.map((p) => Math.min(SUREST, p)) };
}

/** So many suggestions of a score, and how many of such are right. */
interface Evidence {
  readonly score: number;
  readonly right: number;
  readonly size: number;
}

function countedOnce({ score, isRight }: Outcome): Evidence {
  return { score, right: isRight ? 1 : 0, size: 1 };
}

/** Points of a curve that does not fall: means over runs of scores, joined until they rise. */
function isotonic(evidence: readonly Evidence[]): Curve {
  const sorted = [...evidence].sort((a, b) => a.score - b.score);
  let left = sorted.reduce((sum, { size }) => sum + size, 0);
  const pools: { score: number; right: number; size: number }[] = []; // sums
  for (let at = 0; at < sorted.length; ) {
    let pool = { score: 0, right: 0, size: 0 };
    // at least so many, and all that share the last one's score; what is left in the end must be as many, too
    const isShort = () => pool.size < LEAST || left - pool.size < LEAST || sorted[at].score === sorted[at - 1].score;
    for (; at < sorted.length && isShort(); at++) {
      const { score, right, size } = sorted[at];
      pool = { score: pool.score + size * score, right: pool.right + right, size: pool.size + size };
    }
    left -= pool.size;
    for (let last = pools.at(-1); last && last.right * pool.size >= pool.right * last.size; last = pools.at(-1)) {
      pool = { score: last.score + pool.score, right: last.right + pool.right, size: last.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
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
