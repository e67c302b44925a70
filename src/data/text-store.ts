// Texts of objects while a data set is read: by the order in which objects came, as UTF-8 in blocks, so that a million descriptions
// are a few hundred large arrays instead of a million strings. In the end they become one NameTable, by object id.

import { checkedSize } from '../size-limits.ts';
import { NameTable } from './vocabulary.ts';

const BLOCK_BYTES = 1 << 22;
const encoder = new TextEncoder();

/** Which of two different texts of an object stays: the first that came, or the first in byte order. */
export type Preference = 'first' | 'least';

/** One text for each object at most. A blank text is none. */
export class TextStore {
  #blocks: Uint8Array[] = [];
  #size = 0; // bytes used of the last block
  #block = new Int32Array(1 << 8); // by arrival id, 1 + the block that its text is in; 0: none
  #start = new Int32Array(1 << 8);
  #length = new Int32Array(1 << 8);
  #numTexts = 0;
  #numConflicts = 0;

  /** Objects that have a text. */
  get numTexts(): number {
    return this.#numTexts;
  }

  /** How often a text came that was not the one its object had. */
  get numConflicts(): number {
    return this.#numConflicts;
  }

  put(arrival: number, text: string, preference: Preference): void {
    if (text === '') return;
    const place = this.#reserve(3 * text.length); // a UTF-16 unit has at most three bytes
    const length = encoder.encodeInto(text, place).written;
    this.#keep(arrival, length, preference);
  }

  /** The text at bytes[start, end), in UTF-8. */
  putBytes(arrival: number, bytes: Uint8Array, start: number, end: number, preference: Preference): void {
    if (start === end) return;
    this.#reserve(end - start).set(bytes.subarray(start, end));
    this.#keep(arrival, end - start, preference);
  }

  /** Decides on a text that was written at the end of the last block. */
  #keep(arrival: number, length: number, preference: Preference): void {
    if (arrival >= this.#block.length) this.#grow(arrival + 1);
    const [block, start] = [this.#blocks.length - 1, this.#size];
    if (this.#block[arrival] === 0) this.#numTexts++;
    else {
      const order = compare(this.#blocks[block].subarray(start, start + length), this.#bytesOf(arrival));
      if (order !== 0) this.#numConflicts++;
      if (order >= 0 || preference === 'first') return; // what comes next is written over it
    }
    this.#size += length;
    this.#block[arrival] = block + 1;
    this.#start[arrival] = start;
    this.#length[arrival] = length;
  }

  /** All texts by id: `rank` says which id each arrival got. An object without one gets what `otherwise` has for it, or ''. */
  finish(rank: Int32Array, otherwise?: NameTable): NameTable {
    const arrivals = new Int32Array(rank.length);
    for (let arrival = 0; arrival < rank.length; arrival++) arrivals[rank[arrival]] = arrival;
    const offsets = new Uint32Array(rank.length + 1);
    let total = 0;
    for (let id = 0; id < rank.length; id++) {
      total += this.#bytesFor(arrivals[id], id, otherwise).length;
      offsets[id + 1] = total;
    }
    const bytes = new Uint8Array(checkedSize('textBytes', total, 'bytes of text in one column'));
    for (let id = 0; id < rank.length; id++) bytes.set(this.#bytesFor(arrivals[id], id, otherwise), offsets[id]);
    this.#blocks = []; // two copies of all texts are the peak of the program's memory
    return new NameTable(bytes, offsets);
  }

  #bytesFor(arrival: number, id: number, otherwise: NameTable | undefined): Uint8Array {
    if (arrival < this.#block.length && this.#block[arrival] !== 0) return this.#bytesOf(arrival);
    return otherwise === undefined
      ? NOTHING
      : otherwise.bytes.subarray(otherwise.offsets[id], otherwise.offsets[id + 1]);
  }

  #bytesOf(arrival: number): Uint8Array {
    const start = this.#start[arrival];
    return this.#blocks[this.#block[arrival] - 1].subarray(start, start + this.#length[arrival]);
  }

  /** Room for so many bytes behind what the last block holds. */
  #reserve(numBytes: number): Uint8Array {
    const last = this.#blocks[this.#blocks.length - 1];
    if (last === undefined || last.length - this.#size < numBytes) {
      this.#blocks.push(new Uint8Array(Math.max(BLOCK_BYTES, numBytes)));
      this.#size = 0;
    }
    return this.#blocks[this.#blocks.length - 1].subarray(this.#size);
  }

  #grow(needed: number): void {
    const larger = (array: Int32Array) => {
      const copy = new Int32Array(Math.max(needed, 2 * array.length));
      copy.set(array);
      return copy;
    };
    this.#block = larger(this.#block);
    this.#start = larger(this.#start);
    this.#length = larger(this.#length);
  }
}

const NOTHING = new Uint8Array(0);

/** In the order of bytes. */
function compare(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
