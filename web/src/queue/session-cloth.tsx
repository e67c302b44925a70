// The day's work, in words and as a piece of cloth: each decision weaves a thread, accepted ones dyed.

import { whole } from '../numbers.ts';
import { numThreads, tally } from '../state/tally.ts';
import { useStore } from '../store.ts';

const MOST_THREADS = 400; // the newest
const STEP = 4; // pixels from thread to thread
const HEIGHT = 22;

export function SessionWords({ numOpen }: { readonly numOpen: number | undefined }) {
  const { threads } = useStore(tally, (day) => day);
  const accepted = numThreads(threads, 'accept');
  return (
    <p class="session">
      {numOpen !== undefined && (
        <>
          <strong>{whole(numOpen)}</strong> open,{' '}
        </>
      )}
      <strong>{whole(threads.length)}</strong> decided today
      {threads.length > 0 && (
        <span class="soft">
          : {whole(accepted)} accepted, {whole(threads.length - accepted)} rejected
        </span>
      )}
    </p>
  );
}

/** One path for each kind of thread: hundreds of elements would be too many to touch at every key. */
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
