// Number by number. Matrices of one shape lie in memory alike, padding included, so a share of rows is one straight run
// of floats; functions that do not map 0 to 0 clear the padding behind them.

import { shareStart } from './share';
import { exp4, log4, sigmoid4, softplus4, tanh4 } from './vector';

// the order of UNARY in src/engine/wasm.ts
const RELU = 0;
const LEAKY_RELU = 1;
const TANH = 2;
const SIGMOID = 3;
const SOFTPLUS = 4;
const EXP = 5;

/** Zeros between cols and stride, for rows [from, to). */
function clearPadding(out: usize, from: i32, to: i32, cols: i32, stride: i32): void {
  if (cols === stride) return;
  for (let r = from; r < to; r++) memory.fill(out + ((<usize>r * stride + cols) << 2), 0, <usize>(stride - cols) << 2);
}

export function fill(t: i32, T: i32, out: usize, rows: i32, cols: i32, stride: i32, value: f32): void {
  const from = shareStart(t, T, rows, 1);
  const to = shareStart(t + 1, T, rows, 1);
  const splat = f32x4.splat(value);
  const end = out + ((<usize>to * stride) << 2);
  for (let p = out + ((<usize>from * stride) << 2); p < end; p += 16) v128.store(p, splat);
  if (value !== 0) clearPadding(out, from, to, cols, stride);
}

export function add(t: i32, T: i32, out: usize, a: usize, b: usize, rows: i32, stride: i32, scaleA: f32, scaleB: f32): void {
  const sa = f32x4.splat(scaleA);
  const sb = f32x4.splat(scaleB);
  const end = (<usize>shareStart(t + 1, T, rows, 1) * stride) << 2;
  for (let i = (<usize>shareStart(t, T, rows, 1) * stride) << 2; i < end; i += 16) {
    v128.store(out + i, f32x4.add(f32x4.mul(sa, v128.load(a + i)), f32x4.mul(sb, v128.load(b + i))));
  }
}

export function mul(t: i32, T: i32, out: usize, a: usize, b: usize, rows: i32, stride: i32, accumulate: i32): void {
  const end = (<usize>shareStart(t + 1, T, rows, 1) * stride) << 2;
  for (let i = (<usize>shareStart(t, T, rows, 1) * stride) << 2; i < end; i += 16) {
    const product = f32x4.mul(v128.load(a + i), v128.load(b + i));
    v128.store(out + i, accumulate ? f32x4.add(v128.load(out + i), product) : product);
  }
}

// A loop for each function: a choice inside the loop is compiled into computing several of them and picking one.
export function unary(t: i32, T: i32, out: usize, operation: i32, x: usize, rows: i32, cols: i32, stride: i32): void {
  const from = shareStart(t, T, rows, 1);
  const to = shareStart(t + 1, T, rows, 1);
  const end = (<usize>to * stride) << 2;
  const zero = f32x4.splat(0);
  let i = (<usize>from * stride) << 2;
  if (operation === RELU) {
    for (; i < end; i += 16) v128.store(out + i, f32x4.max(v128.load(x + i), zero));
  } else if (operation === LEAKY_RELU) {
    const slope = f32x4.splat(0.2);
    for (; i < end; i += 16) {
      const value = v128.load(x + i);
      v128.store(out + i, v128.bitselect(value, f32x4.mul(value, slope), f32x4.gt(value, zero)));
    }
  } else if (operation === TANH) {
    for (; i < end; i += 16) v128.store(out + i, tanh4(v128.load(x + i)));
  } else if (operation === SIGMOID) {
    for (; i < end; i += 16) v128.store(out + i, sigmoid4(v128.load(x + i)));
  } else if (operation === SOFTPLUS) {
    for (; i < end; i += 16) v128.store(out + i, softplus4(v128.load(x + i)));
  } else if (operation === EXP) {
    for (; i < end; i += 16) v128.store(out + i, exp4(v128.load(x + i)));
  } else {
    for (; i < end; i += 16) v128.store(out + i, log4(v128.load(x + i)));
  }
  if (operation > TANH) clearPadding(out, from, to, cols, stride);
}

function derivative(operation: i32, x: v128, y: v128): v128 {
  const one = f32x4.splat(1);
  const positive = f32x4.gt(x, f32x4.splat(0));
  if (operation === RELU) return v128.and(one, positive);
  if (operation === LEAKY_RELU) return v128.bitselect(one, f32x4.splat(0.2), positive);
  if (operation === TANH) return f32x4.sub(one, f32x4.mul(y, y));
  if (operation === SIGMOID) return f32x4.mul(y, f32x4.sub(one, y));
  if (operation === SOFTPLUS) return sigmoid4(x);
  if (operation === EXP) return y;
  return f32x4.div(one, x);
}

export function unaryBackward(
  t: i32, T: i32, dx: usize, operation: i32, dy: usize, x: usize, y: usize,
  rows: i32, cols: i32, stride: i32, accumulate: i32,
): void {
  const from = shareStart(t, T, rows, 1);
  const to = shareStart(t + 1, T, rows, 1);
  const end = (<usize>to * stride) << 2;
  for (let i = (<usize>from * stride) << 2; i < end; i += 16) {
    const change = f32x4.mul(v128.load(dy + i), derivative(operation, v128.load(x + i), v128.load(y + i)));
    v128.store(dx + i, accumulate ? f32x4.add(v128.load(dx + i), change) : change);
  }
  if (operation > EXP) clearPadding(dx, from, to, cols, stride); // 0 / 0 of the logarithm
}
