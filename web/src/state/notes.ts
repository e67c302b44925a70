// Notes that are being written about decisions, by pair. They stay when the decision is made, so that undoing it brings them back.

import { Store } from '../store.ts';
import { keyOf } from './standings.ts';

export const MAX_NOTE = 1000; // characters, as the service has it

export const notes = new Store<ReadonlyMap<string, string>>(new Map());

type Named = { readonly object: string; readonly tag: string };

export function noteOf(pair: Named): string {
  return notes.get().get(keyOf(pair)) ?? '';
}

export function writeNote(pair: Named, text: string): void {
  notes.set(new Map(notes.get()).set(keyOf(pair), text));
}
