// The tags an object has and those that were rejected for it; what reviews decided can be undone.

import type { Decision, ObjectFacts } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { tagPath } from '../navigation/route.ts';
import { Icon } from '../parts/icon.tsx';
import { TagChip } from '../parts/tag-chip.tsx';
import { undo, undoReview } from '../state/decisions.ts';
import { rejectedNow, tagsNow } from '../state/tags-now.ts';

export function OwnTags({ facts }: { readonly facts: ObjectFacts }) {
  const tags = tagsNow(facts);
  return (
    <section aria-labelledby="own-tags">
      <h2 id="own-tags">
        Tags <small>{tags.length}</small>
      </h2>
      {tags.length === 0 ? (
        <p class="soft">It has no tags yet.</p>
      ) : (
        <ul class="chips">
          {tags.map(({ tag, isNew, reviewId }) => (
            <li key={tag}>
              <TagChip tag={tag} isNew={isNew}>
                {isNew && (
                  <>
                    <span class="unseen">, from a review</span>
                    <button
                      type="button"
                      class="bare"
                      title="Undo"
                      aria-label={`Undo: ${tag} is open again`}
                      onClick={() => undoDecision(facts, tag, 'accept', reviewId)}
                    >
                      <Icon name="reject" />
                    </button>
                  </>
                )}
              </TagChip>
            </li>
          ))}
        </ul>
      )}
      {tags.some(({ isNew }) => isNew) && (
        <p class="note">
          <span class="swatch-new" aria-hidden="true" /> from reviews
        </p>
      )}
    </section>
  );
}

/** Folded away, each with its undo. */
export function RejectedTags({ facts }: { readonly facts: ObjectFacts }) {
  const rejected = rejectedNow(facts);
  if (rejected.length === 0) return null;
  return (
    <details class="rejected">
      <summary>{rejected.length} rejected</summary>
      <ul class="plain lines">
        {rejected.map(({ tag, reviewId }) => (
          <li key={tag}>
            <Link to={tagPath(tag)}>{tag}</Link>
            <button type="button" class="quiet" onClick={() => undoDecision(facts, tag, 'reject', reviewId)}>
              <Icon name="undo" />
              Undo<span class="unseen"> the rejection of {tag}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** By what this tab knows of it, else by the review that the service named. */
function undoDecision({ id, title }: ObjectFacts, tag: string, decision: Decision, reviewId: string | undefined): void {
  const pair = { object: id, title, tag };
  if (!undo(pair) && reviewId !== undefined) undoReview(pair, { id: reviewId, decision });
}
