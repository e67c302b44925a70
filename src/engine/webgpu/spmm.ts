// Products of a sparse and a dense matrix on the GPU. Beside a sparse matrix lies the plan of its rows by length, and, once
// it was asked for, the transposed matrix with a plan of its own: adding to rows in any order would not be repeatable.

import type { Csr, Dense } from '../matrix.ts';
import { ALIGN, type Block, type Window } from './buffers.ts';
import type { GpuStorage, Kept } from './gpu-storage.ts';
import { segmentsOf } from './segments.ts';
import { WORKGROUP } from './shader.ts';
import {
  CLEAR_PLAN,
  JOIN_PIECES,
  LONG,
  MIDDLING,
  MIDDLING_TEAMS,
  PICK_ENTRIES,
  PLAN_WORDS,
  planCountShader,
  planPlaceShader,
  ROW_OF_ENTRY,
  SHORT,
  type SpmmParams,
  spmmPiecesShader,
  spmmShader,
} from './wgsl-spmm.ts';

/** How many rows are how long; where it is not known, the most there can be. */
interface RowCounts {
  readonly short: number;
  readonly middling: number;
  readonly long: number;
  readonly pieces: number; // of very long rows
}

/** Entries by rows, wherever they came from. */
interface SparseRows {
  readonly rows: number;
  readonly numEntries: number;
  readonly columns: Block;
  readonly values: Block;
  readonly starts: Block;
  /** Without, a row ends where the next begins. */
  readonly ends?: Block;
}

export function spmm(gpu: GpuStorage, out: Dense, a: Csr, x: Dense, accumulate: boolean): void {
  multiply(gpu, planOf(gpu, a), out, x, accumulate);
}

export function spmmTransposed(gpu: GpuStorage, out: Dense, a: Csr, x: Dense, accumulate: boolean): void {
  const transposed = gpu.kept(a.columns, 'transposed', () => new Transposed(gpu, a));
  multiply(gpu, transposed.plan, out, x, accumulate);
}

/** Looks at a new matrix's rows while they are still at hand. */
export function notePlan(gpu: GpuStorage, a: Csr, rowStart: Int32Array): void {
  planOf(gpu, a, countRows(rowStart));
}

function planOf(gpu: GpuStorage, a: Csr, counts?: RowCounts): Plan {
  return gpu.kept(a.columns, 'plan', () => {
    const [columns, values, starts] = [gpu.block(a.columns), gpu.block(a.values), gpu.block(a.rowStart)];
    const entries = { rows: a.rows, numEntries: a.numEntries, columns, values, starts };
    return new Plan(gpu, entries, counts ?? mostRows(entries));
  });
}

class Plan implements Kept {
  readonly entries: SparseRows;
  readonly counts: RowCounts;
  readonly words: Block; // (PLAN_WORDS)
  readonly order: Block; // (rows)
  readonly pieces: Block; // (pieces, 2)
  readonly #gpu: GpuStorage;
  #isMade = false;

  constructor(gpu: GpuStorage, entries: SparseRows, counts: RowCounts) {
    this.#gpu = gpu;
    this.entries = entries;
    this.counts = counts;
    this.words = gpu.scratch(PLAN_WORDS * 4);
    this.order = gpu.scratch(entries.rows * 4);
    this.pieces = gpu.scratch(counts.pieces * 8);
  }

  /** Made with the first product. */
  make(): void {
    if (this.#isMade) return;
    this.#isMade = true;
    const { rows, starts, ends } = this.entries;
    const [queue, isSplit] = [this.#gpu.queue, ends !== undefined];
    const ranges = { starts, ends: ends ?? starts };
    const groups = Math.ceil(rows / WORKGROUP);
    queue.run(CLEAR_PLAN, { count: PLAN_WORDS }, { plan: this.words }, 1);
    queue.run(planCountShader(isSplit), { rows }, { plan: this.words, ...ranges }, groups);
    const places = { plan: this.words, order: this.order, pieces: this.pieces };
    queue.run(planPlaceShader(isSplit), { rows }, { ...places, ...ranges }, groups);
  }

  release(): void {
    for (const block of [this.words, this.order, this.pieces]) this.#gpu.queue.buffers.release(block);
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
    const { starts, ends, ordered } = segmentsOf(gpu, { lists: [columns], shifts: [0, 0], numKeys: cols });
    this.#columns = gpu.scratch(numEntries * 4);
    this.#values = gpu.scratch(numEntries * 4);
    gpu.withScratch([numEntries * 4], (rowOf) => {
      const blocks = { out: rowOf, starts: gpu.block(rowStart) };
      gpu.queue.run(ROW_OF_ENTRY, { rows }, blocks, Math.ceil((4 * rows) / WORKGROUP));
      const made = { columnsOut: this.#columns, valuesOut: this.#values };
      const from = { rowOf, values: gpu.block(values), ordered };
      gpu.queue.run(PICK_ENTRIES, { count: numEntries }, { ...made, ...from }, Math.ceil(numEntries / WORKGROUP));
    });
    const entries = { rows: cols, numEntries, columns: this.#columns, values: this.#values, starts, ends };
    this.plan = new Plan(gpu, entries, mostRows(entries));
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
function multiply(gpu: GpuStorage, plan: Plan, out: Dense, x: Dense, accumulate: boolean): void {
  plan.make();
  const { numEntries, columns, values } = plan.entries;
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
          ...{ rows: out.rows, cols: out.cols, stride4: out.stride / 4, accumulate: +(accumulate || !isFirst) },
          ...{ firstEntry, endEntry, firstColumn, numColumns, firstRow, numRows: rows },
        };
        const [columnsSeen, valuesSeen] = [columns, values].map((block) => windowOf(block, firstEntry, endEntry));
        const sight = { x: gpu.rowsOf(x, firstColumn, numColumns), columns: columnsSeen, values: valuesSeen };
        runProduct(gpu, plan, params, of(out), sight, isWindowed);
      }
    }
  });
}

function runProduct(
  gpu: GpuStorage,
  plan: Plan,
  params: SpmmParams,
  out: Window,
  sight: Sight,
  isWindowed: boolean,
): void {
  const { starts, ends } = plan.entries;
  const { short, middling, long, pieces } = plan.counts;
  const isSplit = ends !== undefined;
  const lanes = params.stride4 <= 4 ? 4 : params.stride4 <= 8 ? 8 : 16;
  const teams = WORKGROUP / lanes;
  const layers = Math.ceil(params.stride4 / lanes);
  const inputs = { ...sight, starts, ends: ends ?? starts, plan: plan.words };
  const groups = long + Math.ceil((middling * MIDDLING_TEAMS) / teams) + Math.ceil(short / teams);
  gpu.queue.run(spmmShader(lanes, isSplit, isWindowed), params, { out, ...inputs, order: plan.order }, groups, layers);
  if (pieces === 0) return;
  gpu.withScratch([pieces * params.stride4 * 16], (parts) => {
    const ofPieces = { out: parts, ...inputs, pieces: plan.pieces };
    gpu.queue.run(spmmPiecesShader(lanes, isSplit, isWindowed), params, ofPieces, pieces, layers);
    gpu.queue.run(JOIN_PIECES, params, { out, parts, pieces: plan.pieces, plan: plan.words }, pieces);
  });
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
    if (length <= SHORT) counts.short++;
    else if (length <= MIDDLING) counts.middling++;
    else counts.long++;
    if (length > LONG) counts.pieces += Math.ceil(length / LONG);
  }
  return counts;
}

/** What is certain without looking: so many entries make no more long rows than these. */
function mostRows({ rows, numEntries }: Pick<SparseRows, 'rows' | 'numEntries'>): RowCounts {
  const most = (length: number) => Math.min(rows, Math.floor(numEntries / (length + 1)));
  const pieces = numEntries > LONG ? Math.floor((2 * numEntries) / LONG) : 0;
  return { short: rows, middling: most(SHORT), long: most(MIDDLING), pieces };
}
