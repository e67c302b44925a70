// Dense times dense. The right factor is first packed into tiles of 16 columns that lie together for each k, so that the
// inner loop reads it in a straight line; the left factor is read where it is, by any row and column stride, so that
// a transposed one costs nothing extra. Two rows × 16 columns of the result are held in eight registers.

import { shareStart } from './share';
import { madd } from './vector';

const TILE = 16; // columns
const DEPTH = 256; // of k at a time: a tile of the packed factor (16 kB) stays in the first cache
const ROWS = 64; // of the left factor at a time: 64 kB, in the second cache
const LEFT_STRIDE: usize = (DEPTH + 16) * 4; // bytes; not a power of two, or all rows would fall on the same cache lines
export const LEFT_BYTES: usize = ROWS * LEFT_STRIDE; // as in src/engine/packing.ts

/** packed[tile][k][16] = scale · b[k][column], zeros beyond the last column */
export function pack(
  t: i32, T: i32, packed: usize, b: usize, depth: i32, cols: i32, kStride: usize, columnStride: usize, scale: f32,
): void {
  const numTiles = (cols + TILE - 1) / TILE;
  const end = shareStart(t + 1, T, numTiles, 1);
  for (let tile = shareStart(t, T, numTiles, 1); tile < end; tile++) {
    const width = min(TILE, cols - tile * TILE);
    const at = packed + <usize>tile * depth * TILE * 4;
    const source = b + <usize>(tile * TILE) * columnStride;
    if (columnStride === 4) packRows(at, source, depth, kStride, scale);
    else packColumns(at, source, depth, kStride, columnStride, width, scale);
  }
}

/** Sixteen floats at a time: beyond the last column of a matrix there are zeros up to the next multiple of 16. */
function packRows(at: usize, source: usize, depth: i32, kStride: usize, scale: f32): void {
  const factor = f32x4.splat(scale);
  for (let k = 0; k < depth; k++) {
    v128.store(at, f32x4.mul(factor, v128.load(source)));
    v128.store(at, f32x4.mul(factor, v128.load(source, 16)), 16);
    v128.store(at, f32x4.mul(factor, v128.load(source, 32)), 32);
    v128.store(at, f32x4.mul(factor, v128.load(source, 48)), 48);
    at += TILE * 4;
    source += kStride;
  }
}

function packColumns(at: usize, source: usize, depth: i32, kStride: usize, columnStride: usize, width: i32, scale: f32): void {
  for (let c = 0; c < TILE; c++) {
    const column = source + <usize>c * columnStride;
    for (let k = 0; k < depth; k++) {
      store<f32>(at + ((<usize>k * TILE + c) << 2), c < width ? scale * load<f32>(column + <usize>k * kStride) : 0);
    }
  }
}

/** out = a · packed, or out += ; `scratch` has LEFT_BYTES for each part, or is 0 where copying a would not pay */
export function gemm(
  t: i32, T: i32, out: usize, outStride: usize, a: usize, rowStride: usize, kStride: usize, packed: usize, scratch: usize,
  rows: i32, cols: i32, depth: i32, accumulate: i32,
): void {
  const own = scratch === 0 ? 0 : scratch + <usize>t * LEFT_BYTES;
  const from = shareStart(t, T, rows, 2);
  const to = shareStart(t + 1, T, rows, 2);
  multiply(out, outStride, a, rowStride, kStride, packed, own, from, to, (cols + TILE - 1) / TILE, depth, accumulate);
}

/** The same for rows [from, to) and the first `numTiles` tiles of columns, on one thread with a scratch of its own. */
export function multiply(
  out: usize, outStride: usize, a: usize, rowStride: usize, kStride: usize, packed: usize, scratch: usize,
  from: i32, to: i32, numTiles: i32, depth: i32, accumulate: i32,
): void {
  if (depth === 0 && !accumulate) {
    for (let r = from; r < to; r++) memory.fill(out + <usize>r * outStride, 0, <usize>numTiles * TILE * 4);
  }
  for (let block = from; block < to; block += ROWS) {
    const numRows = min(ROWS, to - block);
    const at = out + <usize>block * outStride;
    for (let k = 0; k < depth; k += DEPTH) {
      const numK = min(DEPTH, depth - k);
      const add = accumulate | i32(k > 0);
      const left = a + <usize>block * rowStride + <usize>k * kStride;
      const right = packed + <usize>k * TILE * 4;
      if (scratch === 0) multiplyBlock(at, outStride, left, rowStride, kStride, right, numRows, numTiles, depth, numK, add);
      else {
        copyLeft(scratch, left, rowStride, kStride, numRows, numK);
        multiplyBlock(at, outStride, scratch, LEFT_STRIDE, 4, right, numRows, numTiles, depth, numK, add);
      }
    }
  }
}

function multiplyBlock(
  out: usize, outStride: usize, left: usize, rowStride: usize, kStride: usize, right: usize,
  numRows: i32, numTiles: i32, depth: i32, numK: i32, add: i32,
): void {
  for (let tile = 0; tile < numTiles; tile++) {
    const at = out + <usize>tile * TILE * 4;
    let r = 0;
    for (; r + 2 <= numRows; r += 2) {
      twoRows(at + <usize>r * outStride, outStride, left + <usize>r * rowStride, rowStride, kStride, right, numK, add);
    }
    if (r < numRows) oneRow(at + <usize>r * outStride, left + <usize>r * rowStride, kStride, right, numK, add);
    right += <usize>depth * TILE * 4;
  }
}

/** Rows of the left factor, side by side: a wide product reads them many times. */
function copyLeft(out: usize, a: usize, rowStride: usize, kStride: usize, numRows: i32, numK: i32): void {
  for (let r = 0; r < numRows; r++) {
    const at = out + <usize>r * LEFT_STRIDE;
    const from = a + <usize>r * rowStride;
    if (kStride === 4) memory.copy(at, from, <usize>numK << 2);
    else for (let k = 0; k < numK; k++) store<f32>(at + (<usize>k << 2), load<f32>(from + <usize>k * kStride));
  }
}

function twoRows(out: usize, outStride: usize, a: usize, rowStride: usize, kStride: usize, b: usize, depth: i32, add: i32): void {
  const zero = f32x4.splat(0);
  let s0 = zero, s1 = zero, s2 = zero, s3 = zero, r0 = zero, r1 = zero, r2 = zero, r3 = zero;
  if (add) {
    s0 = v128.load(out); s1 = v128.load(out, 16); s2 = v128.load(out, 32); s3 = v128.load(out, 48);
    const next = out + outStride;
    r0 = v128.load(next); r1 = v128.load(next, 16); r2 = v128.load(next, 32); r3 = v128.load(next, 48);
  }
  let second = a + rowStride;
  for (let k = 0; k < depth; k++) {
    const b0 = v128.load(b), b1 = v128.load(b, 16), b2 = v128.load(b, 32), b3 = v128.load(b, 48);
    const x = v128.load32_splat(a);
    s0 = madd(x, b0, s0); s1 = madd(x, b1, s1); s2 = madd(x, b2, s2); s3 = madd(x, b3, s3);
    const y = v128.load32_splat(second);
    r0 = madd(y, b0, r0); r1 = madd(y, b1, r1); r2 = madd(y, b2, r2); r3 = madd(y, b3, r3);
    a += kStride;
    second += kStride;
    b += TILE * 4;
  }
  v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, s2, 32); v128.store(out, s3, 48);
  const next = out + outStride;
  v128.store(next, r0); v128.store(next, r1, 16); v128.store(next, r2, 32); v128.store(next, r3, 48);
}

function oneRow(out: usize, a: usize, kStride: usize, b: usize, depth: i32, add: i32): void {
  const zero = f32x4.splat(0);
  let s0 = zero, s1 = zero, s2 = zero, s3 = zero;
  if (add) {
    s0 = v128.load(out); s1 = v128.load(out, 16); s2 = v128.load(out, 32); s3 = v128.load(out, 48);
  }
  for (let k = 0; k < depth; k++) {
    const x = v128.load32_splat(a);
    s0 = madd(x, v128.load(b), s0);
    s1 = madd(x, v128.load(b, 16), s1);
    s2 = madd(x, v128.load(b, 32), s2);
    s3 = madd(x, v128.load(b, 48), s3);
    a += kStride;
    b += TILE * 4;
  }
  v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, s2, 32); v128.store(out, s3, 48);
}
