// The open suggestions over all objects, page by page, in one of a few orders. A place in an order is a suggestion (what it is sorted
// by, its object and tag), so that paging goes on behind a suggestion that is no more.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Vocabulary } from '../../data/vocabulary.ts';
import type { TagScore } from '../recommend/ranking.ts';
import { firstWhere, groupedPage, type OpenSlots } from './grouped-page.ts';
import { type Key, type KeysOf, SlotOrder } from './slot-order.ts';
import { EMPTY, Slots } from './slots.ts';

export interface OpenSuggestion {
  readonly object: string;
  readonly title: string;
  readonly tag: string;
  readonly score: number;
  readonly confidence?: number;
}

/**
 * Which suggestions come first: the most confident ones; those whose answer teaches most; or those of the objects with the fewest tags.
 */
export type QueueOrder = 'confident' | 'useful' | 'covered';

type Place = Omit<OpenSuggestion, 'title'> & {
  /** What it is sorted by, where that is not its confidence or score. */
  readonly worth?: number;
};

/** A place in the queue, which stays where it is when suggestions come and go: the last suggestion of a page is one. */
export interface QueuePosition extends Place {
  /** In a queue of groups: the best suggestion of its group. */
  readonly leader?: Place;
}

export interface QueueOptions {
  /** By default the most confident first. */
  readonly order?: QueueOrder | undefined;
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

/** Whose suggestions they are; tags may be called otherwise than in the data. */
export type NamedGraph = Pick<KnowledgeGraph, 'objects' | 'titles'> & {
  readonly tags: Pick<Vocabulary, 'size' | 'name' | 'idOf'>;
};

const MAX_SORTED = 16_384; // slots of one tag: more are sooner found in the order of all than sorted
const LIKELY = 0.5;
const SLICE = 1024; // objects that are put into a new order at a time

export class OpenSuggestions {
  readonly #graph: NamedGraph;
  readonly #hasConfidence: boolean;
  readonly #slots: Slots;
  readonly #numTagsOf: (object: number) => number;
  readonly #confident: SlotOrder;
  readonly #others = new Map<QueueOrder, { readonly order: SlotOrder; readonly filled: Promise<void> }>();

  /** `numTagsOf`: how many tags an object has by now. */
  constructor(
    graph: NamedGraph,
    hasConfidence: boolean,
    perObject: number,
    numTagsOf: (object: number) => number = () => 0,
  ) {
    this.#graph = graph;
    this.#hasConfidence = hasConfidence;
    this.#slots = new Slots(graph.objects.size, perObject);
    this.#numTagsOf = numTagsOf;
    this.#confident = new SlotOrder(this.#slots);
  }

  /** The suggestions of an object instead of those it had. */
  set(object: number, found: readonly TagScore[]): void {
    this.#change(object, () => this.#slots.set(object, found));
  }

  /** One suggestion less. */
  remove(object: number, tag: number): void {
    this.#change(object, () => this.#slots.remove(object, tag));
  }

  /** Where a tag is suggested, the likeliest first; of very common ones, only the first. */
  objectsWith(tag: number, most: number): number[] {
    const slots = this.#slotsOfTags([tag])?.sort((a, b) => this.#confident.compare(a, b)) ?? [];
    return slots.slice(0, most).map((slot) => this.#slots.objectOf(slot));
  }

  /** Before pages of an order are asked for: it is made when someone first wants it, little by little. */
  prepare(order: QueueOrder = 'confident'): Promise<void> {
    if (order === 'confident') return Promise.resolve();
    const known = this.#others.get(order);
    if (known !== undefined) return known.filled;
    const keysOf: KeysOf = order === 'useful' ? usefulness : (object, { worths }) => this.#coverage(object, worths);
    const fresh = new SlotOrder(this.#slots, keysOf);
    const filled = this.#fill(fresh);
    this.#others.set(order, { order: fresh, filled });
    return filled;
  }

  /**
   * Leaves each object those of its tags that `keep` gives back, from the best on; asked only about objects with a suggestion
   * of a marked tag.
   */
  filter(marks: Uint8Array, keep: (object: number, tags: readonly number[]) => readonly number[]): void {
    const { tags } = this.#slots;
    for (let slot = 0; slot < tags.length; slot++) {
      if (tags[slot] === EMPTY || marks[tags[slot]] === 0) continue;
      const object = this.#slots.objectOf(slot);
      const slots = this.#slots.of(object);
      const held = slots.flatMap((own) => (tags[own] === EMPTY ? [] : [tags[own]]));
      const kept = keep(object, held);
      for (const tag of held) if (!kept.includes(tag)) this.remove(object, tag);
      slot = slots[slots.length - 1];
    }
  }

  /** How many are of any of some tags. */
  countOf(wanted: ReadonlySet<number>): number {
    let count = 0;
    for (const tag of this.#slots.tags) if (tag !== EMPTY && wanted.has(tag)) count++;
    return count;
  }

  page(limit: number, after: QueuePosition | undefined, options: QueueOptions): OpenPage {
    return this.#pageOfCommonTag(limit, after, options) ?? this.#pageOf(limit, after, options);
  }

  #change(object: number, change: () => void): void {
    const orders = [this.#confident, ...Array.from(this.#others.values(), ({ order }) => order)];
    for (const order of orders) order.begin(object);
    change();
    for (const order of orders) order.end(object);
  }

  async #fill(order: SlotOrder): Promise<void> {
    for (let object = 0; object < this.#graph.objects.size; object++) {
      if (object % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
      order.add(object);
    }
  }

  /** The fewest tags first; among equals the most confident. */
  #coverage(object: number, worths: Float64Array): number[] {
    const numTags = this.#numTagsOf(object);
    return this.#slots.of(object).map((slot) => (this.#hasConfidence ? worths[slot] : 0) - 2 * numTags);
  }

  #orderOf({ order = 'confident' }: QueueOptions): SlotOrder {
    return this.#others.get(order)?.order ?? this.#confident;
  }

  #pageOf(limit: number, after: QueuePosition | undefined, options: QueueOptions): OpenPage {
    const open = this.#filtered(options);
    const order = this.#orderOf(options);
    const counts = {
      numOpen: open.length,
      ...(this.#hasConfidence && { numLikely: this.#numLikely(open, order) }),
    };
    if (options.group !== undefined) return { ...this.#groupedPage(limit, after, open, options), ...counts };
    const key = after && this.#keyOf(after);
    const from = key === undefined ? 0 : firstWhere(open, (slot) => order.difference(slot, key) > 0);
    const suggestions = Array.from(open.subarray(from, from + limit), (slot) => this.#named(slot));
    const last = open.subarray(from, from + limit).at(-1);
    const hasNext = from + limit < open.length && last !== undefined;
    return { suggestions, ...(hasNext && { next: this.#placeOf(last, order) }), ...counts };
  }

  /** Of a tag with many slots: they are counted, but only those of the page are looked up in the order of all. */
  #pageOfCommonTag(limit: number, after: QueuePosition | undefined, options: QueueOptions): OpenPage | undefined {
    const tag = options.tag === undefined || options.group !== undefined ? EMPTY : this.#graph.tags.idOf(options.tag);
    const counts = tag < 0 ? undefined : this.#countsOf(tag, options.minConfidence);
    if (counts === undefined || counts.numOpen <= MAX_SORTED) return undefined;
    const order = this.#orderOf(options);
    const [{ tags }, sure] = [this.#slots, this.#filtered({ ...options, tag: undefined })];
    const key = after && this.#keyOf(after);
    const found: number[] = [];
    for (let i = key ? firstWhere(sure, (slot) => order.difference(slot, key) > 0) : 0; i < sure.length; i++) {
      if (tags[sure[i]] === tag && found.push(sure[i]) > limit) break;
    }
    const suggestions = found.slice(0, limit).map((slot) => this.#named(slot));
    const last = found.slice(0, limit).at(-1);
    const hasNext = found.length > limit && last !== undefined;
    return { suggestions, ...(hasNext && { next: this.#placeOf(last, order) }), ...counts };
  }

  #numLikely(open: Int32Array, order: SlotOrder): number {
    const { worths } = this.#slots;
    if (order === this.#confident) return firstWhere(open, (slot) => worths[slot] < LIKELY);
    let count = 0;
    for (const slot of open) if (worths[slot] >= LIKELY) count++;
    return count;
  }

  #countsOf(tag: number, minConfidence = Number.NEGATIVE_INFINITY): Pick<OpenPage, 'numOpen' | 'numLikely'> {
    const { tags, worths } = this.#slots;
    let [numOpen, numLikely] = [0, 0];
    for (let slot = tags.indexOf(tag); slot >= 0; slot = tags.indexOf(tag, slot + 1)) {
      if (!(worths[slot] >= minConfidence)) continue;
      numOpen++;
      if (worths[slot] >= LIKELY) numLikely++;
    }
    if (this.#hasConfidence) return { numOpen, numLikely };
    return { numOpen: minConfidence > Number.NEGATIVE_INFINITY ? 0 : numOpen };
  }

  /** Those that the filter lets through, the best first. */
  #filtered(options: QueueOptions): Int32Array {
    const { minConfidence, tag: name } = options;
    const order = this.#orderOf(options);
    const tag = name === undefined ? EMPTY : this.#graph.tags.idOf(name);
    if (name !== undefined && tag < 0) return new Int32Array(0);
    const few = name === undefined ? undefined : this.#slotsOfTags([tag], minConfidence);
    if (few !== undefined) return Int32Array.from(few).sort((a, b) => order.compare(a, b));
    const sure = this.#sureOf(order, minConfidence);
    if (name === undefined) return sure;
    const { tags } = this.#slots; // looked up once, not in every step
    const found: number[] = [];
    for (let i = 0; i < sure.length; i++) if (tags[sure[i]] === tag) found.push(sure[i]);
    return Int32Array.from(found);
  }

  /** Those that are confident enough, in an order. */
  #sureOf(order: SlotOrder, minConfidence: number | undefined): Int32Array {
    const all = order.all();
    if (minConfidence === undefined) return all;
    if (!this.#hasConfidence) return all.subarray(0, 0);
    const { worths } = this.#slots;
    if (order === this.#confident)
      return all.subarray(
        0,
        firstWhere(all, (slot) => worths[slot] < minConfidence),
      );
    return all.filter((slot) => worths[slot] >= minConfidence);
  }

  /** The slots of some tags, without the order of all: one pass through the memory finds them. Undefined where they are many. */
  #slotsOfTags(wanted: readonly number[], minConfidence = Number.NEGATIVE_INFINITY): number[] | undefined {
    const [{ tags, worths }, slots] = [this.#slots, [] as number[]];
    if (!this.#hasConfidence && minConfidence > Number.NEGATIVE_INFINITY) return [];
    if (wanted.length === 1) {
      for (let slot = tags.indexOf(wanted[0]); slot >= 0; slot = tags.indexOf(wanted[0], slot + 1)) {
        if (worths[slot] >= minConfidence && slots.push(slot) > MAX_SORTED) return undefined;
      }
      return slots;
    }
    const isWanted = new Uint8Array(this.#graph.tags.size + 1); // the last: of empty slots
    for (const tag of wanted) isWanted[tag] = 1;
    for (let slot = 0; slot < tags.length; slot++) {
      if (isWanted[tags[slot]] !== 1 || !(worths[slot] >= minConfidence)) continue;
      if (slots.push(slot) > MAX_SORTED) return undefined;
    }
    return slots;
  }

  #groupedPage(limit: number, after: QueuePosition | undefined, open: Int32Array, options: QueueOptions) {
    const order = this.#orderOf(options);
    const [leader, last] = [after?.leader ?? after, after].map((place) => place && this.#keyOf(place));
    const start = leader &&
      last && {
        leader: (slot: number) => order.difference(slot, leader),
        place: (slot: number) => order.difference(slot, last),
      };
    const page = groupedPage(this.#openSlots(open, options), limit, start);
    const suggestions = page.slots.map((slot) => this.#named(slot));
    const end = page.slots.at(-1);
    if (page.leader === undefined || end === undefined) return { suggestions };
    return { suggestions, next: { ...this.#placeOf(end, order), leader: this.#placeOf(page.leader, order) } };
  }

  #openSlots(open: Int32Array, options: QueueOptions): OpenSlots {
    const { group, minConfidence, tag } = options;
    const [slots, order, { objects, tags: names }] = [this.#slots, this.#orderOf(options), this.#graph];
    const compare = (a: number, b: number) => order.compare(a, b);
    if (group === 'tag') {
      const slotsOf = (groups: readonly number[]) => this.#slotsOfTags(groups, minConfidence);
      return { order: open, groupOf: (slot) => slots.tags[slot], numGroups: names.size, slotsOf, compare };
    }
    const only = tag === undefined ? EMPTY : names.idOf(tag);
    const isOpen = (slot: number) =>
      slots.tags[slot] !== EMPTY &&
      (only === EMPTY || slots.tags[slot] === only) &&
      (minConfidence === undefined || slots.worths[slot] >= minConfidence);
    const slotsOf = (groups: readonly number[]) => groups.flatMap((object) => slots.of(object).filter(isOpen));
    return { order: open, groupOf: (slot) => slots.objectOf(slot), numGroups: objects.size, slotsOf, compare };
  }

  /** A name that is not known (any more) counts as the first: rather twice than never. */
  #keyOf({ object, tag, score, confidence, worth }: Place): Key {
    const { objects, tags } = this.#graph;
    const known = worth ?? (this.#hasConfidence ? (confidence ?? 0) : score);
    return { worth: known, score, object: objects.idOf(object), tag: tags.idOf(tag) };
  }

  #placeOf(slot: number, order: SlotOrder): Place {
    const { title: _, ...place } = this.#named(slot);
    return { ...place, ...(order !== this.#confident && { worth: order.worthOf(slot) }) };
  }

  #named(slot: number): OpenSuggestion {
    const { objects, titles, tags } = this.#graph;
    const { tags: tagAt, scores, worths } = this.#slots;
    const object = this.#slots.objectOf(slot);
    return {
      object: objects.name(object),
      title: titles.at(object),
      tag: tags.name(tagAt[slot]),
      score: scores[slot],
      ...(this.#hasConfidence && { confidence: worths[slot] }),
    };
  }
}

/** Suggestions of an object that count as seen: the first three, as in Recall@3. */
const NUM_SEEN = 3;
/** Of a question that nothing is known to come up behind: after all others, the likelier first. */
const LAST = 1e-4;

/**
 * What an answer is expected to gain. Whatever it is, the suggestion leaves the first three and the next one comes up: much is gained
 * where that one is likely, and where the object probably lacks few others, of which it is then a large share. That share counts
 * twice as much as it should by this argument: chosen on pairs hidden from training pairs (docs/results/curation.md).
 */
const usefulness: KeysOf = (object, { perObject, tags, worths }) => {
  const first = object * perObject;
  const keys = new Float64Array(perObject);
  const open: number[] = [];
  for (let i = 0; i < perObject; i++) if (tags[first + i] !== EMPTY) open.push(i);
  const likely = open.map((i) => Math.max(0, worths[first + i]));
  const expected = likely.reduce((sum, one) => sum + one, 0);
  for (const [rank, i] of open.entries()) {
    const next = likely[rank + NUM_SEEN];
    keys[i] = next === undefined ? LAST * likely[rank] : next / (1 + expected - next) ** 2;
  }
  return keys;
};
