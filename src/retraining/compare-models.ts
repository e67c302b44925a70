// An old and a new model on decisions that neither learnt. Both know the same other decisions about an object, as the service
// would let them (amendments), and answer as it would. Three questions: are accepted tags among the first suggestions, are rejected
// ones, and is the model surer of accepted tags than of rejected ones? Each is a paired test over objects. That several are asked is
// paid for: each has to be clear at a third of the level. The last is the one that sees something where curators mostly decide on the
// first suggestion of an object: then both models suggest it.
//
// Curators decide on what the old model suggests, so it has a head start on accepted tags and a handicap on rejected ones.
// That is why both count, and why being better at one and worse at the other is not called better.

import type { EngineOptions } from '../engine/open.ts';
import { comparePaired } from '../evaluation/paired.ts';
import type { Listener } from '../listener.ts';
import type { Model } from '../models/model.ts';
import type {
  ComparisonVerdict,
  Difference,
  ModelComparison,
  OldAndNew,
} from '../serving/training/training-messages.ts';
import { MIN_HELD_BACK, type Pair, type Verdicts } from './held-back.ts';
import { type Ranks, ranksOf } from './ranks.ts';
import { compareSeparation } from './separation.ts';
import { statementOf } from './statement.ts';

const FOUND = 3; // first suggestions
const SUGGESTED = 5; // as many as the queue has of an object
const LEVEL = 0.05;

/** What both models know, and what they are asked. */
export interface Questions {
  readonly known: Verdicts;
  readonly heldBack: Verdicts;
}

export async function compareModels(
  models: OldAndNew<Model>,
  { known, heldBack }: Questions,
  options: EngineOptions & { readonly seed: number },
  listener: Listener = {},
): Promise<ModelComparison> {
  const objects = [...new Set([...heldBack.accepted, ...heldBack.rejected].map(({ object }) => object))];
  const progress = (part: number) => ({
    ...listener,
    progress: (step: string, done: number, total: number) => listener.progress?.(step, done + part * total, 2 * total),
  });
  const ranks: OldAndNew<Ranks> = {
    old: await ranksOf(models.old, objects, known, options, progress(0)),
    new: await ranksOf(models.new, objects, known, options, progress(1)),
  };
  const accepted = compareAccepted(ranks, heldBack.accepted, options.seed);
  const rejected = compareRejected(ranks, heldBack.rejected, options.seed);
  const separation = compareSeparation(ranks, heldBack, options.seed);
  const answers = [accepted.difference, opposite(rejected.difference), separation?.difference];
  const figures = { verdict: verdictOf(answers), accepted, rejected, ...(separation && { separation }) };
  return { ...figures, statement: statementOf(figures) };
}

function compareAccepted(ranks: OldAndNew<Ranks>, pairs: readonly Pair[], seed: number): ModelComparison['accepted'] {
  const isFound = (rank: number) => (rank <= FOUND ? 1 : 0);
  const inverse = (rank: number) => 1 / rank;
  const recall = { old: meansByObject(ranks.old, pairs, isFound), new: meansByObject(ranks.new, pairs, isFound) };
  const ofBoth = (value: (which: 'old' | 'new') => number) => ({ old: value('old'), new: value('new') });
  return {
    numPairs: pairs.length,
    numObjects: recall.old.length,
    numFound: ofBoth((which) => sumOver(ranks[which], pairs, isFound)),
    recallAt3: ofBoth((which) => meanOf(recall[which])),
    reciprocalRank: ofBoth((which) => sumOver(ranks[which], pairs, inverse) / Math.max(1, pairs.length)),
    ...(pairs.length >= MIN_HELD_BACK && { difference: differenceOf(recall, seed) }),
  };
}

function compareRejected(ranks: OldAndNew<Ranks>, pairs: readonly Pair[], seed: number): ModelComparison['rejected'] {
  const isSuggested = (rank: number) => (rank <= SUGGESTED ? 1 : 0);
  const shares = {
    old: meansByObject(ranks.old, pairs, isSuggested),
    new: meansByObject(ranks.new, pairs, isSuggested),
  };
  return {
    numPairs: pairs.length,
    numObjects: shares.old.length,
    numSuggested: { old: sumOver(ranks.old, pairs, isSuggested), new: sumOver(ranks.new, pairs, isSuggested) },
    ...(pairs.length >= MIN_HELD_BACK && { difference: differenceOf(shares, seed) }),
  };
}

function rankOf(ranks: Ranks, { object, tag }: Pair): number {
  return ranks.get(object)?.get(tag)?.rank ?? Number.POSITIVE_INFINITY;
}

function sumOver(ranks: Ranks, pairs: readonly Pair[], value: (rank: number) => number): number {
  return pairs.reduce((sum, pair) => sum + value(rankOf(ranks, pair)), 0);
}

/** A mean for each object, in the order of their first pairs. */
function meansByObject(ranks: Ranks, pairs: readonly Pair[], value: (rank: number) => number): Float64Array {
  const byObject = new Map<string, Pair[]>();
  for (const pair of pairs) byObject.set(pair.object, [...(byObject.get(pair.object) ?? []), pair]);
  return Float64Array.from(byObject.values(), (own) => sumOver(ranks, own, value) / own.length);
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function differenceOf({ old, new: next }: OldAndNew<Float64Array>, seed: number): Difference {
  const { difference: mean, interval, pValue } = comparePaired(next, old, seed);
  const [low, high] = interval;
  return { mean, low, high, pValue };
}

function opposite(difference: Difference | undefined): Difference | undefined {
  return difference && { ...difference, mean: -difference.mean };
}

/** `answers`: of the three questions, of the accepted tags first; positive is better, undefined where there were too few decisions. */
export function verdictOf(answers: readonly (Difference | undefined)[]): ComparisonVerdict {
  if (answers[0] === undefined) return 'tooFew';
  const asked = answers.filter((one) => one !== undefined);
  const signs = asked.map(({ mean, pValue }) => (pValue <= LEVEL / asked.length ? Math.sign(mean) : 0));
  if (signs.includes(1)) return signs.includes(-1) ? 'mixed' : 'better';
  return signs.includes(-1) ? 'worse' : 'noDifference';
}
