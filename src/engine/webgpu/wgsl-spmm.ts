// Products of a sparse and a dense matrix. A team of invocations takes the entries of a row four at a time, each of them
// four columns of the result; long rows are shared by several teams of a workgroup, very long ones by several workgroups.
// Which rows are long was found out before (the plan), so that one call does all of them.
//
// Legend: row r has the entries starts[r] to ends[r] − 1; of a sparse matrix by rows, ends[r] is starts[r + 1].

import { type Arguments, MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';
import { WITHOUT_PADDING } from './wgsl-elementwise.ts';

/** Entries up to which a row is short (one team), middling (four teams), long (a whole workgroup). */
export const SHORT = 64;
export const MIDDLING = 512;
export const LONG = 1 << 13; // longer ones are cut into pieces of this length
export const MIDDLING_TEAMS = 4;
const CLASSES = 3;

const ENDS = (isSplit: boolean) => (isSplit ? 'ends[row]' : 'starts[row + 1u]');

/** What kernels that go by rows of entries are given. */
const rangesOf = (isSplit: boolean) => `
fn lengthOf(row: u32) -> u32 { return ${ENDS(isSplit)} - starts[row]; }
fn classOf(length: u32) -> u32 {
  return select(select(2u, 1u, length <= ${MIDDLING}u), 0u, length <= ${SHORT}u);
}
// pieces of a very long row; the others have none
fn numPieces(length: u32) -> u32 { return select(0u, (length + ${LONG - 1}u) / ${LONG}u, length > ${LONG}u); }`;

/** plan: rows of each class, then places taken in each; then pieces, and places taken among them. */
export const PLAN_WORDS = 8;

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
    params: { rows: 'u32' },
    buffers: { plan: 'write atomic<u32>', starts: 'read u32', ends: 'read u32' },
    code: `${rangesOf(isSplit)}
var<workgroup> counts: array<atomic<u32>, ${CLASSES + 1}>;
${MAIN()}
  let row = group * ${WORKGROUP}u + lane;
  if (row < params.rows) {
    let length = lengthOf(row);
    atomicAdd(&counts[classOf(length)], 1u);
    atomicAdd(&counts[${CLASSES}], numPieces(length));
  }
  workgroupBarrier();
  if (lane < ${CLASSES}u) { atomicAdd(&plan[lane], atomicLoad(&counts[lane])); }
  if (lane == ${CLASSES}u) { atomicAdd(&plan[6], atomicLoad(&counts[lane])); }
}`,
  }),
);

/** Rows by class, long ones first; and of very long rows the pieces: row, number of the piece. */
export const planPlaceShader = shaderFamily((isSplit: boolean) =>
  shader({
    name: `place rows by length ${isSplit}`,
    params: { rows: 'u32' },
    buffers: {
      plan: 'write atomic<u32>',
      order: 'write u32',
      pieces: 'write vec2<u32>',
      starts: 'read u32',
      ends: 'read u32',
    },
    code: `${rangesOf(isSplit)}
var<workgroup> counts: array<atomic<u32>, ${CLASSES}>;
var<workgroup> bases: array<u32, ${CLASSES}>;
${MAIN()}
  let row = group * ${WORKGROUP}u + lane;
  var kind = 0u;
  var rank = 0u;
  if (row < params.rows) {
    kind = classOf(lengthOf(row));
    rank = atomicAdd(&counts[kind], 1u);
  }
  workgroupBarrier();
  if (lane < ${CLASSES}u) {
    var first = 0u; // classes above come first
    for (var above = lane + 1u; above < ${CLASSES}u; above++) { first += atomicLoad(&plan[above]); }
    bases[lane] = first + atomicAdd(&plan[${CLASSES}u + lane], atomicLoad(&counts[lane]));
  }
  workgroupBarrier();
  if (row < params.rows) {
    order[bases[kind] + rank] = row;
    let mine = numPieces(lengthOf(row));
    if (mine > 0u) {
      let at = atomicAdd(&plan[7], mine);
      for (var piece = 0u; piece < mine; piece++) { pieces[at + piece] = vec2<u32>(row, piece); }
    }
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
    for (var c = 0u; c < 4u; c++) {
      let entry = 4u * quad + c;
      if (entry >= source && entry < to && row[c] < params.numColumns) {
        sum = fma(vec4<f32>(value[c]), x[row[c] * params.stride4 + column], sum);
      }
    }
  }
  return sum;
}`;

export const spmmShader = shaderFamily((lanes: SpmmKind['lanes'], isSplit: boolean, isWindowed: boolean) => {
  const kind = { lanes, isSplit, isWindowed };
  const teams = WORKGROUP / lanes;
  const perGroup = teams / MIDDLING_TEAMS;
  return shader({
    name: `spmm ${Object.values(kind).join(' ')}`,
    params: SPMM_PARAMS,
    buffers: { out: 'write vec4<f32>', ...SPMM_INPUTS, order: 'read u32' },
    code: `${WITHOUT_PADDING}
${rangesOf(isSplit)}
${sumFunction(kind)}
var<workgroup> sums: array<vec4<f32>, ${WORKGROUP}>;
${MAIN()}
  // workgroups of long rows come first, then those of middling ones
  let long = plan[2];
  let middling = (plan[1] + ${perGroup - 1}u) / ${perGroup}u;
  var sharing = 1u; // teams that share a row
  var slot = (group - long - middling) * ${teams}u;
  var numSlots = plan[0];
  var firstSlot = plan[2] + plan[1];
  if (group < long) {
    sharing = ${teams}u;
    slot = group;
    numSlots = plan[2];
    firstSlot = 0u;
  } else if (group < long + middling) {
    sharing = ${MIDDLING_TEAMS}u;
    slot = (group - long) * ${perGroup}u;
    numSlots = plan[1];
    firstSlot = plan[2];
  }
  if (slot >= numSlots) { return; }
  let team = lane / ${lanes}u;
  slot += team / sharing;
  let column = groupId.z * ${lanes}u + lane % ${lanes}u;
  let row = order[firstSlot + min(slot, numSlots - 1u)];
  let start = starts[row];
  let end = ${ENDS(isSplit)};
  // very long rows are made piece by piece, by another kernel
  let isMine = slot < numSlots && column < params.stride4 && numPieces(end - start) == 0u
    ${isWindowed ? '&& row - params.firstRow < params.numRows' : ''};
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
  const kind = { lanes, isSplit, isWindowed };
  const teams = WORKGROUP / lanes;
  return shader({
    name: `spmm pieces ${Object.values(kind).join(' ')}`,
    params: SPMM_PARAMS,
    buffers: { out: 'write vec4<f32>', ...SPMM_INPUTS, pieces: 'read vec2<u32>' },
    code: `${rangesOf(isSplit)}
${sumFunction(kind)}
var<workgroup> sums: array<vec4<f32>, ${WORKGROUP}>;
${MAIN()}
  if (group >= plan[6]) { return; }
  let row = pieces[group].x;
  let first = starts[row] + ${LONG}u * pieces[group].y;
  let end = min(${ENDS(isSplit)}, first + ${LONG}u);
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
  if (group >= plan[6]) { return; }
  let row = pieces[group].x;
  if (pieces[group].y != 0u || row - params.firstRow >= params.numRows) { return; }
  for (var column = lane; column < params.stride4; column += 64u) {
    var sum = vec4<f32>();
    for (var piece = group; piece < plan[6] && pieces[piece].x == row; piece++) {
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
