// Symmetric positive definite systems by blocks, so that nearly all the arithmetic is a product of large matrices
// (assembly/symmetric.ts has the pieces). The inverse is the sweep operator of reference/symmetric.ts with a block of
// columns as its pivot: n³ multiply-adds and divisions in all, half of what inverting without symmetry takes.

import { type Kernels, NotPositiveDefiniteError } from '../kernels.ts';
import type { Dense } from '../matrix.ts';

const BLOCK = 128; // columns; a multiple of 16

/** The right factor (depth, cols) of a product: numbers are `kStride` bytes apart down a column, `columnStride` along a row. */
export interface RightFactor {
  readonly pointer: number;
  readonly depth: number;
  readonly cols: number;
  readonly kStride: number;
  readonly columnStride: number;
  readonly scale: number;
}

/** What these algorithms need of the WebAssembly backend. */
interface BlockKernels extends Pick<Kernels, 'dense' | 'release' | 'gemm' | 'add'> {
  run(kernel: string, work: number, ...args: number[]): void;
  ask(kernel: string, ...args: number[]): number;
  withPacked(right: RightFactor, kernel: string, use: (packed: number, left: number) => void): void;
}

/** a = L Lᵀ, right-looking: factor a diagonal block, solve the panel below it, update what is left. */
export function cholesky(kernels: BlockKernels, a: Dense): void {
  const n = a.rows;
  withDense(kernels, [BLOCK, n], ([inverse, solved]) => {
    for (let first = 0; first < n; first += BLOCK) {
      const width = Math.min(BLOCK, n - first);
      const [after, left] = [first + width, n - first - width];
      const small = block(inverse, 0, 0, width, width);
      factor(kernels, block(a, first, first, width, width), first, small);
      if (left === 0) break;
      const panel = block(a, after, first, left, width);
      const result = block(solved, 0, 0, left, width);
      kernels.gemm(result, panel, small, { transposeB: true });
      copy(kernels, panel, result);
      update(kernels, block(a, after, after, left, left), result, result);
    }
  });
  kernels.run('clearUpper', n * n, a.pointer, a.stride * 4, n);
}

/** Block by block: solve with the diagonal block's inverse, take its part out of the rows still to come. */
export function solveTriangular(kernels: BlockKernels, b: Dense, l: Dense, transposed: boolean): void {
  const numBlocks = Math.ceil(l.rows / BLOCK);
  withDense(kernels, [BLOCK], ([inverse]) => {
    for (let step = 0; step < numBlocks; step++) {
      const first = (transposed ? numBlocks - 1 - step : step) * BLOCK;
      const width = Math.min(BLOCK, l.rows - first);
      const after = first + width;
      const part = block(b, first, 0, width, b.cols);
      const small = block(inverse, 0, 0, width, width);
      invertLower(kernels, small, block(l, first, first, width, width));
      kernels.gemm(part, small, part, { transposeA: transposed });
      const rest = transposed ? block(b, 0, 0, first, b.cols) : block(b, after, 0, l.rows - after, b.cols);
      const factors = transposed ? block(l, first, 0, width, first) : block(l, after, first, l.rows - after, width);
      if (rest.rows > 0) kernels.gemm(rest, factors, part, { transposeA: transposed, scale: -1, accumulate: true });
    }
  });
}

/** For each block k: with D = a_kk⁻¹, a_ij −= a_ik D a_kj, then a_ik = a_ik D and a_kk = −D. In the end a is −a⁻¹. */
export function invertSymmetric(kernels: BlockKernels, a: Dense): void {
  const n = a.rows;
  withDense(kernels, [n, n, BLOCK, BLOCK], ([panels, products, pivots, inverses]) => {
    for (let first = 0; first < n; first += BLOCK) {
      const width = Math.min(BLOCK, n - first);
      const panel = block(panels, 0, 0, n, width); // a_ik for all i
      const scaled = block(products, 0, 0, n, width); // a_ik D
      const pivot = block(pivots, 0, 0, width, width); // D
      const inverse = block(inverses, 0, 0, width, width);
      kernels.run('gatherPanel', n * width, panel.pointer, panel.stride * 4, a.pointer, a.stride * 4, n, first, width);
      copy(kernels, pivot, block(panel, first, 0, width, width));
      factor(kernels, pivot, first, inverse);
      kernels.gemm(pivot, inverse, inverse, { transposeA: true }); // a_kk⁻¹ = L⁻ᵀ L⁻¹
      kernels.gemm(scaled, panel, pivot);
      update(kernels, a, scaled, panel);
      kernels.add(pivot, pivot, pivot, -1, 0);
      copy(kernels, block(scaled, first, 0, width, width), pivot);
      kernels.run(
        'scatterPanel',
        n * width,
        a.pointer,
        a.stride * 4,
        scaled.pointer,
        scaled.stride * 4,
        n,
        first,
        width,
      );
    }
  });
  kernels.run('negateAndMirror', n * n, a.pointer, a.stride * 4, n);
}

/** Lends matrices of the given numbers of rows, BLOCK columns wide. */
function withDense(kernels: BlockKernels, rows: readonly number[], use: (matrices: Dense[]) => void): void {
  const matrices = rows.map((numRows) => kernels.dense(numRows, BLOCK));
  try {
    use(matrices);
  } finally {
    kernels.release(...matrices);
  }
}

/** a −= left · rightᵀ on and below the diagonal */
function update(kernels: BlockKernels, a: Dense, left: Dense, right: Dense): void {
  const [n, depth] = [a.rows, left.cols];
  const columnStride = right.stride * 4;
  const factor = { pointer: right.pointer, depth, cols: n, kStride: 4, columnStride, scale: -1 };
  kernels.withPacked(factor, 'symmetricUpdate', (packed, blocks) => {
    const matrices = [a.pointer, a.stride * 4, left.pointer, left.stride * 4, packed, blocks];
    kernels.run('symmetricUpdate', n * n * depth, ...matrices, n, depth);
  });
}

/** A small block becomes L; `inverse` gets L⁻¹. */
function factor(kernels: BlockKernels, a: Dense, firstRow: number, inverse: Dense): void {
  const failed = kernels.ask('factorBlock', a.pointer, a.stride * 4, a.rows);
  if (failed >= 0) throw new NotPositiveDefiniteError(firstRow + failed);
  invertLower(kernels, inverse, a);
}

function invertLower(kernels: BlockKernels, out: Dense, l: Dense): void {
  kernels.ask('invertLower', out.pointer, out.stride * 4, l.pointer, l.stride * 4, l.rows);
}

function copy(kernels: BlockKernels, out: Dense, x: Dense): void {
  kernels.run(
    'copyBlock',
    out.rows * out.cols,
    out.pointer,
    out.stride * 4,
    x.pointer,
    x.stride * 4,
    out.rows,
    out.cols,
  );
}

/** A part of a matrix, in place. Columns must begin at a multiple of 16 and end at one, or where the matrix ends. */
function block(x: Dense, row: number, column: number, rows: number, cols: number): Dense {
  return { rows, cols, stride: x.stride, pointer: x.pointer + (row * x.stride + column) * 4 };
}
