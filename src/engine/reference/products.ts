// How the reference sees matrices, as plain typed arrays, and their products: sparse times dense, its transpose, dense times
// dense. Everything in this folder is the specification of a kernel, written to be read: no blocking, no unrolling, sums in
// double precision where the loop holds one.

import type { GemmOptions } from '../kernels.ts';

export interface DenseView {
  readonly data: Float32Array; // (rows, stride), row-major
  readonly rows: number;
  readonly cols: number;
  readonly stride: number;
}

export interface CsrView {
  readonly rows: number;
  readonly cols: number;
  readonly rowStart: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

export function spmm(out: DenseView, a: CsrView, x: DenseView, accumulate: boolean): void {
  const [to, from, { rowStart, columns, values }] = [out.data, x.data, a];
  for (let r = 0; r < a.rows; r++) {
    const at = r * out.stride;
    if (!accumulate) to.fill(0, at, at + out.cols);
    for (let e = rowStart[r]; e < rowStart[r + 1]; e++) {
      const [value, row] = [values[e], columns[e] * x.stride];
      for (let c = 0; c < x.cols; c++) to[at + c] += value * from[row + c];
    }
  }
}

export function spmmTransposed(out: DenseView, a: CsrView, x: DenseView, accumulate: boolean): void {
  const [to, from, { rowStart, columns, values }] = [out.data, x.data, a];
  if (!accumulate) to.fill(0);
  for (let r = 0; r < a.rows; r++) {
    const row = r * x.stride;
    for (let e = rowStart[r]; e < rowStart[r + 1]; e++) {
      const [value, at] = [values[e], columns[e] * out.stride];
      for (let c = 0; c < x.cols; c++) to[at + c] += value * from[row + c];
    }
  }
}

export function gemm(out: DenseView, a: DenseView, b: DenseView, options: GemmOptions): void {
  const { transposeA = false, transposeB = false, scale = 1, accumulate = false } = options;
  const depth = transposeA ? a.rows : a.cols;
  const [left, right] = [a.data, b.data];
  const [aRow, aK] = transposeA ? [1, a.stride] : [a.stride, 1];
  const [bK, bColumn] = transposeB ? [1, b.stride] : [b.stride, 1];
  for (let i = 0; i < out.rows; i++) {
    for (let j = 0; j < out.cols; j++) {
      let sum = 0;
      for (let k = 0; k < depth; k++) sum += left[i * aRow + k * aK] * right[k * bK + j * bColumn];
      const at = i * out.stride + j;
      out.data[at] = scale * sum + (accumulate ? out.data[at] : 0);
    }
  }
}
