// The tags an object has, with a way to remove each and to add others by hand; and those that were rejected or put aside for it,
// each with its way back.

import type { Decision, ObjectFacts } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { tagPath } from '../navigation/route.ts';
import { Icon } from '../parts/icon.tsx';
import { TagChip } from '../parts/tag-chip.tsx';
import { decideInstead, undo, undoReview } from '../state/decisions.ts';
import { type DecidedTag, rejectedNow, type TagNow, tagsNow, unsureNow } from '../state/tags-now.ts';
import { AddTag } from './add-tag.tsx';

export function OwnTags({ facts }: { readonly facts: ObjectFacts }) {
  const tags = tagsNow(facts);
  return (
    <section aria-labelledby="own-tags" class="own-tags">
      <h2 id="own-tags">
        Tags <small>{tags.length}</small>
      </h2>
      {tags.length === 0 ? (
        <p class="soft">It has no tags yet.</p>
      ) : (
        <ul class="chips">
          {tags.map((one) => (
            <li key={one.tag}>
              <TagChip {...one}>
                {one.isNew && <span class="unseen">, from a review</span>}
                {one.impliedBy !== undefined && <small>implied by {one.impliedBy.join(', ')}</small>}
                <button
                  type="button"
                  class="bare"
                  title="Remove"
                  aria-label={`Remove ${one.tag}`}
                  onClick={() => remove(facts, one)}
                >
                  <Icon name="reject" />
                </button>
              </TagChip>
            </li>
          ))}
        </ul>
      )}
      <div class="add-tag">
        <AddTag facts={facts} tags={tags} />
        {tags.some(({ isNew }) => isNew) && (
          <p class="note">
            <span class="swatch-new" aria-hidden="true" /> from reviews
          </p>
        )}
      </div>
    </section>
  );
}

/** A tag of a review goes with it; one of the data is rejected. */
function remove(facts: ObjectFacts, { tag, isNew, reviewId }: TagNow): void {
  if (isNew) undoDecision(facts, tag, 'accept', reviewId);
  else {
    const earlier = reviewId === undefined ? undefined : ({ id: reviewId, decision: 'accept' } as const);
    decideInstead({ object: facts.id, title: facts.title, tag, origin: 'data' }, 'reject', earlier);
  }
}

/** Folded away, each with its undo. */
export function RejectedTags({ facts }: { readonly facts: ObjectFacts }) {
  const rejected = rejectedNow(facts);
  const numRemoved = rejected.filter(({ isRemoved }) => isRemoved).length;
  const numRejected = rejected.length - numRemoved;
  if (rejected.length === 0) return null;
  const words = [numRejected > 0 && `${numRejected} rejected`, numRemoved > 0 && `${numRemoved} removed`];
  return (
    <details class="rejected">
      <summary>{words.filter(Boolean).join(', ')}</summary>
      <ul class="plain lines">
        {rejected.map((one) => (
          <li key={one.tag}>
            <Link to={tagPath(one.tag)}>{one.tag}</Link>
            {one.isRemoved && <small>removed</small>}
            <UndoButton facts={facts} of={one} decision="reject" />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Open to a verdict. */
export function UnsureTags({ facts }: { readonly facts: ObjectFacts }) {
  const unsure = unsureNow(facts);
  if (unsure.length === 0) return null;
  const settle = ({ tag, reviewId }: DecidedTag, decision: Decision) => {
    const earlier = reviewId === undefined ? undefined : ({ id: reviewId, decision: 'unsure' } as const);
    decideInstead({ object: facts.id, title: facts.title, tag }, decision, earlier);
  };
  return (
    <details class="unsure-tags" open>
      <summary>{unsure.length} not sure</summary>
      <ul class="plain lines">
        {unsure.map((one) => (
          <li key={one.tag}>
            <Link to={tagPath(one.tag)}>{one.tag}</Link>
            <span class="line-actions">
              <button type="button" onClick={() => settle(one, 'accept')}>
                <Icon name="accept" />
                Add tag<span class="unseen"> {one.tag}</span>
              </button>
              <button type="button" onClick={() => settle(one, 'reject')}>
                <Icon name="reject" />
                Reject<span class="unseen"> {one.tag}</span>
              </button>
              <UndoButton facts={facts} of={one} decision="unsure" />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface UndoButtonProps {
  readonly facts: ObjectFacts;
  readonly of: DecidedTag;
  readonly decision: 'reject' | 'unsure';
}

function UndoButton({ facts, of: { tag, reviewId, isRemoved = false }, decision }: UndoButtonProps) {
  const what = decision === 'unsure' ? 'the doubt about' : isRemoved ? 'the removal of' : 'the rejection of';
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => undoDecision(facts, tag, decision, reviewId, isRemoved ? 'data' : undefined)}
    >
      <Icon name="undo" />
      Undo
      <span class="unseen">
        {' '}
        {what} {tag}
      </span>
    </button>
  );
}

/** By what this tab knows of it, else by the review that the service named. */
function undoDecision(
  { id, title }: ObjectFacts,
  tag: string,
  decision: Decision,
  reviewId: string | undefined,
  origin?: 'data' | undefined,
): void {
  const pair = { object: id, title, tag, origin };
  if (!undo(pair) && reviewId !== undefined) undoReview(pair, { id: reviewId, decision });
}
