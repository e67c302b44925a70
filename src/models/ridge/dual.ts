// The dual form of the ridge regression (ridge.ts): from the inverse of K, one row and column for each row of F.

import { type Csr, selectedRows, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { identityOf, transposed } from '../../engine/numerics/dense.ts';
import { type FeatureMatrix, type LargeProducts, type RidgeProblem, rightSides } from './problem.ts';
import { type Lacking, lacking, type Ridge } from './solution.ts';

export class DualRidge implements Ridge {
  readonly #kernels: Kernels;
  readonly #problem: RidgeProblem;
  readonly #features: FeatureMatrix;
  readonly #inverse: Dense; // K⁻¹
  readonly #rowsOf: Csr; // targets by rows: ones
  readonly #right: Csr; // the same less what was expected
  readonly #factors: Float64Array; // c_t, known once the weights of a target were asked for
  readonly #gains: Float64Array; // s_t² c_t y_tᵀ K⁻¹ r_t, likewise

  /** Owns the features and the inverse. */
  constructor(kernels: Kernels, problem: RidgeProblem, features: FeatureMatrix, inverse: Dense) {
    this.#kernels = kernels;
    this.#problem = problem;
    this.#features = features;
    this.#inverse = inverse;
    this.#rowsOf = transposedCsr(problem.targets, problem.numTargets);
    this.#right = problem.prior === undefined ? this.#rowsOf : rightSides(problem);
    this.#factors = new Float64Array(problem.numTargets).fill(1);
    this.#gains = new Float64Array(problem.numTargets);
  }

  async weightsOf(targets: Int32Array): Promise<Float32Array> {
    const answers = await this.answersOf(targets);
    const weights = await this.#features.transposedTimes(answers);
    this.#kernels.release(answers);
    if (this.#problem.targetScales === undefined) return weights;
    for (let i = 0; i < targets.length; i++) weights[targets[i] * targets.length + i] = 0;
    return weights;
  }

  async strongWeightsOf(targets: Int32Array, limits: Float32Array): Promise<LargeProducts> {
    const answers = await this.answersOf(targets);
    const found = await this.#features.largeOfTransposedTimes(answers, limits);
    this.#kernels.release(answers);
    if (this.#problem.targetScales !== undefined) forgetOwn(found.sparse, targets);
    return found;
  }

  async without(rows: Int32Array): Promise<Lacking> {
    const kernels = this.#kernels;
    const { numRows, numTargets } = this.#problem;
    const places = kernels.ints(rows.length);
    kernels.writeInts(places, rows);
    const picked = kernels.dense(rows.length, numRows);
    kernels.gather(picked, this.#inverse, places);
    const parts = await kernels.read(picked); // rows of K⁻¹, which are its columns, too
    const columns = kernels.dense(numRows, rows.length);
    kernels.write(columns, transposed(parts, rows.length));
    const a = await this.#times(this.#rowsOf, columns);
    const left = this.#right === this.#rowsOf ? a.slice() : await this.#times(this.#right, columns);
    kernels.release(places, picked, columns);
    const hasPrior = this.#right !== this.#rowsOf;
    for (let i = 0, at = 0; i < rows.length; i++) {
      for (let t = 0; t < numTargets; t++, at++) {
        left[at] = hasPrior ? left[at] + this.#gains[t] * a[at] : this.#factors[t] * a[at];
      }
    }
    const diagonal = Float64Array.from(rows, (row, i) => parts[i * numRows + row]);
    return lacking(this.#problem, rows, { left, a, diagonal, factors: this.#factors });
  }

  release(): void {
    this.#features.release();
    this.#kernels.release(this.#inverse);
  }

  /** Column i: what the fit leaves of target i, by row; the weights are Fᵀ times that. The caller releases it. */
  async answersOf(targets: Int32Array): Promise<Dense> {
    const kernels = this.#kernels;
    const own = selectedRows(this.#rowsOf, targets);
    const a = this.#solved(own);
    const left = this.#right === this.#rowsOf ? undefined : this.#solved(selectedRows(this.#right, targets));
    const out = kernels.dense(this.#problem.numRows, targets.length);
    const combine = kernels.isRemote ? combinedThere : combinedHere;
    await combine(kernels, out, { a, left, own }, (ofA, ofLeft) => this.#learnFactors(targets, ofA, ofLeft));
    kernels.release(a, ...(left ? [left] : []));
    return out;
  }

  /** Row i: K⁻¹ times row i of the right. */
  #solved(right: Csr): Dense {
    const { numRows } = this.#problem;
    const width = right.rowStart.length - 1;
    const [sparse, out] = [this.#kernels.sparse(width, numRows, right), this.#kernels.dense(width, numRows)];
    this.#kernels.spmm(out, sparse, this.#inverse);
    this.#kernels.release(sparse);
    return out;
  }

  /** From y_tᵀ K⁻¹ y_t and y_tᵀ K⁻¹ r_t by target the factors of both answers. */
  #learnFactors(targets: Int32Array, ofA: ArrayLike<number>, ofLeft: ArrayLike<number> | undefined): Factors {
    const { targetScales } = this.#problem;
    for (const [i, target] of targets.entries()) {
      const square = targetScales === undefined ? 0 : targetScales[target] * targetScales[target];
      this.#factors[target] = 1 / Math.max(1 - square * ofA[i], 1e-6);
      if (ofLeft !== undefined) this.#gains[target] = square * this.#factors[target] * ofLeft[i];
    }
    const pick = (values: Float64Array) => Float64Array.from(targets, (target) => values[target]);
    return ofLeft === undefined ? { a: pick(this.#factors) } : { a: pick(this.#gains), left: 1 };
  }

  /** By row of the right a row of products with the columns. */
  async #times(right: Csr, columns: Dense): Promise<Float32Array> {
    const { numRows, numTargets } = this.#problem;
    const [sparse, products] = [
      this.#kernels.sparse(numTargets, numRows, right),
      this.#kernels.dense(numTargets, columns.cols),
    ];
    this.#kernels.spmm(products, sparse, columns);
    const numbers = transposed(await this.#kernels.read(products), numTargets);
    this.#kernels.release(sparse, products);
    return numbers;
  }
}

/** Makes the weights of targets for themselves zeros. */
function forgetOwn({ rowStart, columns, values }: Csr, targets: Int32Array): void {
  for (const [i, target] of targets.entries()) {
    for (let e = rowStart[target]; e < rowStart[target + 1]; e++) if (columns[e] === i) values[e] = 0;
  }
}

/** Row i: answers of target i. */
interface Answers {
  readonly a: Dense; // K⁻¹ y_t
  /** K⁻¹ r_t, where something was expected: r_t is not y_t. */
  readonly left: Dense | undefined;
  readonly own: Csr; // y_t
}

interface Factors {
  readonly a: Float64Array;
  readonly left?: 1;
}

/** From y_tᵀ a_t, and with the other answer, the factors. */
type Learn = (ofA: ArrayLike<number>, ofLeft: ArrayLike<number> | undefined) => Factors;

/** out[r][i] = factor_i · a[i][r] (+ left[i][r]). */
async function combinedHere(kernels: Kernels, out: Dense, { a, left, own }: Answers, learn: Learn): Promise<void> {
  const [width, numRows] = [a.rows, a.cols];
  const numbers = await kernels.read(a);
  const others = left && (await kernels.read(left));
  const agreementsOf = (answers: Float32Array) =>
    Float64Array.from({ length: width }, (_, i) => {
      let sum = 0;
      for (let e = own.rowStart[i]; e < own.rowStart[i + 1]; e++) sum += answers[i * numRows + own.columns[e]];
      return sum;
    });
  const factors = learn(agreementsOf(numbers), others && agreementsOf(others));
  const columns = new Float32Array(numbers.length);
  for (let i = 0; i < width; i++) {
    const factor = factors.a[i];
    for (let r = 0, at = i * numRows; r < numRows; r++, at++) {
      columns[r * width + i] = numbers[at] * factor + (others === undefined ? 0 : others[at]);
    }
  }
  kernels.write(out, columns);
}

/** The same by products, for engines from which reading all of it would take longer. */
async function combinedThere(kernels: Kernels, out: Dense, { a, left, own }: Answers, learn: Learn): Promise<void> {
  const [width, numRows] = [a.rows, a.cols];
  const [diagonal, agreements] = [kernels.dense(width, width), kernels.dense(width, width)];
  const y = kernels.sparse(width, numRows, own);
  const agreementsOf = async (answers: Dense) => {
    kernels.gemm(out, answers, diagonal, { transposeA: true });
    kernels.spmm(agreements, y, out);
    return diagonalOf(await kernels.read(agreements), width);
  };
  try {
    kernels.write(diagonal, identityOf(width));
    const factors = learn(await agreementsOf(a), left && (await agreementsOf(left)));
    kernels.write(
      diagonal,
      identityOf(width).map((one, i) => one * factors.a[i % width]),
    );
    kernels.gemm(out, a, diagonal, { transposeA: true });
    if (left === undefined) return;
    kernels.write(diagonal, identityOf(width));
    kernels.gemm(out, left, diagonal, { transposeA: true, accumulate: true });
  } finally {
    kernels.release(diagonal, agreements, y);
  }
}

function diagonalOf(numbers: Float32Array, size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, i) => numbers[i * size + i]);
}
