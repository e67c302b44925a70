// Ridge regression of targets on features, where each target is one of the features and may not predict itself. With F the
// rows by features, each scaled so that its penalty is 1, and s_t the scale of target t:
//
//   primal, P = (FᵀF + I)⁻¹:   w(f, t) = − P[f][t] / (s_t · P[t][t])
//   dual, K = F Fᵀ + I:        w(·, t) = Fᵀ a_t / (1 − s_t² y_tᵀ a_t),  a_t = K⁻¹ y_t
//
// and w(t, t) = 0. Both are the same weights; the smaller matrix is inverted. (Steck, WWW 2019, for the primal; the dual
// follows from P = I − Fᵀ K⁻¹ F.) No second fit is needed to know how it does on what it has not seen: with c_t = 1 / (1 − s_t²
// y_tᵀ a_t) = 1 / P[t][t] and q = K⁻¹[r][r] + s_t² c_t a_rt², a fit without row r says y_rt − c_t a_rt / q of it, and one in
// which the row is there without target t says q y_rt − c_t a_rt.

import type { Kernels } from '../engine/kernels.ts';
import type { Csr, CsrArrays, Dense } from '../engine/matrix.ts';
import { identityOf, largeNumbers, selectedRows, transposed, transposedArrays } from '../engine/rows.ts';
import type { Listener } from '../listener.ts';
import { FeatureMatrix, type LargeProducts, numFeaturesOf, type RidgeProblem } from './ridge-problem.ts';

/** A solved problem, whose weights are asked for block by block: all of them may not fit in memory. */
export interface Ridge {
  /** By feature: number f · targets.length + i is the weight from feature f to targets[i]. */
  weightsOf(targets: Int32Array): Promise<Float32Array>;
  /** The same, but of sparse features only those of at least the feature's limit in size; columns are places in `targets`. */
  strongWeightsOf(targets: Int32Array, limits: Float32Array): Promise<LargeProducts>;
  /** What fits that lack something would say of some rows. All weights were asked for before. */
  without(rows: Int32Array): Promise<Lacking>;
  release(): void;
}

export interface Lacking {
  /** Of fits that lack the row. */
  readonly row: Float32Array; // (rows, numTargets)
  /** Of fits that know the row but not that it has the target, if it does. */
  readonly target: Float32Array; // (rows, numTargets)
}

export async function solveRidge(kernels: Kernels, problem: RidgeProblem, listener: Listener = {}): Promise<Ridge> {
  const features = new FeatureMatrix(kernels, problem);
  let matrix: Dense | undefined;
  try {
    const dual = problem.numRows <= numFeaturesOf(problem);
    matrix = await (dual ? features.gramOfRows(listener) : features.gramOfFeatures(listener));
    listener.progress?.('solving', 0, 1);
    if (matrix.rows > 0) await kernels.invertSymmetric(matrix);
    listener.progress?.('solving', 1, 1);
    return dual ? dualRidge(kernels, problem, features, matrix) : await primalRidge(kernels, problem, features, matrix);
  } catch (error) {
    features.release();
    if (matrix) kernels.release(matrix);
    throw error;
  }
}

function dualRidge(kernels: Kernels, problem: RidgeProblem, features: FeatureMatrix, inverse: Dense): Ridge {
  const { numRows, numSparse, numTargets, targetScales, sparse } = problem;
  const rowsOf = transposedArrays(sparse, numSparse); // of targets, the first of its rows
  const factors = new Float64Array(numTargets); // c_t
  /** Column i: a_t · c_t of target i. */
  const answersOf = async (targets: Int32Array): Promise<Dense> => {
    const own = selectedRows(rowsOf, targets); // values are scales: made ones below
    own.values.fill(1);
    const y = kernels.csr(targets.length, numRows, own);
    const [products, columns] = [kernels.dense(targets.length, numRows), kernels.dense(numRows, targets.length)];
    kernels.spmm(products, y, inverse); // row i: a_t
    const scale = (agreements: ArrayLike<number>) => {
      for (const [i, target] of targets.entries()) {
        factors[target] = 1 / Math.max(1 - targetScales[target] * targetScales[target] * agreements[i], 1e-6);
      }
      return Float64Array.from(targets, (target) => factors[target]);
    };
    if (kernels.isRemote) await scaledThere(kernels, columns, products, y, scale);
    else await scaledHere(kernels, columns, products, own, scale);
    kernels.release(y, products);
    return columns;
  };
  return {
    async weightsOf(targets) {
      const answers = await answersOf(targets);
      const weights = await features.transposedTimes(answers);
      kernels.release(answers);
      for (let i = 0; i < targets.length; i++) weights[targets[i] * targets.length + i] = 0;
      return weights;
    },
    async strongWeightsOf(targets, limits) {
      const answers = await answersOf(targets);
      const { sparse: found, dense } = await features.largeOfTransposedTimes(answers, limits);
      kernels.release(answers);
      forgetOwn(found, targets);
      return { sparse: found, dense };
    },
    async without(rows) {
      const places = kernels.ints(rows.length);
      kernels.writeInts(places, rows);
      const [picked, products] = [kernels.dense(rows.length, numRows), kernels.dense(numTargets, rows.length)];
      kernels.gather(picked, inverse, places);
      const parts = await kernels.read(picked); // rows of K⁻¹, which are its columns, too
      const all = selectedRows(
        rowsOf,
        Int32Array.from({ length: numTargets }, (_, t) => t),
      );
      all.values.fill(1);
      const y = kernels.csr(numTargets, numRows, all);
      const columns = kernels.dense(numRows, rows.length);
      kernels.write(columns, transposed(parts, rows.length));
      kernels.spmm(products, y, columns);
      const a = transposed(await kernels.read(products), numTargets);
      kernels.release(places, picked, products, y, columns);
      const diagonal = Float64Array.from(rows, (row, i) => parts[i * numRows + row]);
      return lacking(problem, rows, { a, diagonal, factors });
    },
    release: () => releaseAll(kernels, features, inverse),
  };
}

/** Makes the weights of targets for themselves zeros. */
function forgetOwn({ rowStart, columns, values }: CsrArrays, targets: Int32Array): void {
  for (const [i, target] of targets.entries()) {
    for (let e = rowStart[target]; e < rowStart[target + 1]; e++) if (columns[e] === i) values[e] = 0;
  }
}

/** From y_tᵀ a_t by target its factor. */
type Scale = (agreements: ArrayLike<number>) => Float64Array;

/** out[r][i] = c_t · a[i][r] for target t of row i, whose rows are `own`. */
async function scaledHere(kernels: Kernels, out: Dense, a: Dense, own: CsrArrays, scale: Scale): Promise<void> {
  const [width, numRows] = [a.rows, a.cols];
  const numbers = await kernels.read(a);
  const agreements = Float64Array.from({ length: width }, (_, i) => {
    let sum = 0;
    for (let e = own.rowStart[i]; e < own.rowStart[i + 1]; e++) sum += numbers[i * numRows + own.columns[e]];
    return sum;
  });
  const factors = scale(agreements);
  const columns = new Float32Array(numbers.length);
  for (let i = 0; i < width; i++) {
    for (let r = 0; r < numRows; r++) columns[r * width + i] = numbers[i * numRows + r] * factors[i];
  }
  kernels.write(out, columns);
}

/** The same by products, for engines from which reading all of it would take longer. */
async function scaledThere(kernels: Kernels, out: Dense, a: Dense, y: Csr, scale: Scale): Promise<void> {
  const width = a.rows;
  const [diagonal, agreements] = [kernels.dense(width, width), kernels.dense(width, width)];
  try {
    kernels.write(diagonal, identityOf(width));
    kernels.gemm(out, a, diagonal, { transposeA: true });
    kernels.spmm(agreements, y, out);
    const numbers = await kernels.read(agreements);
    const factors = scale(diagonalOf(numbers, width));
    kernels.write(
      diagonal,
      identityOf(width).map((one, i) => one * factors[i % width]),
    );
    kernels.gemm(out, a, diagonal, { transposeA: true });
  } finally {
    kernels.release(diagonal, agreements);
  }
}

function diagonalOf(numbers: Float32Array, width: number): Float32Array {
  return Float32Array.from({ length: width }, (_, i) => numbers[i * width + i]);
}

async function primalRidge(
  kernels: Kernels,
  problem: RidgeProblem,
  features: FeatureMatrix,
  inverse: Dense,
): Promise<Ridge> {
  const { numTargets, targetScales } = problem;
  const numFeatures = numFeaturesOf(problem);
  const p = await kernels.read(inverse);
  const factors = Float64Array.from({ length: numTargets }, (_, t) => 1 / p[t * numFeatures + t]);
  const weightsOf = async (targets: Int32Array): Promise<Float32Array> => {
    const weights = new Float32Array(numFeatures * targets.length);
    for (let i = 0; i < targets.length; i++) {
      const row = targets[i] * numFeatures;
      const factor = -1 / (targetScales[targets[i]] * p[row + targets[i]]);
      for (let k = 0; k < numFeatures; k++) weights[k * targets.length + i] = p[row + k] * factor;
      weights[targets[i] * targets.length + i] = 0;
    }
    return weights;
  };
  return {
    weightsOf,
    async strongWeightsOf(targets, limits) {
      const weights = await weightsOf(targets);
      const [cols, first] = [targets.length, problem.numSparse * targets.length];
      const found = largeNumbers(weights, { rows: problem.numSparse, cols, stride: cols }, limits);
      return { sparse: found, dense: weights.subarray(first) };
    },
    async without(rows) {
      const own = wholeRows(problem, rows);
      const picked = kernels.csr(rows.length, numFeatures, own);
      const products = kernels.dense(rows.length, numFeatures);
      kernels.spmm(products, picked, inverse);
      const numbers = await kernels.read(products); // F P
      kernels.release(picked, products);
      const a = new Float32Array(rows.length * numTargets);
      const diagonal = new Float64Array(rows.length).fill(1);
      for (let i = 0; i < rows.length; i++) {
        for (let t = 0; t < numTargets; t++) a[i * numTargets + t] = numbers[i * numFeatures + t] / targetScales[t];
        for (let e = own.rowStart[i]; e < own.rowStart[i + 1]; e++) {
          diagonal[i] -= numbers[i * numFeatures + own.columns[e]] * own.values[e];
        }
      }
      return lacking(problem, rows, { a, diagonal, factors });
    },
    release: () => releaseAll(kernels, features, inverse),
  };
}

interface Residuals {
  readonly a: Float32Array; // (rows, numTargets)
  readonly diagonal: Float64Array; // K⁻¹[r][r] by row
  readonly factors: Float64Array; // c_t
}

function lacking(problem: RidgeProblem, rows: Int32Array, { a, diagonal, factors }: Residuals): Lacking {
  const { numTargets, targetScales, sparse } = problem;
  const [row, target] = [new Float32Array(a.length), new Float32Array(a.length)];
  const has = new Uint8Array(numTargets);
  for (let i = 0; i < rows.length; i++) {
    const own = sparse.columns.subarray(sparse.rowStart[rows[i]], sparse.rowStart[rows[i] + 1]);
    for (const feature of own) if (feature < numTargets) has[feature] = 1;
    for (let t = 0, at = i * numTargets; t < numTargets; t++, at++) {
      const residual = factors[t] * a[at];
      const q = diagonal[i] + targetScales[t] * targetScales[t] * residual * a[at];
      row[at] = has[t] - residual / q;
      target[at] = has[t] * q - residual;
    }
    has.fill(0);
  }
  return { row, target };
}

/** Some rows, dense features and all. */
function wholeRows({ sparse, numSparse, dense, numDense }: RidgeProblem, rows: Int32Array): CsrArrays {
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

function releaseAll(kernels: Kernels, features: FeatureMatrix, inverse: Dense): void {
  features.release();
  kernels.release(inverse);
}
