// Rows and columns. Widths are floats, multiples of 16; strides are floats too. A thread owns rows of the result.

import { shareStart } from './share';
import { laneSum, madd } from './vector';

export function addBias(t: i32, T: i32, out: usize, x: usize, bias: usize, rows: i32, stride: i32): void {
  const end = shareStart(t + 1, T, rows, 1);
  const bytes = <usize>stride << 2;
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    const at = <usize>r * bytes;
    for (let c: usize = 0; c < bytes; c += 16) v128.store(out + at + c, f32x4.add(v128.load(x + at + c), v128.load(bias + c)));
  }
}

const SUM_ROWS = 128; // summed apart, so that rounding does not grow with the number of rows

/** A thread owns groups of four columns. */
export function columnSums(t: i32, T: i32, out: usize, x: usize, rows: i32, stride: i32, accumulate: i32): void {
  const end = <usize>shareStart(t + 1, T, stride >> 2, 1) << 4;
  const bytes = <usize>stride << 2;
  for (let c = <usize>shareStart(t, T, stride >> 2, 1) << 4; c < end; c += 16) {
    let total = accumulate ? v128.load(out + c) : f32x4.splat(0);
    for (let block = 0; block < rows; block += SUM_ROWS) {
      let part = f32x4.splat(0);
      const blockEnd = min(rows, block + SUM_ROWS);
      for (let r = block; r < blockEnd; r++) part = f32x4.add(part, v128.load(x + <usize>r * bytes + c));
      total = f32x4.add(total, part);
    }
    v128.store(out + c, total);
  }
}

const SUM_FLOATS = 1024;

/** On one thread: sums of 1,024 floats in single precision, their sum in double. */
export function sum(t: i32, T: i32, out: usize, x: usize, numFloats: i32, scale: f64): void {
  if (t !== 0) return;
  let total: f64 = 0;
  for (let block = 0; block < numFloats; block += SUM_FLOATS) {
    let part = f32x4.splat(0);
    const end = x + (<usize>min(numFloats, block + SUM_FLOATS) << 2);
    for (let p = x + (<usize>block << 2); p < end; p += 16) part = f32x4.add(part, v128.load(p));
    total += laneSum(part);
  }
  store<f32>(out, f32(scale * total));
}

export function broadcast(t: i32, T: i32, out: usize, s: usize, rows: i32, cols: i32, stride: i32, scale: f32, accumulate: i32): void {
  const value = scale * load<f32>(s);
  const end = shareStart(t + 1, T, rows, 1);
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    const at = out + ((<usize>r * stride) << 2);
    for (let c = 0; c < cols; c++) {
      const p = at + (<usize>c << 2);
      store<f32>(p, accumulate ? load<f32>(p) + value : value);
    }
  }
}

export function gather(t: i32, T: i32, out: usize, x: usize, indices: usize, count: i32, stride: i32): void {
  const bytes = <usize>stride << 2;
  const end = shareStart(t + 1, T, count, 1);
  for (let i = shareStart(t, T, count, 1); i < end; i++) {
    memory.copy(out + <usize>i * bytes, x + <usize>load<u32>(indices + (<usize>i << 2)) * bytes, bytes);
  }
}

/** Thread t owns every T-th row of the result and adds to it in the order of the list. */
export function scatterAdd(t: i32, T: i32, out: usize, indices: usize, x: usize, count: i32, stride: i32): void {
  const bytes = <usize>stride << 2;
  for (let i = 0; i < count; i++) {
    const row = load<u32>(indices + (<usize>i << 2));
    if (row % T !== t) continue;
    const at = out + <usize>row * bytes;
    const from = x + <usize>i * bytes;
    for (let c: usize = 0; c < bytes; c += 16) v128.store(at + c, f32x4.add(v128.load(at + c), v128.load(from + c)));
  }
}

/** a · b over `bytes`, a multiple of 64; four sums at once. */
export function dot(a: usize, b: usize, bytes: usize): f32 {
  let s0 = f32x4.splat(0);
  let s1 = s0, s2 = s0, s3 = s0;
  for (let c: usize = 0; c < bytes; c += 64) {
    s0 = madd(v128.load(a + c), v128.load(b + c), s0);
    s1 = madd(v128.load(a + c, 16), v128.load(b + c, 16), s1);
    s2 = madd(v128.load(a + c, 32), v128.load(b + c, 32), s2);
    s3 = madd(v128.load(a + c, 48), v128.load(b + c, 48), s3);
  }
  return laneSum(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)));
}

export function rowDot(
  t: i32, T: i32, out: usize, a: usize, b: usize, rows: i32, stride: i32, strideB: i32,
): void {
  const bytes = <usize>stride << 2;
  const bytesB = <usize>strideB << 2;
  const end = shareStart(t + 1, T, rows, 1);
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    store<f32>(out + (<usize>r << 2), dot(a + <usize>r * bytes, b + <usize>r * bytesB, bytes));
  }
}

export function rowNorm(t: i32, T: i32, out: usize, x: usize, rows: i32, cols: i32, stride: i32): void {
  const end = shareStart(t + 1, T, rows, 1);
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    // in double precision: squares leave the range of float32 long before norms do
    let total: f64 = 0;
    const at = x + ((<usize>r * stride) << 2);
    for (let c = 0; c < cols; c++) total += f64(load<f32>(at + (<usize>c << 2))) * f64(load<f32>(at + (<usize>c << 2)));
    store<f32>(out + (<usize>r << 2), f32(Math.sqrt(total)));
  }
}

export function scaleRows(t: i32, T: i32, out: usize, x: usize, s: usize, rows: i32, stride: i32, accumulate: i32): void {
  const bytes = <usize>stride << 2;
  const end = shareStart(t + 1, T, rows, 1);
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    addScaled(out + <usize>r * bytes, x + <usize>r * bytes, load<f32>(s + (<usize>r << 2)), bytes, accumulate);
  }
}

export function rowNormBackward(
  t: i32, T: i32, dx: usize, dy: usize, x: usize, norm: usize, rows: i32, stride: i32, accumulate: i32,
): void {
  const bytes = <usize>stride << 2;
  const end = shareStart(t + 1, T, rows, 1);
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    const length = load<f32>(norm + (<usize>r << 2));
    const factor = length > 0 ? load<f32>(dy + (<usize>r << 2)) / length : 0;
    addScaled(dx + <usize>r * bytes, x + <usize>r * bytes, factor, bytes, accumulate);
  }
}

// @ts-ignore: decorator
@inline
function addScaled(out: usize, x: usize, factor: f32, bytes: usize, accumulate: i32): void {
  const splat = f32x4.splat(factor);
  for (let c: usize = 0; c < bytes; c += 16) {
    const product = f32x4.mul(splat, v128.load(x + c));
    v128.store(out + c, accumulate ? f32x4.add(v128.load(out + c), product) : product);
  }
}

/** The k best so far stand sorted in `ids`; a candidate that is not better than the last of them costs one comparison. */
export function topK(t: i32, T: i32, ids: usize, x: usize, rows: i32, cols: i32, stride: i32, k: i32): void {
  const end = shareStart(t + 1, T, rows, 1);
  for (let r = shareStart(t, T, rows, 1); r < end; r++) {
    const row = x + ((<usize>r * stride) << 2);
    const best = ids + ((<usize>r * k) << 2);
    let found = 0;
    for (let c = 0; c < cols && k > 0; c++) {
      const value = load<f32>(row + (<usize>c << 2));
      if (found === k && value <= load<f32>(row + (<usize>load<u32>(best + (<usize>(k - 1) << 2)) << 2))) continue;
      let at = found < k ? found++ : k - 1;
      while (at > 0) {
        const rival = load<u32>(best + (<usize>(at - 1) << 2));
        if (load<f32>(row + (<usize>rival << 2)) >= value) break;
        store<u32>(best + (<usize>at << 2), rival);
        at--;
      }
      store<u32>(best + (<usize>at << 2), c);
    }
  }
}

export function countNonFinite(t: i32, T: i32, x: usize, rows: i32, cols: i32, stride: i32): i32 {
  let count = 0;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const value = load<f32>(x + ((<usize>r * stride + c) << 2));
      if (value - value !== 0) count++; // NaN for NaN and both infinities
    }
  }
  return count;
}
