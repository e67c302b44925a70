// What a solved ridge regression answers, however it was solved: weights, and what fits that lack something would say.

import type { LargeProducts, RidgeProblem } from './problem.ts';

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
  /** Added to what the fit says of the row without its targets among the features, that is what fits that lack the row say. */
  readonly bare: Float32Array; // (rows, numTargets)
}

export interface Residuals {
  /** What the fit leaves of the targets. */
  readonly left: Float32Array; // (rows, numTargets)
  /** K⁻¹ y_t. */
  readonly a: Float32Array; // (rows, numTargets)
  readonly diagonal: Float64Array; // K⁻¹[r][r] by row
  readonly factors: Float64Array; // c_t
}

export function lacking(problem: RidgeProblem, rows: Int32Array, residuals: Residuals): Lacking {
  const { left, a, diagonal, factors } = residuals;
  const { numTargets, targetScales, targets } = problem;
  const [row, target, bare] = [0, 1, 2].map(() => new Float32Array(a.length));
  const has = new Uint8Array(numTargets);
  for (let i = 0; i < rows.length; i++) {
    for (const own of targets.columns.subarray(targets.rowStart[rows[i]], targets.rowStart[rows[i] + 1])) has[own] = 1;
    const scaleOf = (t: number) => (targetScales === undefined ? 0 : targetScales[t]);
    let own = 0; // Σ s_t² a_rt over its targets
    for (let t = 0, at = i * numTargets; t < numTargets; t++, at++) if (has[t]) own += scaleOf(t) ** 2 * a[at];
    for (let t = 0, at = i * numTargets; t < numTargets; t++, at++) {
      const square = scaleOf(t) ** 2;
      const q = diagonal[i] + square * factors[t] * a[at] * a[at];
      row[at] = has[t] - left[at] / q;
      target[at] = has[t] * q - left[at];
      // the row's products without its targets times column r of the inverse, but for what targets share
      const reach = 1 - q - (own - has[t] * square * a[at]);
      bare[at] = (-reach * left[at]) / q;
    }
    has.fill(0);
  }
  return { row, target, bare };
}
