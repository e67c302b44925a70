// Holds the card in focus and a few ahead, so that nobody else is given them. It works behind the curator's back: a card is
// shown at once, and only where somebody else turns out to hold it does the focus move on.

import { postClaims, releaseClaims } from '../api/people-calls.ts';
import { asProblem } from '../api/problem.ts';
import type { OpenSuggestion } from '../api/shapes.ts';
import { held, keepSession, SESSION } from './held.ts';
import { identity, myself, signature } from './me.ts';
import { openAhead, queue } from './queue-state.ts';
import { keyOf, standings } from './standings.ts';

const AHEAD = 12; // cards held, with the one in focus
const LEAST = 5; // of those in front that must be held: fewer ask for more
const RENEW_MS = 40_000; // a claim lasts two minutes
const FIRST_MS = 3000;
const IDLE_MS = 300_000; // without a key or a touch: then the cards are for others

const USES = ['keydown', 'pointerdown'] as const;

let mine = new Set<string>(); // what need not be asked for now
let granted = new Set<string>(); // what the last answer gave
let claimedAt = Number.NEGATIVE_INFINITY;
let usedAt = performance.now();
let isSending = false;
let isForbidden = false;
let isFirst = true;
let onRefused: (() => void) | undefined;

/** Keeps claiming while the queue is shown. Gives what ends it. `refused`: told when somebody else seems to hold a card. */
export function keepClaiming(refused: () => void): () => void {
  onRefused = refused;
  isForbidden = false;
  const stops = [queue, standings, held].map((store) => store.watch(claimSoon)).concat(identity.watch(allow));
  const timer = setInterval(() => !document.hidden && claimSoon(), RENEW_MS / 4);
  const use = () => {
    usedAt = performance.now();
    claimSoon();
  };
  for (const event of USES) addEventListener(event, use, { passive: true });
  claimSoon();
  return () => {
    for (const stop of stops) stop();
    clearInterval(timer);
    for (const event of USES) removeEventListener(event, use);
    onRefused = undefined;
  };
}

/** Once, when the page starts. */
export function letGoWhenLeft(): void {
  addEventListener('pagehide', () => {
    keepSession();
    letGo();
  });
}

/** All of it, for others to take. */
export function letGo(): void {
  if (mine.size === 0 && !isSending) return; // what is being asked for may be granted yet
  mine = new Set();
  granted = new Set();
  claimedAt = Number.NEGATIVE_INFINITY;
  releaseClaims(SESSION).catch(() => {}); // else they run out
}

function allow(): void {
  isForbidden = false;
  claimSoon();
}

function claimSoon(): void {
  if (!isSending && !isForbidden) void claimAhead();
}

function pairOf({ object, tag }: OpenSuggestion) {
  return { object, tag };
}

/** What was put off is for others to take meanwhile. */
function holdsSkipped(wanted: readonly OpenSuggestion[]): boolean {
  const isWanted = new Set(wanted.map(keyOf));
  return queue.get().skipped.some((key) => granted.has(key) && !isWanted.has(key));
}

async function claimAhead(): Promise<void> {
  const role = myself()?.role ?? 'read';
  if (role === 'read' || performance.now() - usedAt > IDLE_MS) return;
  for (const key of held.get().keys()) mine.delete(key);
  const wanted = openAhead(AHEAD);
  const front = wanted.slice(0, LEAST);
  const isOld = performance.now() - claimedAt > RENEW_MS;
  const isEnough = front.every((pair) => mine.has(keyOf(pair)));
  if (wanted.length === 0 || (!isOld && isEnough && !holdsSkipped(wanted))) return;
  isSending = true;
  try {
    const { pairs } = await postClaims(SESSION, wanted.map(pairOf), signature());
    granted = new Set(pairs.map(keyOf));
    mine = new Set(granted);
    // the page before this one in the same tab may let go of the same session only now: the first claim is renewed soon
    claimedAt = performance.now() - (isFirst ? RENEW_MS - FIRST_MS : 0);
    isFirst = false;
    if (front.some((pair) => !mine.has(keyOf(pair)))) {
      // another's, or decided: the next look at what goes on tells
      for (const pair of front) mine.add(keyOf(pair));
      onRefused?.();
    }
  } catch (error) {
    const { status } = asProblem(error);
    isForbidden = status === 401 || status === 403; // may only read
    await new Promise((resolve) => setTimeout(resolve, 2000));
  } finally {
    isSending = false;
  }
  claimSoon();
}
