// Rows and columns: bias, sums, gather and scatter, dots and norms, the largest of each row.

import { TopK } from '../numerics/top-k.ts';
import type { DenseView } from './products.ts';

export function addBias(out: DenseView, x: DenseView, bias: DenseView): void {
  for (let r = 0; r < out.rows; r++) {
    for (let c = 0; c < out.cols; c++) out.data[r * out.stride + c] = x.data[r * x.stride + c] + bias.data[c];
  }
}

export function columnSums(out: DenseView, x: DenseView, accumulate: boolean): void {
  for (let c = 0; c < x.cols; c++) {
    let sum = accumulate ? out.data[c] : 0;
    for (let r = 0; r < x.rows; r++) sum += x.data[r * x.stride + c];
    out.data[c] = sum;
  }
}

export function sum(out: DenseView, x: DenseView, scale: number): void {
  let total = 0;
  for (let r = 0; r < x.rows; r++) for (let c = 0; c < x.cols; c++) total += x.data[r * x.stride + c];
  out.data[0] = scale * total;
}

export function broadcast(out: DenseView, s: DenseView, scale: number, accumulate: boolean): void {
  for (let r = 0; r < out.rows; r++) {
    for (let c = 0; c < out.cols; c++) {
      const at = r * out.stride + c;
      out.data[at] = scale * s.data[0] + (accumulate ? out.data[at] : 0);
    }
  }
}

export function gather(out: DenseView, x: DenseView, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) {
    for (let c = 0; c < x.cols; c++) out.data[i * out.stride + c] = x.data[rows[i] * x.stride + c];
  }
}

export function scatterAdd(out: DenseView, rows: Int32Array, x: DenseView): void {
  for (let i = 0; i < rows.length; i++) {
    for (let c = 0; c < x.cols; c++) out.data[rows[i] * out.stride + c] += x.data[i * x.stride + c];
  }
}

function dot(a: DenseView, b: DenseView, row: number, rowOfB = row): number {
  let sum = 0;
  for (let c = 0; c < a.cols; c++) sum += a.data[row * a.stride + c] * b.data[rowOfB * b.stride + c];
  return sum;
}

export function rowDot(out: DenseView, a: DenseView, b: DenseView): void {
  for (let r = 0; r < a.rows; r++) out.data[r] = dot(a, b, r, b.rows === 1 ? 0 : r);
}

export function rowNorm(out: DenseView, x: DenseView): void {
  for (let r = 0; r < x.rows; r++) out.data[r] = Math.sqrt(dot(x, x, r));
}

export function scaleRows(out: DenseView, x: DenseView, s: DenseView, accumulate: boolean): void {
  for (let r = 0; r < x.rows; r++) {
    for (let c = 0; c < x.cols; c++) {
      const at = r * out.stride + c;
      out.data[at] = s.data[r] * x.data[r * x.stride + c] + (accumulate ? out.data[at] : 0);
    }
  }
}

export function rowNormBackward(
  dx: DenseView,
  dy: DenseView,
  x: DenseView,
  norm: DenseView,
  accumulate: boolean,
): void {
  for (let r = 0; r < x.rows; r++) {
    const factor = norm.data[r] > 0 ? dy.data[r] / norm.data[r] : 0;
    for (let c = 0; c < x.cols; c++) {
      const at = r * dx.stride + c;
      dx.data[at] = factor * x.data[r * x.stride + c] + (accumulate ? dx.data[at] : 0);
    }
  }
}

export function topK(ids: Int32Array, x: DenseView, k: number): void {
  for (let r = 0; r < x.rows; r++) {
    const row = x.data.subarray(r * x.stride, r * x.stride + x.cols);
    const best = new TopK(k, (a, b) => row[a] < row[b] || (row[a] === row[b] && a > b));
    for (let c = 0; c < x.cols; c++) best.offer(c);
    ids.set(best.sorted(), r * k);
  }
}

export function countNonFinite(x: DenseView): number {
  let count = 0;
  for (let r = 0; r < x.rows; r++) {
    for (let c = 0; c < x.cols; c++) if (!Number.isFinite(x.data[r * x.stride + c])) count++;
  }
  return count;
}
