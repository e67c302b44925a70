// What goes on elsewhere, asked for again and again while the queue is looked at: what others decided, how much is open and was
// done today, who is at work and on which cards.

import { getLive } from '../api/people-calls.ts';
import type { Live } from '../api/people-shapes.ts';
import { asProblem, wasCancelled } from '../api/problem.ts';
import { Store } from '../store.ts';
import { hearOfOthers } from './decisions.ts';
import { held, SESSION } from './held.ts';
import { askWhoIAm, signature } from './me.ts';
import { noteOpen, queue, queueQuery } from './queue-state.ts';
import { keyOf } from './standings.ts';
import { expectToday, midnight } from './today.ts';

const POLL_MS = 1500;
const AFTER_FAILURE_MS = 6000;

/** Who else is at work, and what everyone did today; undefined before the first answer. */
export const goingOn = new Store<Pick<Live, 'atWork' | 'today'> | undefined>(undefined);

let revision: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let isAsking = false;
let isOn = false;

/** Gives what ends it. `moved`: told when another's card may be in focus. */
export function followOthers(moved: () => void): () => void {
  isOn = true;
  const look = () => {
    clearTimeout(timer);
    if (isOn && !document.hidden) void ask(moved).then((pause) => schedule(look, pause));
  };
  lookNow = look;
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    isOn = false;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
    lookNow = undefined;
  };
}

let lookNow: (() => void) | undefined;

/** Sooner than its turn. */
export function lookSoon(): void {
  lookNow?.();
}

function schedule(look: () => void, pause: number): void {
  clearTimeout(timer);
  if (isOn) timer = setTimeout(look, pause);
}

/** Gives for how long to wait. */
async function ask(moved: () => void): Promise<number> {
  if (isAsking) return POLL_MS;
  isAsking = true;
  const { filter } = queue.get();
  const takeToday = expectToday();
  const takeOpen = noteOpen();
  try {
    const query = await queueQuery(filter);
    const live = await getLive({
      ...{ session: SESSION, after: revision, today: midnight(), curator: signature() },
      ...{ minConfidence: query.minConfidence, tag: query.tag },
    });
    revision = live.revision;
    hearOfOthers(live.changes);
    held.set(sameOr(held.get(), new Map(live.held.map((pair) => [keyOf(pair), pair.who]))));
    if (queue.get().filter === filter) takeOpen(live);
    if (live.today !== undefined) takeToday(live.today.mine ?? live.today.everyone);
    const { atWork, today } = live;
    if (JSON.stringify([atWork, today]) !== JSON.stringify([goingOn.get()?.atWork, goingOn.get()?.today]))
      goingOn.set({ atWork, ...(today && { today }) });
    moved();
    return POLL_MS;
  } catch (error) {
    if (!wasCancelled(error) && asProblem(error).status === 401) void askWhoIAm();
    return AFTER_FAILURE_MS;
  } finally {
    isAsking = false;
  }
}

/** The same map where nothing changed, so that nothing is drawn again. */
function sameOr(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const isSame = before.size === now.size && [...now].every(([key, who]) => before.get(key) === who);
  return isSame ? before : now;
}
