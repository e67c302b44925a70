// Reviewing in the tab: likely suggestions of all objects, the most confident first, one card at a time.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { whole } from '../numbers.ts';
import { KeyHint } from '../parts/key-help.tsx';
import { LoadedPart, Waiting } from '../parts/loaded-part.tsx';
import { MinConfidence } from '../parts/min-confidence.tsx';
import { useKeys } from '../state/keys.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { useStore } from '../store.ts';
import { ReviewCard } from './review-card.tsx';
import { ReviewDownloads } from './review-downloads.tsx';
import { type Action, act, byPair, openReviews, tabReviews, takeSkipped, undoLast } from './tab-reviews.ts';
import { ask, trainState } from './train-state.ts';
import type { Reviewable } from './worker/messages.ts';

const LIKELY = 0.5;

export function ReviewPart() {
  const data = useStore(trainState, (all) => all.data);
  const mostConfident = useStore(trainState, (all) => all.mostConfident);
  const [minConfidence, setMinConfidence] = useState(LIKELY);
  const isScored = mostConfident !== undefined;
  const loaded = useLoaded(isScored ? String(minConfidence) : undefined, () => ask('reviewable', [minConfidence]));
  const fingerprint = data.state === 'read' ? data.facts.fingerprint : '';
  useLayoutEffect(() => openReviews(fingerprint), [fingerprint]);
  return (
    <section class="stage review-stage" aria-labelledby="review">
      <h2 id="review">
        <span class="step-number">4</span> Review
      </h2>
      {mostConfident?.byConfidence !== undefined && <MinConfidence value={minConfidence} change={setMinConfidence} />}
      {isScored ? (
        <LoadedPart loaded={loaded}>{(found) => <Reviewing found={found} minConfidence={minConfidence} />}</LoadedPart>
      ) : (
        <Waiting text="Scoring all objects…" />
      )}
      <ReviewDownloads />
    </section>
  );
}

interface ReviewingProps {
  readonly found: Reviewable;
  readonly minConfidence: number;
}

function Reviewing({ found, minConfidence }: ReviewingProps) {
  const { suggestions, numOpen, knowsConfidence } = found;
  const actions = useStore(tabReviews, (all) => all.actions);
  const [said, say] = useState('');
  const { open, numReviewed, numSkipped } = useMemo(() => {
    const actionOf = byPair(actions);
    const known = suggestions.map(actionOf);
    return {
      open: suggestions.filter((_, i) => known[i] === undefined),
      numReviewed: known.filter((action) => action !== undefined && action !== 'skip').length,
      numSkipped: known.filter((action) => action === 'skip').length,
    };
  }, [suggestions, actions]);
  const [current, next] = open;
  const total = suggestions.length;
  const progress = `${whole(numReviewed)} of ${whole(total)} reviewed`;
  const decide = (action: Action['action']) => {
    if (current === undefined) return;
    act(current, action);
    say(
      `${done(current, action)} ${next === undefined ? 'That was the last one.' : `Next: ${next.tag} for ${next.title}.`}`,
    );
  };
  const undo = () => {
    const undone = undoLast();
    say(undone === undefined ? 'Nothing to undo.' : `Undone: ${undone.tag} for ${undone.object}.`);
  };
  useKeys({
    a: () => decide('accept'),
    r: () => decide('reject'),
    s: () => decide('skip'),
    u: undo,
  });
  const moreText = knowsConfidence ? 'the most confident' : 'those with the highest scores';
  return (
    <>
      <p class="review-progress">
        <progress max={Math.max(1, total)} value={numReviewed} aria-label={progress} />
        <span>{progress}</span>
        {numOpen > total && (
          <small>
            These are {moreText} of {whole(numOpen)}.
          </small>
        )}
      </p>
      {current === undefined ? (
        <End {...{ numSkipped, total, minConfidence }} />
      ) : (
        <ReviewCard suggestion={current} next={next} />
      )}
      <ReviewButtons isOver={current === undefined} canUndo={actions.length > 0} decide={decide} undo={undo} />
      <div class="unseen" role="status" aria-live="polite">
        {said}
      </div>
    </>
  );
}

function done({ tag, title }: Reviewable['suggestions'][number], action: Action['action']): string {
  if (action === 'skip') return `Skipped ${tag} for ${title}.`;
  return action === 'accept' ? `Added ${tag} to ${title}.` : `Rejected ${tag} for ${title}.`;
}

interface ReviewButtonsProps {
  readonly isOver: boolean;
  readonly canUndo: boolean;
  decide(action: Action['action']): void;
  undo(): void;
}

/** In the same place whatever the card. */
function ReviewButtons({ isOver, canUndo, decide, undo }: ReviewButtonsProps) {
  return (
    <div class="review-buttons">
      {!isOver && (
        <>
          <button type="button" class="accept" onClick={() => decide('accept')}>
            Add tag <KeyHint keyName="a" />
          </button>
          <button type="button" class="reject" onClick={() => decide('reject')}>
            Reject <KeyHint keyName="r" />
          </button>
          <button type="button" onClick={() => decide('skip')}>
            Skip <KeyHint keyName="s" />
          </button>
        </>
      )}
      {canUndo && (
        <button type="button" class="quiet" onClick={undo}>
          Undo <KeyHint keyName="u" />
        </button>
      )}
    </div>
  );
}

interface EndProps {
  readonly numSkipped: number;
  readonly total: number;
  readonly minConfidence: number;
}

function End({ numSkipped, total, minConfidence }: EndProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus(); // the button that was pressed is gone
  }, []);
  const hint = minConfidence > 0 ? 'Lower the confidence to see more suggestions.' : '';
  return (
    <div ref={box} class="review-end" tabIndex={-1}>
      <p>
        {total === 0
          ? 'Nothing likely is missing.'
          : numSkipped === 0
            ? 'All of them are reviewed.'
            : 'Only skipped ones are left.'}{' '}
        {hint}
      </p>
      {numSkipped > 0 && (
        <button type="button" onClick={takeSkipped}>
          Review {whole(numSkipped)} skipped
        </button>
      )}
    </div>
  );
}
