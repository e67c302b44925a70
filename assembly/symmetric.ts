// The pieces of the blocked algorithms for symmetric positive definite matrices; src/engine/symmetric.ts puts them
// together. Only the lower triangle counts. Strides are bytes. Small blocks are worked on by one thread in double
// precision sums; nearly all arithmetic is in `symmetricUpdate`.

import { LEFT_BYTES, multiply } from './gemm';
import { shareStart } from './share';

// @ts-ignore: decorator
@inline
function at(p: usize, stride: usize, i: i32, j: i32): usize {
  return p + <usize>i * stride + (<usize>j << 2);
}

/** a becomes L with a = L Lᵀ, zeros above. Returns −1, or the row whose pivot is not positive. */
export function factorBlock(t: i32, T: i32, a: usize, stride: usize, n: i32): i32 {
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = f64(load<f32>(at(a, stride, i, j)));
      for (let k = 0; k < j; k++) sum -= f64(load<f32>(at(a, stride, i, k))) * f64(load<f32>(at(a, stride, j, k)));
      if (i === j) {
        if (!(sum > 0)) return j;
        store<f32>(at(a, stride, j, j), f32(Math.sqrt(sum)));
      } else store<f32>(at(a, stride, i, j), f32(sum / f64(load<f32>(at(a, stride, j, j)))));
    }
    for (let i = 0; i < j; i++) store<f32>(at(a, stride, i, j), 0);
  }
  return -1;
}

/** out = L⁻¹, lower triangular with zeros above. */
export function invertLower(t: i32, T: i32, out: usize, outStride: usize, l: usize, stride: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const pivot = f64(load<f32>(at(l, stride, i, i)));
    for (let j = 0; j < n; j++) {
      let sum: f64 = i === j ? 1 : 0;
      for (let k = j; k < i; k++) sum -= f64(load<f32>(at(l, stride, i, k))) * f64(load<f32>(at(out, outStride, k, j)));
      store<f32>(at(out, outStride, i, j), j > i ? 0 : f32(sum / pivot));
    }
  }
}

/** panel (n, width) = columns [first, first + width) of the whole symmetric matrix */
export function gatherPanel(t: i32, T: i32, panel: usize, panelStride: usize, a: usize, stride: usize, n: i32, first: i32, width: i32): void {
  const end = shareStart(t + 1, T, n, 1);
  for (let i = shareStart(t, T, n, 1); i < end; i++) {
    for (let j = 0; j < width; j++) {
      const column = first + j;
      const value = i >= column ? load<f32>(at(a, stride, i, column)) : load<f32>(at(a, stride, column, i));
      store<f32>(at(panel, panelStride, i, j), value);
    }
  }
}

/** out = x for matrices of any two strides */
export function copyBlock(t: i32, T: i32, out: usize, outStride: usize, x: usize, stride: usize, rows: i32, width: i32): void {
  const end = shareStart(t + 1, T, rows, 1);
  for (let i = shareStart(t, T, rows, 1); i < end; i++) memory.copy(at(out, outStride, i, 0), at(x, stride, i, 0), <usize>width << 2);
}

/** The opposite of gatherPanel: the panel back into the lower triangle. */
export function scatterPanel(t: i32, T: i32, a: usize, stride: usize, panel: usize, panelStride: usize, n: i32, first: i32, width: i32): void {
  const end = shareStart(t + 1, T, n, 1);
  for (let i = shareStart(t, T, n, 1); i < end; i++) {
    for (let j = 0; j < width; j++) {
      const column = first + j;
      const target = i >= column ? at(a, stride, i, column) : at(a, stride, column, i);
      // inside the diagonal block both (i, j) and (j, i) map to one place: the lower one is written
      if (i < first || i >= column) store<f32>(target, load<f32>(at(panel, panelStride, i, j)));
    }
  }
}

const ROWS = 64; // a block of rows goes to one thread; blocks are dealt in turn, since later rows are longer

/** a += p · packed on and below the diagonal (and somewhat above it, where nobody looks): p (n, depth), packed as by `pack` */
export function symmetricUpdate(
  t: i32, T: i32, a: usize, stride: usize, p: usize, pStride: usize, packed: usize, scratch: usize, n: i32, depth: i32,
): void {
  const own = scratch + <usize>t * LEFT_BYTES;
  for (let from = t * ROWS; from < n; from += T * ROWS) {
    const to = min(n, from + ROWS);
    multiply(a, stride, p, pStride, 4, packed, own, from, to, (to + 15) / 16, depth, 1);
  }
}

/** a = −a below the diagonal, mirrored above it: what ends the sweep. A thread owns rows below. */
export function negateAndMirror(t: i32, T: i32, a: usize, stride: usize, n: i32): void {
  for (let from = t * ROWS; from < n; from += T * ROWS) {
    const to = min(n, from + ROWS);
    for (let i = from; i < to; i++) {
      for (let j = 0; j <= i; j++) {
        const value = -load<f32>(at(a, stride, i, j));
        store<f32>(at(a, stride, i, j), value);
        store<f32>(at(a, stride, j, i), value);
      }
    }
  }
}

/** Zeros above the diagonal. */
export function clearUpper(t: i32, T: i32, a: usize, stride: usize, n: i32): void {
  const end = shareStart(t + 1, T, n, 1);
  for (let i = shareStart(t, T, n, 1); i < end; i++) memory.fill(at(a, stride, i, i + 1), 0, <usize>(n - i - 1) << 2);
}
