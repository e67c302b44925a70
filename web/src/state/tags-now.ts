// The tags of an object as they are now: what the service said, and what was decided in this tab since.

import type { Decision, ObjectFacts } from '../api/shapes.ts';
import { type Decided, isDecided, type Pair, type Standing, standingOf, standings } from './standings.ts';

export interface TagNow {
  readonly tag: string;
  /** Given by a review. */
  readonly isNew: boolean;
  readonly reviewId?: string | undefined;
  /** Added by hand, and perhaps unknown to the model: it may have no screen of its own. */
  readonly isUnknown: boolean;
  /** Of an implied one: the tags that imply it. */
  readonly impliedBy?: readonly string[] | undefined;
}

/** The data's own first, then those of reviews. */
export function tagsNow(facts: ObjectFacts): TagNow[] {
  const told = facts.tags
    .filter(({ tag, from }) => (from === 'review' ? isNow(facts.id, tag, 'accept') : !isRejectedNow(facts.id, tag)))
    .map(
      ({ tag, from, reviewId, impliedBy, isUnknown = false }): TagNow => ({
        ...{ tag, isNew: from === 'review', reviewId, isUnknown },
        ...(impliedBy !== undefined && { impliedBy }),
      }),
    );
  const back = facts.rejected
    .filter(({ tag, isRemoved }) => isRemoved && !isNow(facts.id, tag, 'reject'))
    .map(({ tag }): TagNow => ({ tag, isNew: false, isUnknown: false }));
  const known = [...told, ...back];
  return [...known, ...decidedHere(facts.id, 'accept', known).map(newTag)];
}

export interface DecidedTag {
  readonly tag: string;
  readonly reviewId?: string;
  /** It was a tag of the data. */
  readonly isRemoved?: boolean;
}

export function rejectedNow(facts: ObjectFacts): DecidedTag[] {
  const told = facts.rejected.filter(({ tag }) => isNow(facts.id, tag, 'reject'));
  const own = new Set(facts.tags.filter(({ from }) => from !== 'review').map(({ tag }) => tag));
  const here = decidedHere(facts.id, 'reject', told).map(({ tag }) => ({ tag, isRemoved: own.has(tag) }));
  return [...told, ...here];
}

export function unsureNow(facts: ObjectFacts): DecidedTag[] {
  const told = facts.unsure.filter(({ tag }) => isNow(facts.id, tag, 'unsure'));
  return [...told, ...decidedHere(facts.id, 'unsure', told).map(({ tag }) => ({ tag }))];
}

function newTag({ tag, origin }: Pair): TagNow {
  return { tag, isNew: true, isUnknown: origin === 'hand' };
}

/** A tag of the data is one unless it was rejected in this tab and that holds. */
function isRejectedNow(object: string, tag: string): boolean {
  const standing = standingOf({ object, tag });
  return standing !== undefined && isHeld(standing) && standing.decision === 'reject';
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

function decidedHere(object: string, decision: Decision, told: readonly { readonly tag: string }[]): Pair[] {
  const known = new Set(told.map(({ tag }) => tag));
  return [...standings.get().values()]
    .filter((standing) => standing.pair.object === object && isHeld(standing) && standing.decision === decision)
    .map(({ pair }) => pair)
    .filter(({ tag }) => !known.has(tag));
}
