// How the right factor of a product is laid out for the inner loop: tiles of 16 columns (assembly/gemm.ts).

const TILE = 16; // columns

/** Bytes that a right factor (depth, cols) takes once it is packed. */
export function packedBytes(depth: number, cols: number): number {
  return Math.ceil(cols / TILE) * TILE * depth * 4;
}
