// The tags an object carries; those that reviews gave it can be taken back.

import type { ObjectFacts } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { TagChip } from '../parts/tag-chip.tsx';
import { undo, undoReview } from '../state/decisions.ts';
import { tagsNow } from './tags-now.ts';

export function OwnTags({ facts }: { readonly facts: ObjectFacts }) {
  const tags = tagsNow(facts);
  const takeBack = (tag: string, reviewId: string | undefined) => {
    const pair = { object: facts.id, title: facts.title, tag };
    if (!undo(pair) && reviewId !== undefined) undoReview(pair, { id: reviewId, decision: 'accept' });
  };
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
                      onClick={() => takeBack(tag, reviewId)}
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
