// What a ridge regression is solved for, and its matrix of features on the engine: many sparse columns, of which some may be
// targets, and a few dense ones. Each is scaled so that its penalty is 1.

import { type Csr, CsrBuilder, rowsBetween, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense, Sparse } from '../../engine/matrix.ts';
import { identityOf } from '../../engine/numerics/dense.ts';
import { addProductOfRows } from '../../engine/numerics/row-products.ts';
import { type Listener, makeBreather } from '../../listener.ts';

export interface RidgeProblem {
  readonly numRows: number;
  readonly numSparse: number;
  readonly sparse: Csr; // (numRows, numSparse)
  readonly numDense: number;
  readonly dense: Float32Array; // (numRows, numDense)
  readonly numTargets: number;
  /** Which targets a row has: ones, or q_r where rows have weights. */
  readonly targets: Csr; // (numRows, numTargets)
  /** Where targets are features as well and may not predict themselves. */
  readonly own?: OwnFeatures | undefined;
  /** What is expected of the targets before anything is learnt: the regression learns the rest. */
  readonly prior?: Csr | undefined; // (numRows, numTargets)
  /** Products of features, beside the features themselves. */
  readonly squares?: readonly SquareFeatures[] | undefined;
  /** q_r, the roots of the weights of rows, by which all of a row is multiplied (weighted-rows.ts); undefined: all are 1. */
  readonly roots?: Float64Array | undefined; // (numRows)
}

/** Targets that are features: where a row has target t, its feature has the number s_t. */
export interface OwnFeatures {
  /** By target its sparse feature; −1: it is none. */
  readonly features: Int32Array; // (numTargets)
  /** s_t; 0 where it is none. */
  readonly scales: Float32Array; // (numTargets)
}

/** Stands for the products of all pairs of some features: what two rows share by them is strength · (R Rᵀ)². */
export interface SquareFeatures {
  readonly rows: Csr; // (numRows, numColumns)
  readonly numColumns: number;
  readonly strength: number;
}

/** By feature, a column for each of the right side. */
export interface LargeProducts {
  readonly sparse: Csr; // (numSparse, width)
  readonly dense: Float32Array; // (numDense, width)
}

const BLOCK = 256; // columns at a time
const ROWS = 1 << 16; // at a time, where features are compared: 256 of them are written out for each
/** The same where rounding counts: a sum of 65,536 equal numbers in float32 may be wrong by a thousandth. */
const FEW_ROWS = 1 << 11;

export function numFeaturesOf({ numSparse, numDense }: RidgeProblem): number {
  return numSparse + numDense;
}

/** Products of dense features: with the sparse ones (numSparse, numDense), with one another (numDense, numDense). */
interface DenseProducts {
  readonly across: Float32Array | Float64Array;
  readonly within: Float32Array | Float64Array;
}

interface GramPart {
  readonly rows: Csr;
  readonly numColumns: number;
  readonly squareTimes?: number;
}

/** By target, y_t less what was expected: (numTargets, numRows). */
export function rightSides({
  targets,
  prior,
  numTargets,
}: Pick<RidgeProblem, 'targets' | 'prior' | 'numTargets'>): Csr {
  const own = transposedCsr(targets, numTargets);
  return prior === undefined ? own : difference(own, transposedCsr(prior, numTargets));
}

/** a − b, of matrices of as many rows. */
export function difference(a: Csr, b: Csr): Csr {
  const numRows = a.rowStart.length - 1;
  const rows = new CsrBuilder(numRows);
  for (let row = 0; row < numRows; row++) {
    let [i, j] = [a.rowStart[row], b.rowStart[row]];
    const [endA, endB] = [a.rowStart[row + 1], b.rowStart[row + 1]];
    while (i < endA || j < endB) {
      const column = Math.min(
        i < endA ? a.columns[i] : Number.POSITIVE_INFINITY,
        j < endB ? b.columns[j] : Number.POSITIVE_INFINITY,
      );
      let value = 0;
      if (i < endA && a.columns[i] === column) value += a.values[i++];
      if (j < endB && b.columns[j] === column) value -= b.values[j++];
      rows.add(column, value);
    }
    rows.endRow();
  }
  return rows.finish();
}

/** F, the sparse features before the dense ones. */
export class FeatureMatrix {
  readonly #kernels: Kernels;
  readonly #problem: RidgeProblem;
  readonly #sparse: Sparse;
  readonly #dense: Dense | undefined;

  constructor(kernels: Kernels, problem: RidgeProblem) {
    this.#kernels = kernels;
    this.#problem = problem;
    const { numRows, numSparse, numDense } = problem;
    this.#sparse = kernels.sparse(numRows, numSparse, problem.sparse);
    if (numRows === 0 || numDense === 0) return;
    this.#dense = kernels.dense(numRows, numDense);
    kernels.write(this.#dense, problem.dense);
  }

  release(): void {
    this.#kernels.release(this.#sparse);
    if (this.#dense) this.#kernels.release(this.#dense);
  }

  /** I + F Fᵀ; of its sparse part only what is left of the diagonal or on it. */
  async gramOfRows(listener: Listener): Promise<Dense> {
    const { numRows, numSparse, sparse, squares = [] } = this.#problem;
    const dense = this.#dense;
    const parts = [
      { rows: sparse, numColumns: numSparse },
      ...squares.map(({ rows, numColumns, strength }) => ({ rows, numColumns, squareTimes: strength })),
    ];
    const begin = (out: Dense) => dense && this.#kernels.gemm(out, dense, dense, { transposeB: true });
    return this.#gram(numRows, begin, parts, listener);
  }

  /** I + FᵀF, likewise. `isExact`: from short sums, which takes longer. */
  async gramOfFeatures(listener: Listener, isExact = false): Promise<Dense> {
    const { numRows, numSparse, numDense, sparse } = this.#problem;
    const atOnce = isExact ? FEW_ROWS : ROWS;
    const chunks = Array.from({ length: Math.ceil(numRows / atOnce) }, (_, chunk) => {
      const some = rowsBetween(sparse, chunk * atOnce, Math.min(numRows, (chunk + 1) * atOnce));
      return { rows: transposedCsr(some, numSparse), numColumns: some.rowStart.length - 1 };
    });
    const gram = await this.#gram(numSparse + numDense, () => {}, chunks, listener);
    if (this.#dense === undefined) return gram;
    const [numbers, { across, within }] = [await this.#kernels.read(gram), await this.#productsOfDense(isExact)];
    for (let k = 0; k < numDense; k++) {
      const row = numbers.subarray((numSparse + k) * gram.cols, (numSparse + k + 1) * gram.cols);
      for (let f = 0; f < numSparse; f++) row[f] = across[f * numDense + k];
      for (let other = 0; other < numDense; other++) row[numSparse + other] += within[k * numDense + other];
    }
    this.#kernels.write(gram, numbers);
    return gram;
  }

  /** Of the dense features, their products with the sparse ones and with one another. */
  async #productsOfDense(isExact: boolean): Promise<DenseProducts> {
    if (!isExact) return this.#productsBetween(this.#sparse, this.#dense as Dense);
    const { numRows, numSparse, numDense, sparse, dense } = this.#problem;
    const sums = { across: new Float64Array(numSparse * numDense), within: new Float64Array(numDense ** 2) };
    for (let first = 0; first < numRows; first += FEW_ROWS) {
      const end = Math.min(numRows, first + FEW_ROWS);
      const some = this.#kernels.sparse(end - first, numSparse, rowsBetween(sparse, first, end));
      const beside = this.#kernels.dense(end - first, numDense);
      this.#kernels.write(beside, dense.subarray(first * numDense, end * numDense));
      const found = await this.#productsBetween(some, beside);
      this.#kernels.release(some, beside);
      for (const part of ['across', 'within'] as const) {
        for (let i = 0; i < sums[part].length; i++) sums[part][i] += found[part][i];
      }
    }
    return sums;
  }

  async #productsBetween(sparse: Sparse, dense: Dense): Promise<DenseProducts> {
    const [across, within] = [
      this.#kernels.dense(sparse.cols, dense.cols),
      this.#kernels.dense(dense.cols, dense.cols),
    ];
    this.#kernels.spmmTransposed(across, sparse, dense);
    this.#kernels.gemm(within, dense, dense, { transposeA: true });
    const [ofSparse, ofDense] = await Promise.all([across, within].map((matrix) => this.#kernels.read(matrix)));
    this.#kernels.release(across, within);
    return { across: ofSparse, within: ofDense };
  }

  /** Fᵀ x, x being (numRows, width). */
  async transposedTimes(right: Dense): Promise<Float32Array> {
    const { numSparse, numDense } = this.#problem;
    const width = right.cols;
    const { ofSparse, ofDense } = this.#transposedTimes(right);
    if (this.#kernels.isRemote) return this.#readTogether(ofSparse, ofDense);
    const out = new Float32Array((numSparse + numDense) * width);
    out.set(await this.#kernels.read(ofSparse));
    if (this.#dense) out.set(await this.#kernels.read(ofDense), numSparse * width);
    this.#kernels.release(ofSparse, ofDense);
    return out;
  }

  /** The same, but of the sparse features only what is at least their limit in size. */
  async largeOfTransposedTimes(right: Dense, limits: Float32Array): Promise<LargeProducts> {
    const { ofSparse, ofDense } = this.#transposedTimes(right);
    try {
      const sparse = await this.#kernels.readLarge(ofSparse, limits);
      return { sparse, dense: await this.#kernels.read(ofDense) };
    } finally {
      this.#kernels.release(ofSparse, ofDense);
    }
  }

  #transposedTimes(right: Dense): { readonly ofSparse: Dense; readonly ofDense: Dense } {
    const { numSparse, numDense } = this.#problem;
    const ofSparse = this.#kernels.dense(numSparse, right.cols);
    const ofDense = this.#kernels.dense(numDense, right.cols);
    this.#kernels.spmmTransposed(ofSparse, this.#sparse, right);
    if (this.#dense) this.#kernels.gemm(ofDense, this.#dense, right, { transposeA: true });
    return { ofSparse, ofDense };
  }

  /** Both, one below the other, in one reading; they are released. */
  async #readTogether(above: Dense, below: Dense): Promise<Float32Array> {
    const both = this.#kernels.dense(above.rows + below.rows, above.cols);
    this.#kernels.addBlock(both, 0, 0, above);
    this.#kernels.addBlock(both, above.rows, 0, below);
    const numbers = await this.#kernels.read(both);
    this.#kernels.release(above, below, both);
    return numbers;
  }

  /** I + what `begin` puts there + R Rᵀ of some rows, or a multiple of its square; left of the diagonal and on it. */
  async #gram(
    size: number,
    begin: (out: Dense) => void,
    parts: readonly GramPart[],
    listener: Listener,
  ): Promise<Dense> {
    const breathe = makeBreather(listener);
    const out = this.#kernels.dense(size, size);
    begin(out);
    for (const { rows, ...part } of parts) {
      const numRows = rows.rowStart.length - 1;
      for (let first = 0; first < numRows; first += BLOCK) {
        listener.progress?.('comparing objects', first, numRows);
        await breathe();
        const b = rowsBetween(rows, first, Math.min(first + BLOCK, numRows));
        const a = rowsBetween(rows, first, numRows);
        addProductOfRows(this.#kernels, { out, row: first, column: first }, { ...part, a, b });
      }
    }
    this.#addIdentity(out);
    return out;
  }

  #addIdentity(out: Dense): void {
    for (let first = 0; first < out.rows; first += BLOCK) {
      const width = Math.min(BLOCK, out.rows - first);
      const ones = this.#kernels.dense(width, width);
      this.#kernels.write(ones, identityOf(width));
      this.#kernels.addBlock(out, first, first, ones);
      this.#kernels.release(ones);
    }
  }
}
