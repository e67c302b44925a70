// How far one more example moves each weight. A fit has w = A⁻¹ Fᵀ y with A = I + FᵀF; one more object with a tag adds A⁻¹ f to the
// weights for that tag, f being its features. Of A the diagonal alone is kept: one number for each feature, with which learning from
// a decision takes a look at the features of one object (learning.ts). What the diagonal leaves out is made up for by a short step.

import type { RidgeProblem } from '../ridge/problem.ts';
import { featureScales } from './problem.ts';
import type { LoomSettings } from './settings.ts';
import type { Strengths } from './strengths.ts';
import type { Views } from './views.ts';

/**
 * By feature as a model has them, sparse ones first, then profile, content and the constant: s² / (1 + Σ x²), s being what a feature is
 * scaled by and x what all rows have of it then. 0 where a feature does not count. `kept`: the sparse features of the problem, if
 * these are not all.
 */
export function learningRates(
  problem: RidgeProblem,
  views: Views,
  strengths: Strengths,
  settings: LoomSettings,
  kept?: Int32Array,
): Float32Array {
  const { sparse, numSparse, dense, numDense } = problem;
  const scales = featureScales(views, strengths, settings);
  const squares = new Float64Array(numSparse + numDense);
  for (let e = 0; e < sparse.columns.length; e++) squares[sparse.columns[e]] += sparse.values[e] ** 2;
  for (let at = 0; at < dense.length; at++) squares[numSparse + (at % numDense)] += dense[at] ** 2;
  const rates = new Float32Array(scales.length + numDense);
  for (let f = 0; f < numSparse; f++) {
    const feature = kept?.[f] ?? f;
    rates[feature] = scales[feature] ** 2 / (1 + squares[f]);
  }
  const { width } = views.users.profile;
  for (let k = 0; k < numDense; k++) {
    const strength = k < width ? strengths.profile : k < numDense - 1 ? strengths.content : 1;
    rates[scales.length + k] = strength / (1 + squares[numSparse + k]);
  }
  return rates;
}
