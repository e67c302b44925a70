// The most confident suggestions over all objects, sorted: a few slots for each object in typed arrays, and the order of all
// filled slots. A change only marks its object; the order is brought up to date when it is next asked for, in one pass.
// A place in it is a suggestion (its worth, object and tag), so that paging goes on behind a suggestion that is no more.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { TagScore } from '../recommend/ranking.ts';
import { type GroupedOrder, groupedOrder } from './grouped-order.ts';

export interface OpenSuggestion {
  readonly object: string;
  readonly title: string;
  readonly tag: string;
  readonly score: number;
  readonly confidence?: number;
}

type Place = Omit<OpenSuggestion, 'title'>;

/** A place in the queue, which stays where it is when suggestions come and go: the last suggestion of a page is one. */
export interface QueuePosition extends Place {
  /** In a queue of groups: the best suggestion of its group. */
  readonly leader?: Place;
}

export interface QueueOptions {
  readonly minConfidence?: number | undefined;
  readonly tag?: string | undefined;
  /** What belongs to one object, or to one tag, comes in one piece; the group with the best suggestion first. */
  readonly group?: 'object' | 'tag' | undefined;
}

export interface OpenPage {
  readonly suggestions: OpenSuggestion[];
  /** Absent on the last page. */
  readonly next?: QueuePosition;
  /** How many suggestions the filter lets through, on all pages. */
  readonly numOpen: number;
  /** How many of them are rather right than wrong, of models that know. */
  readonly numLikely?: number;
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
const LIKELY = 0.5;

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
  #grouped: { readonly order: Int32Array; readonly key: string; readonly made: GroupedOrder } | undefined; // the last

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
    const counts = {
      numOpen: open.length,
      ...(this.#hasConfidence && { numLikely: firstWhere(open, (slot) => this.#worths[slot] < LIKELY) }),
    };
    if (options.group !== undefined) return { ...this.#groupedPage(limit, after, open, options), ...counts };
    const from = after === undefined ? 0 : firstWhere(open, (slot) => this.#isBehind(slot, this.#keyOf(after)));
    const suggestions = Array.from(open.subarray(from, from + limit), (slot) => this.#named(slot));
    const last = suggestions.at(-1);
    return { suggestions, ...(from + limit < open.length && last && { next: placeOf(last) }), ...counts };
  }

  /** Those that the filter lets through, the best first. */
  #filtered({ minConfidence, tag: name, group }: QueueOptions): Int32Array {
    const tag = name === undefined ? EMPTY : this.#graph.tags.idOf(name);
    if (name !== undefined && tag < 0) return new Int32Array(0);
    const few = name === undefined || group !== undefined ? undefined : this.#fewSlotsOf(tag, minConfidence);
    if (few !== undefined) return few;
    this.#sortIn();
    const sure = this.#order.subarray(0, this.#endOf(minConfidence));
    if (name === undefined) return sure;
    const tags = this.#tags; // looked up once, not in every step
    const found: number[] = [];
    for (let i = 0; i < sure.length; i++) if (tags[sure[i]] === tag) found.push(sure[i]);
    return Int32Array.from(found);
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

  #groupedPage(limit: number, after: QueuePosition | undefined, open: Int32Array, options: QueueOptions) {
    const grouped = this.#groups(open, options);
    const { slots, starts } = grouped;
    const from = after === undefined ? 0 : this.#afterInGroups(grouped, after);
    const suggestions = Array.from(slots.subarray(from, from + limit), (slot) => this.#named(slot));
    const last = suggestions.at(-1);
    if (from + limit >= slots.length || last === undefined) return { suggestions };
    const group = firstWhere(starts, (start) => start >= from + limit) - 1;
    const leader = placeOf(this.#named(slots[starts[group]]));
    return { suggestions, next: { ...placeOf(last), leader } };
  }

  /** Made once for each order and filter. */
  #groups(open: Int32Array, { group, minConfidence, tag }: QueueOptions): GroupedOrder {
    const key = JSON.stringify([group, minConfidence, tag]);
    if (this.#grouped?.order === this.#order && this.#grouped.key === key) return this.#grouped.made;
    const [tags, perObject] = [this.#tags, this.#perObject];
    const made =
      group === 'tag'
        ? groupedOrder(open, (slot) => tags[slot], this.#graph.tags.size)
        : groupedOrder(open, (slot) => Math.floor(slot / perObject), this.#graph.objects.size);
    this.#grouped = { order: this.#order, key, made };
    return made;
  }

  /** Where a group has got another leader meanwhile, it is a group that comes later: rather twice than never. */
  #afterInGroups({ slots, starts }: GroupedOrder, { leader, ...place }: QueuePosition): number {
    const leaderKey = this.#keyOf(leader ?? place);
    const group = firstWhere(starts.subarray(0, -1), (start) => this.#difference(slots[start], leaderKey) >= 0);
    const [start, end] = [starts[group], starts[group + 1]];
    if (end === undefined || this.#difference(slots[start], leaderKey) > 0) return start;
    const key = this.#keyOf(place);
    return start + firstWhere(slots.subarray(start, end), (slot) => this.#isBehind(slot, key));
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

  /** A name that is not known (any more) counts as the first: rather twice than never. */
  #keyOf({ object, tag, score, confidence }: Place): Key {
    const { objects, tags } = this.#graph;
    const worth = this.#hasConfidence ? (confidence ?? 0) : score;
    return { worth, score, object: objects.idOf(object), tag: tags.idOf(tag) };
  }

  #isBehind(slot: number, key: Key): boolean {
    return this.#difference(slot, key) > 0;
  }

  /** Above 0: the slot comes later. */
  #difference(slot: number, key: Key): number {
    return (
      key.worth - this.#worths[slot] ||
      key.score - this.#scores[slot] ||
      Math.floor(slot / this.#perObject) - key.object ||
      this.#tags[slot] - key.tag
    );
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

function placeOf({ title: _, ...place }: OpenSuggestion): Place {
  return place;
}
