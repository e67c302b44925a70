// How the factors of a product are laid out for the inner loop (assembly/gemm.ts): the right one in tiles of 16 columns,
// the left one in place or, for wide products, in blocks copied together.

const TILE = 16; // columns

/** Bytes that a right factor (depth, cols) takes once it is packed. */
export function packedBytes(depth: number, cols: number): number {
  return Math.ceil(cols / TILE) * TILE * depth * 4;
}

const LEFT_BYTES = 64 * (256 + 16) * 4; // a block of the left factor, as in assembly/gemm.ts
const WIDE = 128; // columns from which copying a block of the left factor pays: it is read once for every tile

/** Bytes of scratch for the left factor of a product with so many columns: 0 where it is read in place. */
export function leftBytes(cols: number, numParts: number): number {
  return cols < WIDE ? 0 : LEFT_BYTES * numParts;
}
