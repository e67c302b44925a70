// The plan of a sparse product: which rows are short, middling, long or very long, so that one call can give each of them as
// many invocations as it needs. The GPU makes it once for each matrix, with the first product.
//
// Legend: row r has the entries starts[r] to ends[r] − 1; of a sparse matrix by rows, ends[r] is starts[r + 1] (not split).

import type { Sparse } from '../matrix.ts';
import type { Block, Window } from './buffers.ts';
import type { GpuStorage, Kept } from './gpu-storage.ts';
import { MAIN, shader, shaderFamily, WORKGROUP } from './shader.ts';

/** Entries from which a row is middling (shared by four teams), long (by a whole workgroup), very long. */
export const MIDDLING = 32;
export const LONG = 512;
export const VERY_LONG = 1 << 13; // cut into pieces of this length, unless it is said that there are none
export const NEVER = 0xffffffff;

/** The words of a plan: by class, short ones first, how many rows and where they begin; pieces, and how many are placed. */
const [COUNTS, PLACED_PIECES, PLAN_WORDS] = [0, 7, 8];
export const FIRSTS = 3;
export const PIECES = 6;
/** Behind them, while the plan is made: by bucket, how many rows, and how many of them are placed. */
const NUM_BUCKETS = 64;
const [BUCKETS, PLACED] = [PLAN_WORDS, PLAN_WORDS + NUM_BUCKETS];
const PLANNING_WORDS = PLACED + NUM_BUCKETS;

export const endOf = (isSplit: boolean) => (isSplit ? 'ends[row]' : 'starts[row + 1u]');

export const LENGTHS = (isSplit: boolean) => `
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

const CLEAR_PLAN = shader({
  name: 'clearPlan',
  params: { count: 'u32' },
  buffers: { plan: 'write u32' },
  code: `${MAIN()}
  if (lane < params.count) { plan[lane] = 0u; }
}`,
});

const planCountShader = shaderFamily((isSplit: boolean) =>
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
const planPlaceShader = shaderFamily((isSplit: boolean) =>
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

/** How many rows are how long; where it is not known, the most there can be. */
interface RowCounts {
  readonly short: number;
  readonly middling: number;
  readonly long: number;
  readonly pieces: number; // of very long rows
}

/** Entries by rows, wherever they came from, with rows in the order of their lengths. */
export interface PlannedRows {
  readonly numEntries: number;
  readonly columns: Block;
  readonly values: Block;
  readonly starts: Block | Window;
  /** Without, a row ends where the next begins. */
  readonly ends?: Block | Window | undefined;
  readonly counts: RowCounts;
  readonly words: Block; // how many rows of which length
  readonly order: Block; // rows
  readonly pieces: Block; // of very long rows: row, number of the piece
}

export function planOf(gpu: GpuStorage, a: Sparse, counts = mostRows(a.rows, a.numEntries)): RowPlan {
  return gpu.kept(a.columns, 'plan', () => {
    const [columns, values, starts] = [gpu.block(a.columns), gpu.block(a.values), gpu.block(a.rowStart)];
    return new RowPlan(gpu, a.rows, { numEntries: a.numEntries, columns, values, starts, counts });
  });
}

/** Looks at a new matrix's rows while they are still at hand. */
export function notePlan(gpu: GpuStorage, a: Sparse, rowStart: Int32Array): void {
  planOf(gpu, a, countRows(rowStart));
}

/** Made with the first product. */
export class RowPlan implements Kept {
  readonly #gpu: GpuStorage;
  readonly #rows: number;
  readonly #planned: PlannedRows;
  #isMade = false;

  constructor(gpu: GpuStorage, rows: number, entries: Omit<PlannedRows, 'words' | 'order' | 'pieces'>) {
    this.#gpu = gpu;
    this.#rows = rows;
    const [words, order, pieces] = [PLANNING_WORDS, rows, 2 * entries.counts.pieces].map((n) => gpu.scratch(4 * n));
    this.#planned = { ...entries, words, order, pieces };
  }

  made(): PlannedRows {
    if (!this.#isMade) this.#make();
    return this.#planned;
  }

  #make(): void {
    this.#isMade = true;
    const rows = this.#rows;
    const { starts, ends, words: plan, order, pieces } = this.#planned;
    const [queue, isSplit] = [this.#gpu.queue, ends !== undefined];
    const ranges = { starts, ends: ends ?? starts };
    const groups = Math.ceil(rows / WORKGROUP);
    queue.run(CLEAR_PLAN, { count: PLANNING_WORDS }, { plan }, 1);
    const params = { rows, pieceLength: pieceLengthOf(this.#planned) };
    queue.run(planCountShader(isSplit), params, { plan, ...ranges }, groups);
    queue.run(planPlaceShader(isSplit), params, { plan, order, pieces, ...ranges }, groups);
  }

  release(): void {
    const { words, order, pieces } = this.#planned;
    for (const block of [words, order, pieces]) this.#gpu.queue.buffers.release(block);
  }
}

export function pieceLengthOf({ counts }: PlannedRows): number {
  return counts.pieces > 0 ? VERY_LONG : NEVER;
}

function countRows(rowStart: Int32Array): RowCounts {
  const counts = { short: 0, middling: 0, long: 0, pieces: 0 };
  for (let r = 0; r + 1 < rowStart.length; r++) {
    const length = rowStart[r + 1] - rowStart[r];
    if (length < MIDDLING) counts.short++;
    else if (length < LONG) counts.middling++;
    else counts.long++;
    if (length > VERY_LONG) counts.pieces += Math.ceil(length / VERY_LONG);
  }
  return counts;
}

/** What is certain without looking: so many entries make no more long rows than these. */
export function mostRows(rows: number, numEntries: number): RowCounts {
  const most = (length: number) => Math.min(rows, Math.floor(numEntries / length));
  const pieces = numEntries > VERY_LONG ? Math.floor((2 * numEntries) / VERY_LONG) : 0;
  return { short: rows, middling: most(MIDDLING), long: most(LONG), pieces };
}
