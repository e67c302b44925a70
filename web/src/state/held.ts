// The session of this tab, and the cards of the queue that other sessions hold, by whom: none of those comes into focus here.

import { Store } from '../store.ts';
import { readText, write } from './preferences.ts';
import { keyOf } from './standings.ts';

const KEPT = 'tagloom.session';

/** Stays the same when the tab is loaded again; 128 random bits. */
export const SESSION = takeSession();

/** Taken out while the page runs: a copy of the tab, which gets a copy of what is kept, is another session. */
function takeSession(): string {
  const kept = readText(() => sessionStorage, KEPT);
  write(() => sessionStorage, KEPT, '');
  return /^[0-9a-f]{32}$/.test(kept) ? kept : newSession();
}

function newSession(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** For the page that is loaded next in this tab. */
export function keepSession(): void {
  write(() => sessionStorage, KEPT, SESSION);
}

export const held = new Store<ReadonlyMap<string, string>>(new Map());

/** The name of who holds a card, '' where it is not known; undefined where nobody else does. */
export function holderOf(pair: { readonly object: string; readonly tag: string }): string | undefined {
  return held.get().get(keyOf(pair));
}

export function shownHolder(name: string): string {
  return name === '' ? 'Someone' : name;
}
