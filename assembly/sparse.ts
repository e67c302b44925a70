// Sparse times dense. A row of the result is built in registers, 32 columns at a time, and stored once.
// widths are floats, multiples of 16; strides are bytes.

import { rowShareStart, shareStart } from './share';
import { madd } from './vector';

/**
 * out[r] = Σ_e values[e] · x[columns[e]], rows divided by number of entries. x is read in blocks of `blockRows` rows that
 * fit the second cache: all rows of the result pass by one block before the next is touched. `cursors` (rows) keeps
 * where each row stopped; with a single block it is not used. The order of additions is that of the entries.
 */
export function spmm(
  t: i32, T: i32, out: usize, rowStart: usize, columns: usize, values: usize, x: usize,
  rows: i32, cols: i32, width: i32, outStride: usize, xStride: usize, blockRows: i32, cursors: usize, accumulate: i32,
): void {
  const begin = rowShareStart(t, T, rowStart, rows);
  const end = rowShareStart(t + 1, T, rowStart, rows);
  for (let block = 0; block === 0 || block < cols; block += blockRows) {
    const blockEnd = <u32>min(cols, block + blockRows);
    const add = accumulate | i32(block > 0);
    const starts = block === 0 ? rowStart : cursors;
    for (let r = begin; r < end; r++) {
      const first = load<i32>(starts + (<usize>r << 2));
      let last = load<i32>(rowStart + (<usize>r << 2), 4);
      const at = out + <usize>r * outStride;
      let c: usize = 0;
      // the first columns find where the row leaves the block, the others know it
      if (width >= 32) {
        last = row32(at, columns, values, x, first, last, blockEnd, xStride, add);
        for (c = 32; c + 32 <= <usize>width; c += 32) {
          row32(at + (c << 2), columns, values, x + (c << 2), first, last, blockEnd, xStride, add);
        }
      }
      if (c < <usize>width) last = row16(at + (c << 2), columns, values, x + (c << 2), first, last, blockEnd, xStride, add);
      if (cursors !== 0) store<i32>(cursors + (<usize>r << 2), last);
    }
  }
}

/** 32 columns of one row of the result, over entries from `first` to before `last` or `blockEnd`. Returns where it stopped. */
function row32(
  out: usize, columns: usize, values: usize, x: usize, first: i32, last: i32, blockEnd: u32, xStride: usize, add: i32,
): i32 {
  let s0 = f32x4.splat(0);
  let s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  if (add) {
    s0 = v128.load(out); s1 = v128.load(out, 16); s2 = v128.load(out, 32); s3 = v128.load(out, 48);
    s4 = v128.load(out, 64); s5 = v128.load(out, 80); s6 = v128.load(out, 96); s7 = v128.load(out, 112);
  }
  let e = first;
  for (; e < last; e++) {
    const column = load<u32>(columns + (<usize>e << 2));
    if (column >= blockEnd) break;
    const value = v128.load32_splat(values + (<usize>e << 2));
    const from = x + <usize>column * xStride;
    s0 = madd(value, v128.load(from), s0);
    s1 = madd(value, v128.load(from, 16), s1);
    s2 = madd(value, v128.load(from, 32), s2);
    s3 = madd(value, v128.load(from, 48), s3);
    s4 = madd(value, v128.load(from, 64), s4);
    s5 = madd(value, v128.load(from, 80), s5);
    s6 = madd(value, v128.load(from, 96), s6);
    s7 = madd(value, v128.load(from, 112), s7);
  }
  v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, s2, 32); v128.store(out, s3, 48);
  v128.store(out, s4, 64); v128.store(out, s5, 80); v128.store(out, s6, 96); v128.store(out, s7, 112);
  return e;
}

/** The same for 16 columns. */
function row16(
  out: usize, columns: usize, values: usize, x: usize, first: i32, last: i32, blockEnd: u32, xStride: usize, add: i32,
): i32 {
  let s0 = f32x4.splat(0);
  let s1 = s0, s2 = s0, s3 = s0;
  if (add) {
    s0 = v128.load(out); s1 = v128.load(out, 16); s2 = v128.load(out, 32); s3 = v128.load(out, 48);
  }
  let e = first;
  for (; e < last; e++) {
    const column = load<u32>(columns + (<usize>e << 2));
    if (column >= blockEnd) break;
    const value = v128.load32_splat(values + (<usize>e << 2));
    const from = x + <usize>column * xStride;
    s0 = madd(value, v128.load(from), s0);
    s1 = madd(value, v128.load(from, 16), s1);
    s2 = madd(value, v128.load(from, 32), s2);
    s3 = madd(value, v128.load(from, 48), s3);
  }
  v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, s2, 32); v128.store(out, s3, 48);
  return e;
}

/** out[columns[e]] += values[e] · x[r]: a thread walks all rows, but only through the columns it owns. */
export function spmmTransposed(
  t: i32, T: i32, out: usize, rowStart: usize, columns: usize, values: usize, x: usize,
  rows: i32, cols: i32, width: i32, outStride: usize, xStride: usize, accumulate: i32,
): void {
  const from = shareStart(t, T, cols, 1);
  const to = shareStart(t + 1, T, cols, 1);
  if (!accumulate) memory.fill(out + <usize>from * outStride, 0, <usize>(to - from) * outStride);
  for (let r = 0; r < rows; r++) {
    const last = load<i32>(rowStart + (<usize>r << 2), 4);
    const source = x + <usize>r * xStride;
    for (let e = lowerBound(columns, load<i32>(rowStart + (<usize>r << 2)), last, from); e < last; e++) {
      const column = load<i32>(columns + (<usize>e << 2));
      if (column >= to) break;
      const value = v128.load32_splat(values + (<usize>e << 2));
      const at = out + <usize>column * outStride;
      for (let c: usize = 0; c < <usize>width << 2; c += 16) {
        v128.store(at + c, madd(value, v128.load(source + c), v128.load(at + c)));
      }
    }
  }
}

function lowerBound(columns: usize, first: i32, last: i32, wanted: i32): i32 {
  let low = first;
  let high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i32>(columns + (<usize>middle << 2)) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
