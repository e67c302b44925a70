// Which places of a list hold a key, for all keys: what sums by key go by. Made on the GPU when it is asked for, and again
// only if the list was written since. wgsl-segments.ts says what the two parts are.

import type { Ints } from '../matrix.ts';
import { ALIGN, type Block, type Window } from './buffers.ts';
import type { GpuStorage, Kept } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import {
  BITS,
  COUNT_KEYS,
  ORDER_KEYS,
  orderShader,
  PLACE_KEYS,
  RESERVE,
  SEGMENT_WORDS,
  SHORT,
} from './wgsl-segments.ts';
import { NEVER, VERY_LONG } from './wgsl-spmm.ts';

const FEW_PLACES = 1 << 18; // then even a segment of all of them is left whole: looking for pieces would cost more
const MANY_GROUPS = 1 << 13; // workgroups: with more keys than these can take, each takes more

export interface KeyLists {
  /** The first part. */
  readonly first?: { readonly list: Ints; readonly numKeys: number };
  /** The second. */
  readonly lists: readonly [Ints] | readonly [Ints, Ints];
  readonly numKeys: number;
}

export function segmentsOf(gpu: GpuStorage, keys: KeyLists): Segments {
  const pointers = [...(keys.first ? [keys.first.list] : []), ...keys.lists].map(({ pointer }) => pointer);
  const name = `segments of ${pointers.join()} in ${keys.first?.numKeys ?? 0} and ${keys.numKeys}`;
  const kept = gpu.kept(keys.lists[0], name, () => new Segments(gpu, keys));
  kept.bringUpToDate();
  return kept;
}

/** Key k has the places ordered[base + starts[k]] to ordered[base + ends[k] − 1], ascending; base is 0 in the first part. */
export class Segments implements Kept {
  readonly numKeys: number; // of the second part, like all that follows
  readonly numPlaces: number;
  readonly maxPieces: number;
  readonly pieceLength: number;
  readonly plan: Block;
  readonly order: Block;
  readonly pieces: Block;
  /** Of both parts, keys of the second from `shift` on. */
  readonly starts: Block;
  readonly ends: Block;
  /** Of both parts: the second begins where the first ends. */
  readonly ordered: Block;
  readonly #gpu: GpuStorage;
  readonly #keys: KeyLists;
  readonly #shift: number;
  readonly #counters: Block; // zeros between two uses
  readonly #longKeys: Block;
  readonly #made: readonly Block[];
  #versions = '';

  constructor(gpu: GpuStorage, keys: KeyLists) {
    this.#gpu = gpu;
    this.#keys = keys;
    this.#shift = Math.ceil((keys.first?.numKeys ?? 0) / WORKGROUP) * WORKGROUP;
    this.numKeys = keys.numKeys;
    this.numPlaces = keys.lists.reduce((sum, { length }) => sum + length, 0);
    this.pieceLength = this.numPlaces > FEW_PLACES ? VERY_LONG : NEVER;
    this.maxPieces = this.numPlaces > FEW_PLACES ? Math.floor((2 * this.numPlaces) / VERY_LONG) : 0;
    const [all, places] = [this.#shift + keys.numKeys, this.numPlaces + (keys.first?.list.length ?? 0)];
    const mostLong = Math.floor(places / SHORT);
    const words = [SEGMENT_WORDS, 3 * keys.numKeys, 2 * this.maxPieces, all, all, places, all, mostLong];
    this.#made = words.map((count) => gpu.scratch(4 * count));
    [this.plan, this.order, this.pieces, this.starts, this.ends, this.ordered, this.#counters, this.#longKeys] =
      this.#made;
    gpu.queue.clear(this.#counters);
  }

  /** Starts or ends of the second part. */
  second(block: Block): Window {
    return { block, offset: 4 * this.#shift, bytes: Math.ceil(Math.max(1, 4 * this.numKeys) / ALIGN) * ALIGN };
  }

  bringUpToDate(): void {
    const [gpu, queue, { first, lists, numKeys }] = [this.#gpu, this.#gpu.queue, this.#keys];
    const versions = [...(first ? [first.list] : []), ...lists].map((list) => gpu.version(list)).join();
    if (versions === this.#versions) return;
    this.#versions = versions;
    const end0 = first?.list.length ?? 0;
    const count = end0 + this.numPlaces;
    const { pieceLength } = this;
    const params = { count, end0, end1: end0 + lists[0].length, shift: this.#shift, numKeys, pieceLength };
    const [list0, list1, list2] = [first?.list ?? lists[0], lists[0], lists[1] ?? lists[0]].map((x) => gpu.block(x));
    const given = { list0, list1, list2 };
    const { plan, starts, ends, order, pieces, ordered } = this;
    const [counters, longKeys] = [this.#counters, this.#longKeys];
    const groups = Math.ceil(count / WORKGROUP);
    gpu.withScratch([4 * count, 4 * count], (placed, ranks) => {
      const all = this.#shift + numKeys;
      queue.run(COUNT_KEYS, params, { counters, ranks, plan, ...given }, Math.max(1, groups));
      const reserved = { starts, ends, counters, plan, order, pieces, longKeys };
      queue.run(RESERVE, params, reserved, Math.ceil(all / WORKGROUP));
      queue.run(PLACE_KEYS, params, { placed, ranks, starts, ...given }, groups);
      const keysEach = all > ORDER_KEYS * MANY_GROUPS ? 4 * ORDER_KEYS : ORDER_KEYS;
      const windows = Math.ceil(count / BITS);
      const blocks = { ordered, placed, starts, ends, longKeys, plan };
      const groupsInAll = Math.ceil(all / keysEach) + Math.floor(count / SHORT);
      queue.run(orderShader(keysEach), { ...params, windows }, blocks, groupsInAll);
    });
  }

  release(): void {
    for (const block of this.#made) this.#gpu.queue.buffers.release(block);
  }
}
