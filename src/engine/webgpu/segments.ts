// Which places of a list hold a key, for all keys: what sums by key go by. Made on the GPU when it is asked for, and again
// only if the list was written since.

import type { Ints } from '../matrix.ts';
import type { Block } from './buffers.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import { BITS, CLEAR_COUNTS, countShader, ORDER, placeShader, RESERVE } from './wgsl-segments.ts';

const MANY_GROUPS = 1 << 15; // workgroups: with more keys than these, each takes several

/** The places of key k are ordered[starts[k]] to ordered[ends[k] − 1], ascending. */
export interface Segments {
  readonly starts: Block; // (numKeys)
  readonly ends: Block; // (numKeys)
  readonly ordered: Block; // (places)
}

/** Up to three lists, one behind the other; keys of the second and the third are moved on. */
export interface KeyLists {
  readonly lists: readonly [Ints] | readonly [Ints, Ints, Ints];
  readonly shifts: readonly [number, number]; // of the second and the third
  readonly numKeys: number;
}

export function segmentsOf(gpu: GpuStorage, keys: KeyLists): Segments {
  const { lists, shifts, numKeys } = keys;
  const name = `segments of ${lists.map(({ pointer }) => pointer).join()} in ${numKeys} by ${shifts.join()}`;
  const kept = gpu.kept(lists[0], name, () => new KeptSegments(gpu, keys));
  kept.bringUpToDate();
  return kept;
}

class KeptSegments implements Segments {
  readonly starts: Block;
  readonly ends: Block;
  readonly ordered: Block;
  readonly #gpu: GpuStorage;
  readonly #keys: KeyLists;
  #versions = '';

  constructor(gpu: GpuStorage, keys: KeyLists) {
    const numPlaces = keys.lists.reduce((sum, { length }) => sum + length, 0);
    this.#gpu = gpu;
    this.#keys = keys;
    this.starts = gpu.scratch(keys.numKeys * 4);
    this.ends = gpu.scratch(keys.numKeys * 4);
    this.ordered = gpu.scratch(numPlaces * 4);
  }

  bringUpToDate(): void {
    const versions = this.#keys.lists.map((list) => this.#gpu.version(list)).join();
    if (versions === this.#versions) return;
    this.#versions = versions;
    const { lists, shifts, numKeys } = this.#keys;
    const [gpu, queue] = [this.#gpu, this.#gpu.queue];
    const ends = lists.map((_, i) => lists.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0));
    const count = ends[ends.length - 1];
    const places = { count, end0: ends[0], end1: ends[1] ?? count, shift1: shifts[0], shift2: shifts[1] };
    const [list0, list1, list2] = [lists[0], lists[1] ?? lists[0], lists[2] ?? lists[0]].map((list) => gpu.block(list));
    const numLists = lists.length === 1 ? 1 : 3;
    const { starts, ends: segmentEnds, ordered } = this;
    gpu.withScratch([count * 4, 4], (placed, cursor) => {
      queue.run(CLEAR_COUNTS, { count: numKeys }, { ends: segmentEnds, cursor }, groups(numKeys));
      queue.run(countShader(numLists), places, { ends: segmentEnds, list0, list1, list2 }, groups(count));
      queue.run(RESERVE, { count: numKeys }, { starts, ends: segmentEnds, cursor }, groups(numKeys));
      queue.run(placeShader(numLists), places, { ends: segmentEnds, placed, list0, list1, list2 }, groups(count));
      const windows = Math.ceil(count / BITS);
      const keysEach = Math.min(64, Math.ceil(numKeys / MANY_GROUPS));
      const blocks = { ordered, placed, starts, ends: segmentEnds };
      queue.run(ORDER, { numKeys, keysEach, windows }, blocks, Math.ceil(numKeys / Math.max(1, keysEach)));
    });
  }

  release(): void {
    for (const block of [this.starts, this.ends, this.ordered]) this.#gpu.queue.buffers.release(block);
  }
}

function groups(count: number): number {
  return Math.ceil(count / WORKGROUP);
}
