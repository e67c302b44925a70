// What one object takes: one row times weights in tiles, sparse rows added to a row, what a row is like as a whole, and what a sum of
// small trees says of a few rows. All on one thread, but for the product: waking others would take longer.

import { shareStart } from './share';
import { madd } from './vector';

const TILE_BYTES: usize = 64; // of one k: 16 columns, as `pack` lays them out

/** out = row (depth) · packed, in the order of k. Three tiles at a time keep both multipliers busy; two are slower than one. */
export function rowTimesTiles(t: i32, T: i32, out: usize, row: usize, packed: usize, depth: i32, numTiles: i32): void {
  const bytes = <usize>depth * TILE_BYTES;
  const end = shareStart(t + 1, T, numTiles, 3);
  let tile = shareStart(t, T, numTiles, 3);
  for (; tile + 3 <= end; tile += 3) threeTiles(out + <usize>tile * TILE_BYTES, row, packed + <usize>tile * bytes, bytes);
  for (; tile < end; tile++) oneTile(out + <usize>tile * TILE_BYTES, row, packed + <usize>tile * bytes, bytes);
}

function threeTiles(out: usize, row: usize, a: usize, bytes: usize): void {
  let s0 = f32x4.splat(0);
  let s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0, s9 = s0, s10 = s0, s11 = s0;
  let b = a + bytes;
  let c = b + bytes;
  for (const end = b; a < end; a += TILE_BYTES) {
    const value = v128.load32_splat(row);
    s0 = madd(value, v128.load(a), s0);
    s1 = madd(value, v128.load(a, 16), s1);
    s2 = madd(value, v128.load(a, 32), s2);
    s3 = madd(value, v128.load(a, 48), s3);
    s4 = madd(value, v128.load(b), s4);
    s5 = madd(value, v128.load(b, 16), s5);
    s6 = madd(value, v128.load(b, 32), s6);
    s7 = madd(value, v128.load(b, 48), s7);
    s8 = madd(value, v128.load(c), s8);
    s9 = madd(value, v128.load(c, 16), s9);
    s10 = madd(value, v128.load(c, 32), s10);
    s11 = madd(value, v128.load(c, 48), s11);
    row += 4;
    b += TILE_BYTES;
    c += TILE_BYTES;
  }
  v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, s2, 32); v128.store(out, s3, 48);
  v128.store(out, s4, 64); v128.store(out, s5, 80); v128.store(out, s6, 96); v128.store(out, s7, 112);
  v128.store(out, s8, 128); v128.store(out, s9, 144); v128.store(out, s10, 160); v128.store(out, s11, 176);
}

function oneTile(out: usize, row: usize, a: usize, bytes: usize): void {
  let s0 = f32x4.splat(0);
  let s1 = s0, s2 = s0, s3 = s0;
  for (const end = a + bytes; a < end; a += TILE_BYTES) {
    const value = v128.load32_splat(row);
    s0 = madd(value, v128.load(a), s0);
    s1 = madd(value, v128.load(a, 16), s1);
    s2 = madd(value, v128.load(a, 32), s2);
    s3 = madd(value, v128.load(a, 48), s3);
    row += 4;
  }
  v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, s2, 32); v128.store(out, s3, 48);
}

const HALF_BITS: u32 = 0x8fffe000; // of a half, moved to where a float has them

/**
 * out[column] += factors[i] · value, over the entries of the rows features[i]. An entry is a half and its column in one word; factors
 * come times 2^112, by which the exponents of halves and floats differ. In double precision, as JavaScript computes.
 */
export function addPackedRows(
  t: i32, T: i32, out: usize, rowStart: usize, entries: usize, features: usize, factors: usize, count: i32,
): void {
  for (let i = 0; i < count; i++) {
    const row = rowStart + (<usize>load<u32>(features + (<usize>i << 2)) << 2);
    const factor = load<f64>(factors + (<usize>i << 3));
    const end = entries + (<usize>load<u32>(row, 4) << 2);
    let e = entries + (<usize>load<u32>(row) << 2);
    for (; e + 16 <= end; e += 16) {
      addEntry(out, load<u32>(e), factor);
      addEntry(out, load<u32>(e, 4), factor);
      addEntry(out, load<u32>(e, 8), factor);
      addEntry(out, load<u32>(e, 12), factor);
    }
    for (; e < end; e += 4) addEntry(out, load<u32>(e), factor);
  }
}

// @ts-ignore: decorator
@inline
function addEntry(out: usize, entry: u32, factor: f64): void {
  const at = out + (<usize>(entry & 0xffff) << 2);
  const value = reinterpret<f32>((<u32>(<i32>entry >> 3)) & HALF_BITS);
  store<f32>(at, <f32>(<f64>load<f32>(at) + factor * <f64>value));
}

/** sums (4) = Σ a, Σ a², Σ b, Σ b², in double precision and in their order */
export function sumsOfTwo(t: i32, T: i32, sums: usize, a: usize, b: usize, length: i32): void {
  let sumA: f64 = 0;
  let squaresA: f64 = 0;
  let sumB: f64 = 0;
  let squaresB: f64 = 0;
  for (let i: usize = 0; i < <usize>length << 2; i += 4) {
    const x = <f64>load<f32>(a + i);
    const y = <f64>load<f32>(b + i);
    sumA += x;
    squaresA += x * x;
    sumB += y;
    squaresB += y * y;
  }
  store<f64>(sums, sumA);
  store<f64>(sums, squaresA, 8);
  store<f64>(sums, sumB, 16);
  store<f64>(sums, squaresB, 24);
}

const QUESTIONS: usize = 7; // of a tree
const LEAVES: usize = 8;

/**
 * sums (numRows) += the answers of all trees, sixteen rows at a time; numRows is a multiple of 16. ranks (features, numRows): bytes up
 * to 127. A question, by its place (of a feature, in bytes of `ranks`) and its limit, is answered yes by a rank above the limit.
 */
export function sumTrees(
  t: i32, T: i32, sums: usize, ranks: usize, places: usize, limits: usize, leaves: usize, numTrees: i32, numRows: i32,
): void {
  for (let r: usize = 0; r < <usize>numRows; r += 16) {
    const at = ranks + r;
    const out = sums + (r << 3);
    let s0 = v128.load(out);
    let s1 = v128.load(out, 16), s2 = v128.load(out, 32), s3 = v128.load(out, 48), s4 = v128.load(out, 64);
    let s5 = v128.load(out, 80), s6 = v128.load(out, 96), s7 = v128.load(out, 112);
    let place = places;
    let limit = limits;
    let leaf = leaves;
    for (let tree = 0; tree < numTrees; tree++) {
      const yes0 = answer(at, place, limit, 0);
      const yes1 = v128.bitselect(answer(at, place, limit, 2), answer(at, place, limit, 1), yes0);
      const afterNo = v128.bitselect(answer(at, place, limit, 4), answer(at, place, limit, 3), yes1);
      const afterYes = v128.bitselect(answer(at, place, limit, 6), answer(at, place, limit, 5), yes1);
      const yes2 = v128.bitselect(afterYes, afterNo, yes0);
      const numbers = v128.or(
        v128.or(v128.and(yes0, i8x16.splat(32)), v128.and(yes1, i8x16.splat(16))), v128.and(yes2, i8x16.splat(8)),
      ); // of leaves, in bytes
      s0 = f64x2.add(s0, leafPair(leaf, i8x16.extract_lane_u(numbers, 0), i8x16.extract_lane_u(numbers, 1)));
      s1 = f64x2.add(s1, leafPair(leaf, i8x16.extract_lane_u(numbers, 2), i8x16.extract_lane_u(numbers, 3)));
      s2 = f64x2.add(s2, leafPair(leaf, i8x16.extract_lane_u(numbers, 4), i8x16.extract_lane_u(numbers, 5)));
      s3 = f64x2.add(s3, leafPair(leaf, i8x16.extract_lane_u(numbers, 6), i8x16.extract_lane_u(numbers, 7)));
      s4 = f64x2.add(s4, leafPair(leaf, i8x16.extract_lane_u(numbers, 8), i8x16.extract_lane_u(numbers, 9)));
      s5 = f64x2.add(s5, leafPair(leaf, i8x16.extract_lane_u(numbers, 10), i8x16.extract_lane_u(numbers, 11)));
      s6 = f64x2.add(s6, leafPair(leaf, i8x16.extract_lane_u(numbers, 12), i8x16.extract_lane_u(numbers, 13)));
      s7 = f64x2.add(s7, leafPair(leaf, i8x16.extract_lane_u(numbers, 14), i8x16.extract_lane_u(numbers, 15)));
      place += QUESTIONS << 2;
      limit += QUESTIONS;
      leaf += LEAVES << 3;
    }
    v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, s2, 32); v128.store(out, s3, 48);
    v128.store(out, s4, 64); v128.store(out, s5, 80); v128.store(out, s6, 96); v128.store(out, s7, 112);
  }
}

// @ts-ignore: decorator
@inline
function answer(ranks: usize, places: usize, limits: usize, question: usize): v128 {
  const place = load<u32>(places + (question << 2));
  return i8x16.gt_s(v128.load(ranks + <usize>place), v128.load8_splat(limits + question));
}

// @ts-ignore: decorator
@inline
function leafPair(leaves: usize, first: u8, second: u8): v128 {
  return v128.load64_lane(leaves + <usize>second, v128.load64_zero(leaves + <usize>first), 1);
}
