// The largest singular values and vectors of a sparse matrix, by randomised subspace iteration (Halko, Martinsson and
// Tropp, SIAM Review 53(2), 2011, algorithms 4.4 and 5.1). Everything of the size of the matrix runs on the kernels;
// the matrices of k by k, k = rank + oversample, are factored here in double precision.
//
// Legend: a is (n, m) ≈ u · diag(s) · vᵀ. The bases of its rows' and its columns' space have k orthonormal columns.

import { Random } from '../../random.ts';
import type { Kernels } from '../kernels.ts';
import type { Dense, Sparse } from '../matrix.ts';
import { dot } from './dense.ts';

export interface SvdOptions {
  readonly rank: number; // cut to min(n, m)
  readonly seed: number;
  readonly oversample?: number;
  readonly iterations?: number;
}

/** Columns by falling singular value. Where it is zero, to the precision of float32, both vectors are zero as well. */
export interface Svd {
  readonly u: Dense; // (n, rank); the largest number of a column, by magnitude, is positive
  readonly s: Float32Array; // (rank)
  readonly v: Dense; // (m, rank)
}

const OVERSAMPLE = 10; // Halko et al., section 4.2: 5 or 10
const ITERATIONS = 4;
const ZERO = 1e-5; // a singular value this small beside the largest is rounding
const SMALLEST_PIVOT = 1e-4; // well above the rounding of a Gram matrix in float32
const DEPENDENT = 0.01; // a pivot still this small in the third pass: the column has nothing of its own
const MAX_SWEEPS = 40; // ten are plenty

export async function truncatedSvd(kernels: Kernels, a: Sparse, options: SvdOptions): Promise<Svd> {
  const { seed, oversample = OVERSAMPLE, iterations = ITERATIONS } = options;
  const most = Math.min(a.rows, a.cols);
  const rank = Math.min(options.rank, most);
  const k = Math.min(rank + oversample, most);
  const [u, v] = [kernels.dense(a.rows, rank), kernels.dense(a.cols, rank)];
  const s = new Float32Array(rank);
  const largest = (await kernels.read(a.values)).reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  if (rank === 0 || largest === 0) return { u, s, v };

  // the left and the right basis by turns, each the product of the matrix with the other
  const [left, right] = [new Basis(kernels, a.rows, k), new Basis(kernels, a.cols, k)];
  kernels.write(right.columns, gaussian(a.cols * k, seed));
  for (let i = 0; i <= iterations; i++) {
    const passes = i === iterations ? 3 : 2;
    kernels.spmm(left.columns, a, right.columns);
    await left.orthonormalise(1 / largest, passes);
    kernels.spmmTransposed(right.columns, a, left.columns);
    await right.orthonormalise(1 / largest, passes);
  }

  // between the bases the matrix is small: leftᵀ · a · right = x · diag(s) · wᵀ
  const product = kernels.dense(a.rows, k);
  const between = kernels.dense(k, k);
  kernels.spmm(product, a, right.columns);
  kernels.gemm(between, left.columns, product, { transposeA: true, scale: 1 / largest });
  const small = smallSvd(await kernels.read(between), k);
  for (let j = 0; j < rank; j++) s[j] = small.s[j] * largest;

  const turn = kernels.dense(k, rank);
  const place = (out: Dense, basis: Basis, columns: readonly Float64Array[], signs: ArrayLike<number>) => {
    kernels.write(
      turn,
      Float32Array.from({ length: k * rank }, (_, i) => columns[i % rank][Math.floor(i / rank)] * signs[i % rank]),
    );
    kernels.gemm(out, basis.columns, turn);
  };
  place(u, left, small.x, new Float64Array(rank).fill(1));
  const signs = signsOfColumns(await kernels.read(u), rank);
  place(u, left, small.x, signs);
  place(v, right, small.w, signs);
  kernels.release(product, between, turn);
  left.release();
  right.release();
  return { u, s, v };
}

/**
 * An orthonormal basis (m, rank) of the space that the leading right singular vectors span, in no order. Far cheaper than
 * the vectors themselves: nothing of the size of the rows is made orthonormal, and nothing is diagonalised.
 */
export async function leadingSubspace(kernels: Kernels, a: Sparse, options: SvdOptions): Promise<Dense> {
  const { seed, iterations = ITERATIONS } = options;
  const k = Math.min(options.rank, a.rows, a.cols);
  const basis = new Basis(kernels, a.cols, k);
  const products = kernels.dense(a.rows, k);
  kernels.write(basis.columns, gaussian(a.cols * k, seed));
  for (let i = 0; i <= iterations; i++) {
    await basis.orthonormalise(1, i === iterations ? 3 : 2);
    if (i === iterations) break;
    kernels.spmm(products, a, basis.columns);
    kernels.spmmTransposed(basis.columns, a, products);
  }
  kernels.release(products);
  return basis.take();
}

/** Columns to be made orthonormal, again and again. */
class Basis {
  readonly #kernels: Kernels;
  readonly #gram: Dense; // (k, k)
  #columns: Dense; // (rows, k)
  #spare: Dense;

  constructor(kernels: Kernels, rows: number, k: number) {
    this.#kernels = kernels;
    this.#gram = kernels.dense(k, k);
    this.#columns = kernels.dense(rows, k);
    this.#spare = kernels.dense(rows, k);
  }

  get columns(): Dense {
    return this.#columns;
  }

  /**
   * Cholesky QR: with YᵀY = L Lᵀ, the columns of Y · L⁻ᵀ are orthonormal and span the same space. One pass leaves the
   * rounding of the Gram matrix times the square of the condition of Y, so it is done two or three times (Fukaya et
   * al., SIAM J. Sci. Comput. 42(1), 2020). Columns that depend on others become zero in the third.
   */
  async orthonormalise(scale: number, passes: 2 | 3): Promise<void> {
    const [kernels, k] = [this.#kernels, this.#gram.rows];
    kernels.add(this.#columns, this.#columns, this.#columns, scale, 0); // squares of very small numbers would be lost
    for (let pass = 1; pass <= passes; pass++) {
      kernels.gemm(this.#gram, this.#columns, this.#columns, { transposeA: true });
      kernels.write(this.#gram, inverseFactor(await kernels.read(this.#gram), k, pass === 3));
      kernels.gemm(this.#spare, this.#columns, this.#gram);
      [this.#columns, this.#spare] = [this.#spare, this.#columns];
    }
  }

  /** The columns, which are the caller's from now on; the rest is released. */
  take(): Dense {
    this.#kernels.release(this.#gram, this.#spare);
    return this.#columns;
  }

  release(): void {
    this.#kernels.release(this.take());
  }
}

/**
 * L⁻ᵀ, (k, k), of a Gram matrix L Lᵀ. Where a column nearly depends on those before it, the pivot is lost to rounding. It
 * is then raised, and the column left out of those after it, which would else multiply that rounding from column to
 * column. So the factor exists for any columns, the span is kept, and the next pass sees such columns better.
 */
function inverseFactor(gram: Float32Array, k: number, dropsDependent: boolean): Float64Array {
  // columns to length 1 first: pivots are then parts of one; a zero column stays zero
  const scales = Float64Array.from({ length: k }, (_, j) => (gram[j * k + j] > 0 ? 1 / Math.sqrt(gram[j * k + j]) : 0));
  const l = new Float64Array(k * k);
  const isRaised = new Uint8Array(k);
  const inverse = new Float64Array(k * k); // of L, by rows
  const out = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j < i; j++) {
      let sum = gram[i * k + j] * scales[i] * scales[j];
      for (let p = 0; p < j; p++) sum -= l[i * k + p] * l[j * k + p];
      l[i * k + j] = l[j * k + j] > 0 && isRaised[j] === 0 ? sum / l[j * k + j] : 0;
    }
    let pivot = 1;
    for (let p = 0; p < i; p++) pivot -= l[i * k + p] ** 2;
    if (scales[i] === 0 || (dropsDependent && pivot < DEPENDENT)) continue; // row i of L and of its inverse: zeros
    if (pivot < SMALLEST_PIVOT) isRaised[i] = 1;
    l[i * k + i] = Math.sqrt(Math.max(pivot, SMALLEST_PIVOT));
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 1 : 0;
      for (let p = j; p < i; p++) sum -= l[i * k + p] * inverse[p * k + j];
      inverse[i * k + j] = sum / l[i * k + i];
      out[j * k + i] = inverse[i * k + j] * scales[j];
    }
  }
  return out;
}

/**
 * b (k, k) = x · diag(s) · wᵀ, vectors as arrays, by falling s. One-sided Jacobi (Hestenes, J. SIAM 6(1), 1958): pairs of
 * columns of b are turned in their plane until all are orthogonal; the turns make up w.
 */
function smallSvd(b: Float32Array, k: number): { x: Float64Array[]; s: Float64Array; w: Float64Array[] } {
  const x = Array.from({ length: k }, (_, j) => Float64Array.from({ length: k }, (_, i) => b[i * k + j]));
  const w = Array.from({ length: k }, (_, j) => new Float64Array(k).fill(1, j, j + 1));
  for (let sweep = 0, isOrthogonal = false; sweep < MAX_SWEEPS && !isOrthogonal; sweep++) {
    isOrthogonal = true;
    for (let p = 0; p < k; p++) {
      for (let q = p + 1; q < k; q++) {
        const [pp, qq, pq] = [dot(x[p], x[p]), dot(x[q], x[q]), dot(x[p], x[q])];
        if (Math.abs(pq) <= 1e-14 * Math.sqrt(pp * qq)) continue;
        isOrthogonal = false;
        const zeta = (qq - pp) / (2 * pq);
        const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        rotate(x[p], x[q], tangent);
        rotate(w[p], w[q], tangent);
      }
    }
  }
  const lengths = x.map((column) => Math.sqrt(dot(column, column)));
  const order = [...lengths.keys()].sort((p, q) => lengths[q] - lengths[p]);
  const s = Float64Array.from(order, (j) => (lengths[j] > ZERO * lengths[order[0]] ? lengths[j] : 0));
  return {
    x: order.map((j, at) => x[j].map((value) => (s[at] > 0 ? value / s[at] : 0))),
    s,
    w: order.map((j, at) => (s[at] > 0 ? w[j] : new Float64Array(k))),
  };
}

function rotate(a: Float64Array, b: Float64Array, tangent: number): void {
  const cosine = 1 / Math.hypot(1, tangent);
  for (let i = 0; i < a.length; i++) {
    const [ai, bi] = [a[i], b[i]];
    a[i] = cosine * (ai - tangent * bi);
    b[i] = cosine * (tangent * ai + bi);
  }
}

/** −1 for each column whose largest number by magnitude, the first of equals, is negative; 1 for the others. */
function signsOfColumns(values: Float32Array, cols: number): Float64Array {
  const extremes = new Float64Array(cols);
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i]) > Math.abs(extremes[i % cols])) extremes[i % cols] = values[i];
  }
  return extremes.map((value) => (value < 0 ? -1 : 1));
}

/** Normal draws, two at a time (Box and Muller, Ann. Math. Statist. 29(2), 1958). */
function gaussian(count: number, seed: number): Float32Array {
  const random = new Random(seed, 'svd');
  const out = new Float32Array(count);
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random.float())); // 1 − float is never 0
    const angle = 2 * Math.PI * random.float();
    out[i] = radius * Math.cos(angle);
    if (i + 1 < count) out[i + 1] = radius * Math.sin(angle);
  }
  return out;
}
