// The dual form of the ridge regression (ridge.ts): from the inverse of K, one row and column for each row of F.

import { type Csr, selectedRows, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { identityOf, transposed } from '../../engine/numerics/dense.ts';
import { type FeatureMatrix, type LargeProducts, type OwnFeatures, type RidgeProblem, rightSides } from './problem.ts';
import { type Ridge, SeenRows, type TargetAgreements, TargetAnswers } from './solution.ts';

export class DualRidge implements Ridge {
  readonly #kernels: Kernels;
  readonly #problem: RidgeProblem;
  readonly #features: FeatureMatrix;
  readonly #inverse: Dense; // K⁻¹
  readonly #rowsOf: Csr; // targets by rows: ones, or q_r
  readonly #right: Csr; // the same less what was expected
  readonly #factors: Float64Array; // c_t, known once the weights of a target were asked for
  readonly #agreements: Float64Array; // y_tᵀ K⁻¹ r_t, likewise
  readonly #ofTargets: TargetAnswers;

  /** Owns the features and the inverse. */
  constructor(kernels: Kernels, problem: RidgeProblem, features: FeatureMatrix, inverse: Dense) {
    this.#kernels = kernels;
    this.#problem = problem;
    this.#features = features;
    this.#inverse = inverse;
    this.#rowsOf = transposedCsr(problem.targets, problem.numTargets);
    this.#right = problem.prior === undefined ? this.#rowsOf : rightSides(problem);
    this.#factors = new Float64Array(problem.numTargets).fill(1);
    this.#agreements = new Float64Array(problem.numTargets);
    this.#ofTargets = new TargetAnswers(problem.numTargets, async (targets) =>
      this.#agreementsWith(await this.#answersTo(targets), targets.length),
    );
  }

  async weightsOf(targets: Int32Array): Promise<Float32Array> {
    const answers = await this.answersOf(targets);
    const weights = await this.#features.transposedTimes(answers);
    this.#kernels.release(answers);
    const { own } = this.#problem;
    for (let i = 0; own && i < targets.length; i++) {
      const feature = own.features[targets[i]];
      if (feature >= 0) weights[feature * targets.length + i] = 0;
    }
    return weights;
  }

  async strongWeightsOf(targets: Int32Array, limits: Float32Array): Promise<LargeProducts> {
    const answers = await this.answersOf(targets);
    const found = await this.#features.largeOfTransposedTimes(answers, limits);
    this.#kernels.release(answers);
    const { own } = this.#problem;
    if (own) forgetOwn(found.sparse, targets, own);
    return found;
  }

  async look(rows: Int32Array): Promise<SeenRows> {
    const { numRows } = this.#problem;
    const parts = await this.#inverseRows(rows);
    const { a, right: left } = await this.#agreementsWith(parts, rows.length);
    return new SeenRows(this.#problem, {
      ...{ rows, a, left, ofTargets: this.#ofTargets, factors: this.#factors, agreements: this.#agreements },
      diagonal: Float64Array.from(rows, (row, i) => parts[i * numRows + row]),
      shared: Float32Array.from({ length: rows.length ** 2 }, (_, at) => {
        return parts[Math.floor(at / rows.length) * numRows + rows[at % rows.length]];
      }),
    });
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
    const { own } = this.#problem;
    const squareOf = (target: number) => (own === undefined ? 0 : own.scales[target] ** 2);
    for (const [i, target] of targets.entries()) {
      this.#factors[target] = 1 / Math.max(1 - squareOf(target) * ofA[i], 1e-6);
      this.#agreements[target] = (ofLeft ?? ofA)[i];
    }
    const pick = (numberOf: (target: number) => number) => Float64Array.from(targets, numberOf);
    return ofLeft === undefined
      ? { a: pick((target) => this.#factors[target]) }
      : { a: pick((target) => squareOf(target) * this.#factors[target] * this.#agreements[target]), left: 1 };
  }

  /** K⁻¹ y_t, one after the other. */
  async #answersTo(targets: Int32Array): Promise<Float32Array> {
    const answers = this.#solved(selectedRows(this.#rowsOf, targets));
    const numbers = await this.#kernels.read(answers);
    this.#kernels.release(answers);
    return numbers;
  }

  /** Of K⁻¹, whose rows are its columns, too. */
  async #inverseRows(rows: Int32Array): Promise<Float32Array> {
    const places = this.#kernels.ints(rows.length);
    const picked = this.#kernels.dense(rows.length, this.#problem.numRows);
    this.#kernels.writeInts(places, rows);
    this.#kernels.gather(picked, this.#inverse, places);
    const numbers = await this.#kernels.read(picked);
    this.#kernels.release(places, picked);
    return numbers;
  }

  /** The products of some vectors over rows, one after the other, with every y_t and r_t: a row for each vector. */
  async #agreementsWith(vectors: Float32Array, width: number): Promise<TargetAgreements> {
    const columns = this.#kernels.dense(this.#problem.numRows, width);
    this.#kernels.write(columns, transposed(vectors, width));
    const a = await this.#times(this.#rowsOf, columns);
    const right = this.#right === this.#rowsOf ? a : await this.#times(this.#right, columns);
    this.#kernels.release(columns);
    return { a, right };
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
function forgetOwn({ rowStart, columns, values }: Csr, targets: Int32Array, { features }: OwnFeatures): void {
  for (const [i, target] of targets.entries()) {
    const feature = features[target];
    if (feature < 0) continue;
    for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) if (columns[e] === i) values[e] = 0;
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
      for (let e = own.rowStart[i]; e < own.rowStart[i + 1]; e++) {
        sum += own.values[e] * answers[i * numRows + own.columns[e]];
      }
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
