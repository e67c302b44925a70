// The WebAssembly backend: each call becomes one or two kernels of assembly/, on one thread or on several. Small calls
// stay on the calling thread, where waking others would take longer than the work; the result is the same bytes.

import type {
  AdamSettings,
  AdamState,
  GemmOptions,
  Kernels,
  NceInputs,
  NceOutputs,
  UnaryOperation,
} from '../kernels.ts';
import type { Dense, Ints, Sparse } from '../matrix.ts';
import type { Memory } from '../memory.ts';
import type { Tiles } from '../single-rows.ts';
import { Storage } from '../storage.ts';
import { cholesky, invertSymmetric, type RightFactor, solveTriangular } from './symmetric.ts';
import type { Threads } from './threads.ts';
import { WasmSingleRows } from './wasm-single-rows.ts';

const UNARY: readonly UnaryOperation[] = ['relu', 'leakyRelu', 'tanh', 'sigmoid', 'softplus', 'exp', 'log']; // as in assembly/elementwise.ts
const MIN_WORK = 50_000; // multiply-adds below which one thread is faster

const BLOCK_BYTES = 1 << 19; // of the right factor of a sparse product at a time: fits the second cache with room to spare
const DEFAULT_PARTS = 4; // for each thread
const PARTS_PER_THREAD: Readonly<Record<string, number>> = {
  spmm: 2, // every part reads the whole right factor once
  spmmTransposed: 1, // every part walks through all the entries, or pairs
  scatterAdd: 1,
  nceObjects: 1,
  nceTags: 1,
  sum: 1,
};
const MIN_ENTRIES = 4; // of a row in a block

/** How the factors of a product are laid out for the inner loop (assembly/gemm.ts). */
const TILE = 16; // columns of the right factor
const LEFT_BYTES = 64 * (256 + 16) * 4; // a block of the left factor
const WIDE = 128; // columns from which copying a block of the left factor pays: it is read once for every tile

type Kernel = (...args: number[]) => number;

export class WasmKernels extends Storage implements Kernels {
  readonly name: string;
  readonly singleRows = new WasmSingleRows(this);
  readonly #exports: Record<string, Kernel>;
  readonly #threads: Threads | undefined;

  constructor(memory: Memory, instance: WebAssembly.Instance, threads?: Threads) {
    super(memory);
    this.#exports = instance.exports as Record<string, Kernel>;
    this.#threads = threads;
    this.name = threads === undefined ? 'cpu' : `cpu, ${threads.numThreads} threads`;
  }

  get numThreads(): number {
    return this.#threads?.numThreads ?? 1;
  }

  close(): void {
    this.#threads?.close();
  }

  /** Runs a kernel with `work` multiply-adds, on all threads if that pays. */
  run(kernel: string, work: number, ...args: number[]): void {
    if (this.#threads !== undefined && work >= MIN_WORK) this.#threads.run(kernel, this.numParts(kernel), args);
    else this.#exports[kernel](0, 1, ...args);
  }

  /**
   * Into how many parts a call is cut: several for each thread, so that one that is held up leaves work to the others,
   * but fewer where parts repeat work.
   */
  numParts(kernel: string): number {
    return this.numThreads * (PARTS_PER_THREAD[kernel] ?? DEFAULT_PARTS);
  }

  /** Runs a kernel on this thread alone and gives its answer. */
  ask(kernel: string, ...args: number[]): number {
    return this.#exports[kernel](0, 1, ...args);
  }

  /** Lends a block of raw memory. */
  withScratch(bytes: number, use: (pointer: number) => void): void {
    const pointer = this.memory.allocateRaw(bytes);
    try {
      use(pointer);
    } finally {
      this.memory.release(pointer);
    }
  }

  /**
   * Lends a copy of a right factor in tiles of 16 columns, and room for blocks of the left factor in every part of the kernel
   * that multiplies them; without such a kernel the left factor is read in place and `left` is 0.
   */
  withPacked(right: RightFactor, kernel: string | undefined, use: (packed: number, left: number) => void): void {
    const { pointer, depth, cols, kStride, columnStride, scale } = right;
    const packedBytes = Math.ceil(cols / TILE) * TILE * depth * 4;
    const leftBytes = kernel === undefined ? 0 : LEFT_BYTES * this.numParts(kernel);
    this.withScratch(packedBytes + leftBytes, (packed) => {
      this.run('pack', depth * cols, packed, pointer, depth, cols, kStride, columnStride, scale);
      use(packed, leftBytes === 0 ? 0 : packed + packedBytes);
    });
  }

  spmm(out: Dense, a: Sparse, x: Dense, accumulate = false): void {
    const blockRows = Math.max(1, Math.floor(BLOCK_BYTES / (x.stride * 4)));
    const multiply = (rowsAtOnce: number, cursors: number) => {
      const sizes = [a.rows, a.cols, x.stride, out.stride * 4, x.stride * 4, rowsAtOnce, cursors, +accumulate];
      this.run('spmm', a.numEntries * x.stride, out.pointer, ...pointersOf(a), x.pointer, ...sizes);
    };
    // blocks pay where a row has several entries in each; a right factor that fits the cache needs none
    const entriesPerBlock = a.numEntries / Math.max(1, a.rows) / Math.ceil(Math.max(1, a.cols) / blockRows);
    if (blockRows >= a.cols || entriesPerBlock < MIN_ENTRIES) multiply(Math.max(1, a.cols), 0);
    else this.withScratch(a.rows * 4, (cursors) => multiply(blockRows, cursors));
  }

  spmmTransposed(out: Dense, a: Sparse, x: Dense, accumulate = false): void {
    const sizes = [a.rows, a.cols, x.stride, out.stride * 4, x.stride * 4, +accumulate];
    this.run('spmmTransposed', a.numEntries * x.stride, out.pointer, ...pointersOf(a), x.pointer, ...sizes);
  }

  gemm(out: Dense, a: Dense, b: Dense, options: GemmOptions = {}): void {
    const { transposeA = false, transposeB = false, scale = 1, accumulate = false } = options;
    const depth = transposeA ? a.rows : a.cols;
    const [bK, bColumn] = transposeB ? [4, b.stride * 4] : [b.stride * 4, 4];
    const [aRow, aK] = transposeA ? [4, a.stride * 4] : [a.stride * 4, 4];
    const right = { pointer: b.pointer, depth, cols: out.cols, kStride: bK, columnStride: bColumn, scale };
    this.withPacked(right, out.cols < WIDE ? undefined : 'gemm', (packed, left) => {
      const sizes = [out.rows, out.cols, depth, +accumulate];
      const factors = [a.pointer, aRow, aK, packed, left];
      this.run('gemm', out.rows * out.cols * depth, out.pointer, out.stride * 4, ...factors, ...sizes);
    });
  }

  /** `gemm` by a right factor that is packed already. */
  multiplyPacked(out: Dense, a: Dense, { rows: depth, pointer }: Tiles): void {
    const bytes = out.cols < WIDE ? 0 : LEFT_BYTES * this.numParts('gemm');
    this.withScratch(bytes, (left) => {
      const factors = [a.pointer, a.stride * 4, 4, pointer, bytes === 0 ? 0 : left];
      const sizes = [out.rows, out.cols, depth, 0];
      this.run('gemm', out.rows * out.cols * depth, out.pointer, out.stride * 4, ...factors, ...sizes);
    });
  }

  fill(out: Dense, value: number): void {
    this.run('fill', size(out), out.pointer, out.rows, out.cols, out.stride, value);
  }

  add(out: Dense, a: Dense, b: Dense, scaleA = 1, scaleB = 1): void {
    this.run('add', size(out), out.pointer, a.pointer, b.pointer, out.rows, out.stride, scaleA, scaleB);
  }

  mul(out: Dense, a: Dense, b: Dense, accumulate = false): void {
    this.run('mul', size(out), out.pointer, a.pointer, b.pointer, out.rows, out.stride, +accumulate);
  }

  unary(out: Dense, operation: UnaryOperation, x: Dense): void {
    this.run('unary', 8 * size(out), out.pointer, UNARY.indexOf(operation), x.pointer, out.rows, out.cols, out.stride);
  }

  unaryBackward(dx: Dense, operation: UnaryOperation, dy: Dense, x: Dense, y: Dense, accumulate = false): void {
    const pointers = [dx.pointer, UNARY.indexOf(operation), dy.pointer, x.pointer, y.pointer];
    this.run('unaryBackward', 4 * size(dx), ...pointers, dx.rows, dx.cols, dx.stride, +accumulate);
  }

  dropout(out: Dense, x: Dense, rate: number, key: readonly [number, number], accumulate = false): void {
    const draw = [Math.round(rate * 2 ** 32), 1 / (1 - rate), key[0], key[1], +accumulate];
    this.run('dropout', 16 * size(out), out.pointer, x.pointer, out.rows, out.cols, out.stride, ...draw);
  }

  addBias(out: Dense, x: Dense, bias: Dense): void {
    this.run('addBias', size(out), out.pointer, x.pointer, bias.pointer, out.rows, out.stride);
  }

  columnSums(out: Dense, x: Dense, accumulate = false): void {
    this.run('columnSums', size(x), out.pointer, x.pointer, x.rows, x.stride, +accumulate);
  }

  sum(out: Dense, x: Dense, scale = 1): void {
    this.run('sum', 0, out.pointer, x.pointer, size(x), scale);
  }

  broadcast(out: Dense, s: Dense, scale = 1, accumulate = false): void {
    this.run('broadcast', size(out), out.pointer, s.pointer, out.rows, out.cols, out.stride, scale, +accumulate);
  }

  gather(out: Dense, x: Dense, rows: Ints): void {
    this.run('gather', size(out), out.pointer, x.pointer, rows.pointer, rows.length, x.stride);
  }

  scatterAdd(out: Dense, rows: Ints, x: Dense): void {
    this.run('scatterAdd', size(x), out.pointer, rows.pointer, x.pointer, rows.length, x.stride);
  }

  rowDot(out: Dense, a: Dense, b: Dense): void {
    const strideB = b.rows === 1 ? 0 : b.stride;
    this.run('rowDot', size(a), out.pointer, a.pointer, b.pointer, a.rows, a.stride, strideB);
  }

  rowNorm(out: Dense, x: Dense): void {
    this.run('rowNorm', size(x), out.pointer, x.pointer, x.rows, x.cols, x.stride);
  }

  scaleRows(out: Dense, x: Dense, s: Dense, accumulate = false): void {
    this.run('scaleRows', size(x), out.pointer, x.pointer, s.pointer, x.rows, x.stride, +accumulate);
  }

  rowNormBackward(dx: Dense, dy: Dense, x: Dense, norm: Dense, accumulate = false): void {
    const pointers = [dx.pointer, dy.pointer, x.pointer, norm.pointer];
    this.run('rowNormBackward', size(x), ...pointers, x.rows, x.stride, +accumulate);
  }

  softmaxCrossEntropy(losses: Dense, dLogits: Dense, logits: Dense, targets: Ints): void {
    const pointers = [losses.pointer, dLogits.pointer, logits.pointer, targets.pointer];
    this.run('softmaxCrossEntropy', 16 * size(logits), ...pointers, logits.rows, logits.cols, logits.stride);
  }

  nce(out: NceOutputs, inputs: NceInputs, scale: number): void {
    const { losses, coefficients, dObjectEmbeddings, dTagEmbeddings } = out;
    const { objectEmbeddings: zo, tagEmbeddings: zt, objects, tags, noise, offsets } = inputs;
    const sizes = [objects.length, coefficients.cols - 1, zo.stride, coefficients.stride];
    const lists = [objects.pointer, tags.pointer, noise.pointer];
    const work = objects.length * coefficients.cols * zo.stride;
    const made = [losses.pointer, dObjectEmbeddings.pointer, coefficients.pointer];
    this.run('nceObjects', work, ...made, zo.pointer, zt.pointer, ...lists, offsets.pointer, ...sizes, scale);
    this.run('nceTags', work, dTagEmbeddings.pointer, coefficients.pointer, zo.pointer, ...lists, ...sizes);
  }

  adam(state: AdamState, settings: AdamSettings): void {
    const { rows, stride } = state.weights;
    this.run('adam', 4 * size(state.weights), ...adamPointers(state), rows, stride, ...adamFactors(settings));
  }

  adamRows(state: AdamState, rows: Ints, settings: AdamSettings): void {
    const { stride } = state.weights;
    const work = 4 * rows.length * stride;
    this.run('adamRows', work, ...adamPointers(state), rows.pointer, rows.length, stride, ...adamFactors(settings));
  }

  async cholesky(a: Dense): Promise<void> {
    cholesky(this, a);
  }

  async solveTriangular(b: Dense, l: Dense, transposed: boolean): Promise<void> {
    solveTriangular(this, b, l, transposed);
  }

  async invertSymmetric(a: Dense): Promise<void> {
    invertSymmetric(this, a);
  }

  topK(ids: Ints, x: Dense, k: number): void {
    this.run('topK', size(x), ids.pointer, x.pointer, x.rows, x.cols, x.stride, k);
  }

  async countNonFinite(x: Dense): Promise<number> {
    return this.ask('countNonFinite', x.pointer, x.rows, x.cols, x.stride);
  }
}

function pointersOf(a: Sparse): number[] {
  return [a.rowStart.pointer, a.columns.pointer, a.values.pointer];
}

function size({ rows, stride }: Dense): number {
  return rows * stride;
}

function adamPointers({ weights, gradient, mean, variance }: AdamState): number[] {
  return [weights.pointer, gradient.pointer, mean.pointer, variance.pointer];
}

/** The bias corrections 1 / (1 − βᵗ) go into the rate and ε, so that the loop need not know the step. */
function adamFactors({ learningRate, beta1, beta2, epsilon, step }: AdamSettings): number[] {
  const second = Math.sqrt(1 - beta2 ** step);
  return [(learningRate * second) / (1 - beta1 ** step), beta1, 1 - beta1, beta2, 1 - beta2, epsilon * second];
}
