// What loom sees of an object: all that its scores are made of, but for the weights.

import type { TextRow } from './text-space.ts';

/** What loom sees of an object. */
export interface Seen {
  /** Where the data has it. */
  readonly object?: number | undefined;
  readonly tags: ArrayLike<number>;
  readonly numUsers: number;
  /** The mean of each tag over its neighbours, where it is not 0. */
  readonly means: TagMeans;
  readonly text: TextRow;
  /** By tag the share of its own words that are written. */
  readonly mentions: ReadonlyMap<number, number>;
  readonly profile: Float32Array;
  readonly content: Float32Array;
}

/** Numbers of some tags, each once, in the order they were met. */
export interface TagMeans {
  readonly tags: readonly number[];
  readonly values: readonly number[];
}
