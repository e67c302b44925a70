// What a person decided about suggestions in this tab. Decisions are kept in the browser under the fingerprint of their data, so
// that a reload does not lose them; what was skipped lasts as long as the page. Other tabs on the same data add to the same list.

import { readText } from '../state/preferences.ts';
import { Store } from '../store.ts';
import type { Pair } from './worker/messages.ts';

export type Decision = 'accept' | 'reject';

export interface Action extends Pair {
  readonly action: Decision | 'skip';
}

export interface TabReviews {
  readonly fingerprint: string;
  /** In their order; one for each pair. */
  readonly actions: readonly Action[];
  /** Whether the browser keeps them; where it does not, they last as long as the page. */
  readonly isKept: boolean;
}

const KEY = 'tagloom.tab-reviews.';

export const tabReviews = new Store<TabReviews>({ fingerprint: '', actions: [], isKept: true });

/** Those of this data instead of any other. */
export function openReviews(fingerprint: string): void {
  if (tabReviews.get().fingerprint === fingerprint) return;
  tabReviews.set({ fingerprint, actions: kept(fingerprint), isKept: true });
}

export function act({ object, tag }: Pair, action: Action['action']): void {
  const added: Action = { object, tag, action };
  change(added, (actions) => [...actions, added]);
}

/** Takes the last action back and gives it; undefined where there is none. */
export function undoLast(): Action | undefined {
  const last = tabReviews.get().actions.at(-1);
  if (last !== undefined) change(last, (actions) => actions);
  return last;
}

/** What was skipped comes again. */
export function takeSkipped(): void {
  const { actions } = tabReviews.get();
  tabReviews.change({ actions: actions.filter(({ action }) => action !== 'skip') });
}

export function acceptedOf({ actions }: TabReviews): Pair[] {
  return actions.flatMap(({ object, tag, action }) => (action === 'accept' ? [{ object, tag }] : []));
}

export function isSame(a: Pair, b: Pair): boolean {
  return a.object === b.object && a.tag === b.tag;
}

/** By pair, what was done about it. */
export function byPair(actions: readonly Action[]): (pair: Pair) => Action['action'] | undefined {
  const known = new Map(actions.map((one) => [keyOf(one), one.action]));
  return (pair) => known.get(keyOf(pair));
}

/** Replaces what is known of one pair, here and in what is kept, to which another tab may have added. */
function change(pair: Pair, add: (others: readonly Action[]) => readonly Action[]): void {
  const { fingerprint, actions } = tabReviews.get();
  const changed = (list: readonly Action[]) => add(list.filter((one) => !isSame(one, pair)));
  const decided = changed(kept(fingerprint)).filter(({ action }) => action !== 'skip');
  tabReviews.change({ actions: changed(actions), isKept: keep(fingerprint, decided) });
}

function kept(fingerprint: string): Action[] {
  try {
    const found: unknown = JSON.parse(readText(() => localStorage, KEY + fingerprint) || '[]');
    return Array.isArray(found) ? found.filter(isAction) : [];
  } catch {
    return []; // not ours
  }
}

function keep(fingerprint: string, decided: readonly Action[]): boolean {
  try {
    if (decided.length === 0) localStorage.removeItem(KEY + fingerprint);
    else localStorage.setItem(KEY + fingerprint, JSON.stringify(decided));
    return true;
  } catch {
    return false; // storage is forbidden or full
  }
}

function isAction(value: unknown): value is Action {
  const { object, tag, action } = (value ?? {}) as Partial<Record<keyof Action, unknown>>;
  return typeof object === 'string' && typeof tag === 'string' && (action === 'accept' || action === 'reject');
}

function keyOf({ object, tag }: Pair): string {
  return `${object}\t${tag}`; // names hold no tabs
}
