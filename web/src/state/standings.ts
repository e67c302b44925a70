// Where each pair of an object and a tag stands by the decisions of this tab, for every screen to show the same.

import type { ApiProblem } from '../api/problem.ts';
import type { Decision, Review } from '../api/shapes.ts';
import { Store } from '../store.ts';

export interface Pair {
  readonly object: string;
  readonly title: string;
  readonly tag: string;
  /** A tag the data has, or one that was added by hand; otherwise it was suggested. */
  readonly origin?: 'data' | 'hand' | undefined;
}

/** Where a pair stands. `open` says that a decision was taken back. */
export type Standing = { readonly pair: Pair } & (
  | { readonly state: 'open' }
  | { readonly state: 'saving'; readonly decision: Decision }
  | { readonly state: 'saved'; readonly decision: Decision; readonly review: Review }
  | { readonly state: 'failed'; readonly decision: Decision; readonly problem: ApiProblem }
  | { readonly state: 'taken'; readonly decision: Decision; readonly review: Review }
);

export type Decided = Exclude<Standing, { state: 'open' }>;

export const standings = new Store<ReadonlyMap<string, Standing>>(new Map());

export function keyOf({ object, tag }: { readonly object: string; readonly tag: string }): string {
  return `${object}\u0000${tag}`;
}

export function standingOf(pair: { readonly object: string; readonly tag: string }): Standing | undefined {
  return standings.get().get(keyOf(pair));
}

export function isDecided(standing: Standing | undefined): standing is Decided {
  return standing !== undefined && standing.state !== 'open';
}
