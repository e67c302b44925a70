// The queue: open suggestions, the most confident first, one in focus. Decisions go on to the next by themselves.

import { useEffect, useState } from 'preact/hooks';
import { replaceWith } from '../navigation/history.ts';
import { type QueueAddress, queuePath } from '../navigation/route.ts';
import { counted } from '../numbers.ts';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { Screen } from '../parts/screen.tsx';
import { keepClaiming } from '../state/claims.ts';
import { hearOfUndone, undo } from '../state/decisions.ts';
import { held } from '../state/held.ts';
import { type KeyBindings, useKeys } from '../state/keys.ts';
import { followOthers, lookSoon } from '../state/live.ts';
import {
  moveToPair,
  openQueue,
  type QueueState,
  queue,
  refreshQueue,
  reloadQueue,
  retryQueue,
} from '../state/queue-state.ts';
import { standings } from '../state/standings.ts';
import { useStore } from '../store.ts';
import { QueueCard } from './queue-card.tsx';
import { QueueEnd } from './queue-end.tsx';
import { QueueFilters } from './queue-filters.tsx';
import { QueueGrid, useGridKeys } from './queue-grid.tsx';
import { QueueList } from './queue-list.tsx';
import { decideActive, moveOffAndSay, openObject, skipAndSay, step, undoAndSay } from './queue-moves.ts';
import { Cloth, OthersAtWork, SessionWords } from './session-cloth.tsx';
import { TrainingLine } from './training-line.tsx';

const REFRESH_MS = 2000;

export function QueueScreen(address: QueueAddress) {
  const { minConfidence, tag, group, order, view } = address;
  const state = useStore(queue, (all) => all);
  useStore(standings, (all) => all);
  useEffect(() => openQueue({ minConfidence, tag, group, order }), [minConfidence, tag, group, order]);
  useEffect(() => hearOfUndone((pair) => void moveToPair(pair)), []);
  useRefresh();
  useOthers();
  const { rows, active, isLoading, problem } = state;
  const row = rows[active];
  return (
    <Screen
      title={row === undefined ? 'Queue' : `${row.tag}? ${row.title}`}
      heading="Queue"
      facts={
        <div class="head-facts">
          <SessionWords state={state} minConfidence={minConfidence} />
          <OthersAtWork />
        </div>
      }
      class={`queue-screen ${view}`}
    >
      <QueueFilters address={address} />
      <Cloth />
      <TrainingLine />
      <Unfinished state={state} />
      {problem !== undefined && <ProblemNote problem={problem} retry={retryQueue} />}
      {row === undefined && isLoading && <Waiting />}
      {row === undefined && !isLoading && problem === undefined && <QueueEnd state={state} address={address} />}
      {view === 'grid' ? (
        <GridView address={address} state={state} />
      ) : (
        <ListView key="list" address={address} state={state} />
      )}
    </Screen>
  );
}

interface ViewProps {
  readonly address: QueueAddress;
  readonly state: QueueState;
}

/** The suggestion in focus, and beside it all of them. */
function ListView({ address, state: { rows, active } }: ViewProps) {
  const [isWhyOpen, setWhyOpen] = useState(false); // stays open from card to card
  const [noteOn, setNoteOn] = useState<number>(); // the row whose note is open
  const toggleWhy = () => setWhyOpen((open) => !open);
  useQueueKeys(address, {
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    w: toggleWhy,
    c: () => setNoteOn(active),
  });
  if (rows.length === 0) return null;
  return (
    <div class={active < rows.length ? 'queue' : 'queue over'}>
      {active < rows.length && (
        <QueueCard
          {...{ rows, isWhyOpen, toggleWhy }}
          index={active}
          isNoteOpen={noteOn === active}
          setNoteOpen={(isOpen) => setNoteOn(isOpen ? active : undefined)}
          onDecide={decideActive}
          undo={() => undo(rows[active])}
        />
      )}
      <QueueList rows={rows} active={active} group={address.group} />
    </div>
  );
}

function GridView({ address, state: { rows, active } }: ViewProps) {
  const { numColumns, setNumColumns, bindings } = useGridKeys();
  useQueueKeys(address, bindings);
  if (rows.length === 0) return null;
  return <QueueGrid {...{ rows, active, numColumns, setNumColumns }} />;
}

/** Those of both views, and those of one. */
function useQueueKeys(address: QueueAddress, bindings: KeyBindings): void {
  const accept = () => decideActive('accept');
  const reject = () => decideActive('reject');
  const view = address.view === 'grid' ? 'list' : 'grid';
  useKeys({
    a: accept,
    Enter: accept,
    r: reject,
    x: reject,
    d: () => decideActive('unsure'),
    s: skipAndSay,
    u: undoAndSay,
    z: undoAndSay,
    o: openObject,
    v: () => replaceWith(queuePath({ ...address, view })),
    ...bindings,
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

/** Claims what is worked on, and follows what others do. */
function useOthers(): void {
  useStore(held, (all) => all);
  useEffect(() => {
    const stopFollowing = followOthers(moveOffAndSay);
    const stopClaiming = keepClaiming(lookSoon);
    return () => {
      stopFollowing();
      stopClaiming();
    };
  }, []);
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
