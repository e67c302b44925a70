// Which objects should carry a tag and do not, from its score for every object.

import type { Relation } from '../../data/relation.ts';
import { TopK } from '../../engine/numerics/top-k.ts';
import { type Amendments, isHidden, ownTags } from './amendments.ts';
import { type Confidence, isSure } from './ranking.ts';

export interface ScoredObjects {
  readonly tagged: Relation;
  readonly rejected?: Relation | undefined;
  readonly amendments: Amendments;
  readonly scores: Float32Array; // by object
  /** A score of this or less means that nothing speaks for the tag. */
  readonly floor: number;
  readonly confidence: (object: number, hasTags: boolean) => Confidence;
  /** Whether the tag is not to be suggested to an object, where more counts than its tags. */
  readonly isHidden?: ((object: number) => boolean) | undefined;
}

const [UNTAGGED, TAGGED] = [0, 1];

/** The objects that do not have a tag, the likeliest first. */
export function likeliestWithout(
  tag: number,
  from: ScoredObjects,
  limit: number,
  minConfidence: number | undefined,
): ({ readonly object: number } & Confidence)[] {
  const { tagged, amendments, scores, floor } = from;
  const isAmended = amendments.size > 0;
  const isOut = from.isHidden ?? ((object: number) => isHidden(from, object, tag, amendments));
  // objects without tags have a curve of their own
  const kindOf = (object: number) => {
    const numTags =
      isAmended && amendments.has(object) ? ownTags(tagged, object, amendments).length : tagged.rowLength(object);
    return numTags > 0 ? TAGGED : UNTAGGED;
  };
  const confidenceOf = (object: number) => from.confidence(object, kindOf(object) === TAGGED);
  // the likeliest are not always those of the highest score
  const likelihoods = new Map<number, number>();
  const likelihoodOf = (object: number) => likelihoods.get(object) ?? 0;
  const worth = (a: number, b: number) => likelihoodOf(a) - likelihoodOf(b) || scores[a] - scores[b] || b - a;
  const best = new TopK(limit, (a, b) => worth(a, b) < 0);
  // confidence does not fall with the score: what is no better than one that was left out is left out as well
  const tooLow = [floor, floor]; // by kind
  let lowest = floor;
  for (let object = 0; object < scores.length; object++) {
    if (!(scores[object] > lowest)) continue; // whatever its kind
    const kind = kindOf(object);
    if (!(scores[object] > tooLow[kind]) || isOut(object)) continue;
    const known = confidenceOf(object);
    likelihoods.set(object, known.confidence ?? 0);
    if (isSure(known, minConfidence) && !(best.isFull && worth(object, best.worst) < 0)) best.offer(object);
    else {
      tooLow[kind] = scores[object];
      lowest = Math.min(...tooLow);
    }
  }
  return best.sorted().map((object) => ({ object, ...confidenceOf(object) }));
}
