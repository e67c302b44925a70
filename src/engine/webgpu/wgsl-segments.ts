// Lists of keys turned round: for each key the places where it stands, ascending. Counting goes by atomic additions of whole
// numbers, so what lies where in a segment is chance at first; then every segment is put in order, which makes sums over it
// the same bytes every time. Floats are never added atomically.
//
// There are two parts with keys and places of their own: a first list, which may be missing, and one or two lists behind
// it. Keys of the second part begin at `shift`, a multiple of a workgroup. For it the keys are put down by the length of their
// segments, as spmm goes by (wgsl-spmm.ts): short ones, middling ones, long ones, each class in a stretch of its own.

import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';
import { LONG, MIDDLING, PIECES } from './wgsl-spmm.ts';

export const CURSORS = 8; // behind the words of the plan: places taken in either part
const LONG_KEYS = 10; // then: how many segments a team is too small for
export const SEGMENT_WORDS = 11;
export const BITS = 1 << 16; // places marked at a time, where a segment has many
export const ORDER_KEYS = 16; // that a workgroup puts in order
const TEAM = WORKGROUP / ORDER_KEYS; // invocations of a key, where its segment is short
export const SHORT = 64; // places: put in order by a team
const FEW = WORKGROUP; // places: each is compared with all; more are marked as bits and read in order

export const LIST_PARAMS = {
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
export const COUNT_KEYS = shader({
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
export const RESERVE = shader({
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

export const PLACE_KEYS = shader({
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
export const orderShader = shaderFamily((keysEach: number) =>
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
