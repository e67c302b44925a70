// The queue: open suggestions, the most confident first, one in focus. Decisions go on to the next by themselves.

import { useEffect, useState } from 'preact/hooks';
import type { Decision } from '../api/shapes.ts';
import { goTo } from '../navigation/history.ts';
import { objectPath } from '../navigation/route.ts';
import { counted, percent } from '../numbers.ts';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { Screen } from '../parts/screen.tsx';
import { pastTense } from '../state/decision-notices.ts';
import { decide, undo, undoLast } from '../state/decisions.ts';
import { useKeys } from '../state/keys.ts';
import { say } from '../state/notices.ts';
import {
  countOpen,
  moveOn,
  moveTo,
  moveToPair,
  openQueue,
  type QueueFilter,
  type QueueState,
  queue,
  refreshQueue,
  reloadQueue,
  retryQueue,
} from '../state/queue-state.ts';
import { standingOf, standings } from '../state/standings.ts';
import { useStore } from '../store.ts';
import { QueueCard } from './queue-card.tsx';
import { QueueEnd } from './queue-end.tsx';
import { QueueFilters } from './queue-filters.tsx';
import { QueueList } from './queue-list.tsx';
import { Cloth, SessionWords } from './session-cloth.tsx';

const REFRESH_MS = 2000;

interface QueueScreenProps {
  readonly minConfidence: number;
  readonly tag: string;
}

export function QueueScreen({ minConfidence, tag }: QueueScreenProps) {
  const state = useStore(queue, (all) => all);
  useStore(standings, (all) => all);
  useEffect(() => openQueue({ minConfidence, tag }), [minConfidence, tag]);
  const [isWhyOpen, setWhyOpen] = useState(false); // stays open from card to card
  const toggleWhy = () => setWhyOpen((open) => !open);
  useQueueKeys(toggleWhy);
  useRefresh();
  const { rows, active, isLoading, problem } = state;
  const row = rows[active];
  const filter = { minConfidence, tag };
  return (
    <Screen
      title={row === undefined ? 'Queue' : `${row.tag}? ${row.title}`}
      heading="Queue"
      facts={<QueueFacts numOpen={countOpen(state)} filter={filter} />}
      class="queue-screen"
    >
      <Cloth />
      <Unfinished state={state} />
      {problem !== undefined && <ProblemNote problem={problem} retry={retryQueue} />}
      <div class="queue">
        <div class="queue-focus">
          {row !== undefined ? (
            <QueueCard
              row={row}
              isWhyOpen={isWhyOpen}
              toggleWhy={toggleWhy}
              onDecide={decideActive}
              undo={() => undo(row)}
            />
          ) : isLoading ? (
            <Waiting />
          ) : (
            problem === undefined && <QueueEnd state={state} filter={filter} />
          )}
        </div>
        {rows.length > 0 && <QueueList rows={rows} active={active} />}
      </div>
    </Screen>
  );
}

function useQueueKeys(toggleWhy: () => void): void {
  const accept = () => decideActive('accept');
  const reject = () => decideActive('reject');
  const next = () => step(1);
  const previous = () => step(-1);
  useKeys({
    a: accept,
    Enter: accept,
    r: reject,
    x: reject,
    u: undoAndShow,
    z: undoAndShow,
    j: next,
    ArrowDown: next,
    k: previous,
    ArrowUp: previous,
    o: openObject,
    w: toggleWhy,
  });
}

/** While the service still looks through the objects, the queue is asked for again now and then. */
function useRefresh(): void {
  const isComplete = useStore(queue, (all) => all.isComplete);
  useEffect(() => {
    if (isComplete) return;
    const timer = setInterval(() => void refreshQueue(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isComplete]);
}

/** Decides on the suggestion in focus and moves on to the next. */
function decideActive(decision: Decision): void {
  const { rows, active } = queue.get();
  const row = rows[active];
  if (row === undefined) return;
  const isTaken = standingOf(row)?.state === 'taken';
  if (!isTaken) decide({ object: row.object, title: row.title, tag: row.tag }, decision);
  moveOn();
  sayMove(isTaken ? 'Decided by others.' : `${pastTense(decision)}.`);
}

function undoAndShow(): void {
  const pair = undoLast();
  if (pair === undefined) say('Nothing to undo.');
  else moveToPair(pair);
}

function step(by: number): void {
  moveTo(queue.get().active + by);
  sayMove('');
}

function openObject(): void {
  const { rows, active } = queue.get();
  if (rows[active] !== undefined) goTo(objectPath(rows[active].object));
}

function QueueFacts({ numOpen, filter }: { readonly numOpen: number | undefined; readonly filter: QueueFilter }) {
  return (
    <div class="head-facts">
      <SessionWords numOpen={numOpen} />
      <QueueFilters filter={filter} />
    </div>
  );
}

function Unfinished({ state: { isComplete, isOutdated, numOpen = 0 } }: { readonly state: QueueState }) {
  if (isComplete && !isOutdated) return null;
  return (
    <p class="note unfinished">
      {isComplete ? 'All objects are scored.' : `Still scoring objects: ${counted(numOpen, 'open suggestion')} so far.`}{' '}
      {isOutdated && (
        <button type="button" class="quiet" onClick={() => reloadQueue()}>
          Show new suggestions
        </button>
      )}
    </p>
  );
}

/** What came, and what is in focus now. */
function sayMove(before: string): void {
  const { rows, active } = queue.get();
  const row = rows[active];
  const sure = row?.confidence === undefined ? '' : `, ${percent(row.confidence)}`;
  say(row === undefined ? `${before} No open suggestions.` : `${before} ${row.tag} for ${row.title}${sure}?`.trim());
}
