// The reference backend: every kernel in plain TypeScript (reference/), on one thread. It is the specification the
// others are held to, and what runs where WebAssembly has no SIMD.

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
import { Memory } from '../memory.ts';
import { Storage } from '../storage.ts';
import { type AdamViews, adam, adamRows, add, dropout, fill, mul, unary, unaryBackward } from './elementwise.ts';
import { nce, softmaxCrossEntropy } from './losses.ts';
import { type CsrView, type DenseView, gemm, spmm, spmmTransposed } from './products.ts';
import * as rows from './rows.ts';
import { cholesky, invertSymmetric, solveTriangular } from './symmetric.ts';

export class ReferenceKernels extends Storage implements Kernels {
  readonly name = 'reference';
  readonly numThreads = 1;

  constructor() {
    super(new Memory());
  }

  close(): void {}

  spmm(out: Dense, a: Sparse, x: Dense, accumulate = false): void {
    spmm(this.#view(out), this.#csrView(a), this.#view(x), accumulate);
  }

  spmmTransposed(out: Dense, a: Sparse, x: Dense, accumulate = false): void {
    spmmTransposed(this.#view(out), this.#csrView(a), this.#view(x), accumulate);
  }

  gemm(out: Dense, a: Dense, b: Dense, options: GemmOptions = {}): void {
    gemm(this.#view(out), this.#view(a), this.#view(b), options);
  }

  fill(out: Dense, value: number): void {
    fill(this.#view(out), value);
  }

  add(out: Dense, a: Dense, b: Dense, scaleA = 1, scaleB = 1): void {
    add(this.#view(out), this.#view(a), this.#view(b), scaleA, scaleB);
  }

  mul(out: Dense, a: Dense, b: Dense, accumulate = false): void {
    mul(this.#view(out), this.#view(a), this.#view(b), accumulate);
  }

  unary(out: Dense, operation: UnaryOperation, x: Dense): void {
    unary(this.#view(out), operation, this.#view(x));
  }

  unaryBackward(dx: Dense, operation: UnaryOperation, dy: Dense, x: Dense, y: Dense, accumulate = false): void {
    unaryBackward(this.#view(dx), operation, this.#view(dy), this.#view(x), this.#view(y), accumulate);
  }

  dropout(out: Dense, x: Dense, rate: number, key: readonly [number, number], accumulate = false): void {
    dropout(this.#view(out), this.#view(x), rate, key, accumulate);
  }

  addBias(out: Dense, x: Dense, bias: Dense): void {
    rows.addBias(this.#view(out), this.#view(x), this.#view(bias));
  }

  columnSums(out: Dense, x: Dense, accumulate = false): void {
    rows.columnSums(this.#view(out), this.#view(x), accumulate);
  }

  sum(out: Dense, x: Dense, scale = 1): void {
    rows.sum(this.#view(out), this.#view(x), scale);
  }

  broadcast(out: Dense, s: Dense, scale = 1, accumulate = false): void {
    rows.broadcast(this.#view(out), this.#view(s), scale, accumulate);
  }

  gather(out: Dense, x: Dense, indices: Ints): void {
    rows.gather(this.#view(out), this.#view(x), this.memory.intsView(indices));
  }

  scatterAdd(out: Dense, indices: Ints, x: Dense): void {
    rows.scatterAdd(this.#view(out), this.memory.intsView(indices), this.#view(x));
  }

  rowDot(out: Dense, a: Dense, b: Dense): void {
    rows.rowDot(this.#view(out), this.#view(a), this.#view(b));
  }

  rowNorm(out: Dense, x: Dense): void {
    rows.rowNorm(this.#view(out), this.#view(x));
  }

  scaleRows(out: Dense, x: Dense, s: Dense, accumulate = false): void {
    rows.scaleRows(this.#view(out), this.#view(x), this.#view(s), accumulate);
  }

  rowNormBackward(dx: Dense, dy: Dense, x: Dense, norm: Dense, accumulate = false): void {
    rows.rowNormBackward(this.#view(dx), this.#view(dy), this.#view(x), this.#view(norm), accumulate);
  }

  softmaxCrossEntropy(losses: Dense, dLogits: Dense, logits: Dense, targets: Ints): void {
    softmaxCrossEntropy(this.#view(losses), this.#view(dLogits), this.#view(logits), this.memory.intsView(targets));
  }

  nce(out: NceOutputs, inputs: NceInputs, scale: number): void {
    const views = {
      losses: this.#view(out.losses),
      dObjectEmbeddings: this.#view(out.dObjectEmbeddings),
      dTagEmbeddings: this.#view(out.dTagEmbeddings),
      coefficients: this.#view(out.coefficients),
      objectEmbeddings: this.#view(inputs.objectEmbeddings),
      tagEmbeddings: this.#view(inputs.tagEmbeddings),
      objects: this.memory.intsView(inputs.objects),
      tags: this.memory.intsView(inputs.tags),
      noise: this.memory.intsView(inputs.noise),
      offsets: this.#view(inputs.offsets),
    };
    nce(views, scale);
  }

  adam(state: AdamState, settings: AdamSettings): void {
    adam(this.#adamViews(state), settings);
  }

  adamRows(state: AdamState, indices: Ints, settings: AdamSettings): void {
    adamRows(this.#adamViews(state), this.memory.intsView(indices), settings);
  }

  async cholesky(a: Dense): Promise<void> {
    cholesky(this.#view(a));
  }

  async solveTriangular(b: Dense, l: Dense, transposed: boolean): Promise<void> {
    solveTriangular(this.#view(b), this.#view(l), transposed);
  }

  async invertSymmetric(a: Dense): Promise<void> {
    invertSymmetric(this.#view(a));
  }

  topK(ids: Ints, x: Dense, k: number): void {
    rows.topK(this.memory.intsView(ids), this.#view(x), k);
  }

  async countNonFinite(x: Dense): Promise<number> {
    return rows.countNonFinite(this.#view(x));
  }

  #view(x: Dense): DenseView {
    return { data: this.memory.floats(x), rows: x.rows, cols: x.cols, stride: x.stride };
  }

  #csrView(a: Sparse): CsrView {
    return {
      rows: a.rows,
      cols: a.cols,
      rowStart: this.memory.intsView(a.rowStart),
      columns: this.memory.intsView(a.columns),
      values: this.memory.floats(a.values),
    };
  }

  #adamViews(state: AdamState): AdamViews {
    return {
      weights: this.#view(state.weights),
      gradient: this.#view(state.gradient),
      mean: this.#view(state.mean),
      variance: this.#view(state.variance),
    };
  }
}
