// The most confident suggestions over all objects, sorted: a few slots for each object in typed arrays, and the order of all
// filled slots. A change only marks its object; the order is brought up to date when it is next asked for, in one pass.
// A place in it is a suggestion (its worth, object and tag), so that paging goes on behind a suggestion that is no more.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { TagScore } from '../recommend/ranking.ts';

export interface OpenSuggestion {
  readonly object: string;
  readonly title: string;
  readonly tag: string;
  readonly score: number;
  readonly confidence?: number;
}

/** A place in the queue, which stays where it is when suggestions come and go: the last suggestion of a page is one. */
export type QueuePosition = Omit<OpenSuggestion, 'title'>;

export interface QueueOptions {
  readonly minConfidence?: number | undefined;
  readonly tag?: string | undefined;
}

export interface OpenPage {
  readonly suggestions: OpenSuggestion[];
  /** Absent on the last page. */
  readonly next?: QueuePosition;
  /** How many suggestions the filter lets through, on all pages. */
  readonly numOpen: number;
}

/** What suggestions are sorted by, from the first that differs. */
interface Key {
  /** The confidence; of models without one, the score. */
  readonly worth: number;
  readonly score: number;
  readonly object: number;
  readonly tag: number;
}

const MAX_CHANGED = 2048; // objects that may wait to be sorted in: few enough to sort in some milliseconds
const MAX_SORTED = 16_384; // slots of one tag: more are sooner found in the order of all than sorted
const EMPTY = -1;

export class OpenSuggestions {
  readonly #graph: KnowledgeGraph;
  readonly #hasConfidence: boolean;
  readonly #perObject: number;
  readonly #tags: Int32Array; // (numObjects, perObject)
  readonly #scores: Float32Array; // likewise
  readonly #worths: Float64Array; // likewise
  readonly #isChanged: Uint8Array; // by slot
  #changed: number[] = [];
  #order: Int32Array = new Int32Array(0); // filled slots, the best first, but for those of changed objects

  constructor(graph: KnowledgeGraph, hasConfidence: boolean, perObject: number) {
    const numObjects = graph.objects.size;
    this.#graph = graph;
    this.#hasConfidence = hasConfidence;
    this.#perObject = perObject;
    this.#tags = new Int32Array(numObjects * perObject).fill(EMPTY);
    this.#scores = new Float32Array(numObjects * perObject);
    this.#worths = new Float64Array(numObjects * perObject);
    this.#isChanged = new Uint8Array(numObjects * perObject);
  }

  /** The suggestions of an object instead of those it had. */
  set(object: number, found: readonly TagScore[]): void {
    for (let i = 0; i < this.#perObject; i++) {
      const slot = object * this.#perObject + i;
      const one = found.at(i);
      this.#tags[slot] = one?.tag ?? EMPTY;
      this.#scores[slot] = one?.score ?? 0;
      this.#worths[slot] = one?.confidence ?? one?.score ?? 0;
    }
    this.#mark(object);
  }

  /** One suggestion less. */
  remove(object: number, tag: number): void {
    for (let slot = object * this.#perObject; slot < (object + 1) * this.#perObject; slot++) {
      if (this.#tags[slot] === tag) this.#tags[slot] = EMPTY;
    }
    this.#mark(object);
  }

  page(limit: number, after: QueuePosition | undefined, options: QueueOptions): OpenPage {
    const open = this.#filtered(options);
    const from = after === undefined ? 0 : this.#after(open, after);
    const suggestions = Array.from(open.subarray(from, from + limit), (slot) => this.#named(slot));
    const last = suggestions.at(-1);
    const hasMore = from + limit < open.length;
    return { suggestions, ...(hasMore && last && { next: positionOf(last) }), numOpen: open.length };
  }

  /** Those that the filter lets through, the best first. */
  #filtered({ minConfidence, tag }: QueueOptions): Int32Array {
    const id = tag === undefined ? -1 : this.#graph.tags.idOf(tag);
    if (tag !== undefined && id < 0) return new Int32Array(0);
    const few = id < 0 ? undefined : this.#fewSlotsOf(id, minConfidence);
    if (few !== undefined) return few;
    this.#sortIn();
    const sure = this.#order.subarray(0, this.#endOf(minConfidence));
    const tags = this.#tags;
    return id < 0 ? sure : sure.filter((slot) => tags[slot] === id);
  }

  /** The same for a tag of few slots, without the order of all: one pass through the memory finds them. Else undefined. */
  #fewSlotsOf(tag: number, minConfidence = Number.NEGATIVE_INFINITY): Int32Array | undefined {
    const [tags, worths, slots] = [this.#tags, this.#worths, [] as number[]];
    if (!this.#hasConfidence && minConfidence > Number.NEGATIVE_INFINITY) return new Int32Array(0);
    for (let slot = tags.indexOf(tag); slot >= 0; slot = tags.indexOf(tag, slot + 1)) {
      if (worths[slot] >= minConfidence && slots.push(slot) > MAX_SORTED) return undefined;
    }
    return Int32Array.from(slots).sort((a, b) => this.#compare(a, b));
  }

  #mark(object: number): void {
    if (this.#isChanged[object * this.#perObject]) return;
    this.#markSlots(object, 1);
    if (this.#changed.push(object) >= MAX_CHANGED) this.#sortIn();
  }

  #markSlots(object: number, mark: number): void {
    this.#isChanged.fill(mark, object * this.#perObject, (object + 1) * this.#perObject);
  }

  /** Takes the slots of changed objects out of the order and puts those that are filled in again, where they belong now. */
  #sortIn(): void {
    if (this.#changed.length === 0) return;
    const fresh = this.#sortedSlots(this.#changed);
    const kept = this.#unchangedOrder();
    const order = new Int32Array(kept.length + fresh.length);
    let [size, from] = [0, 0];
    for (const slot of fresh) {
      const to = firstWhere(kept, (other) => this.#compare(slot, other) < 0, from);
      order.set(kept.subarray(from, to), size);
      size += to - from;
      order[size++] = slot;
      from = to;
    }
    order.set(kept.subarray(from), size);
    this.#order = order;
    for (const object of this.#changed) this.#markSlots(object, 0);
    this.#changed = [];
  }

  #unchangedOrder(): Int32Array {
    const [order, isChanged] = [this.#order, this.#isChanged]; // looked up once, not in every step
    const kept = new Int32Array(order.length);
    let size = 0;
    for (let i = 0; i < order.length; i++) if (isChanged[order[i]] === 0) kept[size++] = order[i];
    return kept.subarray(0, size);
  }

  #sortedSlots(objects: readonly number[]): Int32Array {
    const slots: number[] = [];
    for (const object of objects) {
      for (let slot = object * this.#perObject; slot < (object + 1) * this.#perObject; slot++) {
        if (this.#tags[slot] !== EMPTY) slots.push(slot);
      }
    }
    return Int32Array.from(slots).sort((a, b) => this.#compare(a, b));
  }

  #compare(a: number, b: number): number {
    return (
      this.#worths[b] - this.#worths[a] ||
      this.#scores[b] - this.#scores[a] ||
      Math.floor(a / this.#perObject) - Math.floor(b / this.#perObject) ||
      this.#tags[a] - this.#tags[b]
    );
  }

  /** The first place behind a position. A name that is not known (any more) counts as the first: rather twice than never. */
  #after(slots: Int32Array, { object, tag, score, confidence }: QueuePosition): number {
    const { objects, tags } = this.#graph;
    const worth = this.#hasConfidence ? (confidence ?? 0) : score;
    const key: Key = { worth, score, object: objects.idOf(object), tag: tags.idOf(tag) };
    return firstWhere(slots, (slot) => this.#isBehind(slot, key));
  }

  #isBehind(slot: number, key: Key): boolean {
    const object = Math.floor(slot / this.#perObject);
    const difference =
      key.worth - this.#worths[slot] ||
      key.score - this.#scores[slot] ||
      object - key.object ||
      this.#tags[slot] - key.tag;
    return difference > 0;
  }

  /** Where those begin that are less confident. */
  #endOf(minConfidence: number | undefined): number {
    if (minConfidence === undefined) return this.#order.length;
    return this.#hasConfidence ? firstWhere(this.#order, (slot) => this.#worths[slot] < minConfidence) : 0;
  }

  #named(slot: number): OpenSuggestion {
    const { objects, titles, tags } = this.#graph;
    const object = Math.floor(slot / this.#perObject);
    return {
      object: objects.name(object),
      title: titles.at(object),
      tag: tags.name(this.#tags[slot]),
      score: this.#scores[slot],
      ...(this.#hasConfidence && { confidence: this.#worths[slot] }),
    };
  }
}

/** The first place from which on something holds of all slots. */
function firstWhere(slots: Int32Array, holds: (slot: number) => boolean, from = 0): number {
  let [low, high] = [from, slots.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(slots[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

function positionOf({ title: _, ...position }: OpenSuggestion): QueuePosition {
  return position;
}
