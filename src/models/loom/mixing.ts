// Objects with few tags or none: how much the weights that know own tags count beside those that do not.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Rehearsal } from '../model-kind.ts';
import { type ScoreTags, topTags } from '../scorer.ts';
import { shareOf } from './loom.ts';
import type { RehearsalProblem } from './rehearsal-fit.ts';

export const WORTH = 0.002; // a smaller gain is chance
/** What is tried for objects of one tag, of two, and of more: the more of them, the more own tags tell. */
const MIXINGS = [
  [0.5, 1, 1],
  [0.25, 0.75, 1],
  [0.5, 0.75, 1],
  [0, 0.5, 1],
  [0.5, 0.75, 0.75],
  [0.25, 0.5, 0.75],
  [0.25, 0.25, 0.5],
];
/** Tried for objects without tags: weights with own tags have learnt what objects of few tags are about. */
const SHARES_OF_NONE = [0, 0.25, 0.5, 0.75];

/** Fits of one of the two sets of weights. */
export interface MixedSide {
  readonly score: ScoreTags;
  /** Of whole objects, as if they had no tags, by fits that lack them. */
  readonly ofWhole: Float32Array;
}

/** How much weights with own tags should count for objects of one tag, of two, and of more. */
export async function chooseMixing(
  { train, judged, judge }: Rehearsal,
  sides: readonly MixedSide[],
  isPart: boolean,
): Promise<{ readonly mixing: readonly number[]; readonly value: number }> {
  const numTags = train.tags.size;
  const both = await scoresOf(sides, judged, numTags);
  const placeOf = new Map(Array.from(judged, (object, i) => [object, i]));
  const judgeMixed = (mixing: readonly number[]) =>
    judge((objects, scores) => {
      for (const [i, object] of objects.entries()) {
        const share = shareOf(mixing, train.tagged.rowLength(object));
        const from = (placeOf.get(object) as number) * numTags;
        const parts = both.map((one) => one.subarray(from, from + numTags));
        scores.set(mixed(parts, share), i * numTags);
      }
    });
  let mixing = [0, 1, 1, 1];
  let value = await judgeMixed(mixing);
  for (const [one, two, more] of MIXINGS) {
    if (isPart && more < 1) continue; // own tags are learnt from more objects than were learnt from here
    const next = [0, one, two, more];
    const found = await judgeMixed(next);
    if (found > value + WORTH / 2) [mixing, value] = [next, found];
  }
  return { mixing, value };
}

/**
 * The same for objects of no tags. Those that never had any are mostly such as have few in the end; those that just came in are
 * like all others: objects whose tags are all hidden in the rehearsal stand for the first, whole objects for the second.
 */
export async function chooseShareOfNone(
  train: KnowledgeGraph,
  cold: Int32Array,
  whole: RehearsalProblem,
  sides: readonly MixedSide[],
): Promise<number> {
  const ofCold = await scoresOf(sides, cold, train.tags.size);
  const ofWhole = sides.map((side) => side.ofWhole);
  // of two that do as well, the mixture: it errs less on what is not judged here
  const judge = (share: number) =>
    hitsOf(train, cold, mixed(ofCold, share)) + hitsWithout(whole, mixed(ofWhole, share)) + (share > 0 ? 2 * WORTH : 0);
  const [first, ...others] = SHARES_OF_NONE.map((share) => ({ share, value: judge(share) }));
  return others.reduce((best, one) => (one.value > best.value ? one : best), first).share;
}

async function scoresOf(sides: readonly MixedSide[], objects: Int32Array, numTags: number): Promise<Float32Array[]> {
  const found = sides.map(() => new Float32Array(objects.length * numTags));
  for (const [i, { score }] of sides.entries()) await score(objects, found[i]);
  return found;
}

/** Of scores with own tags and scores without, the sum with this share of the first. */
export function mixed([own, without]: readonly Float32Array[], share: number): Float32Array {
  const scores = own.slice();
  mixInto(scores, without, share);
  return scores;
}

/** The same, in place of the scores with own tags. */
export function mixInto(own: Float32Array, without: Float32Array, share: number): void {
  for (let i = 0; i < own.length; i++) own[i] = share * own[i] + (1 - share) * without[i];
}

/** The mean share of hits in the three best tags, of as many as there could be, for the objects that a fit learnt from. */
export function hitsWithout({ views, numLearnt }: RehearsalProblem, scores: Float32Array): number {
  return hitsOf(views.train, views.objects.subarray(0, numLearnt), scores);
}

function hitsOf({ tagged, tags }: KnowledgeGraph, objects: Int32Array, scores: Float32Array): number {
  let sum = 0;
  for (const [i, object] of objects.entries()) {
    const own = tagged.row(object);
    const best = topTags(scores.subarray(i * tags.size, (i + 1) * tags.size), [], 3);
    sum += best.filter((tag) => own.includes(tag)).length / Math.min(3, own.length);
  }
  return sum / Math.max(1, objects.length);
}
