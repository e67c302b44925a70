// Names and their ids. A Vocabulary is where strings end: it keeps all names as UTF-8 in one byte array, gives the
// id of a name and the name of an id, and its ids are the ranks of the names in byte order, so they do not depend on
// the order in which names were met. VocabularyBuilder collects names in arrival order and then sorts them once.

import { checkedSize, grownSize } from '../size-limits.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Strings by id, in memory (`NameTable`) or in a file beside a model. */
export interface TextTable {
  /** The number of strings. */
  readonly size: number;
  /** Where each begins, in bytes of UTF-8; the last is the size of all. */
  readonly offsets: Uint32Array;
  /** The string with this id; throws a RangeError where there is none. */
  at(id: number): string;
  /** The same as UTF-8. */
  bytesOf(id: number): Uint8Array;
  /** The bytes of all strings, end to end, in pieces. */
  pieces(): Iterable<Uint8Array>;
  /** All strings, by id. */
  toArray(): string[];
}

/**
 * An immutable list of strings, kept as UTF-8 bytes end to end: string i is `offsets[i]` to `offsets[i + 1]`.
 *
 * @example
 * import { NameTable } from 'tagloom';
 *
 * const names = NameTable.from(['Alien', 'Blade Runner']);
 * console.log(names.size, names.at(1)); // 2 Blade Runner
 */
export class NameTable implements TextTable {
  readonly bytes: Uint8Array; // all names, end to end
  readonly offsets: Uint32Array; // (size + 1)

  constructor(bytes: Uint8Array, offsets: Uint32Array) {
    this.bytes = bytes;
    this.offsets = offsets;
  }

  /** The table of a list of strings, in its order. */
  static from(names: readonly string[]): NameTable {
    const encoded = names.map((name) => encoder.encode(name));
    const offsets = new Uint32Array(names.length + 1);
    let numBytes = 0;
    for (let i = 0; i < names.length; i++) {
      numBytes += encoded[i].length;
      offsets[i + 1] = numBytes;
    }
    const bytes = new Uint8Array(checkedSize('nameBytes', numBytes, 'bytes of names'));
    for (let i = 0; i < names.length; i++) bytes.set(encoded[i], offsets[i]);
    return new NameTable(bytes, offsets);
  }

  /** The number of strings. */
  get size(): number {
    return this.offsets.length - 1;
  }

  /** The string with this id; throws a RangeError where there is none. */
  at(id: number): string {
    return decoder.decode(this.bytesOf(id));
  }

  /** The same as UTF-8; a view. */
  bytesOf(id: number): Uint8Array {
    if (!(id >= 0 && id < this.size)) throw new RangeError(`Got id ${id} when expected 0 to ${this.size - 1}.`);
    return this.bytes.subarray(this.offsets[id], this.offsets[id + 1]);
  }

  /** All bytes, in one piece. */
  pieces(): Iterable<Uint8Array> {
    return [this.bytes];
  }

  /** All strings, by id. */
  toArray(): string[] {
    return Array.from({ length: this.size }, (_, id) => this.at(id));
  }
}

/** What a vocabulary is made of, to be sent to another thread: there, nothing needs to be computed again. */
export interface VocabularyParts {
  readonly names: NameTable;
  readonly slots: Int32Array;
}

// what only threads need is no part of the class that users see
let takeApart: (vocabulary: Vocabulary) => VocabularyParts;
let putTogether: (parts: VocabularyParts) => Vocabulary;

export function vocabularyParts(vocabulary: Vocabulary): VocabularyParts {
  return takeApart(vocabulary);
}

export function vocabularyFromParts(parts: VocabularyParts): Vocabulary {
  return putTogether(parts);
}

/**
 * Distinct names and their ids. The ids are 0, 1, … in the byte order of the names, so they do not depend on the order in which
 * the names came.
 *
 * @example
 * import { Vocabulary } from 'tagloom';
 *
 * const tags = Vocabulary.from(['rock', 'jazz', 'rock']);
 * console.log(tags.size); // 2
 * console.log(tags.idOf('jazz'), tags.idOf('polka')); // 0 -1
 * console.log(tags.name(1)); // rock
 */
export class Vocabulary {
  /** All names, by id. */
  readonly names: NameTable;
  #known: HashIndex | undefined; // computed on demand: training never looks a name up, and of ten million it takes half a gigabyte

  static {
    takeApart = (vocabulary) => ({ names: vocabulary.names, slots: vocabulary.#index.slots });
    putTogether = ({ names, slots }) => new Vocabulary(names, HashIndex.fromSlots(slots));
  }

  private constructor(names: NameTable, known?: HashIndex) {
    this.names = names;
    this.#known = known;
  }

  /** The vocabulary of a table already sorted and free of duplicates. */
  static fromSorted(names: NameTable): Vocabulary {
    checkedSize('names', names.size, 'distinct names');
    return new Vocabulary(names);
  }

  /** The vocabulary of names in any order, with repeats. */
  static from(names: Iterable<string>): Vocabulary {
    const builder = new VocabularyBuilder();
    for (const name of names) builder.add(name);
    return builder.finish().vocabulary;
  }

  get #index(): HashIndex {
    this.#known ??= indexOf(this.names);
    return this.#known;
  }

  /** The number of names. */
  get size(): number {
    return this.names.size;
  }

  /** The name with this id; throws a RangeError where there is none. */
  name(id: number): string {
    return this.names.at(id);
  }

  /** The id of a name, or −1. */
  idOf(name: string): number {
    const bytes = encoder.encode(name);
    return this.idOfBytes(bytes, 0, bytes.length);
  }

  /** The id of the name at bytes[start, end), in UTF-8, or −1. */
  idOfBytes(bytes: Uint8Array, start: number, end: number): number {
    return this.#index.find(this.names.bytes, bytes, start, end, hashBytes(bytes, start, end));
  }
}

function indexOf({ size, offsets, bytes }: NameTable): HashIndex {
  const index = new HashIndex(size);
  for (let id = 0; id < size; id++) {
    const [start, end] = [offsets[id], offsets[id + 1]];
    index.insert(id, start, end, hashBytes(bytes, start, end));
  }
  return index;
}

/** Collects names in arrival order; `finish` sorts them and says where each arrival id went. */
export class VocabularyBuilder {
  #bytes = new Uint8Array(1 << 12);
  #offsets = new Uint32Array(1 << 8);
  #index = new HashIndex(1 << 7);
  #size = 0;
  readonly #scratch = new Uint8Array(256);

  get size(): number {
    return this.#size;
  }

  add(name: string): number {
    const length = writeAscii(name, this.#scratch);
    if (length >= 0) return this.addBytes(this.#scratch, 0, length);
    const bytes = encoder.encode(name);
    return this.addBytes(bytes, 0, bytes.length);
  }

  /** The arrival id of the name at bytes[start, end), adding it if it is new. */
  addBytes(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    const found = this.#index.find(this.#bytes, bytes, start, end, hash);
    return found >= 0 ? found : this.#append(bytes, start, end, hash);
  }

  finish(): { vocabulary: Vocabulary; rank: Int32Array } {
    const order = this.#sortedOrder(); // id → arrival id
    const rank = new Int32Array(this.#size); // arrival id → id
    const offsets = new Uint32Array(this.#size + 1);
    const bytes = new Uint8Array(this.#offsets[this.#size]);
    for (let id = 0; id < order.length; id++) {
      const arrival = order[id];
      const name = this.#bytes.subarray(this.#offsets[arrival], this.#offsets[arrival + 1]);
      rank[arrival] = id;
      bytes.set(name, offsets[id]);
      offsets[id + 1] = offsets[id] + name.length;
    }
    return { vocabulary: Vocabulary.fromSorted(new NameTable(bytes, offsets)), rank };
  }

  #append(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const id = this.#size++;
    const at = this.#offsets[id];
    const after = at + end - start;
    checkedSize('nameBytes', after, 'bytes of distinct names');
    if (after > this.#bytes.length) this.#bytes = grown(this.#bytes, after);
    if (id + 1 >= this.#offsets.length) this.#offsets = grown(this.#offsets, id + 2);
    for (let i = start; i < end; i++) this.#bytes[at + i - start] = bytes[i];
    this.#offsets[id + 1] = after;
    if (this.#index.isFull) this.#index = this.#index.doubled();
    this.#index.insert(id, at, after, hash);
    return id;
  }

  /** Arrival ids by name. The first six bytes, packed into one exact number, decide almost every comparison. */
  #sortedOrder(): Int32Array {
    const [bytes, offsets] = [this.#bytes, this.#offsets];
    const prefix = new Float64Array(this.#size);
    for (let id = 0; id < this.#size; id++) {
      let packed = 0;
      for (let i = offsets[id]; i < offsets[id] + 6; i++) packed = packed * 256 + (i < offsets[id + 1] ? bytes[i] : 0);
      prefix[id] = packed;
    }
    const order = Int32Array.from({ length: this.#size }, (_, id) => id);
    return order.sort((a, b) => prefix[a] - prefix[b] || compareBytes(bytes, offsets, a, b));
  }
}

/** Writes a short text of ASCII, as most names are, and returns its length; −1 where it is another. */
function writeAscii(text: string, out: Uint8Array): number {
  if (text.length > out.length) return -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return -1;
    out[i] = code;
  }
  return text.length;
}

function compareBytes(bytes: Uint8Array, offsets: Uint32Array, a: number, b: number): number {
  const [startA, startB] = [offsets[a], offsets[b]];
  const [lengthA, lengthB] = [offsets[a + 1] - startA, offsets[b + 1] - startB];
  const shared = Math.min(lengthA, lengthB);
  for (let i = 0; i < shared; i++) {
    const difference = bytes[startA + i] - bytes[startB + i];
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

function grown<T extends Uint8Array | Uint32Array>(array: T, needed: number): T {
  const larger = new (array.constructor as new (length: number) => T)(grownSize('nameBytes', array.length, needed));
  larger.set(array);
  return larger;
}

/**
 * Open addressing with linear probing, at most half full. A slot is four numbers (hash, id + 1, start and end of the
 * name in the table), so that a look-up touches one cache line here and one in the table: at a million names, the time
 * is spent waiting for memory.
 */
class HashIndex {
  readonly slots: Int32Array; // (numSlots, 4); a slot whose second number is 0 is empty
  readonly #mask: number;
  #size = 0;

  constructor(capacity: number, slots: Int32Array = new Int32Array(4 * numSlotsFor(capacity))) {
    this.slots = slots;
    this.#mask = slots.length / 4 - 1;
  }

  /** To find names with; more cannot be inserted. */
  static fromSlots(slots: Int32Array): HashIndex {
    return new HashIndex(0, slots);
  }

  get isFull(): boolean {
    return this.#size * 2 > this.#mask;
  }

  /** The id of the name at bytes[start, end), or −1; `table` holds the names that were inserted. */
  find(table: Uint8Array, bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.slots;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = slots[4 * slot + 1] - 1;
      if (id < 0) return -1;
      if (slots[4 * slot] !== hash) continue;
      let at = slots[4 * slot + 2] >>> 0;
      if ((slots[4 * slot + 3] >>> 0) - at !== end - start) continue;
      let i = start;
      while (i < end && table[at] === bytes[i]) {
        at++;
        i++;
      }
      if (i === end) return id;
    }
  }

  insert(id: number, start: number, end: number, hash: number): void {
    const slots = this.slots;
    let slot = hash & this.#mask;
    while (slots[4 * slot + 1] !== 0) slot = (slot + 1) & this.#mask;
    slots[4 * slot] = hash;
    slots[4 * slot + 1] = id + 1;
    slots[4 * slot + 2] = start;
    slots[4 * slot + 3] = end;
    this.#size++;
  }

  doubled(): HashIndex {
    const slots = this.slots;
    const larger = new HashIndex(this.#size + 1); // twice the slots, since half of them are used
    for (let at = 0; at < slots.length; at += 4) {
      if (slots[at + 1] !== 0) larger.insert(slots[at + 1] - 1, slots[at + 2], slots[at + 3], slots[at]);
    }
    return larger;
  }
}

/** A power of two, at most half of which is used. */
function numSlotsFor(capacity: number): number {
  checkedSize('names', capacity, 'distinct names');
  let numSlots = 16;
  while (numSlots < capacity * 2) numSlots *= 2;
  return numSlots;
}

/** FNV-1a with a final mix, so that the low bits the table uses depend on every byte. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) | 0;
}
