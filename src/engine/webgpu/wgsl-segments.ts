// A list of keys turned round: for each key the places where it stands, ascending. Counting and placing go by atomic
// additions of whole numbers, so what lies where in a segment is chance at first; then every segment is put in order, which
// makes sums over it the same bytes every time. Floats are never added atomically.
//
// Lists: up to three, one behind the other, with what is added to the keys of each.

import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';

export const ORDER_LANES = 64; // invocations that put a segment in order
const FEW = 4 * ORDER_LANES; // entries: each is then compared with all
export const BITS = 1 << 16; // places marked at a time, where there are more

/** Numbers of keys and places. `lists`: how many there are. */
const LIST_PARAMS = {
  count: 'u32', // places in all
  end0: 'u32',
  end1: 'u32',
  shift1: 'u32',
  shift2: 'u32',
} as const;

/** The key at place `i`. */
function keyFunction(lists: number): string {
  const others = [
    'if (i < params.end0) { return list0[i]; }',
    'if (i < params.end1) { return params.shift1 + list1[i - params.end0]; }',
    'return params.shift2 + list2[i - params.end1];',
  ];
  return lists === 1
    ? 'fn keyAt(i: u32) -> u32 { return list0[i]; }'
    : `fn keyAt(i: u32) -> u32 { ${others.join(' ')} }`;
}

const LISTS = { list0: 'read u32', list1: 'read u32', list2: 'read u32' } as const;

export const CLEAR_COUNTS = shader({
  name: 'clearCounts',
  params: { count: 'u32' },
  buffers: { ends: 'write u32', cursor: 'write u32' },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i == 0u) { cursor[0] = 0u; }
  if (i < params.count) { ends[i] = 0u; }
}`,
});

export const countShader = shaderFamily((lists: 1 | 3) =>
  shader({
    name: `count keys of ${lists}`,
    params: LIST_PARAMS,
    buffers: { ends: 'write atomic<u32>', ...LISTS },
    code: `${keyFunction(lists)}
${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i < params.count) { atomicAdd(&ends[keyAt(i)], 1u); }
}`,
  }),
);

/** Room for the segments of a workgroup's keys, one behind the other; which workgroup comes first is chance. */
export const RESERVE = shader({
  name: 'reserve',
  params: { count: 'u32' },
  buffers: { starts: 'write u32', ends: 'write u32', cursor: 'write atomic<u32>' },
  code: `
var<workgroup> sums: array<u32, ${WORKGROUP}>;
var<workgroup> base: u32;
${MAIN()}
  let key = group * ${WORKGROUP}u + lane;
  var own = 0u;
  if (key < params.count) { own = ends[key]; }
  sums[lane] = own;
  for (var step = 1u; step < ${WORKGROUP}u; step <<= 1u) {
    workgroupBarrier();
    var before = 0u;
    if (lane >= step) { before = sums[lane - step]; }
    workgroupBarrier();
    sums[lane] += before;
  }
  workgroupBarrier();
  if (lane == ${WORKGROUP - 1}u) { base = atomicAdd(&cursor[0], sums[lane]); }
  workgroupBarrier();
  if (key < params.count) {
    starts[key] = base + sums[lane] - own;
    ends[key] = base + sums[lane] - own; // moved on as places are put there
  }
}`,
});

export const placeShader = shaderFamily((lists: 1 | 3) =>
  shader({
    name: `place keys of ${lists}`,
    params: LIST_PARAMS,
    buffers: { ends: 'write atomic<u32>', placed: 'write u32', ...LISTS },
    code: `${keyFunction(lists)}
${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i < params.count) { placed[atomicAdd(&ends[keyAt(i)], 1u)] = i; }
}`,
  }),
);

/** One workgroup for some keys. Few places are ranked among one another; of many, bits are marked and then read in order. */
export const ORDER = shader({
  name: 'order',
  params: { numKeys: 'u32', keysEach: 'u32', windows: 'u32' },
  buffers: { ordered: 'write u32', placed: 'read u32', starts: 'read u32', ends: 'read u32' },
  code: `
var<workgroup> few: array<u32, ${FEW}>;
var<workgroup> marks: array<atomic<u32>, ${BITS / 32}>;
var<workgroup> counts: array<u32, ${ORDER_LANES}>;

fn rankFew(start: u32, length: u32, lane: u32) {
  for (var i = lane; i < length; i += ${ORDER_LANES}u) { few[i] = placed[start + i]; }
  workgroupBarrier();
  for (var i = lane; i < length; i += ${ORDER_LANES}u) {
    var rank = 0u;
    for (var j = 0u; j < length; j++) { rank += u32(few[j] < few[i]); }
    ordered[start + rank] = few[i];
  }
  workgroupBarrier();
}

fn markMany(start: u32, length: u32, lane: u32) {
  let each = ${BITS / 32 / ORDER_LANES}u; // words of an invocation
  var at = start;
  for (var window = 0u; window < params.windows; window++) {
    for (var w = lane; w < ${BITS / 32}u; w += ${ORDER_LANES}u) { atomicStore(&marks[w], 0u); }
    workgroupBarrier();
    for (var i = lane; i < length; i += ${ORDER_LANES}u) {
      let place = placed[start + i];
      let bit = place % ${BITS}u;
      if (place / ${BITS}u == window) { atomicOr(&marks[bit / 32u], 1u << (bit % 32u)); }
    }
    workgroupBarrier();
    var own = 0u;
    for (var w = lane * each; w < (lane + 1u) * each; w++) { own += countOneBits(atomicLoad(&marks[w])); }
    counts[lane] = own;
    workgroupBarrier();
    var before = 0u;
    var total = 0u;
    for (var other = 0u; other < ${ORDER_LANES}u; other++) {
      before += select(0u, counts[other], other < lane);
      total += counts[other];
    }
    var to = at + before;
    for (var w = lane * each; w < (lane + 1u) * each; w++) {
      for (var word = atomicLoad(&marks[w]); word != 0u; word &= word - 1u) {
        ordered[to] = window * ${BITS}u + 32u * w + countTrailingZeros(word);
        to++;
      }
    }
    at += total;
    workgroupBarrier();
  }
}
${MAIN(ORDER_LANES)}
  let end = min(params.numKeys, (group + 1u) * params.keysEach);
  for (var key = group * params.keysEach; key < end; key++) {
    let start = starts[key];
    let length = ends[key] - start;
    if (length == 0u) { continue; }
    if (length <= ${FEW}u) { rankFew(start, length, lane); } else { markMany(start, length, lane); }
  }
}`,
});
