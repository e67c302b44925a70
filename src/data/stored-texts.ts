// Texts that stay in a file: where each begins is in memory, its bytes are read when they are asked for. The blocks that were read
// last are cached, so that neighbouring objects, or all of them in order, cost one read for many texts.

import { openForever, readFailure, type SyncReader } from '#platform';
import type { TextTable } from './vocabulary.ts';

/** Where the bytes of all texts lie, end to end. */
export interface TextPlace {
  readonly path: string;
  readonly start: number;
}

const BLOCK_BYTES = 1 << 16;
const NUM_BLOCKS = 64; // cached, 4 MiB
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class StoredTexts implements TextTable {
  readonly place: TextPlace;
  readonly offsets: Uint32Array; // (size + 1)
  readonly #file: SyncReader;
  readonly #blocks = new Map<number, Uint8Array>(); // by number; the one used last comes last

  /** The file is open from now on: it may be replaced or removed meanwhile. */
  constructor(place: TextPlace, offsets: Uint32Array) {
    this.place = place;
    this.offsets = offsets;
    try {
      this.#file = openForever(place.path);
    } catch (error) {
      throw readFailure(error, place.path);
    }
  }

  get size(): number {
    return this.offsets.length - 1;
  }

  at(id: number): string {
    return decoder.decode(this.bytesOf(id));
  }

  bytesOf(id: number): Uint8Array {
    if (!(id >= 0 && id < this.size)) throw new RangeError(`Got id ${id} when expected 0 to ${this.size - 1}.`);
    const [start, end] = [this.offsets[id], this.offsets[id + 1]];
    const block = Math.floor(start / BLOCK_BYTES);
    const first = block * BLOCK_BYTES;
    if (end <= first + BLOCK_BYTES) return this.#block(block).subarray(start - first, end - first);
    return this.#read(start, end); // longer than a block, or across two
  }

  *pieces(): Generator<Uint8Array> {
    const numBytes = this.offsets[this.size];
    const pieceBytes = NUM_BLOCKS * BLOCK_BYTES;
    for (let at = 0; at < numBytes; at += pieceBytes) yield this.#read(at, Math.min(numBytes, at + pieceBytes));
  }

  toArray(): string[] {
    return Array.from({ length: this.size }, (_, id) => this.at(id));
  }

  #block(block: number): Uint8Array {
    const first = block * BLOCK_BYTES;
    const bytes = this.#blocks.get(block) ?? this.#read(first, Math.min(this.offsets[this.size], first + BLOCK_BYTES));
    this.#blocks.delete(block);
    this.#blocks.set(block, bytes);
    if (this.#blocks.size > NUM_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value as number);
    return bytes;
  }

  #read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length; ) {
      const numRead = this.#file.read(bytes.subarray(at), this.place.start + start + at);
      if (numRead === 0)
        throw new Error(`Got an end of ${this.place.path} when expected ${end - start - at} bytes more.`);
      at += numRead;
    }
    return bytes;
  }
}
