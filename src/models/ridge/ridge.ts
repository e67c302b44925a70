// Ridge regression of targets on features, where a target that is one of the features may not predict itself. With F the
// rows by features, each scaled so that its penalty is 1, and s_t the scale of target t:
//
//   primal, P = (FᵀF + I)⁻¹:   w(f, t) = − P[f][t] / (s_t · P[t][t])
//   dual, K = F Fᵀ + I:        w(·, t) = Fᵀ a_t / (1 − s_t² y_tᵀ a_t),  a_t = K⁻¹ y_t
//
// and w(t, t) = 0. Both are the same weights; the smaller matrix is inverted, where equal features count once
// (merged-features.ts). (Steck, WWW 2019, for the primal; the dual follows from P = I − Fᵀ K⁻¹ F.) No second fit is needed to know how it does on what it has not seen (solution.ts); with
// c_t = 1 / (1 − s_t² y_tᵀ a_t) = 1 / P[t][t].
//
// Where a target is no feature, s_t is 0 and all of this holds. Where something is expected of a target beforehand, m_t,
// the regression is of r_t = y_t − m_t: what it leaves of a target is K⁻¹ r_t + a_t s_t² c_t y_tᵀ K⁻¹ r_t, in place of c_t a_t.
// Products of features, where there are any, are in K alone, so that the dual form has to be taken.

import { type Kernels, NotPositiveDefiniteError } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import type { Listener } from '../../listener.ts';
import { DualRidge } from './dual.ts';
import { mergeEqualFeatures, UnmergedRidge } from './merged-features.ts';
import { PrimalRidge } from './primal.ts';
import { FeatureMatrix, numFeaturesOf, type RidgeProblem } from './problem.ts';
import type { Ridge } from './solution.ts';

export async function solveRidge(kernels: Kernels, problem: RidgeProblem, listener: Listener = {}): Promise<Ridge> {
  const merged = mergeEqualFeatures(problem);
  if (isDual(merged.problem)) return solveDual(kernels, problem, listener);
  return new UnmergedRidge(await solvePrimal(kernels, merged.problem, listener), merged);
}

/** Whether rows are fewer than features; with products of features, they are. */
export function isDual(problem: RidgeProblem): boolean {
  return problem.squares !== undefined || problem.numRows <= numFeaturesOf(problem);
}

export async function solveDual(kernels: Kernels, problem: RidgeProblem, listener: Listener = {}): Promise<DualRidge> {
  const features = new FeatureMatrix(kernels, problem);
  const inverse = await inverseOf(kernels, features, () => features.gramOfRows(listener), listener);
  return new DualRidge(kernels, problem, features, inverse);
}

async function solvePrimal(kernels: Kernels, problem: RidgeProblem, listener: Listener): Promise<Ridge> {
  const features = new FeatureMatrix(kernels, problem);
  const inverse = await inverseOf(kernels, features, (isExact) => features.gramOfFeatures(listener, isExact), listener);
  return PrimalRidge.of(kernels, problem, features, inverse);
}

/**
 * Shares of its diagonal that are added where rounding leaves the matrix without an inverse: features that are the same for
 * hundreds of thousands of objects (a user with everything) are multiples of one another, and float32 loses the I beside them.
 */
const RAISES = [1e-6, 1e-5, 1e-4, 1e-3];

/** The features are released where this fails. */
async function inverseOf(
  kernels: Kernels,
  features: FeatureMatrix,
  gram: (isExact: boolean) => Promise<Dense>,
  listener: Listener,
): Promise<Dense> {
  let matrix: Dense | undefined;
  try {
    matrix = await gram(false);
    listener.progress?.('solving', 0, 1);
    if (matrix.rows > 0 && !(await isInverted(kernels, matrix))) {
      kernels.release(matrix);
      matrix = undefined;
      matrix = await gram(true); // what was there is gone; and most of the rounding is in its long sums
      listener.progress?.('solving', 0, 1);
      await invertRaised(kernels, matrix);
    }
    listener.progress?.('solving', 1, 1);
    return matrix;
  } catch (error) {
    features.release();
    if (matrix) kernels.release(matrix);
    throw error;
  }
}

async function invertRaised(kernels: Kernels, matrix: Dense): Promise<void> {
  const numbers = await kernels.read(matrix);
  const diagonal = Float64Array.from({ length: matrix.rows }, (_, i) => numbers[i * matrix.cols + i]);
  for (const raise of RAISES) {
    for (const [i, number] of diagonal.entries()) numbers[i * matrix.cols + i] = number * (1 + raise);
    kernels.write(matrix, numbers);
    if (await isInverted(kernels, matrix, raise === RAISES.at(-1))) return;
  }
}

/** False where it has no inverse, unless that is the last word. */
async function isInverted(kernels: Kernels, matrix: Dense, isLast = false): Promise<boolean> {
  try {
    await kernels.invertSymmetric(matrix);
    return true;
  } catch (error) {
    if (isLast || !(error instanceof NotPositiveDefiniteError)) throw error;
    return false;
  }
}
