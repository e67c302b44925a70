// What a curator chose, and the token that signs in: kept in the browser.

import { Store } from '../store.ts';

export type Scheme = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly scheme: Scheme;
  /** Signs decisions. */
  readonly curator: string;
  /** Whether single letters are commands. */
  readonly hasKeys: boolean;
  readonly token: string;
}

const KEPT = 'tagloom.preferences'; // public/first-paint.js reads it, too
const TOKEN = 'tagloom.token';

export const preferences = new Store<Preferences>(read());

export function prefer(chosen: Partial<Preferences>): void {
  preferences.change(chosen);
  const { token, ...kept } = preferences.get();
  write(() => localStorage, KEPT, JSON.stringify(kept));
  write(() => localStorage, TOKEN, token);
  showScheme();
}

function showScheme(): void {
  const { scheme } = preferences.get();
  if (scheme === 'system') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
}

function read(): Preferences {
  const kept = parsed(readText(() => localStorage, KEPT));
  return {
    scheme: kept.scheme === 'light' || kept.scheme === 'dark' ? kept.scheme : 'system',
    curator: typeof kept.curator === 'string' ? kept.curator : '',
    hasKeys: kept.hasKeys !== false,
    token: readText(() => localStorage, TOKEN),
  };
}

function parsed(text: string): Partial<Record<keyof Preferences, unknown>> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Storage may be forbidden: then choices last as long as the page. */
export function readText(storage: () => Storage, key: string): string {
  try {
    return storage().getItem(key) ?? '';
  } catch {
    return '';
  }
}

export function write(storage: () => Storage, key: string, text: string): void {
  try {
    storage().setItem(key, text);
  } catch {
    // nothing to be done, and nothing worth a word
  }
}
