// Tags that were rejected for an object, folded away, each with the way back.

import type { ObjectFacts } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { tagPath } from '../navigation/route.ts';
import { Icon } from '../parts/icon.tsx';
import { undo, undoReview } from '../state/decisions.ts';
import { rejectedNow } from './tags-now.ts';

export function RejectedTags({ facts }: { readonly facts: ObjectFacts }) {
  const rejected = rejectedNow(facts);
  if (rejected.length === 0) return null;
  const takeBack = (tag: string, reviewId: string | undefined) => {
    const pair = { object: facts.id, title: facts.title, tag };
    if (!undo(pair) && reviewId !== undefined) undoReview(pair, { id: reviewId, decision: 'reject' });
  };
  return (
    <details class="rejected">
      <summary>{rejected.length} rejected</summary>
      <ul class="plain lines">
        {rejected.map(({ tag, reviewId }) => (
          <li key={tag}>
            <Link to={tagPath(tag)}>{tag}</Link>
            <button type="button" class="quiet" onClick={() => takeBack(tag, reviewId)}>
              <Icon name="undo" />
              Undo<span class="unseen"> the rejection of {tag}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
