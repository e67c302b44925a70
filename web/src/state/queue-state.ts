// The open suggestions as far as they were loaded, and which one is in focus. It outlives its screen, so that coming back
// from an object leads to where one was.

import { getQueue } from '../api/calls.ts';
import { type ApiProblem, asProblem, wasCancelled } from '../api/problem.ts';
import type { OpenSuggestion, QueuePage } from '../api/shapes.ts';
import { LIKELY, type QueueAddress } from '../navigation/route.ts';
import { Store } from '../store.ts';
import { holderOf } from './held.ts';
import { knowsConfidence } from './model-facts.ts';
import { isDecided, keyOf, standingOf } from './standings.ts';

export type QueueFilter = Omit<QueueAddress, 'view'>;

export interface QueueState {
  readonly filter: QueueFilter | undefined; // none before the first load
  readonly rows: readonly OpenSuggestion[];
  /** Of the next page. */
  readonly next: string | undefined;
  /** Whether the service has looked at all objects yet. */
  readonly isComplete: boolean;
  /** By the last answer. */
  readonly numOpen: number | undefined;
  /** How many of those are likely; undefined where the model does not know. */
  readonly numLikely: number | undefined;
  /** The rows that were decided when these were counted: those are not in them. */
  readonly decidedThen: ReadonlySet<string>;
  /** Rows that were put off, by key, the longest ago first. Their turn comes when all others are decided. */
  readonly skipped: readonly string[];
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
  numLikely: undefined,
  decidedThen: new Set<string>(),
  skipped: [],
  problem: undefined,
  isOutdated: false,
  active: 0,
};

export const queue = new Store<QueueState>({ ...EMPTY, filter: undefined, isLoading: false });

let loading: AbortController | undefined;

/** Does nothing where this filter is loaded already. */
export function openQueue(filter: QueueFilter): void {
  const { filter: known, problem } = queue.get();
  if (known === undefined || !isSame(known, filter) || problem !== undefined) reloadQueue(filter);
}

/** What is likely, of any tag, the best first. */
export const DEFAULT_FILTER: QueueFilter = { minConfidence: LIKELY, tag: '', group: '', order: '' };

function isSame(one: QueueFilter, other: QueueFilter): boolean {
  const keys = Object.keys(DEFAULT_FILTER) as (keyof QueueFilter)[];
  return keys.every((key) => one[key] === other[key]);
}

export function reloadQueue(filter: QueueFilter = queue.get().filter ?? DEFAULT_FILTER): void {
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
  const decidedThen = knownAtService(before);
  const page = await askFor(filter, undefined).catch(() => undefined);
  if (page === undefined || queue.get().filter !== filter) return;
  const { rows, active, isLoading, skipped } = queue.get();
  const isTouched = isLoading || active > 0 || skipped.length > 0 || rows.some((row) => isDecided(standingOf(row)));
  const { suggestions, next, isComplete, numOpen, numLikely } = page;
  const changed = isTouched ? { isOutdated: true } : { rows: suggestions, next };
  queue.change({ isComplete, numOpen, numLikely, decidedThen, ...changed });
}

/** Another model suggests other things: the rows stay as they are until the curator wants the new ones. */
export function outdateQueue(): void {
  if (queue.get().filter !== undefined) queue.change({ isOutdated: true });
}

export function retryQueue(): void {
  const { filter, next, rows } = queue.get();
  if (filter === undefined || rows.length === 0) reloadQueue();
  else {
    queue.change({ problem: undefined, isLoading: true });
    void load(filter, next);
  }
}

/** To a row, or to the next one in the same direction that is in nobody else's hands; where there is none, it stays. */
export function moveTo(index: number): void {
  const { rows, active } = queue.get();
  const target = Math.max(0, Math.min(index, rows.length - 1));
  const step = target < active ? -1 : 1;
  for (let at = target; at >= 0 && at < rows.length; at += step) {
    if (isOthers(rows[at])) continue;
    queue.change({ active: at });
    break;
  }
  loadAhead();
}

/** Where somebody else holds the card in focus, or gave one back while none was left. Gives whether the focus moved. */
export function moveOff(): boolean {
  const { rows, active, skipped } = queue.get();
  const row = rows[active];
  if (row !== undefined && !isOthers(row)) return false;
  const next = nextOpen(rows, row === undefined ? -1 : active, skipped);
  if (next === active) return false;
  queue.change({ active: next });
  return true;
}

/** The row in focus and the open ones that follow, as far as nobody else holds them. */
export function openAhead(count: number): readonly OpenSuggestion[] {
  const { rows, active, skipped } = queue.get();
  const isWaiting = new Set(skipped);
  const isFree = (row: OpenSuggestion) => !isDecided(standingOf(row)) && !isOthers(row);
  const found = rows[active] !== undefined && isFree(rows[active]) ? [rows[active]] : [];
  for (let i = 1; i < rows.length && found.length < count; i++) {
    const row = rows[(active + i) % rows.length];
    if (isFree(row) && !isWaiting.has(keyOf(row))) found.push(row);
  }
  return found;
}

/** Rows that others hold and have not decided. */
function isOthers(row: OpenSuggestion): boolean {
  return holderOf(row) !== undefined && !isDecided(standingOf(row));
}

/** How many rows wait for others. */
export function numHeld({ rows }: QueueState): number {
  return rows.filter(isOthers).length;
}

/** To the next that is open; behind the last row where none is. */
export function moveOn(): void {
  const { rows, active, skipped } = queue.get();
  queue.change({ active: nextOpen(rows, active, skipped) });
  loadAhead();
}

/** Puts the row in focus off until all others are decided. */
export function skipActive(): void {
  const { rows, active, skipped } = queue.get();
  const row = rows[active];
  if (row === undefined) return;
  queue.change({ skipped: [...skipped.filter((key) => key !== keyOf(row)), keyOf(row)] });
  moveOn();
}

/** Below first, then from the top, then what was skipped, the longest ago first. */
function nextOpen(rows: readonly OpenSuggestion[], active: number, skipped: readonly string[]): number {
  const isOpen = (row: OpenSuggestion) => !isDecided(standingOf(row)) && !isOthers(row);
  const isWaiting = new Set(skipped);
  const isFresh = (row: OpenSuggestion) => isOpen(row) && !isWaiting.has(keyOf(row));
  const below = rows.findIndex((row, i) => i > active && isFresh(row));
  const found = below >= 0 ? below : rows.findIndex(isFresh);
  if (found >= 0) return found;
  const placeOf = new Map(rows.map((row, i) => [keyOf(row), i]));
  const places = skipped.map((key) => placeOf.get(key) ?? -1).filter((i) => i >= 0 && isOpen(rows[i]));
  return places[0] ?? rows.length;
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

/** How many are open still, and how many of them are likely, by the last answer and what was decided since. */
export function countOpen(state: QueueState): { numOpen: number; numLikely: number | undefined } | undefined {
  const { rows, numOpen, numLikely, decidedThen } = state;
  if (numOpen === undefined) return undefined;
  const decidedSince = rows.filter((row) => isDecided(standingOf(row)) && !decidedThen.has(keyOf(row)));
  const openSince = rows.filter((row) => !isDecided(standingOf(row)) && decidedThen.has(keyOf(row)));
  const isLikely = ({ confidence = 0 }: OpenSuggestion) => confidence >= LIKELY;
  const less = (count: number, isCounted: (row: OpenSuggestion) => boolean) =>
    Math.max(0, count - decidedSince.filter(isCounted).length + openSince.filter(isCounted).length);
  return {
    numOpen: less(numOpen, () => true),
    numLikely: numLikely === undefined ? undefined : less(numLikely, isLikely),
  };
}

/** Gives what takes counts that were asked for now. */
export function noteOpen(): (counts: Pick<QueuePage, 'numOpen' | 'numLikely'>) => void {
  const decidedThen = knownAtService(queue.get().rows);
  const isSaving = () => queue.get().rows.some((row) => standingOf(row)?.state === 'saving');
  const wasSaving = isSaving();
  return ({ numOpen, numLikely }) => {
    const state = queue.get();
    if (state.numOpen === undefined || state.isLoading) return; // the rows come with counts of their own
    if (wasSaving || isSaving()) return; // nobody knows whether it was counted
    const isSame = state.numOpen === numOpen && state.numLikely === numLikely;
    if (!isSame || decidedThen.size !== state.decidedThen.size) queue.change({ numOpen, numLikely, decidedThen });
  };
}

/** Decisions that the service knows of. */
function knownAtService(rows: readonly OpenSuggestion[]): Set<string> {
  const isKnown = (state: string | undefined) => state === 'saved' || state === 'taken';
  return new Set(rows.filter((row) => isKnown(standingOf(row)?.state)).map(keyOf));
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
    const decidedThen = knownAtService(queue.get().rows);
    const page = await askFor(filter, cursor, cancel.signal);
    if (!cancel.signal.aborted) queue.change({ ...merged(page), decidedThen, isLoading: false });
  } catch (error) {
    if (!wasCancelled(error)) queue.change({ isLoading: false, problem: asProblem(error) });
  }
}

/** Models that know no confidence have no limit to it. */
async function askFor(filter: QueueFilter, cursor: string | undefined, signal?: AbortSignal): Promise<QueuePage> {
  const query = await queueQuery(filter);
  signal?.throwIfAborted();
  const { group, order } = filter;
  return getQueue({ limit: PAGE, cursor, ...query, group: group || undefined, order: order || undefined }, signal);
}

/** What of a filter says how many are open. */
export async function queueQuery({
  minConfidence,
  tag,
} = DEFAULT_FILTER): Promise<{ minConfidence?: number; tag?: string }> {
  const least = minConfidence > 0 && (await knowsConfidence()) ? { minConfidence } : {};
  return { ...least, ...(tag !== '' && { tag }) };
}

/** Rows that moved between two pages are not shown twice; those that someone decided meanwhile stay where they are. */
function merged({ suggestions, next, isComplete, numOpen, numLikely }: QueuePage): Partial<QueueState> {
  const { rows: before, active, skipped } = queue.get();
  const known = new Set(before.map(keyOf));
  const rows = [...before, ...suggestions.filter((row) => !known.has(keyOf(row)))];
  const wasAtEnd = active >= before.length;
  return {
    ...{ rows, next, isComplete, numOpen, numLikely },
    active: wasAtEnd ? nextOpen(rows, before.length - 1, skipped) : active,
  };
}
