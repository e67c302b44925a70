// loom's second stage: how likely each of the first stage's best tags is, from all that is known of it (candidates.ts). It starts
// from the odds that the first score alone gives and adds a sum of small trees (boosted-trees.ts). The candidates get that
// likelihood as their score; all other tags stay below them, in the order of the first stage.

import type { SingleRows } from '../../engine/single-rows.ts';
import type { AgainAmount } from '../scorer.ts';
import { FormatError } from '../tensor-checks.ts';
import { type TensorEntry, type TensorReader, vector } from '../tensors.ts';
import { answerOf, NUM_LEAVES, NUM_QUESTIONS, type Trees } from './boosted-trees.ts';
import { CANDIDATE_FEATURES, type Candidates } from './candidates.ts';
import { COMPANY } from './company.ts';
import { TreesAtOnce } from './trees-at-once.ts';

/** How likely each of the first stage's best tags is. */
export interface SecondStage {
  /** The odds by the first score alone: intercept + slope · ln(score). */
  readonly start: Float64Array; // (2)
  readonly trees: Trees;
  /** The median of every feature: what makes no difference. */
  readonly middle: Float32Array; // (CANDIDATE_FEATURES)
}

const WIDTH = CANDIDATE_FEATURES.length;
const LEAST = 1e-3; // of a score: what is below has no odds of its own

/** ln(score), which the odds start from. */
export function logScore(score: number): number {
  return Math.log(Math.max(LEAST, score));
}

/** How likely a candidate is, whose features begin at `at`. */
export function likelihoodOf({ start, trees }: SecondStage, features: ArrayLike<number>, at = 0): number {
  const odds = start[0] + start[1] * logScore(features[at]) + answerOf(trees, features, at);
  return 1 / (1 + Math.exp(-odds));
}

const readied = new WeakMap<Trees, TreesAtOnce>();

function readiedTrees(trees: Trees): TreesAtOnce {
  const known = readied.get(trees);
  if (known !== undefined) return known;
  const atOnce = new TreesAtOnce(trees, WIDTH);
  readied.set(trees, atOnce);
  return atOnce;
}

/** Trees for the candidates of one object, where an engine has kernels for that. */
export function treesIn(engine: SingleRows, { trees }: SecondStage): TreesAtOnce {
  return new TreesAtOnce(trees, WIDTH, engine);
}

/** The same for all candidates at once. */
export function likelihoodsOf(
  { start, trees }: SecondStage,
  features: Float32Array,
  atOnce = readiedTrees(trees),
): Float32Array {
  const answers = new Float64Array(features.length / WIDTH);
  atOnce.answers(features, answers);
  const likelihoods = new Float32Array(answers.length);
  for (let c = 0; c < answers.length; c++) {
    const odds = start[0] + start[1] * logScore(features[c * WIDTH]) + answers[c];
    likelihoods[c] = 1 / (1 + Math.exp(-odds));
  }
  return likelihoods;
}

/** Puts the likelihoods of the candidates into a row of first scores, and all other tags below them. */
export function rankAgain(
  stage: SecondStage,
  { tags, features }: Candidates,
  row: Float32Array,
  atOnce?: TreesAtOnce,
): void {
  if (tags.length === 0) return;
  const likelihoods = likelihoodsOf(stage, features, atOnce);
  let least = 1;
  for (let c = 0; c < likelihoods.length; c++) least = Math.min(least, likelihoods[c]);
  const shift = least - row[tags[tags.length - 1]];
  for (let t = 0; t < row.length; t++) row[t] += shift;
  for (let c = 0; c < tags.length; c++) row[tags[c]] = likelihoods[c];
}

/** Features that are told together. */
const GROUPS = {
  score: ['score', 'standing', 'gap', 'rank'],
  withoutTags: ['bareScore', 'bareStanding'],
  neighbours: ['neighbours', 'neighboursStanding', 'neighboursGap'],
  mention: ['mention'],
  count: ['count'],
  object: ['numTags', 'numUsers'],
  company: [...COMPANY, ...COMPANY.flatMap((name) => [`${name}Standing`, `${name}Gap`] as const)],
} as const satisfies Record<string, readonly (typeof CANDIDATE_FEATURES)[number][]>;

type FeatureGroup = keyof typeof GROUPS;

const NAMES = Object.keys(GROUPS) as FeatureGroup[];
const GROUP_OF = CANDIDATE_FEATURES.map((feature) =>
  NAMES.findIndex((name) => (GROUPS[name] as readonly string[]).includes(feature)),
);

/**
 * What each group of features adds to the likelihood of a candidate: exact Shapley values over all coalitions of groups, against a
 * candidate with nothing out of the ordinary (`middle`). `base` and the amounts add up to the likelihood.
 */
export function sharesOf(
  stage: SecondStage,
  features: Float32Array,
  at: number,
): { readonly base: number; readonly amounts: ReadonlyMap<FeatureGroup, number> } {
  const numGroups = NAMES.length;
  const row = new Float32Array(WIDTH);
  const worths = Float64Array.from({ length: 1 << numGroups }, (_, coalition) => {
    for (let f = 0; f < WIDTH; f++) row[f] = (coalition >> GROUP_OF[f]) & 1 ? features[at + f] : stage.middle[f];
    return likelihoodOf(stage, row);
  });
  const weights = coalitionWeights(numGroups);
  const amounts = NAMES.map((name, group) => {
    let amount = 0;
    for (let coalition = 0; coalition < worths.length; coalition++) {
      if ((coalition >> group) & 1) continue;
      amount += weights[bitsOf(coalition)] * (worths[coalition | (1 << group)] - worths[coalition]);
    }
    return [name, amount] as const;
  });
  return { base: worths[0], amounts: new Map(amounts) };
}

/** By the size of a coalition, s! (n − s − 1)! / n!. */
function coalitionWeights(numGroups: number): number[] {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  return Array.from(
    { length: numGroups },
    (_, size) => (factorial(size) * factorial(numGroups - size - 1)) / factorial(numGroups),
  );
}

function bitsOf(coalition: number): number {
  let count = 0;
  for (let rest = coalition; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}

/** What the second stage adds to the first score of a tag; `closest`: the own tag that goes with a tag best. */
export function explainAgain(
  stage: SecondStage,
  { tags, features }: Candidates,
  { tag, first, final }: { readonly tag: number; readonly first: number; readonly final: number },
  closest: () => number | undefined,
): AgainAmount[] {
  const place = tags.indexOf(tag);
  if (place < 0) return [{ reason: 'notLookedAt', amount: final - first }];
  const { base, amounts } = sharesOf(stage, features, place * WIDTH);
  return Array.from(amounts, ([reason, amount]): AgainAmount => {
    if (reason === 'score') return { reason, amount: amount + base - first };
    const own = reason === 'company' ? closest() : undefined;
    return { reason, amount, ...(own !== undefined && { tag: own }) };
  }).filter(({ amount }) => amount !== 0);
}

export function secondStageToTensors({ start, trees, middle }: SecondStage): TensorEntry[] {
  return [
    ['loom.second.start', vector(start)],
    ['loom.second.middle', vector(middle)],
    ['loom.second.features', vector(trees.features)],
    ['loom.second.thresholds', vector(trees.thresholds)],
    ['loom.second.leaves', vector(trees.leaves)],
  ];
}

const LARGEST = 2 ** 50;

export function secondStageFromTensors(tensors: TensorReader): SecondStage {
  const bounds = { low: -LARGEST, high: LARGEST };
  const start = tensors.array('loom.second.start', Float64Array, 2);
  if (!start.every((one) => Math.abs(one) < LARGEST)) {
    throw new FormatError(`loom.second.start of ${start.join(', ')}`, 'two numbers');
  }
  const leaves = tensors.within('loom.second.leaves', bounds);
  const numTrees = leaves.length / NUM_LEAVES;
  if (!Number.isInteger(numTrees)) {
    throw new FormatError(`${leaves.length} numbers in loom.second.leaves`, `${NUM_LEAVES} a tree`);
  }
  const features = tensors.array('loom.second.features', Int32Array, NUM_QUESTIONS * numTrees);
  if (!features.every((feature) => feature >= 0 && feature < WIDTH)) {
    throw new FormatError('unknown features in loom.second.features', `numbers from 0 to ${WIDTH - 1}`);
  }
  const thresholds = tensors.within('loom.second.thresholds', bounds, NUM_QUESTIONS * numTrees);
  return {
    start,
    trees: { features, thresholds, leaves },
    middle: tensors.within('loom.second.middle', bounds, WIDTH),
  };
}
