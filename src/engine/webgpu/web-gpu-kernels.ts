// The WebGPU backend: every kernel of the interface on a GPU. Calls are recorded and return at once; what returns a promise
// waits for the GPU. Results agree with the other backends to the rounding of float32, and are the same bytes every time
// on the same device.

import type { Csr } from '../../csr.ts';
import type {
  AdamSettings,
  AdamState,
  GemmOptions,
  Kernels,
  NceInputs,
  NceOutputs,
  NoiseInputs,
  UnaryOperation,
} from '../kernels.ts';
import type { Dense, Ints, Sparse } from '../matrix.ts';
import { adam, adamRows } from './adam.ts';
import { type LoadGpu, type OpenedDevice, openDevice } from './device.ts';
import { drawNoise } from './draws.ts';
import * as elementwise from './elementwise.ts';
import { gemm } from './gemm.ts';
import { GpuStorage } from './gpu-storage.ts';
import { nce, scatterAdd, softmaxCrossEntropy } from './losses.ts';
import { countNonFinite, readLarge, topK } from './ranking.ts';
import { notePlan } from './row-plan.ts';
import * as rows from './rows.ts';
import { spmm } from './spmm.ts';
import { spmmTransposed } from './spmm-transposed.ts';
import { cholesky, invertSymmetric, solveTriangular } from './symmetric.ts';

interface WebGpuOptions {
  /** Default: the browser's, or that of the package `webgpu`. */
  readonly load?: LoadGpu;
  /** True: an adapter that computes on the processor is used, too. */
  readonly software?: boolean;
}

/** The kernels, or a clause that says what is missing. */
export async function openWebGpu({ load, software = false }: WebGpuOptions = {}): Promise<WebGpuKernels | string> {
  const opened = await openDevice(load);
  if (typeof opened === 'string') return opened;
  if (opened.isSoftware && !software) {
    opened.device.destroy();
    return `the only GPU adapter is a program (${opened.name})`;
  }
  return new WebGpuKernels(opened);
}

export class WebGpuKernels extends GpuStorage implements Kernels {
  readonly name: string;
  readonly numThreads = 1; // of the program; the GPU has its own
  readonly isRemote = true;
  readonly origin: readonly unknown[];

  constructor(opened: OpenedDevice, windowBytes?: number) {
    super(opened.device, windowBytes);
    this.name = `gpu, ${opened.name}`;
    this.origin = opened.origin;
  }

  override sparse(numRows: number, cols: number, arrays: Csr): Sparse {
    const made = super.sparse(numRows, cols, arrays);
    notePlan(this, made, arrays.rowStart);
    return made;
  }

  spmm(out: Dense, a: Sparse, x: Dense, accumulate = false): void {
    spmm(this, out, a, x, accumulate);
  }

  spmmTransposed(out: Dense, a: Sparse, x: Dense, accumulate = false): void {
    spmmTransposed(this, out, a, x, accumulate);
  }

  gemm(out: Dense, a: Dense, b: Dense, options: GemmOptions = {}): void {
    gemm(this, out, a, b, options);
  }

  fill(out: Dense, value: number): void {
    elementwise.fill(this, out, value);
  }

  add(out: Dense, a: Dense, b: Dense, scaleA = 1, scaleB = 1): void {
    elementwise.add(this, out, a, b, scaleA, scaleB);
  }

  mul(out: Dense, a: Dense, b: Dense, accumulate = false): void {
    elementwise.mul(this, out, a, b, accumulate);
  }

  unary(out: Dense, operation: UnaryOperation, x: Dense): void {
    elementwise.unary(this, out, operation, x);
  }

  unaryBackward(dx: Dense, operation: UnaryOperation, dy: Dense, x: Dense, y: Dense, accumulate = false): void {
    elementwise.unaryBackward(this, dx, operation, { dy, x, y }, accumulate);
  }

  dropout(out: Dense, x: Dense, rate: number, key: readonly [number, number], accumulate = false): void {
    elementwise.dropout(this, out, x, { rate, key }, accumulate);
  }

  addBias(out: Dense, x: Dense, bias: Dense): void {
    rows.addBias(this, out, x, bias);
  }

  columnSums(out: Dense, x: Dense, accumulate = false): void {
    rows.columnSums(this, out, x, accumulate);
  }

  sum(out: Dense, x: Dense, scale = 1): void {
    rows.sum(this, out, x, scale);
  }

  broadcast(out: Dense, s: Dense, scale = 1, accumulate = false): void {
    elementwise.broadcast(this, out, s, scale, accumulate);
  }

  gather(out: Dense, x: Dense, indices: Ints): void {
    rows.gather(this, out, x, indices);
  }

  scatterAdd(out: Dense, indices: Ints, x: Dense): void {
    scatterAdd(this, out, indices, x);
  }

  rowDot(out: Dense, a: Dense, b: Dense): void {
    rows.rowSums(this, 'rowDot', out, a, b);
  }

  rowNorm(out: Dense, x: Dense): void {
    rows.rowSums(this, 'rowNorm', out, x, x);
  }

  scaleRows(out: Dense, x: Dense, s: Dense, accumulate = false): void {
    rows.scaleRows(this, out, x, s, accumulate);
  }

  addBlock(out: Dense, row: number, column: number, x: Dense): void {
    rows.addBlock(this, out, row, column, x);
  }

  rowNormBackward(dx: Dense, dy: Dense, x: Dense, norm: Dense, accumulate = false): void {
    rows.rowNormBackward(this, dx, { dy, x, norm }, accumulate);
  }

  softmaxCrossEntropy(losses: Dense, dLogits: Dense, logits: Dense, targets: Ints): void {
    softmaxCrossEntropy(this, losses, dLogits, logits, targets);
  }

  nce(out: NceOutputs, inputs: NceInputs, scale: number): void {
    nce(this, out, inputs, scale);
  }

  drawNoise(out: Ints, inputs: NoiseInputs): void {
    drawNoise(this, out, inputs);
  }

  adam(state: AdamState, settings: AdamSettings): void {
    adam(this, state, settings);
  }

  adamRows(state: AdamState, indices: Ints, settings: AdamSettings): void {
    adamRows(this, state, indices, settings);
  }

  async cholesky(a: Dense): Promise<void> {
    await cholesky(this, a);
  }

  async solveTriangular(b: Dense, l: Dense, transposed: boolean): Promise<void> {
    solveTriangular(this, b, l, transposed);
  }

  async invertSymmetric(a: Dense): Promise<void> {
    await invertSymmetric(this, a);
  }

  topK(ids: Ints, x: Dense, k: number): void {
    topK(this, ids, x, k);
  }

  async readLarge(x: Dense, limits: Float32Array): Promise<Csr> {
    return readLarge(this, x, limits);
  }

  async countNonFinite(x: Dense): Promise<number> {
    return countNonFinite(this, x);
  }
}
