// Which places of a list hold a key, for all keys: what sums by key go by. Made on the GPU when it is asked for, and again
// only if the list was written since.
//
// Counting goes by atomic additions of whole
// numbers, so what lies where in a segment is chance at first; then every segment is put in order, which makes sums over it
// the same bytes every time. Floats are never added atomically.
//
// There are two parts with keys and places of their own: a first list, which may be missing, and one or two lists behind
// it. Keys of the second part begin at `shift`, a multiple of a workgroup. For it the keys are put down by the length of their
// segments, as spmm goes by (row-plan.ts): short ones, middling ones, long ones, each class in a stretch of its own.

import type { Ints } from '../matrix.ts';
import { ALIGN, type Block, type Window } from './buffers.ts';
import type { GpuStorage, Kept } from './gpu-storage.ts';
import { LONG, MIDDLING, NEVER, PIECES, VERY_LONG } from './row-plan.ts';
import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';

const CURSORS = 8; // behind the words of the plan: places taken in either part
const LONG_KEYS = 10; // then: how many segments a team is too small for
const SEGMENT_WORDS = 11;
const BITS = 1 << 16; // places marked at a time, where a segment has many
const ORDER_KEYS = 16; // that a workgroup puts in order
const TEAM = WORKGROUP / ORDER_KEYS; // invocations of a key, where its segment is short
const SHORT = 64; // places: put in order by a team
const FEW = WORKGROUP; // places: each is compared with all; more are marked as bits and read in order

const LIST_PARAMS = {
  count: 'u32', // places in all
  end0: 'u32', // of the first list
  end1: 'u32', // of the second
  shift: 'u32',
  numKeys: 'u32', // of the second part
  pieceLength: 'u32', // of segments longer than this
} as const;

const LISTS = { list0: 'read u32', list1: 'read u32', list2: 'read u32' } as const;

const KEY_AT = `
fn keyAt(i: u32) -> u32 {
  if (i < params.end0) { return list0[i]; }
  if (i < params.end1) { return params.shift + list1[i - params.end0]; }
  return params.shift + list2[i - params.end1];
}`;

/** Where the places of a key's part begin. */
const BASE_OF = 'fn baseOf(key: u32) -> u32 { return select(0u, params.end0, key >= params.shift); }';

/** How many came before it is a place's rank; the counters were left at zero. */
const COUNT_KEYS = shader({
  name: 'count keys',
  params: LIST_PARAMS,
  buffers: { counters: 'write atomic<u32>', ranks: 'write u32', plan: 'write u32', ...LISTS },
  code: `${KEY_AT}
${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i < ${SEGMENT_WORDS}u) { plan[i] = select(0u, (i - 3u) * params.numKeys, i >= 3u && i < 6u); }
  if (i < params.count) { ranks[i] = atomicAdd(&counters[keyAt(i)], 1u); }
}`,
});

/** Room for the segments of a workgroup's keys, one behind the other; which workgroup comes first is chance. */
const RESERVE = shader({
  name: 'reserve',
  params: LIST_PARAMS,
  buffers: {
    starts: 'write u32',
    ends: 'write u32',
    counters: 'write u32',
    plan: 'write atomic<u32>',
    order: 'write u32',
    pieces: 'write vec2<u32>',
    longKeys: 'write u32',
  },
  code: `
var<workgroup> sums: array<u32, ${WORKGROUP}>;
var<workgroup> base: u32;
var<workgroup> classes: array<atomic<u32>, 3>;
var<workgroup> classBases: array<u32, 3>;
${MAIN()}
  let key = group * ${WORKGROUP}u + lane;
  let isSecond = group * ${WORKGROUP}u >= params.shift;
  let isKey = key < params.shift + params.numKeys;
  var own = 0u;
  if (isKey) {
    own = counters[key];
    counters[key] = 0u;
  }
  sums[lane] = own;
  for (var step = 1u; step < ${WORKGROUP}u; step <<= 1u) {
    workgroupBarrier();
    var before = 0u;
    if (lane >= step) { before = sums[lane - step]; }
    workgroupBarrier();
    sums[lane] += before;
  }
  let kind = select(select(2u, 1u, own < ${LONG}u), 0u, own < ${MIDDLING}u);
  var rank = 0u;
  if (isSecond && own > 0u) { rank = atomicAdd(&classes[kind], 1u); }
  workgroupBarrier();
  if (lane == ${WORKGROUP - 1}u) { base = atomicAdd(&plan[${CURSORS}u + u32(isSecond)], sums[lane]); }
  if (lane < 3u && isSecond) { classBases[lane] = atomicAdd(&plan[lane], atomicLoad(&classes[lane])); }
  workgroupBarrier();
  if (isKey) {
    starts[key] = base + sums[lane] - own;
    ends[key] = base + sums[lane];
  }
  if (own > ${SHORT}u) { longKeys[atomicAdd(&plan[${LONG_KEYS}], 1u)] = key; }
  if (isSecond && own > 0u) {
    order[kind * params.numKeys + classBases[kind] + rank] = key - params.shift;
    if (own > params.pieceLength) {
      let mine = (own + params.pieceLength - 1u) / params.pieceLength;
      let at = atomicAdd(&plan[${PIECES}], mine);
      for (var piece = 0u; piece < mine; piece++) { pieces[at + piece] = vec2<u32>(key - params.shift, piece); }
    }
  }
}`,
});

const PLACE_KEYS = shader({
  name: 'place keys',
  params: LIST_PARAMS,
  buffers: { placed: 'write u32', ranks: 'read u32', starts: 'read u32', ...LISTS },
  code: `${KEY_AT}
${BASE_OF}
${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }
  let key = keyAt(i);
  placed[baseOf(key) + starts[key] + ranks[i]] = i;
}`,
});

/** The second part's places count from its own beginning. */
const orderShader = shaderFamily((keysEach: number) =>
  shader({
    name: `order ${keysEach}`,
    params: { ...LIST_PARAMS, windows: 'u32' },
    buffers: {
      ordered: 'write u32',
      placed: 'read u32',
      starts: 'read u32',
      ends: 'read u32',
      longKeys: 'read u32',
      plan: 'read u32',
    },
    code: `
var<workgroup> few: array<u32, ${ORDER_KEYS * SHORT}>;
var<workgroup> marks: array<atomic<u32>, ${BITS / 32}>;
var<workgroup> counts: array<u32, ${WORKGROUP}>;
${BASE_OF}

// ranks the places that begin at few[first] among one another
fn rank(first: u32, length: u32, lane: u32, lanes: u32, at: u32, offset: u32) {
  for (var i = lane; i < length; i += lanes) {
    let mine = few[first + i];
    var smaller = 0u;
    for (var j = 0u; j < length; j++) { smaller += u32(few[first + j] < mine); }
    ordered[at + smaller] = mine - offset;
  }
}

fn mark(start: u32, length: u32, lane: u32, offset: u32) {
  let each = ${BITS / 32 / WORKGROUP}u; // words of an invocation
  var at = start;
  for (var window = 0u; window < params.windows; window++) {
    for (var w = lane; w < ${BITS / 32}u; w += ${WORKGROUP}u) { atomicStore(&marks[w], 0u); }
    workgroupBarrier();
    for (var i = lane; i < length; i += ${WORKGROUP}u) {
      let place = placed[start + i];
      let bit = place % ${BITS}u;
      if (place / ${BITS}u == window) { atomicOr(&marks[bit / 32u], 1u << (bit % 32u)); }
    }
    workgroupBarrier();
    var own = 0u;
    for (var w = lane * each; w < (lane + 1u) * each; w++) { own += countOneBits(atomicLoad(&marks[w])); }
    counts[lane] = own;
    for (var step = 1u; step < ${WORKGROUP}u; step <<= 1u) {
      workgroupBarrier();
      var before = 0u;
      if (lane >= step) { before = counts[lane - step]; }
      workgroupBarrier();
      counts[lane] += before;
    }
    workgroupBarrier();
    var to = at + counts[lane] - own;
    for (var w = lane * each; w < (lane + 1u) * each; w++) {
      for (var word = atomicLoad(&marks[w]); word != 0u; word &= word - 1u) {
        ordered[to] = window * ${BITS}u + 32u * w + countTrailingZeros(word) - offset;
        to++;
      }
    }
    at += counts[${WORKGROUP - 1}];
    workgroupBarrier();
  }
}
${MAIN()}
  let numKeys = params.shift + params.numKeys;
  let groupsOfShort = (numKeys + ${keysEach - 1}u) / ${keysEach}u;
  if (group >= groupsOfShort) {
    // a long segment, all together
    if (group - groupsOfShort >= plan[${LONG_KEYS}]) { return; }
    let key = longKeys[group - groupsOfShort];
    let at = baseOf(key) + starts[key];
    let length = ends[key] - starts[key];
    if (length > ${FEW}u) {
      mark(at, length, lane, baseOf(key));
    } else {
      if (lane < length) { few[lane] = placed[at + lane]; }
      workgroupBarrier();
      rank(0u, length, lane, ${WORKGROUP}u, at, baseOf(key));
    }
    return;
  }
  for (var round = 0u; round < ${keysEach / ORDER_KEYS}u; round++) {
    // short segments, a team each
    let key = group * ${keysEach}u + round * ${ORDER_KEYS}u + lane / ${TEAM}u;
    var length = 0u;
    var at = 0u;
    if (key < numKeys) {
      length = ends[key] - starts[key];
      at = baseOf(key) + starts[key];
    }
    length = select(length, 0u, length > ${SHORT}u);
    let room = (lane / ${TEAM}u) * ${SHORT}u;
    for (var i = lane % ${TEAM}u; i < length; i += ${TEAM}u) { few[room + i] = placed[at + i]; }
    workgroupBarrier();
    rank(room, length, lane % ${TEAM}u, ${TEAM}u, at, baseOf(key));
    workgroupBarrier();
  }
}`,
  }),
);

const FEW_PLACES = 1 << 18; // then even a segment of all of them is left whole: looking for pieces would cost more
const MANY_GROUPS = 1 << 13; // workgroups: with more keys than these can take, each takes more

interface KeyLists {
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
