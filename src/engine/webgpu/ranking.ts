// Ranking on the GPU: the largest of each row, those above a limit, and the count of numbers that are not finite.
//
// A row is taken by a workgroup: its k-th largest number is
// found byte by byte from counts of how often each byte occurs, then, among numbers equal to it, the last column that still
// counts; those at least as good are collected and ranked among one another.

import type { Csr } from '../../csr.ts';
import { checkedSize } from '../../size-limits.ts';
import { checkLength, type Dense, type Ints } from '../matrix.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { MAIN, shader, WORKGROUP } from './shader.ts';

const MAX_PICKS = 1024; // so many fit into workgroup memory; for more, every number is ranked among all

/** Whole numbers in the order of the floats; 0 and −0 are one. */
const KEYS = `
fn keyAt(i: u32) -> u32 {
  var bits = x[i];
  if (bits == 0x80000000u) { bits = 0u; }
  return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}`;

const TOP_PARAMS = { rows: 'u32', cols: 'u32', stride: 'u32', k: 'u32', firstRow: 'u32' } as const;

const TOP_K = shader({
  name: 'topK',
  params: TOP_PARAMS,
  buffers: { ids: 'write u32', x: 'read u32' },
  code: `${KEYS}
var<workgroup> counts: array<atomic<u32>, 256>;
var<workgroup> prefix: u32; // of the byte sequence looked for, as far as it is known
var<workgroup> missing: u32; // how many are still to be taken of those with that prefix
var<workgroup> equal: u32; // how many have it
var<workgroup> numPicked: atomic<u32>;
var<workgroup> pickedKeys: array<u32, ${MAX_PICKS}>;
var<workgroup> pickedColumns: array<u32, ${MAX_PICKS}>;

// the byte that ends the search: counted from the largest, the missing-th number has it
fn closeIn(shift: u32) {
  var left = missing;
  var byte = 255u;
  var here = atomicLoad(&counts[255]);
  while (here < left) {
    left -= here;
    byte--;
    here = atomicLoad(&counts[byte]);
  }
  missing = left;
  equal = here;
  prefix |= byte << shift;
}

fn clear(lane: u32) {
  workgroupBarrier();
  atomicStore(&counts[lane], 0u);
  workgroupBarrier();
}
${MAIN()}
  if (group >= params.rows) { return; }
  let first = group * params.stride;
  if (lane == 0u) {
    prefix = 0u;
    missing = params.k;
    atomicStore(&numPicked, 0u);
  }
  var known = 0u; // bits of the prefix
  for (var shift = 24i; shift >= 0i; shift -= 8i) {
    clear(lane);
    for (var c = lane; c < params.cols; c += ${WORKGROUP}u) {
      let key = keyAt(first + c);
      if ((key & known) == prefix) { atomicAdd(&counts[(key >> u32(shift)) & 255u], 1u); }
    }
    workgroupBarrier();
    if (lane == 0u) { closeIn(u32(shift)); }
    known |= 255u << u32(shift);
    workgroupBarrier();
  }
  let least = workgroupUniformLoad(&prefix);
  let isTie = workgroupUniformLoad(&missing) < workgroupUniformLoad(&equal);
  // of equal numbers the first columns count: the search again, among them, for the largest turned column
  var leastTurned = 0u;
  if (isTie) {
    if (lane == 0u) { prefix = 0u; }
    known = 0u;
    for (var shift = 24i; shift >= 0i; shift -= 8i) {
      clear(lane);
      for (var c = lane; c < params.cols; c += ${WORKGROUP}u) {
        if (keyAt(first + c) == least && (~c & known) == prefix) { atomicAdd(&counts[(~c >> u32(shift)) & 255u], 1u); }
      }
      workgroupBarrier();
      if (lane == 0u) { closeIn(u32(shift)); }
      known |= 255u << u32(shift);
      workgroupBarrier();
    }
    leastTurned = workgroupUniformLoad(&prefix);
  }
  for (var c = lane; c < params.cols; c += ${WORKGROUP}u) {
    let key = keyAt(first + c);
    if (key > least || (key == least && ~c >= leastTurned)) {
      let at = atomicAdd(&numPicked, 1u);
      pickedKeys[at] = key;
      pickedColumns[at] = c;
    }
  }
  workgroupBarrier();
  for (var i = lane; i < params.k; i += ${WORKGROUP}u) {
    let key = pickedKeys[i];
    let column = pickedColumns[i];
    var rank = 0u;
    for (var j = 0u; j < params.k; j++) {
      rank += u32(pickedKeys[j] > key || (pickedKeys[j] == key && pickedColumns[j] < column));
    }
    ids[(params.firstRow + group) * params.k + rank] = column;
  }
}`,
});

const RANK_ALL = shader({
  name: 'rankAll',
  params: TOP_PARAMS,
  buffers: { ids: 'write u32', x: 'read u32' },
  code: `${KEYS}
${MAIN()}
  if (group >= params.rows) { return; }
  let first = group * params.stride;
  for (var c = lane; c < params.cols; c += ${WORKGROUP}u) {
    let key = keyAt(first + c);
    var rank = 0u;
    for (var other = 0u; other < params.cols; other++) {
      let rival = keyAt(first + other);
      rank += u32(rival > key || (rival == key && other < c));
    }
    if (rank < params.k) { ids[(params.firstRow + group) * params.k + rank] = c; }
  }
}`,
});

const LARGE_PARAMS = { rows: 'u32', cols: 'u32', stride: 'u32', firstRow: 'u32' } as const;

/** Sizes compare as their bits do; what is above infinity is not a number. */
const IS_LARGE = `
fn isLarge(i: u32, limit: u32) -> bool {
  let size = x[i] & 0x7fffffffu;
  return size >= limit && size <= 0x7f800000u;
}`;

/** How many numbers of each row are at least its limit in size. A row is taken by a workgroup, here and below. */
const COUNT_LARGE = shader({
  name: 'countLarge',
  params: LARGE_PARAMS,
  buffers: { counts: 'write u32', x: 'read u32', limits: 'read u32' },
  code: `${IS_LARGE}
var<workgroup> found: atomic<u32>;
${MAIN()}
  if (group >= params.rows) { return; }
  let limit = limits[params.firstRow + group];
  var mine = 0u;
  for (var c = lane; c < params.cols; c += ${WORKGROUP}u) { mine += u32(isLarge(group * params.stride + c, limit)); }
  if (mine > 0u) { atomicAdd(&found, mine); }
  workgroupBarrier();
  if (lane == 0u) { counts[params.firstRow + group] = atomicLoad(&found); }
}`,
});

/** These numbers and their columns, in order: a bit for each invocation tells how many come before it. */
const TAKE_LARGE = shader({
  name: 'takeLarge',
  params: LARGE_PARAMS,
  buffers: { columns: 'write u32', values: 'write u32', x: 'read u32', limits: 'read u32', starts: 'read u32' },
  code: `${IS_LARGE}
const WORDS = ${WORKGROUP / 32}u;
var<workgroup> taken: array<atomic<u32>, WORDS>;
${MAIN()}
  if (group >= params.rows) { return; }
  let limit = limits[params.firstRow + group];
  let word = lane / 32u;
  let bit = 1u << (lane % 32u);
  var at = starts[params.firstRow + group];
  for (var first = 0u; first < params.cols; first += ${WORKGROUP}u) {
    if (lane < WORDS) { atomicStore(&taken[lane], 0u); }
    workgroupBarrier();
    let c = first + lane;
    let i = group * params.stride + c;
    let isTaken = c < params.cols && isLarge(i, limit);
    if (isTaken) { atomicOr(&taken[word], bit); }
    workgroupBarrier();
    var before = 0u;
    var all = 0u;
    for (var w = 0u; w < WORDS; w++) {
      let bits = atomicLoad(&taken[w]);
      all += countOneBits(bits);
      if (w < word) { before += countOneBits(bits); }
      if (w == word) { before += countOneBits(bits & (bit - 1u)); }
    }
    if (isTaken) {
      columns[at + before] = c;
      values[at + before] = x[i];
    }
    at += all;
    workgroupBarrier();
  }
}`,
});

/** Padding is zeros, hence finite. */
const COUNT_NON_FINITE = shader({
  name: 'countNonFinite',
  params: { count: 'u32' },
  buffers: { total: 'write atomic<u32>', x: 'read vec4<u32>' },
  code: `
var<workgroup> found: atomic<u32>;
${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i < params.count) {
    let isBad = (x[i] & vec4<u32>(0x7f800000u)) == vec4<u32>(0x7f800000u);
    let bad = select(vec4<u32>(), vec4<u32>(1u), isBad);
    let mine = bad.x + bad.y + bad.z + bad.w;
    if (mine > 0u) { atomicAdd(&found, mine); }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let here = atomicLoad(&found);
    if (here > 0u) { atomicAdd(&total[0], here); }
  }
}`,
});

const FEW_COLUMNS = 512; // so few are sooner ranked than searched

export function topK(gpu: GpuStorage, ids: Ints, x: Dense, k: number): void {
  gpu.touch(ids);
  if (k === 0) return;
  const kernel = k <= MAX_PICKS && x.cols > FEW_COLUMNS ? TOP_K : RANK_ALL;
  gpu.eachPart(x, ({ firstRow, rows, of }) => {
    const params = { rows, cols: x.cols, stride: x.stride, k, firstRow };
    gpu.queue.run(kernel, params, { ids: gpu.block(ids), x: of(x) }, rows);
  });
}

/** Counted by row, then, once it is known where each row begins, taken. */
export async function readLarge(gpu: GpuStorage, x: Dense, limits: Float32Array): Promise<Csr> {
  checkLength(limits.length, x.rows, String(x.rows));
  const { rows, cols, stride } = x;
  const rowStart = new Int32Array(rows + 1);
  const [least, starts] = [gpu.dense(1, rows), gpu.ints(rows)];
  const made: (Dense | Ints)[] = [least, starts];
  try {
    gpu.write(least, limits);
    gpu.eachPart(x, (part) => {
      const params = { rows: part.rows, cols, stride, firstRow: part.firstRow };
      gpu.queue.run(
        COUNT_LARGE,
        params,
        { x: part.of(x), limits: gpu.block(least), counts: gpu.block(starts) },
        part.rows,
      );
    });
    const counts = await gpu.readInts(starts);
    checkedSize(
      'entries',
      counts.reduce((sum, count) => sum + count, 0),
      'large numbers of a matrix',
    );
    for (let r = 0; r < rows; r++) rowStart[r + 1] = rowStart[r] + counts[r];
    const [columns, values] = [gpu.ints(rowStart[rows]), gpu.dense(1, rowStart[rows])];
    made.push(columns, values);
    gpu.writeInts(starts, rowStart.slice(0, rows));
    gpu.eachPart(x, (part) => {
      const params = { rows: part.rows, cols, stride, firstRow: part.firstRow };
      const inputs = { x: part.of(x), limits: gpu.block(least), starts: gpu.block(starts) };
      gpu.queue.run(
        TAKE_LARGE,
        params,
        { ...inputs, columns: gpu.block(columns), values: gpu.block(values) },
        part.rows,
      );
    });
    const read = await Promise.all([gpu.readInts(columns), gpu.read(values)]);
    return { rowStart, columns: read[0], values: read[1] };
  } finally {
    gpu.release(...made);
  }
}

export async function countNonFinite(gpu: GpuStorage, x: Dense): Promise<number> {
  const total = gpu.ints(1);
  try {
    gpu.eachPart(x, ({ rows, of }) => {
      const count = (rows * x.stride) / 4;
      gpu.queue.run(COUNT_NON_FINITE, { count }, { total: gpu.block(total), x: of(x) }, Math.ceil(count / WORKGROUP));
    });
    return (await gpu.readInts(total))[0];
  } finally {
    gpu.release(total);
  }
}
