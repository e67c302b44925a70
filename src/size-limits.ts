// How much the typed arrays can number. Offsets beyond would wrap around and give wrong answers in silence, so everything that
// fills such arrays asks here first and refuses what is too large, with its cure.

import { InputError } from './errors.ts';

const MAX_INT32 = 2 ** 31 - 1; // the starts of rows, ids and places among entries are Int32Array
const MAX_UINT32 = 2 ** 32 - 1; // the starts of names and texts are Uint32Array; also what Node 20 holds in one array

const LIMITS = {
  /** Pairs of a relation, as they are read. */
  pairs: {
    most: MAX_INT32,
    cure: 'Use --engine duckdb, where repeated pairs count once, or leave out old interactions.',
  },
  /** Rows of a table that an engine counted. */
  rows: { most: MAX_INT32, cure: 'Train on a part of the data: of the interactions, recent ones say most.' },
  /** Numbers of a sparse matrix. */
  entries: { most: MAX_INT32, cure: 'Train on fewer objects, or on fewer columns of features and text.' },
  /** Slots of the hash table of names are four numbers each, in one array, at most half of them used, a power of two. */
  names: { most: 2 ** 28, cure: 'Leave out users or objects that hardly occur, or train on a part of the data.' },
  nameBytes: { most: MAX_UINT32, cure: 'Use shorter names: numbers, for instance.' },
  textBytes: { most: MAX_UINT32, cure: 'Shorten the texts, or choose other columns with --text.' },
  fileBytes: { most: MAX_UINT32, cure: 'Split the file into smaller ones.' },
  modelBytes: { most: MAX_UINT32, cure: 'Write the model to a file with saveModel, which has no such limit.' },
} as const;

/** The size, unless it is too large. `what` follows the number: "pairs of user and object", for instance. */
export function checkedSize(kind: keyof typeof LIMITS, size: number, what: string): number {
  const { most, cure } = LIMITS[kind];
  if (size <= most) return size;
  const expected = `${most.toLocaleString('en')} at most`;
  throw new InputError({ got: `${size.toLocaleString('en')} ${what}`, expected, cure });
}

/** Whether so much can be numbered. */
export function isWithin(kind: keyof typeof LIMITS, size: number): boolean {
  return size <= LIMITS[kind].most;
}

/** Twice the room, at least what is needed and no more than may ever be. */
export function grownSize(kind: keyof typeof LIMITS, size: number, needed: number): number {
  return Math.max(needed, Math.min(2 * size, LIMITS[kind].most));
}
