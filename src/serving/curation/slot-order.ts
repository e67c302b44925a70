// The order of all filled slots by a key, kept while they change. A change only notes where the slots of its object stand in the
// order; when that is next asked for, they are moved.

import { firstWhere } from './grouped-page.ts';
import { EMPTY, type Slots } from './slots.ts';

/** What suggestions are sorted by, from the first that differs. */
export interface Key {
  readonly worth: number;
  readonly score: number;
  readonly object: number;
  readonly tag: number;
}

/** By slot of an object what it is sorted by, the highest first. */
export type KeysOf = (object: number, slots: Slots) => ArrayLike<number>;

const MAX_CHANGED = 2048; // objects that may wait to be sorted in: few enough to sort in some milliseconds

export class SlotOrder {
  readonly #slots: Slots;
  readonly #keysOf: KeysOf | undefined; // none: by what suggestions are worth
  readonly #keys: Float64Array; // by slot
  readonly #isChanged: Uint8Array; // by object
  #changed: number[] = [];
  readonly #oldKeys = new Map<number, Key>(); // of slots of changed objects that stand in the order
  #oldPlaces: number[] = []; // where they stand there
  readonly #order: Int32Array; // slots, and room for more
  #size = 0;

  constructor(slots: Slots, keysOf?: KeysOf) {
    this.#slots = slots;
    this.#keysOf = keysOf;
    this.#keys = keysOf === undefined ? slots.worths : new Float64Array(slots.tags.length);
    this.#isChanged = new Uint8Array(Math.floor(slots.tags.length / slots.perObject));
    this.#order = new Int32Array(slots.tags.length);
  }

  /** Before slots of an object change. */
  begin(object: number): void {
    if (this.#isChanged[object]) return;
    if (this.#changed.length >= MAX_CHANGED) this.#sortIn();
    for (const slot of this.#slots.of(object)) this.#forget(slot);
    this.#isChanged[object] = 1;
    this.#changed.push(object);
  }

  /** After that. */
  end(object: number): void {
    if (this.#keysOf === undefined) return;
    this.#keys.set(Array.from(this.#keysOf(object, this.#slots)), object * this.#slots.perObject);
  }

  /** Takes in an object whose slots were there before the order. */
  add(object: number): void {
    this.begin(object);
    this.end(object);
  }

  /** Filled slots, the best first; until the next change. */
  all(): Int32Array {
    this.#sortIn();
    return this.#order.subarray(0, this.#size);
  }

  compare(a: number, b: number): number {
    const { scores, tags } = this.#slots;
    return (
      this.#keys[b] - this.#keys[a] ||
      scores[b] - scores[a] ||
      this.#slots.objectOf(a) - this.#slots.objectOf(b) ||
      tags[a] - tags[b]
    );
  }

  /** Above 0: the slot comes later than a place. */
  difference(slot: number, place: Key): number {
    return differenceOf(this.#keyOf(slot), place);
  }

  worthOf(slot: number): number {
    return this.#keys[slot];
  }

  #keyOf(slot: number): Key {
    const { scores, tags } = this.#slots;
    return { worth: this.#keys[slot], score: scores[slot], object: this.#slots.objectOf(slot), tag: tags[slot] };
  }

  /** By which a slot stands in the order. */
  #oldKeyOf(slot: number): Key {
    const isChanged = this.#isChanged[this.#slots.objectOf(slot)] === 1;
    return (isChanged ? this.#oldKeys.get(slot) : undefined) ?? this.#keyOf(slot);
  }

  #forget(slot: number): void {
    if (this.#slots.tags[slot] === EMPTY) return;
    const key = this.#oldKeyOf(slot);
    const sorted = this.#order.subarray(0, this.#size);
    const place = firstWhere(sorted, (other) => differenceOf(this.#oldKeyOf(other), key) >= 0);
    if (sorted[place] !== slot) return; // not in the order yet
    this.#oldPlaces.push(place);
    this.#oldKeys.set(slot, key);
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
      const end = places[i + 1] ?? this.#size;
      this.#order.copyWithin(size, place + 1, end);
      size += end - place - 1;
    }
    this.#size = size;
  }

  /** From the last on, so that each part of the order moves once. */
  #putIn(fresh: Int32Array): void {
    let end = this.#size;
    for (let i = fresh.length - 1; i >= 0; i--) {
      const place = firstWhere(this.#order, (other) => this.compare(fresh[i], other) < 0, 0, end);
      this.#order.copyWithin(place + i + 1, place, end);
      this.#order[place + i] = fresh[i];
      end = place;
    }
    this.#size += fresh.length;
  }

  #sortedSlots(objects: readonly number[]): Int32Array {
    const filled: number[] = [];
    for (const object of objects)
      filled.push(...this.#slots.of(object).filter((slot) => this.#slots.tags[slot] !== EMPTY));
    return Int32Array.from(filled).sort((a, b) => this.compare(a, b));
  }
}

/** Above 0: the first comes later. */
function differenceOf(a: Key, b: Key): number {
  return b.worth - a.worth || b.score - a.score || a.object - b.object || a.tag - b.tag;
}
