// What was decided in this browser today, one letter for each decision, in order: the threads of the cloth. The day's count is
// the service's (today.ts).

import type { Decision } from '../api/shapes.ts';
import { Store } from '../store.ts';
import { readText, write } from './preferences.ts';
import { countToday } from './today.ts';

const KEPT = 'tagloom.tally';
const LETTERS: Readonly<Record<Decision, string>> = { accept: 'a', reject: 'r', unsure: 'u' };

export interface Tally {
  readonly day: string;
  /** a, r and u, oldest first. */
  readonly threads: string;
}

export const tally = new Store<Tally>(read());

export function countDecision(decision: Decision, times = 1): void {
  countToday(decision, times);
  keep(todays() + LETTERS[decision].repeat(times));
}

export function uncountDecision(decision: Decision): void {
  countToday(decision, -1);
  const threads = todays();
  const last = threads.lastIndexOf(LETTERS[decision]);
  if (last >= 0) keep(threads.slice(0, last) + threads.slice(last + 1));
}

/** For whoever works in this browser next. */
export function clearTally(): void {
  keep('');
}

export function numThreads(threads: string, decision: Decision): number {
  let count = 0;
  for (const thread of threads) if (thread === LETTERS[decision]) count++;
  return count;
}

function todays(): string {
  const { day, threads } = tally.get();
  return day === today() ? threads : '';
}

function keep(threads: string): void {
  tally.set({ day: today(), threads });
  write(() => localStorage, KEPT, JSON.stringify(tally.get()));
}

function read(): Tally {
  const day = today();
  try {
    const kept = JSON.parse(readText(() => localStorage, KEPT));
    if (kept.day === day && typeof kept.threads === 'string') return { day, threads: kept.threads };
  } catch {
    // none yet
  }
  return { day, threads: '' };
}

/** By the clock on the wall of the curator. */
function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].join('-');
}
