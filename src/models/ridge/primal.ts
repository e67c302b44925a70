// The primal form of the ridge regression (ridge.ts): from P = (FᵀF + I)⁻¹, one row and column for each feature.

import { type Csr, CsrBuilder, selectedRows } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { largeNumbers, transposed } from '../../engine/numerics/dense.ts';
import { type FeatureMatrix, type LargeProducts, numFeaturesOf, type RidgeProblem, rightSides } from './problem.ts';
import { type Lacking, lacking, type Ridge } from './solution.ts';

export class PrimalRidge implements Ridge {
  readonly #kernels: Kernels;
  readonly #problem: RidgeProblem;
  readonly #features: FeatureMatrix;
  readonly #inverse: Dense; // P
  readonly #p: Float32Array | undefined; // the same, where targets are features
  readonly #products: Csr | undefined; // (numTargets, numFeatures), r_tᵀ F, where P alone does not tell the weights
  readonly #factors: Float64Array; // c_t
  readonly #gains: Float64Array; // s_t u_t c_t with u = P Fᵀ r_t, known once the weights of a target were asked for

  private constructor(
    kernels: Kernels,
    problem: RidgeProblem,
    features: FeatureMatrix,
    inverse: Dense,
    p: Float32Array | undefined,
  ) {
    const { numTargets } = problem;
    const numFeatures = numFeaturesOf(problem);
    this.#kernels = kernels;
    this.#problem = problem;
    this.#features = features;
    this.#inverse = inverse;
    this.#p = p;
    if (p === undefined || problem.prior !== undefined) this.#products = productsOfTargets(problem);
    this.#factors = Float64Array.from({ length: numTargets }, (_, t) => (p ? 1 / p[t * numFeatures + t] : 1));
    this.#gains = new Float64Array(numTargets);
  }

  /** Owns the features and the inverse. */
  static async of(
    kernels: Kernels,
    problem: RidgeProblem,
    features: FeatureMatrix,
    inverse: Dense,
  ): Promise<PrimalRidge> {
    const p = problem.targetScales && (await kernels.read(inverse));
    return new PrimalRidge(kernels, problem, features, inverse, p);
  }

  async weightsOf(targets: Int32Array): Promise<Float32Array> {
    if (this.#products === undefined) return this.#weightsInInverse(targets);
    const weights = await this.#solved(selectedRows(this.#products, targets));
    const { targetScales } = this.#problem;
    if (this.#p === undefined || targetScales === undefined) return weights;
    const [numFeatures, width] = [numFeaturesOf(this.#problem), targets.length];
    for (const [i, target] of targets.entries()) {
      const own = weights[target * width + i] * this.#factors[target];
      this.#gains[target] = targetScales[target] * own;
      for (let f = 0; f < numFeatures; f++) weights[f * width + i] -= this.#p[target * numFeatures + f] * own;
      weights[target * width + i] = 0;
    }
    return weights;
  }

  async strongWeightsOf(targets: Int32Array, limits: Float32Array): Promise<LargeProducts> {
    const { numSparse } = this.#problem;
    const weights = await this.weightsOf(targets);
    const [cols, first] = [targets.length, numSparse * targets.length];
    const found = largeNumbers(weights, { rows: numSparse, cols, stride: cols }, limits);
    return { sparse: found, dense: weights.subarray(first) };
  }

  async without(rows: Int32Array): Promise<Lacking> {
    const { numTargets, targetScales } = this.#problem;
    const numFeatures = numFeaturesOf(this.#problem);
    const own = wholeRows(this.#problem, rows);
    const picked = this.#kernels.sparse(rows.length, numFeatures, own);
    const products = this.#kernels.dense(rows.length, numFeatures);
    this.#kernels.spmm(products, picked, this.#inverse);
    const numbers = await this.#kernels.read(products); // F P
    this.#kernels.release(picked, products);
    const a = new Float32Array(rows.length * numTargets);
    const diagonal = new Float64Array(rows.length).fill(1);
    for (let i = 0; i < rows.length; i++) {
      for (let t = 0; targetScales && t < numTargets; t++) {
        a[i * numTargets + t] = numbers[i * numFeatures + t] / targetScales[t];
      }
      for (let e = own.rowStart[i]; e < own.rowStart[i + 1]; e++) {
        diagonal[i] -= numbers[i * numFeatures + own.columns[e]] * own.values[e];
      }
    }
    const left = await this.#left(rows, a, numbers);
    return lacking(this.#problem, rows, { left, a, diagonal, factors: this.#factors });
  }

  release(): void {
    this.#features.release();
    this.#kernels.release(this.#inverse);
  }

  /** w(f, t) = − P[f][t] / (s_t · P[t][t]). */
  #weightsInInverse(targets: Int32Array): Float32Array {
    const numFeatures = numFeaturesOf(this.#problem);
    const [p, targetScales] = [this.#p as Float32Array, this.#problem.targetScales as Float32Array];
    const weights = new Float32Array(numFeatures * targets.length);
    for (let i = 0; i < targets.length; i++) {
      const row = targets[i] * numFeatures;
      const factor = -1 / (targetScales[targets[i]] * p[row + targets[i]]);
      for (let k = 0; k < numFeatures; k++) weights[k * targets.length + i] = p[row + k] * factor;
      weights[targets[i] * targets.length + i] = 0;
    }
    return weights;
  }

  /** P times the rows, as columns. */
  async #solved(rows: Csr): Promise<Float32Array> {
    const [width, numFeatures] = [rows.rowStart.length - 1, numFeaturesOf(this.#problem)];
    const sparse = this.#kernels.sparse(width, numFeatures, rows);
    const out = this.#kernels.dense(width, numFeatures);
    try {
      this.#kernels.spmm(out, sparse, this.#inverse);
      return transposed(await this.#kernels.read(out), width);
    } finally {
      this.#kernels.release(sparse, out);
    }
  }

  /** What the fit leaves of the targets of some rows, whose F P is given. */
  async #left(rows: Int32Array, a: Float32Array, fp: Float32Array): Promise<Float32Array> {
    const { numTargets, targets, prior } = this.#problem;
    const left = new Float32Array(a.length);
    if (this.#products === undefined) {
      for (let at = 0; at < a.length; at++) left[at] = this.#factors[at % numTargets] * a[at];
      return left;
    }
    const fitted = await this.#fitted(fp, rows.length);
    for (let at = 0; at < a.length; at++) left[at] = this.#gains[at % numTargets] * a[at] - fitted[at];
    for (const [i, row] of rows.entries()) {
      for (let e = targets.rowStart[row]; e < targets.rowStart[row + 1]; e++)
        left[i * numTargets + targets.columns[e]] += 1;
      for (let e = prior?.rowStart[row] ?? 0; prior && e < prior.rowStart[row + 1]; e++) {
        left[i * numTargets + prior.columns[e]] -= prior.values[e];
      }
    }
    return left;
  }

  /** F P Fᵀ r_t by row and target. */
  async #fitted(fp: Float32Array, numRows: number): Promise<Float32Array> {
    const { numTargets } = this.#problem;
    const numFeatures = numFeaturesOf(this.#problem);
    const sparse = this.#kernels.sparse(numTargets, numFeatures, this.#products as Csr);
    const [columns, out] = [this.#kernels.dense(numFeatures, numRows), this.#kernels.dense(numTargets, numRows)];
    try {
      this.#kernels.write(columns, transposed(fp, numRows));
      this.#kernels.spmm(out, sparse, columns);
      return transposed(await this.#kernels.read(out), numTargets);
    } finally {
      this.#kernels.release(sparse, columns, out);
    }
  }
}

/** r_tᵀ F by target, over all features. */
function productsOfTargets(problem: RidgeProblem): Csr {
  const { numTargets, numSparse, numDense, sparse, dense } = problem;
  const right = rightSides(problem);
  const sums = new Float64Array(numSparse + numDense);
  const reached = new Int32Array(numSparse + numDense);
  const seenBy = new Int32Array(numSparse + numDense).fill(-1);
  const rows = new CsrBuilder(numTargets);
  for (let t = 0; t < numTargets; t++) {
    let count = 0;
    const add = (feature: number, value: number) => {
      if (seenBy[feature] !== t) {
        seenBy[feature] = t;
        reached[count++] = feature;
        sums[feature] = 0;
      }
      sums[feature] += value;
    };
    for (let e = right.rowStart[t]; e < right.rowStart[t + 1]; e++) {
      const [row, value] = [right.columns[e], right.values[e]];
      for (let i = sparse.rowStart[row]; i < sparse.rowStart[row + 1]; i++)
        add(sparse.columns[i], value * sparse.values[i]);
      for (let k = 0; k < numDense; k++) add(numSparse + k, value * dense[row * numDense + k]);
    }
    for (const feature of reached.subarray(0, count).sort()) rows.add(feature, sums[feature]);
    rows.endRow();
  }
  return rows.finish();
}

/** Some rows, dense features and all. */
function wholeRows({ sparse, numSparse, dense, numDense }: RidgeProblem, rows: Int32Array): Csr {
  const own = selectedRows(sparse, rows);
  const whole = {
    rowStart: own.rowStart.map((start, i) => start + i * numDense),
    columns: new Int32Array(own.columns.length + rows.length * numDense),
    values: new Float32Array(own.columns.length + rows.length * numDense),
  };
  const denseColumns = Int32Array.from({ length: numDense }, (_, k) => numSparse + k);
  for (let i = 0; i < rows.length; i++) {
    const [start, end] = [own.rowStart[i], own.rowStart[i + 1]];
    const middle = whole.rowStart[i] + end - start;
    whole.columns.set(own.columns.subarray(start, end), whole.rowStart[i]);
    whole.values.set(own.values.subarray(start, end), whole.rowStart[i]);
    whole.columns.set(denseColumns, middle);
    whole.values.set(dense.subarray(rows[i] * numDense, (rows[i] + 1) * numDense), middle);
  }
  return whole;
}
