// Symmetric positive definite systems on the GPU, by blocks as in engine/symmetric.ts, so that nearly all the arithmetic is
// a product of matrices. Nothing is read back in between: a pivot that is not positive is noted on the GPU and found at the
// end. The inverse is the sweep operator of reference/symmetric.ts with a block of columns as its pivot.

import { NotPositiveDefiniteError } from '../kernels.ts';
import type { Dense } from '../matrix.ts';
import type { Block } from './buffers.ts';
import { multiply, type Panel } from './gemm.ts';
import type { GpuStorage } from './gpu-storage.ts';
import { WORKGROUP } from './shader.ts';
import {
  BLOCK,
  COPY_PANEL,
  factorShader,
  GATHER_PANEL,
  INVERT_BLOCKS,
  NEGATE_LOWER,
  NO_FAILURE,
  SCATTER_PANEL,
  upperShader,
} from './wgsl-systems.ts';

const BLOCK_BYTES = BLOCK * BLOCK * 4;

/** a = L Lᵀ, right-looking: factor a diagonal block, solve the panel below it, update what is left. */
export async function cholesky(gpu: GpuStorage, a: Dense): Promise<void> {
  const n = a.rows;
  const block = gpu.block(a);
  await noticing(gpu, (failure) => {
    gpu.withScratch([BLOCK_BYTES, n * BLOCK * 4], (inverses, solved) => {
      for (let first = 0; first < n; first += BLOCK) {
        const width = Math.min(BLOCK, n - first);
        const [after, left] = [first + width, n - first - width];
        const at = first * a.stride + first;
        const params = { offset: at, stride: a.stride, width, firstRow: first };
        gpu.queue.run(factorShader(true), params, { a: block, inverses, failure }, 1);
        if (left === 0) break;
        const below = { block, offset: after * a.stride + first, stride: a.stride };
        const result = panelOf(solved);
        const sizes = { rows: left, cols: width, depth: width };
        multiply(gpu, result, below, panelOf(inverses), { ...sizes, transposeB: true });
        copyPanel(gpu, below, result, left, width);
        const rest = { block, offset: after * a.stride + after, stride: a.stride };
        updateLower(gpu, rest, result, result, left, width);
      }
    });
  });
  const params = { size: n, stride: a.stride, firstRow: 0 };
  gpu.queue.run(upperShader('clear'), params, { a: block }, tiles(n));
}

/** Block by block: solve with the diagonal block's inverse, take its part out of the rows still to come. */
export function solveTriangular(gpu: GpuStorage, b: Dense, l: Dense, transposed: boolean): void {
  const [n, cols] = [l.rows, b.cols];
  const numBlocks = Math.ceil(n / BLOCK);
  const [blockB, blockL] = [gpu.block(b), gpu.block(l)];
  gpu.withScratch([Math.max(1, numBlocks) * BLOCK_BYTES, BLOCK * b.stride * 4], (inverses, solved) => {
    const inverted = { size: n, strideAll: l.stride };
    gpu.queue.run(INVERT_BLOCKS, inverted, { inverses, l: blockL }, numBlocks);
    for (let step = 0; step < numBlocks; step++) {
      const number = transposed ? numBlocks - 1 - step : step;
      const first = number * BLOCK;
      const width = Math.min(BLOCK, n - first);
      const after = first + width;
      const part = { block: blockB, offset: first * b.stride, stride: b.stride };
      const result = { block: solved, offset: 0, stride: b.stride };
      const inverse = { block: inverses, offset: number * BLOCK * BLOCK, stride: BLOCK };
      multiply(gpu, result, inverse, part, { rows: width, cols, depth: width, transposeA: transposed });
      copyPanel(gpu, part, result, width, cols);
      const restRow = transposed ? 0 : after;
      const rows = transposed ? first : n - after;
      const rest = { block: blockB, offset: restRow * b.stride, stride: b.stride };
      const at = transposed ? first * l.stride : after * l.stride + first;
      const factors = { block: blockL, offset: at, stride: l.stride };
      const sizes = { rows, cols, depth: width, transposeA: transposed };
      multiply(gpu, rest, factors, result, { ...sizes, scale: -1, accumulate: true });
    }
  });
}

/** For each block k: with D = a_kk⁻¹, a_ij −= a_ik D a_kj, then a_ik = a_ik D and a_kk = −D. In the end a is −a⁻¹. */
export async function invertSymmetric(gpu: GpuStorage, a: Dense): Promise<void> {
  const n = a.rows;
  const block = gpu.block(a);
  const panelBytes = n * BLOCK * 4;
  await noticing(gpu, (failure) => {
    gpu.withScratch([panelBytes, panelBytes, BLOCK_BYTES, BLOCK_BYTES], (panel, scaled, pivot, inverses) => {
      for (let first = 0; first < n; first += BLOCK) {
        const width = Math.min(BLOCK, n - first);
        const sizes = { size: n, stride: a.stride, first, width };
        const groups = Math.ceil((n * BLOCK) / WORKGROUP);
        gpu.queue.run(GATHER_PANEL, sizes, { panel, a: block }, groups);
        const params = { offset: first * BLOCK, stride: BLOCK, width, firstRow: first };
        gpu.queue.run(factorShader(false), params, { a: panel, inverses, failure }, 1);
        const square = { rows: width, cols: width, depth: width };
        multiply(gpu, panelOf(pivot), panelOf(inverses), panelOf(inverses), { ...square, transposeA: true }); // L⁻ᵀ L⁻¹
        multiply(gpu, panelOf(scaled), panelOf(panel), panelOf(pivot), { ...square, rows: n });
        updateLower(gpu, { block, offset: 0, stride: a.stride }, panelOf(scaled), panelOf(panel), n, width);
        gpu.queue.run(SCATTER_PANEL, sizes, { a: block, panel: scaled, pivot }, groups);
      }
    });
  });
  const count = n * a.stride;
  gpu.queue.run(NEGATE_LOWER, { count, stride: a.stride }, { a: block }, Math.ceil(count / WORKGROUP));
  gpu.queue.run(upperShader('mirror'), { size: n, stride: a.stride, firstRow: 0 }, { a: block }, tiles(n));
}

/** Runs with a place where the first bad row is put down, and rejects if there is one. */
async function noticing(gpu: GpuStorage, use: (failure: Block) => void): Promise<void> {
  const failure = gpu.ints(1);
  try {
    gpu.writeInts(failure, [NO_FAILURE | 0]);
    use(gpu.block(failure));
    const [row] = await gpu.readInts(failure);
    if (row >>> 0 !== NO_FAILURE) throw new NotPositiveDefiniteError(row);
  } finally {
    gpu.release(failure);
  }
}

/** BLOCK columns of their own. */
function panelOf(block: Block): Panel {
  return { block, offset: 0, stride: BLOCK };
}

/** a −= left · rightᵀ on and below the diagonal */
function updateLower(gpu: GpuStorage, a: Panel, left: Panel, right: Panel, n: number, depth: number): void {
  const product = { rows: n, cols: n, depth, transposeB: true, scale: -1, accumulate: true, lower: true };
  multiply(gpu, a, left, right, product);
}

function copyPanel(gpu: GpuStorage, out: Panel, x: Panel, rows: number, width: number): void {
  const places = { offsetOut: out.offset, strideOut: out.stride, offset: x.offset, stride: x.stride };
  const params = { count: rows * width, width, ...places };
  gpu.queue.run(COPY_PANEL, params, { out: out.block, x: x.block }, Math.ceil((rows * width) / WORKGROUP));
}

function tiles(n: number): number {
  return Math.ceil(n / 16) ** 2;
}
