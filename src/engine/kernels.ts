// The arithmetic every backend offers, and nothing more: the reference in plain TypeScript is its specification, the
// WebAssembly one must agree with it, a GPU one can follow. Calls take effect in order but may return before they are
// done; what returns a promise waits. Outputs come first, inputs next, sizes and switches last. `accumulate`: out +=
// instead of out =. New matrices hold zeros. `add`, `addBias`, `unary`, `unaryBackward` and `dropout` work in place, too.
//
// Legend: a matrix (n, m) has n rows and m columns. A vector is a matrix (1, n).

import type { Csr } from '../csr.ts';
import type { Dense, Ints, Sparse } from './matrix.ts';
import type { SingleRows } from './single-rows.ts';

export type UnaryOperation = 'relu' | 'leakyRelu' | 'tanh' | 'sigmoid' | 'softplus' | 'exp' | 'log';

export const LEAKY_SLOPE = 0.2; // of leakyRelu below zero, as in NGCF (Wang et al., SIGIR 2019)

export interface GemmOptions {
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  readonly scale?: number;
  readonly accumulate?: boolean;
}

/** What the noise-contrastive loss reads. B pairs, K noise tags each. */
export interface NceInputs {
  readonly objectEmbeddings: Dense; // (numObjects, d)
  readonly tagEmbeddings: Dense; // (numTags, d)
  readonly objects: Ints; // (B)
  readonly tags: Ints; // (B)
  readonly noise: Ints; // (B · K)
  /** By tag, added to the dot product: prior in the score − log(K · p_n). */
  readonly offsets: Dense; // (1, numTags)
}

export interface NceOutputs {
  readonly losses: Dense; // (1, B)
  readonly dObjectEmbeddings: Dense; // (numObjects, d), added to
  readonly dTagEmbeddings: Dense; // (numTags, d), added to
  readonly coefficients: Dense; // (B, K + 1), scratch: gradient by logit
}

/** A distribution over n outcomes by the alias method (Walker 1977): one of them evenly, then it or its alias. */
export interface AliasTable {
  readonly keep: Ints; // (n), as unsigned: the largest 32-bit draw for which the outcome stays
  readonly alias: Ints; // (n)
}

/** Noise of pairs, drawn where it is used. */
export interface NoiseInputs {
  readonly table: AliasTable; // over tags
  readonly objects: Ints; // (B)
  /** Tags of each object, ascending: noise keeps off them. Without, any tag will do. */
  readonly own?: { readonly rowStart: Ints; readonly columns: Ints };
  readonly key: readonly [number, number];
}

/** Tries to find a tag that the object does not have: it may have nearly all there are. */
export const NOISE_TRIES = 21;

export interface AdamState {
  readonly weights: Dense;
  readonly gradient: Dense;
  readonly mean: Dense; // first moment
  readonly variance: Dense; // second moment
}

export interface AdamSettings {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly step: number; // from 1
}

export interface Kernels {
  readonly name: string;
  readonly numThreads: number;
  /** Bytes in use: what was made and not released. */
  readonly usedBytes: number;
  /** Whether its numbers lie far from the program, so that what can be made there should not be written or read. */
  readonly isRemote: boolean;
  /** Faster steps for one row at a time, where it has any. */
  readonly singleRows?: SingleRows;

  // storage
  dense(rows: number, cols: number): Dense;
  ints(length: number): Ints;
  sparse(rows: number, cols: number, arrays: Csr): Sparse;
  release(...matrices: readonly (Dense | Ints | Sparse)[]): void;
  /** `values` is row-major without padding. */
  write(out: Dense, values: ArrayLike<number>): void;
  writeInts(out: Ints, values: ArrayLike<number>): void;
  read(x: Dense): Promise<Float32Array>;
  readInts(x: Ints): Promise<Int32Array>;
  /** Of x (n, m) the numbers of at least their row's limit in size, limits (n) ≥ 0: where few of many are wanted. */
  readLarge(x: Dense, limits: Float32Array): Promise<Csr>;
  /** Ends threads and gives the memory back. */
  close(): void;

  // products
  /** out (n, d) = A (n, m) · x (m, d) */
  spmm(out: Dense, a: Sparse, x: Dense, accumulate?: boolean): void;
  /** out (m, d) = Aᵀ · x (n, d), without making Aᵀ */
  spmmTransposed(out: Dense, a: Sparse, x: Dense, accumulate?: boolean): void;
  /** out = scale · op(a) · op(b) */
  gemm(out: Dense, a: Dense, b: Dense, options?: GemmOptions): void;

  // elementwise, all of one shape
  fill(out: Dense, value: number): void;
  /** out = scaleA · a + scaleB · b; out may be a or b */
  add(out: Dense, a: Dense, b: Dense, scaleA?: number, scaleB?: number): void;
  mul(out: Dense, a: Dense, b: Dense, accumulate?: boolean): void;
  unary(out: Dense, operation: UnaryOperation, x: Dense): void;
  /** dx = dy · f′(x), where y = f(x) */
  unaryBackward(dx: Dense, operation: UnaryOperation, dy: Dense, x: Dense, y: Dense, accumulate?: boolean): void;
  /** Keeps each number with probability 1 − rate, scaled by 1 / (1 − rate). Number i is kept by draw i of the key. */
  dropout(out: Dense, x: Dense, rate: number, key: readonly [number, number], accumulate?: boolean): void;

  // rows and columns
  /** out[r] = x[r] + bias, bias (1, m) */
  addBias(out: Dense, x: Dense, bias: Dense): void;
  /** out (1, m) = Σ_r x[r] */
  columnSums(out: Dense, x: Dense, accumulate?: boolean): void;
  /** out (1, 1) = scale · Σ x */
  sum(out: Dense, x: Dense, scale?: number): void;
  /** out = scale · s everywhere, s (1, 1) */
  broadcast(out: Dense, s: Dense, scale?: number, accumulate?: boolean): void;
  /** out[i] = x[rows[i]] */
  gather(out: Dense, x: Dense, rows: Ints): void;
  /** out[rows[i]] += x[i] */
  scatterAdd(out: Dense, rows: Ints, x: Dense): void;
  /** out (1, n): out[r] = a[r] · b[r], or a[r] · b where b is one row */
  rowDot(out: Dense, a: Dense, b: Dense): void;
  /** out (1, n): out[r] = ‖x[r]‖₂ */
  rowNorm(out: Dense, x: Dense): void;
  /** out[r] = s[r] · x[r], s (1, n) */
  scaleRows(out: Dense, x: Dense, s: Dense, accumulate?: boolean): void;
  /** out[row + i][column + j] += x[i][j] */
  addBlock(out: Dense, row: number, column: number, x: Dense): void;
  /** dx[r] = dy[r] · x[r] / norm[r]; a row of norm 0 has gradient 0 */
  rowNormBackward(dx: Dense, dy: Dense, x: Dense, norm: Dense, accumulate?: boolean): void;

  // losses
  /** losses (1, n) = −log softmax(logits)[target]; dLogits = softmax(logits) − one-hot(target) */
  softmaxCrossEntropy(losses: Dense, dLogits: Dense, logits: Dense, targets: Ints): void;
  /**
   * Noise-contrastive estimation: with l = z_o · z_t + offset_t, loss = softplus(−l⁺) + Σ_k softplus(l⁻_k).
   * Writes losses by pair and adds scale · d(Σ losses) to both gradients.
   */
  nce(out: NceOutputs, inputs: NceInputs, scale: number): void;

  /**
   * out (B · K): tag i is made from the blocks (i, try) of the generator under the key, so that no draw waits for another
   * one. A try takes tag word0 mod n, or its alias if word1 is above `keep`; the last try counts in any case.
   */
  drawNoise(out: Ints, inputs: NoiseInputs): void;

  // optimiser
  adam(state: AdamState, settings: AdamSettings): void;
  /** The same for the given rows alone, each once: the others keep weights and moments. */
  adamRows(state: AdamState, rows: Ints, settings: AdamSettings): void;

  // symmetric positive definite systems, in place, from the lower triangle; one that is not rejects with
  // NotPositiveDefiniteError. Await them before anything else is done with the matrix.
  /** a becomes L with a = L Lᵀ; above the diagonal zeros */
  cholesky(a: Dense): Promise<void>;
  /** b becomes L⁻¹ b, or L⁻ᵀ b */
  solveTriangular(b: Dense, l: Dense, transposed: boolean): Promise<void>;
  /** a becomes a⁻¹ */
  invertSymmetric(a: Dense): Promise<void>;

  // ranking
  /** ids (n · k) of each row's k largest, largest first, the smaller column first among equals; k ≤ m */
  topK(ids: Ints, x: Dense, k: number): void;
  /** How many numbers are NaN or infinite. */
  countNonFinite(x: Dense): Promise<number>;
}

/** A matrix that should have been positive definite was not, to the precision of float32. */
export class NotPositiveDefiniteError extends Error {
  override readonly name = 'NotPositiveDefiniteError';

  constructor(row: number) {
    super(
      `Got a pivot that is not positive in row ${row} when expected a positive definite matrix. Add to its diagonal.`,
    );
  }
}
