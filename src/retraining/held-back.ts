// Which decisions a training learns, and which it holds back to compare the old and the new model on. What the old model has
// learnt already, or never could suggest, says nothing about it and is not held back.

import type { Model } from '../models/model.ts';
import { permutation, Random } from '../random.ts';
import type { Verdict } from '../serving/reviews/review-store.ts';
import type { CountedReview } from '../serving/training/training-messages.ts';

/** Names of an object and a tag. */
export interface Pair {
  readonly object: string;
  readonly tag: string;
}

/** Pairs that were accepted, and those that were rejected. */
export interface Verdicts {
  readonly accepted: readonly Pair[];
  readonly rejected: readonly Pair[];
}

/** How decisions are divided. */
export interface Division {
  readonly learnt: Verdicts;
  readonly heldBack: Verdicts;
  /** Rejected once, and undone since. */
  readonly reopened: readonly Pair[];
  /** Decisions the model does not know: to learn, or held back. */
  readonly numNew: number;
}

const SHARE = 0.2;
export const MIN_HELD_BACK = 20;
const MAX_HELD_BACK = 2000; // accepted, and as many rejected: enough to see a difference of a hundredth

export function divide(reviews: Iterable<CountedReview>, model: Model, seed: number): Division {
  const standing: Record<Verdict, Pair[]> = { accept: [], reject: [] };
  const reopened: Pair[] = [];
  for (const { object, tag, decision, isUndone } of reviews) {
    if (model.graph.objects.idOf(object) < 0 || decision === 'unsure') continue;
    if (!isUndone) standing[decision].push({ object, tag });
    else if (decision === 'reject') reopened.push({ object, tag });
  }
  const [accepted, rejected] = [standing.accept.sort(inOrder), standing.reject.sort(inOrder)];
  const ofAccepted = drawn(accepted, (pair) => isOpen(pair, model), new Random(seed, 'accepted pairs to hold back'));
  const ofRejected = drawn(rejected, (pair) => isOpen(pair, model), new Random(seed, 'rejected pairs to hold back'));
  return {
    learnt: { accepted: ofAccepted.rest, rejected: ofRejected.rest },
    heldBack: { accepted: ofAccepted.drawn, rejected: ofRejected.drawn },
    reopened,
    numNew:
      accepted.filter((pair) => !isOwn(pair, model)).length + rejected.filter((pair) => isNews(pair, model)).length,
  };
}

/** A fifth of those that may be drawn, at least 20 and at most 2,000; but never more than half, or little is left to learn. */
function drawn(pairs: readonly Pair[], mayBe: (pair: Pair) => boolean, random: Random) {
  const candidates = pairs.filter(mayBe);
  const wanted = Math.max(MIN_HELD_BACK, Math.min(MAX_HELD_BACK, Math.round(SHARE * candidates.length)));
  const size = Math.min(wanted, Math.floor(candidates.length / 2));
  const order = permutation(candidates.length, random).subarray(0, size);
  const found = new Set(Array.from(order, (i) => candidates[i]));
  return { drawn: candidates.filter((pair) => found.has(pair)), rest: pairs.filter((pair) => !found.has(pair)) };
}

/** Whether the model can suggest the tag to the object. */
function isOpen({ object, tag }: Pair, { graph, rejected }: Model): boolean {
  const [objectId, tagId] = [graph.objects.idOf(object), graph.tags.idOf(tag)];
  return tagId >= 0 && !graph.tagged.has(objectId, tagId) && !rejected?.has(objectId, tagId);
}

function isOwn({ object, tag }: Pair, { graph }: Model): boolean {
  const tagId = graph.tags.idOf(tag);
  return tagId >= 0 && graph.tagged.has(graph.objects.idOf(object), tagId);
}

/** Of rejected pairs: nothing is learnt of a tag that no object has. */
function isNews({ object, tag }: Pair, { graph, rejected }: Model): boolean {
  const tagId = graph.tags.idOf(tag);
  return tagId >= 0 && !rejected?.has(graph.objects.idOf(object), tagId);
}

/** By code units, whatever the order they came in: the same decisions are divided in the same way. */
function inOrder(a: Pair, b: Pair): number {
  if (a.object !== b.object) return a.object < b.object ? -1 : 1;
  return a.tag < b.tag ? -1 : a.tag > b.tag ? 1 : 0;
}
