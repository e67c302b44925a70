// One decision, with the way back and, once it is taken back, the way forth again.

import type { Review } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, tagPath } from '../navigation/route.ts';
import { dayAndTime, longTime } from '../numbers.ts';
import { Icon } from '../parts/icon.tsx';
import { decide, undoReview } from '../state/decisions.ts';
import { standingOf } from '../state/standings.ts';

interface ReviewRowProps {
  readonly review: Review;
  readonly place: number;
  /** −1 where it is not known yet. */
  readonly count: number;
}

export function ReviewRow({ review, place, count }: ReviewRowProps) {
  const { object, tag, decision, curator, decidedAt } = review;
  const pair = { object, title: object, tag };
  const isUndone = standingOf(pair)?.state === 'open';
  const word = decision === 'accept' ? 'accepted' : 'rejected';
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a windowed list are placed one by one
    <div
      class={`list-row review ${decision} ${isUndone ? 'undone' : ''}`}
      role="listitem"
      aria-posinset={place}
      aria-setsize={count}
    >
      <Icon name={decision} />
      <div class="review-words">
        <span>
          <span class="unseen">{word} </span>
          <Link to={tagPath(tag)} class="row-tag">
            {tag}
          </Link>{' '}
          <span class="soft">for</span> <Link to={objectPath(object)}>{object}</Link>
        </span>
        <small>
          {isUndone ? 'undone; it was ' : ''}
          {word} {curator === '' ? '' : `by ${curator} `}
          <time dateTime={decidedAt} title={longTime(decidedAt)}>
            {dayAndTime(decidedAt)}
          </time>
        </small>
      </div>
      {isUndone ? (
        <button type="button" class="quiet" onClick={() => decide(pair, decision)}>
          {decision === 'accept' ? 'Add tag' : 'Reject'} again
          <span class="unseen">
            {' '}
            {tag} for {object}
          </span>
        </button>
      ) : (
        <button type="button" class="quiet" onClick={() => undoReview(pair, review)}>
          <Icon name="undo" />
          Undo
          <span class="unseen">
            {' '}
            {tag} for {object}
          </span>
        </button>
      )}
    </div>
  );
}
