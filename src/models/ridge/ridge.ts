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

import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import type { Listener } from '../../listener.ts';
import { DualRidge } from './dual.ts';
import { primalRidge } from './primal.ts';
import { FeatureMatrix, numFeaturesOf, type RidgeProblem } from './problem.ts';
import type { Ridge } from './solution.ts';

export async function solveRidge(kernels: Kernels, problem: RidgeProblem, listener: Listener = {}): Promise<Ridge> {
  const features = new FeatureMatrix(kernels, problem);
  let matrix: Dense | undefined;
  try {
    const dual = problem.numRows <= numFeaturesOf(problem);
    matrix = await (dual ? features.gramOfRows(listener) : features.gramOfFeatures(listener));
    listener.progress?.('solving', 0, 1);
    if (matrix.rows > 0) await kernels.invertSymmetric(matrix);
    listener.progress?.('solving', 1, 1);
    return dual
      ? new DualRidge(kernels, problem, features, matrix)
      : await primalRidge(kernels, problem, features, matrix);
  } catch (error) {
    features.release();
    if (matrix) kernels.release(matrix);
    throw error;
  }
}
