// The primal form of the ridge regression (ridge.ts): from P = (FᵀF + I)⁻¹, one row and column for each feature.

import { type Csr, CsrBuilder, selectedRows, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { largeNumbers, transposed } from '../../engine/numerics/dense.ts';
import { checkedSize } from '../../size-limits.ts';
import {
  type FeatureMatrix,
  type LargeProducts,
  numFeaturesOf,
  type OwnFeatures,
  type RidgeProblem,
  rightSides,
} from './problem.ts';
import { type Ridge, SeenRows, type TargetAgreements, TargetAnswers } from './solution.ts';

export class PrimalRidge implements Ridge {
  readonly #kernels: Kernels;
  readonly #problem: RidgeProblem;
  readonly #features: FeatureMatrix;
  readonly #inverse: Dense; // P
  readonly #denseRows: Dense | undefined; // (numDense, numFeatures), the rows of P of dense features
  /** r_tᵀ F; of targets that are features, whose part by y_t P alone tells, −m_tᵀ F. */
  readonly #products: Rows; // (numTargets, numFeatures)
  readonly #factors: Float64Array; // c_t
  readonly #agreements: Float64Array; // y_tᵀ K⁻¹ r_t where t is a feature, known once the weights were asked for
  readonly #ofTargets: TargetAnswers;

  private constructor(
    kernels: Kernels,
    problem: RidgeProblem,
    features: FeatureMatrix,
    inverse: Dense,
    factors: Float64Array,
  ) {
    const { numTargets } = problem;
    this.#kernels = kernels;
    this.#problem = problem;
    this.#features = features;
    this.#inverse = inverse;
    this.#denseRows = rowsOfDense(kernels, problem, inverse);
    this.#products = productsOfTargets(problem);
    this.#factors = factors;
    this.#agreements = new Float64Array(numTargets);
    this.#ofTargets = new TargetAnswers(numTargets, (targets) => this.#agreementsOf(targets));
  }

  /** Owns the features and the inverse. */
  static async of(
    kernels: Kernels,
    problem: RidgeProblem,
    features: FeatureMatrix,
    inverse: Dense,
  ): Promise<PrimalRidge> {
    return new PrimalRidge(kernels, problem, features, inverse, await factorsOf(kernels, problem, inverse));
  }

  async weightsOf(targets: Int32Array): Promise<Float32Array> {
    const [numFeatures, width] = [numFeaturesOf(this.#problem), targets.length];
    const products = someOf(this.#products, targets);
    const weights = isEmpty(products) ? new Float32Array(numFeatures * width) : await this.#solved(products, width);
    const own = Int32Array.from(targets.keys()).filter((i) => this.#featureOf(targets[i]) >= 0);
    const p = await this.#rowsOfInverse(own.map((i) => targets[i]));
    for (const [at, i] of own.entries()) {
      this.#constrain(weights, targets[i], i, p.subarray(at * numFeatures, (at + 1) * numFeatures));
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

  async look(rows: Int32Array): Promise<SeenRows> {
    const { sparse, dense, numDense } = this.#problem;
    const whole = someOf({ sparse, dense, numDense }, rows);
    const fp = await this.#timesInverse(whole, rows.length);
    const a = this.#ofOwnFeatures(fp, rows.length);
    // K⁻¹ = I − F P Fᵀ
    const shared = (await this.#productsWith(whole, fp, rows.length)).map((one) => -one);
    return new SeenRows(this.#problem, {
      ...{ rows, a, shared, ofTargets: this.#ofTargets, factors: this.#factors, agreements: this.#agreements },
      diagonal: Float64Array.from(rows, (_, i) => 1 + shared[i * rows.length + i]),
      left: await this.#left(rows, a, fp),
    });
  }

  release(): void {
    this.#features.release();
    this.#kernels.release(this.#inverse, ...(this.#denseRows ? [this.#denseRows] : []));
  }

  #featureOf(target: number): number {
    return this.#problem.own?.features[target] ?? -1;
  }

  /**
   * Of a target that is a feature, adds P Fᵀ y_t = (e_t − P[·][t]) / s_t and takes what it says of itself: with nothing expected, that
   * is w(f, t) = − P[f][t] / (s_t · P[t][t]).
   */
  #constrain(weights: Float32Array, target: number, column: number, p: Float32Array): void {
    const feature = this.#featureOf(target);
    const [scale, width] = [(this.#problem.own as OwnFeatures).scales[target], weights.length / p.length];
    const itself = weights[feature * width + column] + (1 - p[feature]) / scale;
    this.#agreements[target] = itself / scale;
    const factor = itself * this.#factors[target] + 1 / scale;
    for (let k = 0, at = column; k < p.length; k++, at += width) weights[at] -= p[k] * factor;
    weights[feature * width + column] = 0;
  }

  /** P[t][·] of targets that are features, one after the other. */
  #rowsOfInverse(targets: Int32Array): Promise<Float32Array> {
    return rowsOf(
      this.#kernels,
      this.#inverse,
      targets.map((target) => this.#featureOf(target)),
    );
  }

  /** P times the rows, as columns. */
  async #solved(rows: Rows, width: number): Promise<Float32Array> {
    return transposed(await this.#timesInverse(rows, width), width);
  }

  /** By row, the row times P: dense features by a product of matrices, since they are most of what a row has. */
  async #timesInverse({ sparse, dense, numDense }: Rows, numRows: number): Promise<Float32Array> {
    const kernels = this.#kernels;
    const numFeatures = numFeaturesOf(this.#problem);
    const left = kernels.sparse(numRows, numFeatures, sparse);
    const [beside, out] = [kernels.dense(numRows, numDense), kernels.dense(numRows, numFeatures)];
    try {
      if (sparse.columns.length > MAX_FILLED * numRows * numFeatures) this.#timesFull(out, sparse);
      else kernels.spmm(out, left, this.#inverse);
      if (this.#denseRows) {
        kernels.write(beside, dense);
        kernels.gemm(out, beside, this.#denseRows, { accumulate: true });
      }
      return await kernels.read(out);
    } finally {
      kernels.release(left, beside, out);
    }
  }

  /** Rows times P, written out. */
  #timesFull(out: Dense, rows: Csr): void {
    const numRows = rows.rowStart.length - 1;
    const numFeatures = numFeaturesOf(this.#problem);
    const numbers = new Float32Array(numRows * numFeatures);
    for (let row = 0; row < numRows; row++) {
      for (let e = rows.rowStart[row]; e < rows.rowStart[row + 1]; e++) {
        numbers[row * numFeatures + rows.columns[e]] = rows.values[e];
      }
    }
    const left = this.#kernels.dense(numRows, numFeatures);
    this.#kernels.write(left, numbers);
    this.#kernels.gemm(out, left, this.#inverse);
    this.#kernels.release(left);
  }

  /** Of vectors x P, one after the other, x P[t] / s_t by target: zeros where it is no feature. */
  #ofOwnFeatures(vectors: Float32Array, numVectors: number): Float32Array {
    const { numTargets, own } = this.#problem;
    const numFeatures = numFeaturesOf(this.#problem);
    const out = new Float32Array(numVectors * numTargets);
    for (let i = 0; own && i < numVectors; i++) {
      for (let t = 0; t < numTargets; t++) {
        const feature = own.features[t];
        if (feature >= 0) out[i * numTargets + t] = vectors[i * numFeatures + feature] / own.scales[t];
      }
    }
    return out;
  }

  /** By target h, which is a feature: y_hᵀ K⁻¹ y_t = ([h = t] − P[h][t]) / (s_h s_t), and y_hᵀ K⁻¹ r_t = (P Fᵀ r_t)[h] / s_h. */
  async #agreementsOf(targets: Int32Array): Promise<TargetAgreements> {
    const { numTargets } = this.#problem;
    const own = this.#problem.own as OwnFeatures;
    const rows = await this.#rowsOfInverse(targets);
    const a = this.#ofOwnFeatures(rows, targets.length);
    const right = await this.#fitted(rows, targets.length);
    for (const [i, target] of targets.entries()) {
      const scale = own.scales[target];
      for (let t = 0, at = i * numTargets; t < numTargets; t++, at++) {
        a[at] = ((t === target ? 1 / own.scales[t] : 0) - a[at]) / scale;
        right[at] = right[at] / scale + (this.#featureOf(t) >= 0 ? a[at] : 0);
      }
    }
    return { a, right };
  }

  /** K⁻¹ r_t at some rows, whose F P is given: what is left of a target. */
  async #left(rows: Int32Array, a: Float32Array, fp: Float32Array): Promise<Float32Array> {
    const { numTargets, targets, prior } = this.#problem;
    const left = await this.#fitted(fp, rows.length);
    for (let at = 0; at < a.length; at++) left[at] = a[at] - left[at]; // zeros where the target is no feature
    for (const [i, row] of rows.entries()) {
      const add = (target: number, value: number) => {
        left[i * numTargets + target] += value;
      };
      for (let e = targets.rowStart[row]; e < targets.rowStart[row + 1]; e++) {
        if (this.#featureOf(targets.columns[e]) < 0) add(targets.columns[e], targets.values[e]);
      }
      for (let e = prior?.rowStart[row] ?? 0; prior && e < prior.rowStart[row + 1]; e++) {
        add(prior.columns[e], -prior.values[e]);
      }
    }
    return left;
  }

  /** Vectors over features, one after the other, times the products of targets. */
  async #fitted(vectors: Float32Array, numVectors: number): Promise<Float32Array> {
    if (isEmpty(this.#products)) return new Float32Array(numVectors * this.#problem.numTargets);
    return this.#productsWith(this.#products, vectors, numVectors);
  }

  /** By vector over features a row of its products with some rows. */
  async #productsWith({ sparse, dense }: Rows, vectors: Float32Array, numVectors: number): Promise<Float32Array> {
    const kernels = this.#kernels;
    const { numSparse, numDense } = this.#problem;
    const numRows = sparse.rowStart.length - 1;
    const left = kernels.sparse(numRows, numSparse, sparse);
    const [columns, out] = [kernels.dense(numSparse, numVectors), kernels.dense(numRows, numVectors)];
    const [beside, right] = [kernels.dense(numRows, numDense), kernels.dense(numDense, numVectors)];
    try {
      const all = transposed(vectors, numVectors);
      kernels.write(columns, all.subarray(0, numSparse * numVectors));
      kernels.spmm(out, left, columns);
      if (numDense > 0) {
        kernels.write(beside, dense);
        kernels.write(right, all.subarray(numSparse * numVectors));
        kernels.gemm(out, beside, right, { accumulate: true });
      }
      return transposed(await kernels.read(out), numRows);
    } finally {
      kernels.release(left, columns, out, beside, right);
    }
  }
}

/** Rows over all features, the dense ones apart. */
interface Rows {
  readonly sparse: Csr;
  readonly dense: Float32Array; // (rows, numDense)
  readonly numDense: number;
}

function someOf({ sparse, dense, numDense }: Rows, rows: Int32Array): Rows {
  const some = new Float32Array(rows.length * numDense);
  for (const [i, row] of rows.entries()) {
    some.set(dense.subarray(row * numDense, (row + 1) * numDense), i * numDense);
  }
  return { sparse: selectedRows(sparse, rows), dense: some, numDense };
}

/** Whether all numbers are zeros. */
function isEmpty({ sparse, dense }: Rows): boolean {
  return sparse.columns.length === 0 && dense.every((number) => number === 0);
}

/** A copy of the rows of P that belong to dense features. */
function rowsOfDense(
  kernels: Kernels,
  { numSparse, numDense }: Pick<RidgeProblem, 'numSparse' | 'numDense'>,
  inverse: Dense,
): Dense | undefined {
  if (numDense === 0) return undefined;
  const [places, out] = [kernels.ints(numDense), kernels.dense(numDense, inverse.cols)];
  kernels.writeInts(
    places,
    Int32Array.from({ length: numDense }, (_, k) => numSparse + k),
  );
  kernels.gather(out, inverse, places);
  kernels.release(places);
  return out;
}

/** Of rows that are multiplied as sparse ones: a sparse product reads all of P for a few numbers, at a tenth of a dense one's speed. */
const MAX_FILLED = 0.1;
const BLOCK = 256; // rows of P that are read at a time: a copy of all of it takes as much memory as P

/** c_t by target. */
async function factorsOf(kernels: Kernels, { numTargets, own }: RidgeProblem, inverse: Dense): Promise<Float64Array> {
  const factors = new Float64Array(numTargets).fill(1);
  if (own === undefined) return factors;
  const targets = Int32Array.from(factors.keys()).filter((t) => own.features[t] >= 0);
  for (let first = 0; first < targets.length; first += BLOCK) {
    const block = targets.subarray(first, first + BLOCK);
    const features = block.map((target) => own.features[target]);
    const rows = await rowsOf(kernels, inverse, features);
    for (const [i, target] of block.entries()) factors[target] = 1 / rows[i * inverse.cols + features[i]];
  }
  return factors;
}

/** Some rows of a matrix, one after the other. */
async function rowsOf(kernels: Kernels, matrix: Dense, rows: Int32Array): Promise<Float32Array> {
  if (rows.length === 0) return new Float32Array(0);
  const [places, out] = [kernels.ints(rows.length), kernels.dense(rows.length, matrix.cols)];
  try {
    kernels.writeInts(places, rows);
    kernels.gather(out, matrix, places);
    return await kernels.read(out);
  } finally {
    kernels.release(places, out);
  }
}

const NONE: Csr = { rowStart: new Int32Array(0), columns: new Int32Array(0), values: new Float32Array(0) };

/** r_tᵀ F by target, over all features; of targets that are features −m_tᵀ F. */
function productsOfTargets(problem: RidgeProblem): Rows {
  const { numTargets, numSparse, numDense, sparse, dense } = problem;
  const { own, prior } = problem;
  const right = rightSides(problem);
  const expected = prior && transposedCsr(prior, numTargets);
  const sums = new Float64Array(numSparse);
  const reached = new Int32Array(numSparse);
  const seenBy = new Int32Array(numSparse).fill(-1);
  const rows = new CsrBuilder(numTargets);
  const ofDense = new Float32Array(checkedSize('entries', numTargets * numDense, 'products of targets'));
  for (let t = 0; t < numTargets; t++) {
    let count = 0;
    const isFeature = own !== undefined && own.features[t] >= 0;
    const { rowStart, columns, values } = isFeature ? (expected ?? NONE) : right;
    for (let e = rowStart[t] ?? 0; e < (rowStart[t + 1] ?? 0); e++) {
      const [row, value] = [columns[e], isFeature ? -values[e] : values[e]];
      for (let i = sparse.rowStart[row]; i < sparse.rowStart[row + 1]; i++) {
        const feature = sparse.columns[i];
        if (seenBy[feature] !== t) {
          seenBy[feature] = t;
          reached[count++] = feature;
          sums[feature] = 0;
        }
        sums[feature] += value * sparse.values[i];
      }
      for (let k = 0; k < numDense; k++) ofDense[t * numDense + k] += value * dense[row * numDense + k];
    }
    for (const feature of reached.subarray(0, count).sort()) rows.add(feature, sums[feature]);
    rows.endRow();
  }
  return { sparse: rows.finish(), dense: ofDense, numDense };
}
