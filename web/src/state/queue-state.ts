// The open suggestions as far as they were loaded, and which one is in focus. It outlives its screen, so that coming back
// from an object leads to where one was.

import { getQueue } from '../api/calls.ts';
import { type ApiProblem, asProblem, wasCancelled } from '../api/problem.ts';
import type { OpenSuggestion, QueuePage } from '../api/shapes.ts';
import { Store } from '../store.ts';
import { isDecided, keyOf, standingOf } from './standings.ts';

export interface QueueFilter {
  readonly minConfidence: number;
  readonly tag: string;
}

export interface QueueState {
  readonly filter: QueueFilter | undefined; // none before the first load
  readonly rows: readonly OpenSuggestion[];
  /** Of the next page. */
  readonly next: string | undefined;
  /** Whether the service has looked at all objects yet. */
  readonly isComplete: boolean;
  /** By the last answer. */
  readonly numOpen: number | undefined;
  /** How many of the rows were decided when `numOpen` was counted: those are not in it. */
  readonly numDecidedThen: number;
  readonly isLoading: boolean;
  readonly problem: ApiProblem | undefined;
  /** Whether more came since that is not in the rows, since someone is at work in them. */
  readonly isOutdated: boolean;
  /** An index of rows; their number where there is nothing left. */
  readonly active: number;
}

const PAGE = 100;
const NEAR_END = 40; // rows left below the one in focus when more are asked for
const EMPTY = {
  rows: [],
  next: undefined,
  isComplete: true,
  numOpen: undefined,
  numDecidedThen: 0,
  problem: undefined,
  isOutdated: false,
  active: 0,
};

export const queue = new Store<QueueState>({ ...EMPTY, filter: undefined, isLoading: false });

let loading: AbortController | undefined;

/** Does nothing where this filter is loaded already. */
export function openQueue(filter: QueueFilter): void {
  const { filter: known, problem } = queue.get();
  const isSame = known !== undefined && known.tag === filter.tag && known.minConfidence === filter.minConfidence;
  if (!isSame || problem !== undefined) reloadQueue(filter);
}

export function reloadQueue(filter: QueueFilter = queue.get().filter ?? { minConfidence: 0, tag: '' }): void {
  queue.set({ ...EMPTY, filter, isLoading: true });
  void load(filter, undefined);
}

export function loadMore(): void {
  const { filter, next, isLoading, problem } = queue.get();
  if (filter === undefined || next === undefined || isLoading || problem !== undefined) return;
  queue.change({ isLoading: true });
  void load(filter, next);
}

/**
 * Looks what came while the service goes through the objects. Rows are shown in their new order as long as nobody has begun
 * to work in them; what fails is tried again by the next.
 */
export async function refreshQueue(): Promise<void> {
  const { filter, rows: before } = queue.get();
  if (filter === undefined) return;
  const numDecidedThen = numAtService(before);
  const page = await getQueue(queryOf(filter, undefined)).catch(() => undefined);
  if (page === undefined || queue.get().filter !== filter) return;
  const { rows, active, isLoading } = queue.get();
  const isTouched = isLoading || active > 0 || numDecided(rows) > 0;
  const { suggestions, next, isComplete, numOpen } = page;
  const changed = isTouched ? { isOutdated: true } : { rows: suggestions, next };
  queue.change({ isComplete, numOpen, numDecidedThen, ...changed });
}

export function retryQueue(): void {
  const { filter, next, rows } = queue.get();
  if (filter === undefined || rows.length === 0) reloadQueue();
  else {
    queue.change({ problem: undefined, isLoading: true });
    void load(filter, next);
  }
}

export function moveTo(index: number): void {
  const { rows } = queue.get();
  queue.change({ active: Math.max(0, Math.min(index, rows.length - 1)) });
  loadAhead();
}

/** To the next that is open: below first, then from the top; behind the last row where none is. */
export function moveOn(): void {
  const { rows, active } = queue.get();
  const isOpen = (row: OpenSuggestion) => !isDecided(standingOf(row));
  const below = rows.findIndex((row, i) => i > active && isOpen(row));
  const found = below >= 0 ? below : rows.findIndex(isOpen);
  queue.change({ active: found >= 0 ? found : rows.length });
  loadAhead();
}

export function moveToPair(pair: { readonly object: string; readonly tag: string }): boolean {
  const index = queue.get().rows.findIndex((row) => keyOf(row) === keyOf(pair));
  if (index >= 0) queue.change({ active: index });
  return index >= 0;
}

/** The first open suggestion of another object, after those of the one given where it is in the queue. */
export function nextObject(id: string): OpenSuggestion | undefined {
  const { rows } = queue.get();
  const last = rows.findLastIndex(({ object }) => object === id);
  const isCandidate = (row: OpenSuggestion) => row.object !== id && !isDecided(standingOf(row));
  return rows.find((row, i) => i > last && isCandidate(row)) ?? rows.find(isCandidate);
}

/** How many are open still, by the last answer and what was decided since. */
export function countOpen({ rows, numOpen, numDecidedThen }: QueueState): number | undefined {
  return numOpen === undefined ? undefined : Math.max(0, numOpen - (numDecided(rows) - numDecidedThen));
}

function numDecided(rows: readonly OpenSuggestion[]): number {
  return rows.filter((row) => isDecided(standingOf(row))).length;
}

/** Decisions that the service knows of. */
function numAtService(rows: readonly OpenSuggestion[]): number {
  const isKnown = (state: string | undefined) => state === 'saved' || state === 'taken';
  return rows.filter((row) => isKnown(standingOf(row)?.state)).length;
}

function loadAhead(): void {
  const { rows, active } = queue.get();
  if (active > rows.length - NEAR_END) loadMore();
}

async function load(filter: QueueFilter, cursor: string | undefined): Promise<void> {
  loading?.abort();
  const cancel = new AbortController();
  loading = cancel;
  try {
    const numDecidedThen = numAtService(queue.get().rows);
    const page = await getQueue(queryOf(filter, cursor), cancel.signal);
    if (!cancel.signal.aborted) queue.change({ ...merged(page), numDecidedThen, isLoading: false });
  } catch (error) {
    if (!wasCancelled(error)) queue.change({ isLoading: false, problem: asProblem(error) });
  }
}

function queryOf({ minConfidence, tag }: QueueFilter, cursor: string | undefined) {
  return { limit: PAGE, cursor, minConfidence: minConfidence || undefined, tag: tag || undefined };
}

/** Rows that moved between two pages are not shown twice; those that someone decided meanwhile stay where they are. */
function merged({ suggestions, next, isComplete, numOpen }: QueuePage): Partial<QueueState> {
  const { rows, active } = queue.get();
  const known = new Set(rows.map(keyOf));
  const fresh = suggestions.filter((row) => !known.has(keyOf(row)));
  const firstOpen = fresh.findIndex((row) => !isDecided(standingOf(row)));
  const wasAtEnd = active >= rows.length;
  return {
    rows: [...rows, ...fresh],
    next,
    isComplete,
    numOpen,
    active: wasAtEnd ? rows.length + Math.max(0, firstOpen) : active,
  };
}
