// The primal form of the ridge regression (ridge.ts): from P = (FᵀF + I)⁻¹, one row and column for each feature.

import { type Csr, selectedRows } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { largeNumbers } from '../../engine/numerics/dense.ts';
import { type FeatureMatrix, numFeaturesOf, type RidgeProblem } from './problem.ts';
import { lacking, type Ridge } from './solution.ts';

export async function primalRidge(
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
      const picked = kernels.sparse(rows.length, numFeatures, own);
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
    release() {
      features.release();
      kernels.release(inverse);
    },
  };
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
