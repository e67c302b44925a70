// The objects that a solve learns from, where all tagged ones are too many: every object that has a rare tag and, by arithmetic on
// ids, a share of the others. Each of these has the weight that makes up for those left out. No seed: SQL draws the same sample
// (tables/stages/sample.ts).

import type { Relation } from '../data/relation.ts';
import { SAMPLE_KEY, sampleKey } from './capped-middles.ts';

export interface SampleSize {
  /** Objects, about; those with a rare tag may be more. */
  readonly rows: number;
  /** A tag of so many objects is rare: all of them are learnt from. */
  readonly rareCount: number;
}

/** What a solve learns from. */
export interface RowSample {
  readonly objects: Int32Array; // ascending
  /** How many objects each stands for; undefined: the sample is all tagged objects. */
  readonly weights?: Float64Array | undefined;
}

/** Stands for a user in the key of an object: the sample is of all objects, not of one user's. */
export const NOBODY = 0;
/** Of the rows, what objects without rare tags get at least, as one in so many. */
export const LEAST_COMMON = 10;

export function sampleRows(tagged: Relation, { rows, rareCount }: SampleSize): RowSample {
  const counts = new Int32Array(tagged.numTails);
  for (let e = 0; e < tagged.size; e++) counts[tagged.tails[e]]++;
  const isRare = new Uint8Array(tagged.numHeads);
  let [numTagged, numRare] = [0, 0];
  for (let object = 0; object < tagged.numHeads; object++) {
    if (tagged.rowLength(object) === 0) continue;
    numTagged++;
    if (tagged.row(object).some((tag) => counts[tag] <= rareCount)) isRare[object] = 1;
    numRare += isRare[object];
  }
  const numCommon = numTagged - numRare;
  const room = Math.max(rows - numRare, Math.ceil(rows / LEAST_COMMON));
  const isWhole = numCommon <= room;
  const limit = isWhole ? SAMPLE_KEY.largest : keyLimit(room, numCommon);
  const objects = new Int32Array(numTagged);
  let size = 0;
  for (let object = 0; object < tagged.numHeads; object++) {
    const isIn = tagged.rowLength(object) > 0 && (isRare[object] === 1 || sampleKey(NOBODY, object) < limit);
    if (isIn) objects[size++] = object;
  }
  const kept = objects.slice(0, size);
  if (isWhole) return { objects: kept };
  return { objects: kept, weights: Float64Array.from(kept, (object) => (isRare[object] === 1 ? 1 : numCommon / room)) };
}

/** The smallest key that is left out: key · numCommon < room · largest is asked in whole numbers beyond 2⁵³. */
function keyLimit(room: number, numCommon: number): number {
  const [product, divisor] = [BigInt(room) * BigInt(SAMPLE_KEY.largest), BigInt(numCommon)];
  return Number((product + divisor - 1n) / divisor);
}
