// Symmetric positive definite systems, column by column as in any textbook, in double precision.

import { NotPositiveDefiniteError } from '../kernels.ts';
import type { DenseView } from './products.ts';

/** a = L Lᵀ, from the lower triangle of a; L replaces a, with zeros above the diagonal. */
export function cholesky(a: DenseView): void {
  const n = a.rows;
  const l = lowerTriangle(a);
  for (let j = 0; j < n; j++) {
    let pivot = l[j * n + j];
    for (let k = 0; k < j; k++) pivot -= l[j * n + k] ** 2;
    if (!(pivot > 0)) throw new NotPositiveDefiniteError(j);
    l[j * n + j] = Math.sqrt(pivot);
    for (let i = j + 1; i < n; i++) {
      let sum = l[i * n + j];
      for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = sum / l[j * n + j];
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a.data[i * a.stride + j] = l[i * n + j];
}

/** Solves L x = b, or Lᵀ x = b, for every column of b. */
export function solveTriangular(b: DenseView, l: DenseView, transposed: boolean): void {
  const n = l.rows;
  for (let column = 0; column < b.cols; column++) {
    const x = new Float64Array(n);
    for (let step = 0; step < n; step++) {
      const i = transposed ? n - 1 - step : step;
      let sum = b.data[i * b.stride + column];
      if (transposed) for (let k = i + 1; k < n; k++) sum -= l.data[k * l.stride + i] * x[k];
      else for (let k = 0; k < i; k++) sum -= l.data[i * l.stride + k] * x[k];
      x[i] = sum / l.data[i * l.stride + i];
    }
    for (let i = 0; i < n; i++) b.data[i * b.stride + column] = x[i];
  }
}

/** The sweep operator on every pivot turns a into −a⁻¹ (Goodnight, The American Statistician 33(3), 1979). */
export function invertSymmetric(a: DenseView): void {
  const n = a.rows;
  const s = lowerTriangle(a);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) s[j * n + i] = s[i * n + j];
  for (let k = 0; k < n; k++) {
    const pivot = s[k * n + k];
    if (!(pivot > 0)) throw new NotPositiveDefiniteError(k);
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = s[i * n + k] / pivot;
      for (let j = 0; j < n; j++) if (j !== k) s[i * n + j] -= factor * s[k * n + j];
    }
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      s[i * n + k] /= pivot;
      s[k * n + i] /= pivot;
    }
    s[k * n + k] = -1 / pivot;
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a.data[i * a.stride + j] = -s[i * n + j];
}

function lowerTriangle(a: DenseView): Float64Array {
  const out = new Float64Array(a.rows * a.rows);
  for (let i = 0; i < a.rows; i++) for (let j = 0; j <= i; j++) out[i * a.rows + j] = a.data[i * a.stride + j];
  return out;
}
