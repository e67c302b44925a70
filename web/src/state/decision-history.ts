// The decisions of this browser, the last one at the end, for undoing them one by one. They are kept in the browser, so that a
// page that was loaded again, or another tab, goes on where one was.

import type { Decision } from '../api/shapes.ts';
import { readText, write } from './preferences.ts';
import { keyOf, type Pair } from './standings.ts';

export interface HistoryEntry {
  readonly pair: Pair;
  readonly decision: Decision;
  /** Of the review; none until it is saved. */
  readonly id?: string | undefined;
}

const KEPT = 'tagloom.history';
const MOST = 500; // the newest

let entries: readonly HistoryEntry[] = []; // the last resort where storage is forbidden

/** At the end; a pair stands there once. */
export function remember(added: readonly HistoryEntry[]): void {
  const keys = new Set(added.map(({ pair }) => keyOf(pair)));
  keep([...read().filter(({ pair }) => !keys.has(keyOf(pair))), ...added]);
}

export function rememberId(pair: Pair, id: string): void {
  keep(read().map((entry) => (keyOf(entry.pair) === keyOf(pair) ? { ...entry, id } : entry)));
}

export function forget(pairs: readonly Pair[]): void {
  const keys = new Set(pairs.map(keyOf));
  keep(read().filter(({ pair }) => !keys.has(keyOf(pair))));
}

/** For whoever works in this browser next. */
export function forgetAll(): void {
  keep([]);
}

export function lastEntry(): HistoryEntry | undefined {
  return read().at(-1);
}

function keep(all: readonly HistoryEntry[]): void {
  entries = all.slice(-MOST);
  write(() => localStorage, KEPT, JSON.stringify(entries));
}

/** What other tabs kept meanwhile counts as well. */
function read(): readonly HistoryEntry[] {
  const text = readText(() => localStorage, KEPT);
  if (text === '') return entries;
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(kept: Partial<HistoryEntry> | null): kept is HistoryEntry {
  const { object, title, tag } = kept?.pair ?? {};
  return [object, title, tag, kept?.decision].every((text) => typeof text === 'string');
}
