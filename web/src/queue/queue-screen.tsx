// The queue: open suggestions, the most confident first, one in focus. Decisions go on to the next by themselves.

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Decision } from '../api/shapes.ts';
import { goTo } from '../navigation/history.ts';
import { objectPath } from '../navigation/route.ts';
import { Waiting } from '../parts/loaded-part.tsx';
import { percent, whole } from '../parts/numbers.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Screen } from '../parts/screen.tsx';
import { Cloth, SessionWords } from '../parts/session-cloth.tsx';
import { pastTense } from '../state/decision-notices.ts';
import { decide, standingOf, standings, undo, undoLast } from '../state/decisions.ts';
import { useKeys } from '../state/keys.ts';
import { say } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { QueueCard } from './queue-card.tsx';
import { QueueEnd } from './queue-end.tsx';
import { QueueFilters } from './queue-filters.tsx';
import { QueueList } from './queue-list.tsx';
import {
  countOpen,
  moveOn,
  moveTo,
  moveToPair,
  openQueue,
  type QueueFilter,
  type QueueState,
  queue,
  reloadQueue,
  retryQueue,
} from './queue-state.ts';
import { useUnfinished } from './use-unfinished.ts';

interface QueueScreenProps {
  readonly minConfidence: number;
  readonly tag: string;
}

export function QueueScreen({ minConfidence, tag }: QueueScreenProps) {
  const state = useStore(queue, (all) => all);
  useStore(standings, (all) => all);
  useEffect(() => openQueue({ minConfidence, tag }), [minConfidence, tag]);
  const [isWhyOpen, setWhyOpen] = useState(false); // stays open from card to card
  const { rows, active, isLoading, problem } = state;
  const row = rows[active];

  const settle = useCallback((decision: Decision) => {
    const { rows: all, active: at } = queue.get();
    const decided = all[at];
    if (decided === undefined) return;
    const isTaken = standingOf(decided)?.state === 'taken';
    if (!isTaken) decide({ object: decided.object, title: decided.title, tag: decided.tag }, decision);
    moveOn();
    sayMove(isTaken ? 'Decided by others.' : `${pastTense(decision)}.`);
  }, []);
  const takeBack = () => {
    const pair = undoLast();
    if (pair === undefined) say('Nothing to undo.');
    else moveToPair(pair);
  };
  const step = (by: number) => {
    moveTo(queue.get().active + by);
    sayMove('');
  };
  const accept = () => settle('accept');
  const reject = () => settle('reject');
  const next = () => step(1);
  const previous = () => step(-1);
  useKeys({
    a: accept,
    Enter: accept,
    r: reject,
    x: reject,
    u: takeBack,
    z: takeBack,
    j: next,
    ArrowDown: next,
    k: previous,
    ArrowUp: previous,
    o: () => row !== undefined && goTo(objectPath(row.object)),
    w: () => setWhyOpen((open) => !open),
  });
  useUnfinished();
  const numOpen = countOpen(state);
  return (
    <Screen
      title={row === undefined ? 'Queue' : `${row.tag}? ${row.title}`}
      heading="Queue"
      facts={<QueueFacts numOpen={numOpen} filter={{ minConfidence, tag }} />}
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
              toggleWhy={() => setWhyOpen(!isWhyOpen)}
              settle={settle}
              undo={() => undo(row)}
            />
          ) : isLoading ? (
            <Waiting />
          ) : (
            problem === undefined && <QueueEnd state={state} filter={{ minConfidence, tag }} />
          )}
        </div>
        {rows.length > 0 && <QueueList rows={rows} active={active} />}
      </div>
    </Screen>
  );
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
      {isComplete ? 'All objects have been looked at.' : `Still looking through the objects: ${whole(numOpen)} so far.`}{' '}
      {isOutdated && (
        <button type="button" class="quiet" onClick={() => reloadQueue()}>
          Show what came meanwhile
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
  say(row === undefined ? `${before} Nothing is open here.` : `${before} ${row.tag} for ${row.title}${sure}?`.trim());
}
