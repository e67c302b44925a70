// Products of a sparse and a dense matrix. A team of invocations takes the entries of a row four at a time, each of them
// four columns of the result; long rows are shared by several teams of a workgroup, very long ones by several workgroups.
// Which rows are long was found out before (the plan), so that one call does all of them.
//
// Legend: row r has the entries starts[r] to ends[r] − 1; of a sparse matrix by rows, ends[r] is starts[r + 1].

import { type Arguments, MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';
import { WITHOUT_PADDING } from './wgsl-elementwise.ts';

/** Entries from which a row is middling (shared by four teams), long (by a whole workgroup), very long. */
export const MIDDLING = 32;
export const LONG = 512;
export const VERY_LONG = 1 << 13; // cut into pieces of this length, unless it is said that there are none
export const NEVER = 0xffffffff;
export const MIDDLING_TEAMS = 4;

/** The words of a plan: by class, short ones first, how many rows and where they begin; pieces, and how many are placed. */
const [COUNTS, FIRSTS, PLACED_PIECES] = [0, 3, 7];
export const PIECES = 6;
export const PLAN_WORDS = 8;
/** Behind them, while the plan is made: by bucket, how many rows, and how many of them are placed. */
const NUM_BUCKETS = 64;
const [BUCKETS, PLACED] = [PLAN_WORDS, PLAN_WORDS + NUM_BUCKETS];
export const PLANNING_WORDS = PLACED + NUM_BUCKETS;

const endOf = (isSplit: boolean) => (isSplit ? 'ends[row]' : 'starts[row + 1u]');

const LENGTHS = (isSplit: boolean) => `
fn lengthOf(row: u32) -> u32 { return ${endOf(isSplit)} - starts[row]; }

// pieces of a very long row; the others have none
fn numPieces(length: u32) -> u32 {
  return select(0u, (length + params.pieceLength - 1u) / params.pieceLength, length > params.pieceLength);
}

// rows of about one length share a bucket: up to the next bucket it is a quarter more; borders of classes are among them
fn bucketOf(length: u32) -> u32 {
  if (length < 8u) { return length; }
  let e = firstLeadingBit(length);
  return min(${NUM_BUCKETS - 1}u, 4u * e - 4u + ((length >> (e - 2u)) & 3u));
}`;

export const CLEAR_PLAN = shader({
  name: 'clearPlan',
  params: { count: 'u32' },
  buffers: { plan: 'write u32' },
  code: `${MAIN()}
  if (lane < params.count) { plan[lane] = 0u; }
}`,
});

export const planCountShader = shaderFamily((isSplit: boolean) =>
  shader({
    name: `count rows by length ${isSplit}`,
    params: { rows: 'u32', pieceLength: 'u32' },
    buffers: { plan: 'write atomic<u32>', starts: 'read u32', ends: 'read u32' },
    code: `${LENGTHS(isSplit)}
var<workgroup> counts: array<atomic<u32>, ${NUM_BUCKETS}>;
${MAIN()}
  let row = group * ${WORKGROUP}u + lane;
  if (row < params.rows) {
    let length = lengthOf(row);
    atomicAdd(&counts[bucketOf(length)], 1u);
    let pieces = numPieces(length);
    if (pieces > 0u) { atomicAdd(&plan[${PIECES}], pieces); }
  }
  workgroupBarrier();
  if (lane < ${NUM_BUCKETS}u) {
    let here = atomicLoad(&counts[lane]);
    if (here > 0u) { atomicAdd(&plan[${BUCKETS}u + lane], here); }
  }
}`,
  }),
);

/** Rows by falling length, and of very long rows the pieces: row, number of the piece. */
export const planPlaceShader = shaderFamily((isSplit: boolean) =>
  shader({
    name: `place rows by length ${isSplit}`,
    params: { rows: 'u32', pieceLength: 'u32' },
    buffers: {
      plan: 'write atomic<u32>',
      order: 'write u32',
      pieces: 'write vec2<u32>',
      starts: 'read u32',
      ends: 'read u32',
    },
    code: `${LENGTHS(isSplit)}
var<workgroup> counts: array<atomic<u32>, ${NUM_BUCKETS}>;
var<workgroup> bases: array<u32, ${NUM_BUCKETS}>;

// rows in buckets [bucket, end)
fn rowsIn(bucket: u32, end: u32) -> u32 {
  var sum = 0u;
  for (var b = bucket; b < end; b++) { sum += atomicLoad(&plan[${BUCKETS}u + b]); }
  return sum;
}
${MAIN()}
  let row = group * ${WORKGROUP}u + lane;
  var bucket = 0u;
  var rank = 0u;
  if (row < params.rows) {
    bucket = bucketOf(lengthOf(row));
    rank = atomicAdd(&counts[bucket], 1u);
  }
  workgroupBarrier();
  if (lane < ${NUM_BUCKETS}u) {
    let first = rowsIn(lane + 1u, ${NUM_BUCKETS}u);
    bases[lane] = first + atomicAdd(&plan[${PLACED}u + lane], atomicLoad(&counts[lane]));
  }
  workgroupBarrier();
  if (row < params.rows) {
    order[bases[bucket] + rank] = row;
    let mine = numPieces(lengthOf(row));
    if (mine > 0u) {
      let at = atomicAdd(&plan[${PLACED_PIECES}], mine);
      for (var piece = 0u; piece < mine; piece++) { pieces[at + piece] = vec2<u32>(row, piece); }
    }
  }
  if (row == 0u) {
    let middling = bucketOf(${MIDDLING}u);
    let long = bucketOf(${LONG}u);
    let counts = vec3<u32>(rowsIn(0u, middling), rowsIn(middling, long), rowsIn(long, ${NUM_BUCKETS}u));
    for (var c = 0u; c < 3u; c++) { atomicStore(&plan[${COUNTS}u + c], counts[c]); }
    atomicStore(&plan[${FIRSTS}], counts.z + counts.y);
    atomicStore(&plan[${FIRSTS + 1}], counts.z);
    atomicStore(&plan[${FIRSTS + 2}], 0u);
  }
}`,
  }),
);

export interface SpmmKind {
  /** Invocations of a team: each has four columns. */
  readonly lanes: 4 | 8 | 16;
  readonly isSplit: boolean;
  /** Only part of the entries, of x or of the result can be seen in one call. */
  readonly isWindowed: boolean;
}

const SPMM_PARAMS = {
  rows: 'u32',
  cols: 'u32',
  stride4: 'u32',
  accumulate: 'u32',
  firstEntry: 'u32',
  endEntry: 'u32',
  firstColumn: 'u32',
  numColumns: 'u32',
  firstRow: 'u32',
  numRows: 'u32',
  pieceLength: 'u32',
} as const;

export type SpmmParams = Arguments<keyof typeof SPMM_PARAMS>;

const SPMM_INPUTS = {
  x: 'read vec4<f32>',
  columns: 'read vec4<u32>',
  values: 'read vec4<f32>',
  starts: 'read u32',
  ends: 'read u32',
  plan: 'read u32',
} as const;

/** Entries [first, end) of a row, those of every `teams`-th four from the team's own on: what they add to four columns. */
function sumFunction({ isWindowed }: SpmmKind): string {
  return isWindowed ? SUM_IN_WINDOW : SUM;
}

const FOUR = ['x', 'y', 'z', 'w'];

const SUM = `
fn sumOfEntries(first: u32, end: u32, team: u32, teams: u32, column: u32) -> vec4<f32> {
  var sum = vec4<f32>();
  for (var quad = first / 4u + team; 4u * quad < end; quad += teams) {
    let at = columns[quad] * params.stride4 + column;
    let value = values[quad];
    let entry = 4u * quad;
    if (entry >= first && entry + 4u <= end) {
      ${FOUR.map((c) => `let x${c} = x[at.${c}];`).join('\n      ')}
      ${FOUR.map((c) => `sum = fma(vec4<f32>(value.${c}), x${c}, sum);`).join('\n      ')}
    } else {
      ${FOUR.map((c, i) => `if (entry + ${i}u >= first && entry + ${i}u < end) { sum += value.${c} * x[at.${c}]; }`).join('\n      ')}
    }
  }
  return sum;
}`;

const SUM_IN_WINDOW = `
fn sumOfEntries(first: u32, end: u32, team: u32, teams: u32, column: u32) -> vec4<f32> {
  let source = max(first, params.firstEntry);
  let to = min(end, params.endEntry);
  var sum = vec4<f32>();
  for (var quad = source / 4u + team; 4u * quad < to; quad += teams) {
    let row = columns[quad - params.firstEntry / 4u] - params.firstColumn;
    let value = values[quad - params.firstEntry / 4u];
    let entry = 4u * quad;
    ${FOUR.map(
      (c, i) =>
        `if (entry + ${i}u >= source && entry + ${i}u < to && row.${c} < params.numColumns) {
      sum = fma(vec4<f32>(value.${c}), x[row.${c} * params.stride4 + column], sum);
    }`,
    ).join('\n    ')}
  }
  return sum;
}`;

/** A row none of whose entries can be seen has nothing to add. */
const IS_SEEN = '(params.accumulate == 0u || (start < params.endEntry && end > params.firstEntry))';

export const spmmShader = shaderFamily((lanes: SpmmKind['lanes'], isSplit: boolean, isWindowed: boolean) => {
  const teams = WORKGROUP / lanes;
  const perGroup = teams / MIDDLING_TEAMS;
  return shader({
    name: `spmm ${lanes} ${isSplit} ${isWindowed}`,
    params: SPMM_PARAMS,
    buffers: { out: 'write vec4<f32>', ...SPMM_INPUTS, order: 'read u32' },
    code: `${WITHOUT_PADDING}
${LENGTHS(isSplit)}
${sumFunction({ lanes, isSplit, isWindowed })}
var<workgroup> sums: array<vec4<f32>, ${WORKGROUP}>;
${MAIN()}
  // workgroups of long rows come first, then those of middling ones
  let long = plan[2];
  let middling = (plan[1] + ${perGroup - 1}u) / ${perGroup}u;
  var kind = 0u;
  var sharing = 1u; // teams that share a row
  var slot = (group - long - middling) * ${teams}u;
  if (group < long) {
    kind = 2u;
    sharing = ${teams}u;
    slot = group;
  } else if (group < long + middling) {
    kind = 1u;
    sharing = ${MIDDLING_TEAMS}u;
    slot = (group - long) * ${perGroup}u;
  }
  let numSlots = plan[kind];
  if (slot >= numSlots) { return; }
  let team = lane / ${lanes}u;
  slot += team / sharing;
  let column = groupId.z * ${lanes}u + lane % ${lanes}u;
  let row = order[plan[${FIRSTS}u + kind] + min(slot, numSlots - 1u)];
  let start = starts[row];
  let end = ${endOf(isSplit)};
  // very long rows are made piece by piece, by another kernel
  let isMine = slot < numSlots && column < params.stride4 && numPieces(end - start) == 0u
    ${isWindowed ? `&& row - params.firstRow < params.numRows && ${IS_SEEN}` : ''};
  var sum = vec4<f32>();
  if (isMine) { sum = sumOfEntries(start, end, team % sharing, sharing, column); }
  if (sharing > 1u) {
    sums[lane] = sum;
    for (var step = sharing / 2u; step > 0u; step >>= 1u) {
      workgroupBarrier();
      if (team % sharing < step) { sums[lane] += sums[lane + step * ${lanes}u]; }
    }
    sum = sums[lane];
  }
  if (isMine && team % sharing == 0u) {
    let at = (row${isWindowed ? ' - params.firstRow' : ''}) * params.stride4 + column;
    sum = withoutPadding(sum, 4u * column, params.cols);
    if (params.accumulate == 1u) { sum += out[at]; }
    out[at] = sum;
  }
}`,
  });
});

/** The pieces of very long rows, each by a workgroup, each into a row of its own. */
export const spmmPiecesShader = shaderFamily((lanes: SpmmKind['lanes'], isSplit: boolean, isWindowed: boolean) => {
  const teams = WORKGROUP / lanes;
  return shader({
    name: `spmm pieces ${lanes} ${isSplit} ${isWindowed}`,
    params: SPMM_PARAMS,
    buffers: { out: 'write vec4<f32>', ...SPMM_INPUTS, pieces: 'read vec2<u32>' },
    code: `${sumFunction({ lanes, isSplit, isWindowed })}
var<workgroup> sums: array<vec4<f32>, ${WORKGROUP}>;
${MAIN()}
  if (group >= plan[${PIECES}]) { return; }
  let row = pieces[group].x;
  let first = starts[row] + params.pieceLength * pieces[group].y;
  let end = min(${endOf(isSplit)}, first + params.pieceLength);
  let column = groupId.z * ${lanes}u + lane % ${lanes}u;
  var sum = vec4<f32>();
  if (column < params.stride4) { sum = sumOfEntries(first, end, lane / ${lanes}u, ${teams}u, column); }
  sums[lane] = sum;
  for (var step = ${WORKGROUP / 2}u; step >= ${lanes}u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) { sums[lane] += sums[lane + step]; }
  }
  if (lane < ${lanes}u && column < params.stride4) { out[group * params.stride4 + column] = sums[lane]; }
}`,
  });
});

/** Adds up the pieces of each very long row: the first of them finds the others behind it. */
export const JOIN_PIECES = shader({
  name: 'join pieces',
  params: SPMM_PARAMS,
  buffers: { out: 'write vec4<f32>', parts: 'read vec4<f32>', pieces: 'read vec2<u32>', plan: 'read u32' },
  code: `${WITHOUT_PADDING}
${MAIN(64)}
  if (group >= plan[${PIECES}]) { return; }
  let row = pieces[group].x;
  if (pieces[group].y != 0u || row - params.firstRow >= params.numRows) { return; }
  for (var column = lane; column < params.stride4; column += 64u) {
    var sum = vec4<f32>();
    for (var piece = group; piece < plan[${PIECES}] && pieces[piece].x == row; piece++) {
      sum += parts[piece * params.stride4 + column];
    }
    let at = (row - params.firstRow) * params.stride4 + column;
    sum = withoutPadding(sum, 4u * column, params.cols);
    if (params.accumulate == 1u) { sum += out[at]; }
    out[at] = sum;
  }
}`,
});

/** Of entries by row, the row of each; for the entries of the transposed. */
export const ROW_OF_ENTRY = shader({
  name: 'rowOfEntry',
  params: { rows: 'u32' },
  buffers: { out: 'write u32', starts: 'read u32' },
  code: `${MAIN()}
  // four invocations walk along a row
  let row = (group * ${WORKGROUP}u + lane) / 4u;
  if (row < params.rows) {
    for (var e = starts[row] + lane % 4u; e < starts[row + 1u]; e += 4u) { out[e] = row; }
  }
}`,
});

/** The transposed matrix's entries from those of the matrix, in the order found. */
export const PICK_ENTRIES = shader({
  name: 'pickEntries',
  params: { count: 'u32' },
  buffers: {
    columnsOut: 'write u32',
    valuesOut: 'write f32',
    rowOf: 'read u32',
    values: 'read f32',
    ordered: 'read u32',
  },
  code: `${MAIN()}
  let i = group * ${WORKGROUP}u + lane;
  if (i >= params.count) { return; }
  columnsOut[i] = rowOf[ordered[i]];
  valuesOut[i] = values[ordered[i]];
}`,
});
