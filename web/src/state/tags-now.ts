// The tags of an object as they are now: what the service said, and what was decided in this tab since.

import type { Decision, ObjectFacts } from '../api/shapes.ts';
import { type Decided, isDecided, type Standing, standingOf, standings } from './standings.ts';

export interface TagNow {
  readonly tag: string;
  /** Given by a review. */
  readonly isNew: boolean;
  readonly reviewId?: string | undefined;
}

/** The data's own first, then those of reviews. */
export function tagsNow(facts: ObjectFacts): TagNow[] {
  const told = facts.tags
    .filter(({ tag, from }) => from === 'data' || isNow(facts.id, tag, 'accept'))
    .map(({ tag, from, reviewId }): TagNow => ({ tag, isNew: from === 'review', reviewId }));
  return [...told, ...decidedHere(facts.id, 'accept', told).map((tag) => ({ tag, isNew: true }))];
}

export function rejectedNow(facts: ObjectFacts): { readonly tag: string; readonly reviewId?: string }[] {
  const told = facts.rejected.filter(({ tag }) => isNow(facts.id, tag, 'reject'));
  return [...told, ...decidedHere(facts.id, 'reject', told).map((tag) => ({ tag }))];
}

/** Whether what the service told of a pair still holds, by what this tab knows. */
function isNow(object: string, tag: string, decision: Decision): boolean {
  const standing = standingOf({ object, tag });
  return standing === undefined || (isDecided(standing) && standing.decision === decision);
}

/** What failed to be saved is on no list. */
function isHeld(standing: Standing): standing is Decided {
  return isDecided(standing) && standing.state !== 'failed';
}

function decidedHere(object: string, decision: Decision, told: readonly { readonly tag: string }[]): string[] {
  const known = new Set(told.map(({ tag }) => tag));
  return [...standings.get().values()]
    .filter((standing) => standing.pair.object === object && isHeld(standing) && standing.decision === decision)
    .map(({ pair }) => pair.tag)
    .filter((tag) => !known.has(tag));
}
