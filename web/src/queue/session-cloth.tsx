// The day's work: in words, as the service counts it, and as a piece of cloth, where each decision of this browser weaves a thread.

import { useEffect } from 'preact/hooks';
import type { ReviewCounts } from '../api/shapes.ts';
import { LIKELY } from '../navigation/route.ts';
import { counted, percent, whole } from '../numbers.ts';
import { goingOn } from '../state/live.ts';
import { identity, myName } from '../state/me.ts';
import { preferences } from '../state/preferences.ts';
import { countOpen, type QueueState } from '../state/queue-state.ts';
import { tally } from '../state/tally.ts';
import { refreshToday, today } from '../state/today.ts';
import { useStore } from '../store.ts';

const MOST_THREADS = 400; // the newest
const STEP = 4; // pixels from thread to thread
const HEIGHT = 22;
const MOST_NAMES = 3;

interface SessionWordsProps {
  readonly state: QueueState;
  readonly minConfidence: number;
}

export function SessionWords({ state, minConfidence }: SessionWordsProps) {
  useStore(preferences, (chosen) => chosen.curator);
  useStore(identity, (who) => who);
  const curator = myName();
  const counts = useStore(today, (all) => all);
  const everyone = useStore(goingOn, (now) => now?.today?.everyone);
  useEffect(() => void refreshToday(), [curator]);
  const open = countOpen(state);
  return (
    <p class="session">
      {open !== undefined && <OpenWords {...open} minConfidence={minConfidence} />}
      {counts !== undefined && (
        <>
          , <strong>{whole(sumOf(counts))}</strong> decided {curator !== '' && 'by you '}
          today
          {doneWords(counts) !== '' && <span class="soft">: {doneWords(counts)}</span>}
          {curator !== '' && everyone !== undefined && sumOf(everyone) > sumOf(counts) && (
            <span class="soft">; {whole(sumOf(everyone))} by everyone</span>
          )}
        </>
      )}
    </p>
  );
}

interface OpenWordsProps {
  readonly numOpen: number;
  readonly numLikely: number | undefined;
  readonly minConfidence: number;
}

/** What is likely comes first: all that is open, however unlikely, is never done. */
function OpenWords({ numOpen, numLikely, minConfidence }: OpenWordsProps) {
  if (numLikely === undefined) {
    return (
      <>
        <strong>{whole(numOpen)}</strong> open
      </>
    );
  }
  if (minConfidence >= LIKELY) {
    return (
      <>
        <strong>{whole(numOpen)}</strong> open<span class="soft"> at {percent(minConfidence)} or more</span>
      </>
    );
  }
  return (
    <>
      <strong>{whole(numLikely)}</strong> likely<span class="soft"> of {whole(numOpen)} open</span>
    </>
  );
}

/** Who else is at work now. */
export function OthersAtWork() {
  const atWork = useStore(goingOn, (now) => now?.atWork) ?? [];
  const names = atWork.filter(({ who }) => who !== '' && who !== myName()).map(({ who }) => who);
  const unnamed = atWork.find(({ who }) => who === '')?.numSessions ?? 0;
  const shown = names.slice(0, MOST_NAMES);
  const rest = names.length - shown.length + unnamed;
  const parts = [
    ...shown,
    ...(rest > 0 ? [shown.length > 0 ? counted(rest, 'other') : counted(rest, 'other person', 'other people')] : []),
  ];
  if (parts.length === 0) return null;
  const isOne = parts.length === 1 && (shown.length === 1 || rest === 1);
  return (
    <p class="at-work" title={names.join(', ')}>
      {listed(parts)} {isOne ? 'is' : 'are'} at work, too
    </p>
  );
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function sumOf({ accepted, rejected, unsure }: ReviewCounts): number {
  return accepted + rejected + unsure;
}

/** Empty where nothing was. */
export function doneWords({ accepted, rejected, unsure }: ReviewCounts): string {
  if (accepted + rejected + unsure === 0) return '';
  const verdicts = `${whole(accepted)} accepted, ${whole(rejected)} rejected`;
  return unsure === 0 ? verdicts : `${verdicts}, ${whole(unsure)} not sure`;
}

/** One path for each kind of thread: hundreds of elements would be too many to touch at every key. What is not sure is a gap. */
export function Cloth() {
  const threads = useStore(tally, (day) => day.threads).slice(-MOST_THREADS);
  const of = (kind: string) =>
    Array.from(threads, (thread, i) => (thread === kind ? `M${STEP * i + 2} 0V${HEIGHT}` : '')).join('');
  const [width, woven] = [STEP * MOST_THREADS, STEP * threads.length];
  return (
    <svg class="cloth" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="xMinYMid slice" aria-hidden="true">
      <path class="rejected-threads" d={of('r')} />
      <path class="accepted-threads" d={of('a')} />
      <path class="wefts" d={`M0 5.5H${woven}M0 11H${woven}M0 16.5H${woven}`} />
    </svg>
  );
}
