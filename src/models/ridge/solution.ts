// What a solved ridge regression answers, however it was solved: weights, and what fits that know less of a row would say of it.
//
// Row r has the features x and lacks some targets H in what is asked: x' = x − Σ s_h e_h over H. A fit that knows the row only so
// differs from the one at hand by two rows, −x xᵀ + x' x'ᵀ, so that its inverse follows by Woodbury's formula; one without the row
// by one. With α = xᵀPx, β = xᵀPx', γ = x'ᵀPx', d = 1 − α and D = d (1 + γ) + β²:
//
//   x'ᵀP' = (β x + d x')ᵀP / D        where the row is known without H
//   x'ᵀP' = (x' + β/d · x)ᵀP          where it is not known
//
// Everything else is in terms of K⁻¹ over rows, which either form knows (ridge.ts has the names).

import type { LargeProducts, RidgeProblem } from './problem.ts';

/** A solved problem, whose weights are asked for block by block: all of them may not fit in memory. */
export interface Ridge {
  /** By feature: number f · targets.length + i is the weight from feature f to targets[i]. */
  weightsOf(targets: Int32Array): Promise<Float32Array>;
  /** The same, but of sparse features only those of at least the feature's limit in size; columns are places in `targets`. */
  strongWeightsOf(targets: Int32Array, limits: Float32Array): Promise<LargeProducts>;
  /**
   * What fits would say of rows if some of their targets were not known, by fits that know the row without them or not at all:
   * (rows, numTargets). All weights were asked for before.
   */
  without(hiding: Hiding): Promise<Float32Array>;
  release(): void;
}

/** What is not known of some rows. */
export interface Hiding {
  readonly rows: Int32Array;
  /** By row, some of the targets that it has. */
  readonly hidden: readonly Int32Array[];
  /** Whether the fit knows the row without these, or not at all. */
  readonly keepsRow: boolean;
  /** Whether what all rows hide is hidden at once, to the first order, or what each hides alone. */
  readonly isTogether?: boolean;
}

/** What it takes to know what fits that know less would say. */
export interface Residuals {
  readonly diagonal: Float64Array; // K⁻¹[r][r] by row
  readonly a: Float32Array; // (rows, numTargets), K⁻¹ y_t
  readonly left: Float32Array; // (rows, numTargets), K⁻¹ r_t: what is left of a target that may predict itself
  readonly factors: Float64Array; // c_t
  readonly agreements: Float64Array; // y_tᵀ K⁻¹ r_t
  /** By hidden target h its place in the two below. */
  readonly places: ReadonlyMap<number, number>;
  readonly ofTargets: Float32Array; // (places, numTargets), y_hᵀ K⁻¹ y_t where t is a feature
  readonly ofRight: Float32Array; // (places, numTargets), y_hᵀ K⁻¹ r_t
}

/** The hidden targets that are features, each once, in order. */
export function hiddenFeatures({ own }: RidgeProblem, hidden: readonly Int32Array[]): Int32Array {
  if (own === undefined) return new Int32Array(0);
  return Int32Array.from(new Set(hidden.flatMap((targets) => [...targets])))
    .filter((t) => own.features[t] >= 0)
    .sort();
}

export function scoresHiding(
  problem: RidgeProblem,
  { rows, hidden, keepsRow }: Hiding,
  residuals: Residuals,
): Float32Array {
  const { numTargets, own, targets, prior } = problem;
  const { diagonal, a, left, factors, agreements, places, ofTargets, ofRight } = residuals;
  const scores = new Float32Array(rows.length * numTargets);
  const [bareA, bareFit] = [new Float64Array(numTargets), new Float64Array(numTargets)];
  const [has, expected] = [new Float64Array(numTargets), new Float64Array(numTargets)];
  const scaleOf = (t: number) => (own === undefined ? 0 : own.scales[t]);
  for (let i = 0; i < rows.length; i++) {
    const [row, first] = [rows[i], i * numTargets];
    has.fill(0);
    expected.fill(0);
    for (let e = targets.rowStart[row]; e < targets.rowStart[row + 1]; e++) has[targets.columns[e]] = 1;
    for (let e = prior?.rowStart[row] ?? 0; prior && e < prior.rowStart[row + 1]; e++) {
      expected[prior.columns[e]] = prior.values[e];
    }
    // x'ᵀP over own features by their scales, and x'ᵀ of the weights that may predict themselves
    for (let t = 0; t < numTargets; t++) {
      bareA[t] = a[first + t];
      bareFit[t] = has[t] - expected[t] - left[first + t];
    }
    for (const h of hidden[i]) {
      const square = scaleOf(h) ** 2;
      if (square === 0) continue;
      const at = (places.get(h) as number) * numTargets;
      for (let t = 0; t < numTargets; t++) {
        bareA[t] += square * ofTargets[at + t];
        bareFit[t] -= square * ofRight[at + t];
      }
      bareA[h] -= 1;
    }
    const d = diagonal[i];
    const alpha = 1 - d;
    const beta = hidden[i].reduce((sum, h) => sum - scaleOf(h) ** 2 * a[first + h], alpha);
    const gamma = hidden[i].reduce((sum, h) => sum - scaleOf(h) ** 2 * bareA[h], beta);
    const D = d * (1 + gamma) + beta * beta;
    const isHidden = new Set(hidden[i]);
    for (let t = 0; t < numTargets; t++) {
      const was = has[t] - expected[t]; // r_rt, and what it is without H
      const is = keepsRow ? was - (isHidden.has(t) ? 1 : 0) : 0;
      const fit = was - left[first + t];
      const A = fit - alpha * was + (keepsRow ? beta * is : 0);
      const B = bareFit[t] - beta * was + (keepsRow ? gamma * is : 0);
      let score = keepsRow ? (beta * A + d * B) / D : B + (beta / d) * A;
      const s = scaleOf(t);
      if (s > 0) {
        const [g, bare] = [s * a[first + t], s * bareA[t]];
        const reach = keepsRow ? (beta * g + d * bare) / D : bare + (beta / d) * g;
        const weight = keepsRow
          ? s * agreements[t] -
            g * was +
            bare * is +
            ((1 + gamma) * g * A - beta * (g * B + bare * A) - d * bare * B) / D
          : s * agreements[t] - g * was + (g * A) / d;
        const p = keepsRow
          ? 1 / factors[t] + ((1 + gamma) * g * g - 2 * beta * g * bare - d * bare * bare) / D
          : 1 / factors[t] + (g * g) / d;
        score -= (reach * weight) / p;
      }
      scores[first + t] = score + expected[t];
    }
  }
  return scores;
}

/**
 * Takes from scores what the other rows added by targets that they hide: what target t of row j adds to row r is −K⁻¹[r][j] where t
 * is no feature; without its own feature, K⁻¹ is K⁻¹ + s_t² c_t a_t a_tᵀ. `shared`: K⁻¹ of rows by rows.
 */
export function hideTogether(
  scores: Float32Array,
  { own }: RidgeProblem,
  { rows, hidden }: Hiding,
  { a, factors }: Pick<Residuals, 'a' | 'factors'>,
  shared: Float32Array,
): void {
  const numTargets = factors.length;
  for (let j = 0; j < rows.length; j++) {
    for (const t of hidden[j]) {
      const reach = own === undefined ? 0 : own.scales[t] ** 2 * factors[t] * a[j * numTargets + t];
      for (let i = 0; i < rows.length; i++) {
        if (i !== j) scores[i * numTargets + t] += shared[i * rows.length + j] + reach * a[i * numTargets + t];
      }
    }
  }
}
