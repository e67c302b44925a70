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
}

export interface Residuals {
  readonly a: Float32Array; // (rows, numTargets)
  readonly diagonal: Float64Array; // K⁻¹[r][r] by row
  readonly factors: Float64Array; // c_t
}

export function lacking(problem: RidgeProblem, rows: Int32Array, { a, diagonal, factors }: Residuals): Lacking {
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
