// One decision, with the way back and, once it is taken back, the way forth again.

import type { Review } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, tagPath } from '../navigation/route.ts';
import { dayAndTime, longTime } from '../numbers.ts';
import { Icon } from '../parts/icon.tsx';
import { WORDS } from '../state/decision-notices.ts';
import { decide, undoReview } from '../state/decisions.ts';
import { standingOf } from '../state/standings.ts';

interface ReviewRowProps {
  readonly review: Review;
  readonly place: number;
  /** −1 where it is not known yet. */
  readonly count: number;
}

export function ReviewRow({ review, place, count }: ReviewRowProps) {
  const { object, tag, decision, curator, note, decidedAt } = review;
  const pair = { object, title: object, tag };
  const isUndone = standingOf(pair)?.state === 'open';
  const { was: word, again } = WORDS[decision];
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
          {note !== '' && (
            <>
              {' · '}
              <span class="unseen">note: </span>“{note}”
            </>
          )}
        </small>
      </div>
      {note !== '' && <WholeNote id={review.id} text={note} />}
      {isUndone ? (
        <button type="button" class="quiet" onClick={() => decide(pair, decision)}>
          {again}
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

/** The line has room for its beginning. */
function WholeNote({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <>
      <button type="button" class="bare" title="Show note" aria-label="Show note" popovertarget={`note-${id}`}>
        <Icon name="note" />
      </button>
      <div id={`note-${id}`} class="note-text" popover="auto">
        {text}
      </div>
    </>
  );
}
