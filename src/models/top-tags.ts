// The best tags of one scored list. Ties are broken by the smaller tag id, that is by name in byte order.

/** The `limit` best tags that are not in `hidden` (ascending ids), from best to worst. */
export function topTags(scores: Float32Array, hidden: Int32Array, limit: number): number[] {
  if (limit === 0) return [];
  const best = new Best(limit, (a, b) => scores[a] < scores[b] || (scores[a] === scores[b] && a > b));
  let nextHidden = 0;
  let least = Number.NaN; // of those kept, once they are enough: what most tags fail by
  for (let tag = 0; tag < scores.length; tag++) {
    if (scores[tag] <= least) continue;
    while (hidden[nextHidden] < tag) nextHidden++;
    if (hidden[nextHidden] === tag) continue;
    best.offer(tag);
    if (best.isFull) least = scores[best.worst];
  }
  return best.sorted();
}

/** Of all that are offered, keeps the best `limit`: a heap where each is worse than the two below it. */
export class Best {
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
