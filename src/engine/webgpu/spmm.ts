// Products of a sparse and a dense matrix on the GPU. A team of invocations takes the entries of a row four at a time, each of
// them four columns of the result; long rows are shared by several teams of a workgroup, very long ones by several workgroups.
// Which rows are long is in the plan (row-plan.ts), so that one call does all of them.

import type { Dense, Sparse } from '../matrix.ts';
import { ALIGN, type Block, type Window } from './buffers.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { endOf, FIRSTS, LENGTHS, mostRows, PIECES, type PlannedRows, pieceLengthOf, planOf } from './row-plan.ts';
import type { Segments } from './segments.ts';
import { type Arguments, MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';
import { WITHOUT_PADDING } from './wgsl-functions.ts';

const MIDDLING_TEAMS = 4; // that share a row of middling length

interface SpmmKind {
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

type SpmmParams = Arguments<keyof typeof SPMM_PARAMS>;

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

const spmmShader = shaderFamily((lanes: SpmmKind['lanes'], isSplit: boolean, isWindowed: boolean) => {
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
const spmmPiecesShader = shaderFamily((lanes: SpmmKind['lanes'], isSplit: boolean, isWindowed: boolean) => {
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
const JOIN_PIECES = shader({
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

export function spmm(gpu: GpuStorage, out: Dense, a: Sparse, x: Dense, accumulate: boolean): void {
  multiplyRows(gpu, planOf(gpu, a).made(), out, x, accumulate);
}

/** out[key] += Σ values[place] · x[columns[place]] over the places of the segments' second part. */
export function addSegments(
  gpu: GpuStorage,
  segments: Segments,
  out: Dense,
  x: Dense,
  entries: { readonly columns: Block; readonly values: Block },
): void {
  const { numKeys, numPlaces, maxPieces, plan, order, pieces } = segments;
  const counts = { ...mostRows(numKeys, numPlaces), pieces: maxPieces };
  const [starts, ends] = [segments.second(segments.starts), segments.second(segments.ends)];
  const rows = { ...entries, numEntries: numPlaces, starts, ends, counts, words: plan, order, pieces };
  multiplyRows(gpu, rows, out, x, true);
}

interface Sight {
  readonly x: Window;
  readonly columns: Window;
  readonly values: Window;
}

/** In one go, or, where not all can be seen at once, by parts of the result, the entries and x. */
export function multiplyRows(gpu: GpuStorage, a: PlannedRows, out: Dense, x: Dense, accumulate: boolean): void {
  const { numEntries, columns, values } = a;
  const most = gpu.queue.buffers.windowBytes / 4;
  const isWindowed = numEntries > most || x.rows > gpu.rowsAtOnce(x) || out.rows > gpu.rowsAtOnce(out);
  const xRows = Math.max(1, gpu.rowsAtOnce(x));
  gpu.eachPart(out, ({ firstRow, rows, of }) => {
    for (let firstEntry = 0; firstEntry === 0 || firstEntry < numEntries; firstEntry += most) {
      const endEntry = Math.min(numEntries, firstEntry + most);
      for (let firstColumn = 0; firstColumn === 0 || firstColumn < x.rows; firstColumn += xRows) {
        const numColumns = Math.min(xRows, x.rows - firstColumn);
        const isFirst = firstEntry === 0 && firstColumn === 0;
        const params = {
          pieceLength: pieceLengthOf(a),
          ...{ rows: out.rows, cols: out.cols, stride4: out.stride / 4, accumulate: +(accumulate || !isFirst) },
          ...{ firstEntry, endEntry, firstColumn, numColumns, firstRow, numRows: rows },
        };
        const [columnsSeen, valuesSeen] = [columns, values].map((block) => windowOf(block, firstEntry, endEntry));
        const sight = { x: gpu.rowsOf(x, firstColumn, numColumns), columns: columnsSeen, values: valuesSeen };
        runProduct(gpu, a, params, of(out), sight, isWindowed);
      }
    }
  });
}

function runProduct(
  gpu: GpuStorage,
  { starts, ends, counts, words, order, pieces }: PlannedRows,
  params: SpmmParams,
  out: Window,
  sight: Sight,
  isWindowed: boolean,
): void {
  const { short, middling, long } = counts;
  const isSplit = ends !== undefined;
  const lanes = params.stride4 <= 4 ? 4 : params.stride4 <= 8 ? 8 : 16;
  const teams = WORKGROUP / lanes;
  const layers = Math.ceil(params.stride4 / lanes);
  const inputs = { ...sight, starts, ends: ends ?? starts, plan: words };
  const groups = long + Math.ceil((middling * MIDDLING_TEAMS) / teams) + Math.ceil(short / teams);
  gpu.queue.run(spmmShader(lanes, isSplit, isWindowed), params, { out, ...inputs, order }, groups, layers);
  if (counts.pieces === 0) return;
  gpu.withScratch([counts.pieces * params.stride4 * 16], (parts) => {
    const ofPieces = { out: parts, ...inputs, pieces };
    gpu.queue.run(spmmPiecesShader(lanes, isSplit, isWindowed), params, ofPieces, counts.pieces, layers);
    gpu.queue.run(JOIN_PIECES, params, { out, parts, pieces, plan: words }, counts.pieces);
  });
}

/** Entries [first, end) of one of the two arrays. */
function windowOf(block: Block, first: number, end: number): Window {
  const bytes = Math.ceil(Math.max(1, 4 * (end - first)) / ALIGN) * ALIGN;
  return { block, offset: 4 * first, bytes };
}
