// The largest of many, in the three ways they are asked for: of ids with keys (`largest`), of ids that come one by one and are
// compared by a rule (`TopK`), and the size of the n-th of very many numbers (`nthLargest`). Nothing is ever sorted as a whole.

/** The `most` ids with the largest keys, in no order; among equal keys the smaller ids. */
export function largest(ids: Int32Array, keys: Float32Array, most: number): Int32Array {
  if (ids.length <= most) return ids.slice();
  const least = kthLargest(keys.slice(), most);
  const [kept, equal] = [new Int32Array(most), new Int32Array(ids.length)];
  let [numKept, numEqual] = [0, 0];
  let isSorted = true;
  for (let i = 0; i < ids.length; i++) {
    if (keys[i] > least) kept[numKept++] = ids[i];
    else if (keys[i] === least) {
      isSorted &&= numEqual === 0 || equal[numEqual - 1] < ids[i];
      equal[numEqual++] = ids[i];
    }
  }
  // thousands may be equal, and mostly come in order
  const at = equal.subarray(0, numEqual);
  kept.set((isSorted ? at : at.sort()).subarray(0, most - numKept), numKept);
  return kept;
}

/** The k-th largest, k from 1: quickselect (Hoare, Comm. ACM 4(7), 1961); reorders the keys. */
export function kthLargest(keys: Float32Array, k: number): number {
  let [low, high] = [0, keys.length - 1];
  const at = k - 1;
  while (low < high) {
    const pivot = keys[(low + high) >>> 1];
    let [i, j] = [low, high];
    while (i <= j) {
      while (keys[i] > pivot) i++;
      while (keys[j] < pivot) j--;
      if (i > j) break;
      const key = keys[i];
      keys[i] = keys[j];
      keys[j] = key;
      i++;
      j--;
    }
    if (at <= j) high = j;
    else if (at >= i) low = i;
    else break; // between the two all are the pivot
  }
  return keys[at];
}

/** Of all ids that are offered, keeps the best `limit`: a heap where each is worse than the two below it. */
export class TopK {
  readonly #heap: number[] = [];
  readonly #limit: number;
  readonly #isWorse: (a: number, b: number) => boolean;

  constructor(limit: number, isWorse: (a: number, b: number) => boolean) {
    this.#limit = limit;
    this.#isWorse = isWorse;
  }

  get isFull(): boolean {
    return this.#heap.length >= this.#limit;
  }

  /** The first to go. */
  get worst(): number {
    return this.#heap[0];
  }

  offer(id: number): void {
    if (!this.isFull) this.#rise(id);
    else if (this.#heap.length > 0 && this.#isWorse(this.#heap[0], id)) this.#sink(id);
  }

  /** From best to worst. */
  sorted(): number[] {
    return this.#heap.toSorted((a, b) => (this.#isWorse(b, a) ? -1 : 1));
  }

  /** Adds one at the bottom and lets it rise to its place. */
  #rise(id: number): void {
    const heap = this.#heap;
    let at = heap.push(id) - 1;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (!this.#isWorse(id, heap[above])) break;
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = id;
  }

  /** Puts one in place of the worst and lets it sink to its place. */
  #sink(id: number): void {
    const heap = this.#heap;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && this.#isWorse(heap[below + 1], heap[below])) below++;
      if (!this.#isWorse(heap[below], id)) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = id;
  }
}

const HALF = 1 << 16;
const SIZE_BITS = 0x7fffffff; // of a float: all but the sign

/**
 * The n-th largest absolute value of numbers in several arrays, n from 1 to how many there are. Absolute values and their bits
 * sort alike: the upper half of the bits is found first, then the lower, by counting. `countOf`: how often a number counts, by
 * array and place; once by default.
 */
export function nthLargest(
  parts: readonly Float32Array[],
  n: number,
  countOf: (part: number, place: number) => number = () => 1,
): number {
  const bits = parts.map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length));
  let left = n;
  const find = (counts: Float64Array): number => {
    let half = HALF - 1;
    for (; half > 0 && counts[half] < left; half--) left -= counts[half];
    return half;
  };
  const [highs, lows] = [new Float64Array(HALF), new Float64Array(HALF)];
  for (const [p, part] of bits.entries()) {
    for (let i = 0; i < part.length; i++) highs[(part[i] & SIZE_BITS) >>> 16] += countOf(p, i);
  }
  const high = find(highs);
  for (const [p, part] of bits.entries()) {
    for (let i = 0; i < part.length; i++) {
      if ((part[i] & SIZE_BITS) >>> 16 === high) lows[part[i] & 0xffff] += countOf(p, i);
    }
  }
  return new Float32Array(Uint32Array.of(high * HALF + find(lows)).buffer)[0];
}
