// The most confident suggestions over all objects, sorted: a few slots for each object in typed arrays, and the order of all
// filled slots. A change only notes where the slots of its object stand in the order; when that is next asked for, they are moved.
// A place in it is a suggestion (its worth, object and tag), so that paging goes on behind a suggestion that is no more.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Vocabulary } from '../../data/vocabulary.ts';
import { checkedSize } from '../../size-limits.ts';
import type { TagScore } from '../recommend/ranking.ts';
import { firstWhere, groupedPage, type OpenSlots } from './grouped-page.ts';

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

/** Whose suggestions they are; tags may be called otherwise than in the data. */
export type NamedGraph = Pick<KnowledgeGraph, 'objects' | 'titles'> & {
  readonly tags: Pick<Vocabulary, 'size' | 'name' | 'idOf'>;
};

const MAX_CHANGED = 2048; // objects that may wait to be sorted in: few enough to sort in some milliseconds
const MAX_SORTED = 16_384; // slots of one tag: more are sooner found in the order of all than sorted
const EMPTY = -1;
const LIKELY = 0.5;

export class OpenSuggestions {
  readonly #graph: NamedGraph;
  readonly #hasConfidence: boolean;
  readonly #perObject: number;
  readonly #tags: Int32Array; // (numObjects, perObject)
  readonly #scores: Float32Array; // likewise
  readonly #worths: Float64Array; // likewise
  readonly #isChanged: Uint8Array; // by object
  #changed: number[] = [];
  readonly #oldKeys = new Map<number, Key>(); // of slots of changed objects that stand in the order
  #oldPlaces: number[] = []; // where they stand there
  readonly #slots: Int32Array; // (numObjects, perObject): the order, and room for more
  #numSlots = 0;

  constructor(graph: NamedGraph, hasConfidence: boolean, perObject: number) {
    const numObjects = graph.objects.size;
    this.#graph = graph;
    this.#hasConfidence = hasConfidence;
    this.#perObject = perObject;
    const size = checkedSize('entries', numObjects * perObject, 'suggestions to review');
    this.#tags = new Int32Array(size).fill(EMPTY);
    this.#scores = new Float32Array(size);
    this.#worths = new Float64Array(size);
    this.#isChanged = new Uint8Array(numObjects);
    this.#slots = new Int32Array(size);
  }

  /** The suggestions of an object instead of those it had. */
  set(object: number, found: readonly TagScore[]): void {
    this.#mark(object);
    for (let i = 0; i < this.#perObject; i++) {
      const slot = object * this.#perObject + i;
      const one = found.at(i);
      this.#tags[slot] = one?.tag ?? EMPTY;
      this.#scores[slot] = one?.score ?? 0;
      this.#worths[slot] = one?.confidence ?? one?.score ?? 0;
    }
  }

  /** One suggestion less. */
  remove(object: number, tag: number): void {
    this.#mark(object);
    for (let slot = object * this.#perObject; slot < (object + 1) * this.#perObject; slot++) {
      if (this.#tags[slot] === tag) this.#tags[slot] = EMPTY;
    }
  }

  /**
   * Leaves each object those of its tags that `keep` gives back, from the best on; asked only about objects with a suggestion
   * of a marked tag.
   */
  filter(marks: Uint8Array, keep: (object: number, tags: readonly number[]) => readonly number[]): void {
    for (let slot = 0; slot < this.#tags.length; slot++) {
      if (this.#tags[slot] === EMPTY || marks[this.#tags[slot]] === 0) continue;
      const object = Math.floor(slot / this.#perObject);
      const slots = this.#slotsOf(object);
      const tags = slots.flatMap((own) => (this.#tags[own] === EMPTY ? [] : [this.#tags[own]]));
      const kept = keep(object, tags);
      for (const tag of tags) if (!kept.includes(tag)) this.remove(object, tag);
      slot = slots[slots.length - 1];
    }
  }

  /** How many are of any of some tags. */
  countOf(tags: ReadonlySet<number>): number {
    let count = 0;
    for (const tag of this.#tags) if (tag !== EMPTY && tags.has(tag)) count++;
    return count;
  }

  page(limit: number, after: QueuePosition | undefined, options: QueueOptions): OpenPage {
    return this.#pageOfCommonTag(limit, after, options) ?? this.#pageOf(limit, after, options);
  }

  #pageOf(limit: number, after: QueuePosition | undefined, options: QueueOptions): OpenPage {
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

  /** Of a tag with many slots: they are counted, but only those of the page are looked up in the order of all. */
  #pageOfCommonTag(limit: number, after: QueuePosition | undefined, options: QueueOptions): OpenPage | undefined {
    const tag = options.tag === undefined || options.group !== undefined ? EMPTY : this.#graph.tags.idOf(options.tag);
    const counts = tag < 0 ? undefined : this.#countsOf(tag, options.minConfidence);
    if (counts === undefined || counts.numOpen <= MAX_SORTED) return undefined;
    const [tags, sure] = [this.#tags, this.#filtered({ minConfidence: options.minConfidence })];
    const key = after && this.#keyOf(after);
    const found: number[] = [];
    for (let i = key ? firstWhere(sure, (slot) => this.#isBehind(slot, key)) : 0; i < sure.length; i++) {
      if (tags[sure[i]] === tag && found.push(sure[i]) > limit) break;
    }
    const suggestions = found.slice(0, limit).map((slot) => this.#named(slot));
    const last = suggestions.at(-1);
    return { suggestions, ...(found.length > limit && last && { next: placeOf(last) }), ...counts };
  }

  #countsOf(tag: number, minConfidence = Number.NEGATIVE_INFINITY): Pick<OpenPage, 'numOpen' | 'numLikely'> {
    const [tags, worths] = [this.#tags, this.#worths];
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
  #filtered({ minConfidence, tag: name }: QueueOptions): Int32Array {
    const tag = name === undefined ? EMPTY : this.#graph.tags.idOf(name);
    if (name !== undefined && tag < 0) return new Int32Array(0);
    const few = name === undefined ? undefined : this.#slotsOfTags([tag], minConfidence);
    if (few !== undefined) return Int32Array.from(few).sort((a, b) => this.#compare(a, b));
    this.#sortIn();
    const sure = this.#order.subarray(0, this.#endOf(minConfidence));
    if (name === undefined) return sure;
    const tags = this.#tags; // looked up once, not in every step
    const found: number[] = [];
    for (let i = 0; i < sure.length; i++) if (tags[sure[i]] === tag) found.push(sure[i]);
    return Int32Array.from(found);
  }

  /** The slots of some tags, without the order of all: one pass through the memory finds them. Undefined where they are many. */
  #slotsOfTags(wanted: readonly number[], minConfidence = Number.NEGATIVE_INFINITY): number[] | undefined {
    const [tags, worths, slots] = [this.#tags, this.#worths, [] as number[]];
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
    const [leader, last] = [after?.leader ?? after, after].map((place) => place && this.#keyOf(place));
    const start = leader &&
      last && {
        leader: (slot: number) => this.#difference(slot, leader),
        place: (slot: number) => this.#difference(slot, last),
      };
    const page = groupedPage(this.#openSlots(open, options), limit, start);
    const suggestions = page.slots.map((slot) => this.#named(slot));
    const end = suggestions.at(-1);
    if (page.leader === undefined || end === undefined) return { suggestions };
    return { suggestions, next: { ...placeOf(end), leader: placeOf(this.#named(page.leader)) } };
  }

  #openSlots(order: Int32Array, { group, minConfidence, tag }: QueueOptions): OpenSlots {
    const [tags, perObject, { objects, tags: names }] = [this.#tags, this.#perObject, this.#graph];
    const compare = (a: number, b: number) => this.#compare(a, b);
    if (group === 'tag') {
      const slotsOf = (groups: readonly number[]) => this.#slotsOfTags(groups, minConfidence);
      return { order, groupOf: (slot) => tags[slot], numGroups: names.size, slotsOf, compare };
    }
    const only = tag === undefined ? EMPTY : names.idOf(tag);
    const isOpen = (slot: number) =>
      tags[slot] !== EMPTY &&
      (only === EMPTY || tags[slot] === only) &&
      (minConfidence === undefined || this.#worths[slot] >= minConfidence);
    const slotsOf = (groups: readonly number[]) => groups.flatMap((object) => this.#slotsOf(object).filter(isOpen));
    return { order, groupOf: (slot) => Math.floor(slot / perObject), numGroups: objects.size, slotsOf, compare };
  }

  #slotsOf(object: number): number[] {
    return Array.from({ length: this.#perObject }, (_, i) => object * this.#perObject + i);
  }

  /** Before its slots change. */
  #mark(object: number): void {
    if (this.#isChanged[object]) return;
    if (this.#changed.length >= MAX_CHANGED) this.#sortIn();
    for (const slot of this.#slotsOf(object)) {
      if (this.#tags[slot] === EMPTY) continue;
      const key = this.#oldKeyOf(slot);
      this.#oldPlaces.push(firstWhere(this.#order, (other) => differenceOf(this.#oldKeyOf(other), key) >= 0));
      this.#oldKeys.set(slot, key);
    }
    this.#isChanged[object] = 1;
    this.#changed.push(object);
  }

  /** By which a slot stands in the order. */
  #oldKeyOf(slot: number): Key {
    const object = Math.floor(slot / this.#perObject);
    const key = { worth: this.#worths[slot], score: this.#scores[slot], object, tag: this.#tags[slot] };
    return this.#isChanged[object] ? (this.#oldKeys.get(slot) ?? key) : key;
  }

  /** Takes the slots of changed objects out of the order and puts those that are filled in again, where they belong now. */
  #sortIn(): void {
    if (this.#changed.length === 0) return;
    this.#takeOut(Int32Array.from(this.#oldPlaces).sort());
    this.#putIn(this.#sortedSlots(this.#changed));
    for (const object of this.#changed) this.#isChanged[object] = 0;
    this.#changed = [];
    this.#oldPlaces = [];
    this.#oldKeys.clear();
  }

  #takeOut(places: Int32Array): void {
    if (places.length === 0) return;
    let size = places[0];
    for (const [i, place] of places.entries()) {
      const end = places[i + 1] ?? this.#numSlots;
      this.#slots.copyWithin(size, place + 1, end);
      size += end - place - 1;
    }
    this.#numSlots = size;
  }

  /** From the last on, so that each part of the order moves once. */
  #putIn(fresh: Int32Array): void {
    let end = this.#numSlots;
    for (let i = fresh.length - 1; i >= 0; i--) {
      const place = firstWhere(this.#slots, (other) => this.#compare(fresh[i], other) < 0, 0, end);
      this.#slots.copyWithin(place + i + 1, place, end);
      this.#slots[place + i] = fresh[i];
      end = place;
    }
    this.#numSlots += fresh.length;
  }

  /** Filled slots, the best first, as of the last change that was sorted in. */
  get #order(): Int32Array {
    return this.#slots.subarray(0, this.#numSlots);
  }

  #sortedSlots(objects: readonly number[]): Int32Array {
    const slots: number[] = [];
    for (const object of objects) slots.push(...this.#slotsOf(object).filter((slot) => this.#tags[slot] !== EMPTY));
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
    if (minConfidence === undefined) return this.#numSlots;
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

/** Above 0: the first comes later. */
function differenceOf(a: Key, b: Key): number {
  return b.worth - a.worth || b.score - a.score || a.object - b.object || a.tag - b.tag;
}

function placeOf({ title: _, ...place }: OpenSuggestion): Place {
  return place;
}
