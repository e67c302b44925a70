// Steps of one row at a time that an engine near the program takes faster than kernels for whole matrices: calls return at once, and
// numbers are read and written where they lie. An engine may have none; then the plain steps are taken, to the same bits.

import type { Csr } from '../csr.ts';
import type { Dense, Ints } from './matrix.ts';

/** A dense right factor, 16 columns side by side for each row: read in a straight line. */
export interface Tiles {
  readonly rows: number;
  readonly cols: number;
  readonly pointer: number; // bytes
}

/** Sparse rows whose values are halves (IEEE 754 binary16): a value and its column in one word. */
export interface PackedRows {
  readonly rowStart: Ints; // (numRows + 1)
  readonly entries: Ints; // (numEntries)
}

/** A sum of trees that ask seven questions each, ready for rows in bytes. */
export interface PackedTrees {
  readonly numTrees: number;
  /** By row and feature, a byte up to 127: (features, maxRows). */
  readonly ranks: Ints;
  readonly places: Ints;
  readonly limits: Ints;
  readonly leaves: Ints;
  readonly sums: Ints;
}

/** What trees ask: is the rank of a feature above a limit? */
export interface RankQuestions {
  readonly numFeatures: number;
  readonly features: Int32Array; // (numTrees, 7)
  readonly limits: Uint8Array; // (numTrees, 7)
  readonly leaves: Float32Array; // (numTrees, 8)
}

export const MAX_TREE_ROWS = 64;

export interface SingleRows {
  tiles(x: Dense): Tiles;
  /** out = a · b, the bytes of `gemm`. */
  multiply(out: Dense, a: Dense, b: Tiles): void;
  /** The same for one row, the bytes of `spmm` with a row that has all columns. */
  multiplyRow(out: Dense, row: Dense, b: Tiles): void;
  /** Undefined where values are no halves, or columns too many. */
  packRows(rows: Csr, numColumns: number): PackedRows | undefined;
  /** Adds rows, each times its factor, in double precision, rounded after each addition. */
  addRows(out: Dense, rows: PackedRows, features: Int32Array, factors: Float64Array): void;
  /** [Σ a, Σ a², Σ b, Σ b²] in double precision, in their order. */
  sumsOf(a: Dense, b: Dense): readonly [number, number, number, number];
  packTrees(questions: RankQuestions): PackedTrees;
  /** Bytes (features, MAX_TREE_ROWS) to be filled. Valid until memory grows. */
  ranksOf(trees: PackedTrees): Uint8Array;
  /** The sum of the answers of all trees for each of some rows. */
  sumTrees(out: Float64Array, trees: PackedTrees): void;
  /** The numbers of a matrix, padding included. Valid until memory grows. */
  view(x: Dense): Float32Array;
  release(packed: Tiles | PackedRows | PackedTrees): void;
}
