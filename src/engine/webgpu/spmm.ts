// Products of a sparse and a dense matrix on the GPU. Beside a sparse matrix lies the plan of its rows by length, and, once
// it was asked for, the transposed matrix with a plan of its own: adding to rows in any order would not be repeatable.

import type { Csr, Dense } from '../matrix.ts';
import { ALIGN, type Block, type Window } from './buffers.ts';
import type { GpuStorage, Kept } from './gpu-storage.ts';
import { type Segments, segmentsOf } from './segments.ts';
import { WORKGROUP } from './shader.ts';
import {
  CLEAR_PLAN,
  JOIN_PIECES,
  LONG,
  MIDDLING,
  MIDDLING_TEAMS,
  NEVER,
  PICK_ENTRIES,
  PLANNING_WORDS,
  planCountShader,
  planPlaceShader,
  ROW_OF_ENTRY,
  type SpmmParams,
  spmmPiecesShader,
  spmmShader,
  VERY_LONG,
} from './wgsl-spmm.ts';

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

export function spmm(gpu: GpuStorage, out: Dense, a: Csr, x: Dense, accumulate: boolean): void {
  multiplyRows(gpu, planOf(gpu, a).made(), out, x, accumulate);
}

export function spmmTransposed(gpu: GpuStorage, out: Dense, a: Csr, x: Dense, accumulate: boolean): void {
  const transposed = gpu.kept(a.columns, 'transposed', () => new Transposed(gpu, a));
  multiplyRows(gpu, transposed.plan.made(), out, x, accumulate);
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

/** Looks at a new matrix's rows while they are still at hand. */
export function notePlan(gpu: GpuStorage, a: Csr, rowStart: Int32Array): void {
  planOf(gpu, a, countRows(rowStart));
}

function planOf(gpu: GpuStorage, a: Csr, counts = mostRows(a.rows, a.numEntries)): Plan {
  return gpu.kept(a.columns, 'plan', () => {
    const [columns, values, starts] = [gpu.block(a.columns), gpu.block(a.values), gpu.block(a.rowStart)];
    return new Plan(gpu, a.rows, { numEntries: a.numEntries, columns, values, starts, counts });
  });
}

/** Made with the first product. */
class Plan implements Kept {
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

/** The transposed matrix, made on the GPU. Its rows lie in memory in any order, but entries of a row ascend. */
class Transposed implements Kept {
  readonly plan: Plan;
  readonly #gpu: GpuStorage;
  readonly #columns: Block;
  readonly #values: Block;

  constructor(gpu: GpuStorage, { rows, cols, numEntries, columns, values, rowStart }: Csr) {
    this.#gpu = gpu;
    const { starts, ends, ordered } = segmentsOf(gpu, { lists: [columns], numKeys: cols });
    this.#columns = gpu.scratch(numEntries * 4);
    this.#values = gpu.scratch(numEntries * 4);
    gpu.withScratch([numEntries * 4], (rowOf) => {
      const blocks = { out: rowOf, starts: gpu.block(rowStart) };
      gpu.queue.run(ROW_OF_ENTRY, { rows }, blocks, Math.ceil((4 * rows) / WORKGROUP));
      const made = { columnsOut: this.#columns, valuesOut: this.#values };
      const from = { rowOf, values: gpu.block(values), ordered };
      gpu.queue.run(PICK_ENTRIES, { count: numEntries }, { ...made, ...from }, Math.ceil(numEntries / WORKGROUP));
    });
    const entries = { numEntries, columns: this.#columns, values: this.#values, starts, ends };
    this.plan = new Plan(gpu, cols, { ...entries, counts: mostRows(cols, numEntries) });
  }

  release(): void {
    this.plan.release();
    for (const block of [this.#columns, this.#values]) this.#gpu.queue.buffers.release(block);
  }
}

interface Sight {
  readonly x: Window;
  readonly columns: Window;
  readonly values: Window;
}

/** In one go, or, where not all can be seen at once, by parts of the result, the entries and x. */
function multiplyRows(gpu: GpuStorage, a: PlannedRows, out: Dense, x: Dense, accumulate: boolean): void {
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

function pieceLengthOf({ counts }: PlannedRows): number {
  return counts.pieces > 0 ? VERY_LONG : NEVER;
}

/** Entries [first, end) of one of the two arrays. */
function windowOf(block: Block, first: number, end: number): Window {
  const bytes = Math.ceil(Math.max(1, 4 * (end - first)) / ALIGN) * ALIGN;
  return { block, offset: 4 * first, bytes };
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
function mostRows(rows: number, numEntries: number): RowCounts {
  const most = (length: number) => Math.min(rows, Math.floor(numEntries / length));
  const pieces = numEntries > VERY_LONG ? Math.floor((2 * numEntries) / VERY_LONG) : 0;
  return { short: rows, middling: most(MIDDLING), long: most(LONG), pieces };
}
