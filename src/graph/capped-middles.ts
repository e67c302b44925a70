// A user with everything: paths object → user → object grow with the square of a user's objects, and one with a million of them
// joins half a trillion pairs and says nothing by it. Where objects are compared, such a user is represented by a sample of its
// objects. Which ones is arithmetic on ids alone, without a seed, so that any other program (SQL, for one) can draw the same.

import type { Relation } from '../data/relation.ts';
import type { Listener } from '../listener.ts';

/** Nodes of one middle (objects of one user) that count at most. No published data set we know of comes near half of it. */
export const MOST_PER_MIDDLE = 5000;
/** Paths that are counted at most, or so many for each pair where that is more: MovieLens 1M has 390 million, 390 a pair. */
export const [PATHS, PATHS_PER_PAIR] = [2 ** 29, 512];

/** How many nodes of each middle count, so that counting paths takes steps in proportion to the number of pairs. */
export function mostPerMiddle(through: Relation, most = MOST_PER_MIDDLE): number {
  const budget = Math.max(PATHS, PATHS_PER_PAIR * through.size);
  let [low, high] = [2, Math.max(2, most)]; // the largest within the budget is in between
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numPaths(through, middle) <= budget) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How many steps counting takes: the sum of squared row lengths, none above `most`. Known before any counting. */
export function numPaths(through: Relation, most = Number.POSITIVE_INFINITY): number {
  let total = 0;
  for (let middle = 0; middle < through.numHeads; middle++) total += Math.min(most, through.rowLength(middle)) ** 2;
  return total;
}

/** The same relation where no middle has more than `most` nodes; otherwise the others are left out. */
export function cappedMiddles(through: Relation, most = mostPerMiddle(through)): Relation {
  let marks: Uint8Array | undefined;
  for (let middle = 0; middle < through.numHeads; middle++) {
    if (through.rowLength(middle) <= most) continue;
    marks ??= new Uint8Array(through.size).fill(1);
    marks.set(sampleOf(middle, through.row(middle), most), through.rowStart[middle]);
  }
  return marks === undefined ? through : through.select(marks);
}

/** What a middle and its nodes are called. */
export interface PathNames {
  readonly middle: string;
  readonly node: string;
}

/** Says which middles are represented by a sample. */
export function warnOfCapped(
  through: Relation,
  { middle, node }: PathNames,
  listener: Listener,
  most = mostPerMiddle(through),
): void {
  let [numCapped, largest] = [0, 0];
  for (let m = 0; m < through.numHeads; m++) {
    if (through.rowLength(m) > most) numCapped++;
    largest = Math.max(largest, through.rowLength(m));
  }
  if (numCapped === 0) return;
  const shown = (count: number) => count.toLocaleString('en-US');
  const [who, theirs] = numCapped === 1 ? [`1 ${middle} has`, 'its'] : [`${shown(numCapped)} ${middle}s have`, 'their'];
  listener.warn?.(
    `${who} more than ${shown(most)} ${node}s (${shown(largest)} at most): ` +
      `${node}s are compared by a sample of ${shown(most)} of ${theirs} ${node}s.`,
  );
}

/** The numbers in a key: products of numbers below the two primes are below 2^53, so that they are exact. */
export const SAMPLE_KEY = { ofNode: 48_271, ofMiddle: 40_692, prime: 94_906_249, largest: 2 ** 31 - 1 };

/** A number below 2^31 for a pair: a line in both ids, squared, so that neither neighbouring ids nor users go together. */
export function sampleKey(middle: number, node: number): number {
  const x = (node * SAMPLE_KEY.ofNode + middle * SAMPLE_KEY.ofMiddle + 1) % SAMPLE_KEY.prime;
  return (x * x + node) % SAMPLE_KEY.largest;
}

/** By node, 1 for those of the smallest keys; of equals the smaller id. */
function sampleOf(middle: number, nodes: Int32Array, most: number): Uint8Array {
  const keys = Float64Array.from(nodes, (node) => sampleKey(middle, node));
  const last = keys.toSorted()[most - 1];
  const marks = Uint8Array.from(keys, (key) => (key < last ? 1 : 0));
  let left = most - marks.reduce((sum, mark) => sum + mark, 0);
  for (let i = 0; left > 0; i++) {
    if (keys[i] !== last) continue;
    marks[i] = 1;
    left--;
  }
  return marks;
}
