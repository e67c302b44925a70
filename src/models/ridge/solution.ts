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

export function scoresHiding(problem: RidgeProblem, hiding: Hiding, residuals: Residuals): Float32Array {
  const scores = new Float32Array(hiding.rows.length * problem.numTargets);
  const row = new HidingRow(problem, hiding, residuals);
  for (let i = 0; i < hiding.rows.length; i++) {
    row.look(i);
    for (let t = 0, at = i * problem.numTargets; t < problem.numTargets; t++, at++) scores[at] = row.score(t);
  }
  return scores;
}

/** One row at a time, without what it hides. */
class HidingRow {
  readonly #problem: RidgeProblem;
  readonly #hiding: Hiding;
  readonly #residuals: Residuals;
  readonly #has: Float64Array; // by target, as all below: y_r
  readonly #expected: Float64Array; // m_r
  readonly #isHidden: Uint8Array;
  readonly #bareA: Float64Array; // x'ᵀP over own features, by their scales
  readonly #bareFit: Float64Array; // x'ᵀ of the weights of a target that may predict itself
  #first = 0; // where the numbers of the row begin
  #root = 1; // q_r: everything of the row is times that
  #d = 1;
  #beta = 0;
  #gamma = 0;

  constructor(problem: RidgeProblem, hiding: Hiding, residuals: Residuals) {
    const { numTargets } = problem;
    this.#problem = problem;
    this.#hiding = hiding;
    this.#residuals = residuals;
    this.#has = new Float64Array(numTargets);
    this.#expected = new Float64Array(numTargets);
    this.#isHidden = new Uint8Array(numTargets);
    this.#bareA = new Float64Array(numTargets);
    this.#bareFit = new Float64Array(numTargets);
  }

  look(i: number): void {
    const { numTargets, targets, prior } = this.#problem;
    const { a, left, diagonal, places, ofTargets, ofRight } = this.#residuals;
    const [row, hidden, first] = [this.#hiding.rows[i], this.#hiding.hidden[i], i * numTargets];
    this.#has.fill(0);
    this.#expected.fill(0);
    this.#isHidden.fill(0);
    const root = this.#problem.roots?.[row] ?? 1;
    for (let e = targets.rowStart[row]; e < targets.rowStart[row + 1]; e++) this.#has[targets.columns[e]] = root;
    for (let e = prior?.rowStart[row] ?? 0; prior && e < prior.rowStart[row + 1]; e++) {
      this.#expected[prior.columns[e]] = prior.values[e];
    }
    for (let t = 0; t < numTargets; t++) {
      this.#bareA[t] = a[first + t];
      this.#bareFit[t] = this.#has[t] - this.#expected[t] - left[first + t];
    }
    for (const h of hidden) {
      this.#isHidden[h] = 1;
      const square = root * this.#scaleOf(h) ** 2;
      if (square === 0) continue;
      const at = (places.get(h) as number) * numTargets;
      for (let t = 0; t < numTargets; t++) {
        this.#bareA[t] += square * ofTargets[at + t];
        this.#bareFit[t] -= square * ofRight[at + t];
      }
      this.#bareA[h] -= root;
    }
    this.#first = first;
    this.#root = root;
    this.#d = diagonal[i];
    this.#beta = hidden.reduce((sum, h) => sum - root * this.#scaleOf(h) ** 2 * a[first + h], 1 - this.#d);
    this.#gamma = hidden.reduce((sum, h) => sum - root * this.#scaleOf(h) ** 2 * this.#bareA[h], this.#beta);
  }

  score(t: number): number {
    return this.#rootScore(t) / this.#root;
  }

  #rootScore(t: number): number {
    const { a, left, agreements, factors } = this.#residuals;
    const [d, beta, gamma] = [this.#d, this.#beta, this.#gamma];
    const at = this.#first + t;
    const was = this.#has[t] - this.#expected[t]; // r_rt
    const s = this.#scaleOf(t);
    const [g, bare] = [s * a[at], s * this.#bareA[t]];
    const [agreement, p] = [s * agreements[t] - g * was, 1 / factors[t]];
    const A = was - left[at] - (1 - d) * was;
    const B = this.#bareFit[t] - beta * was;
    if (!this.#hiding.keepsRow) {
      const score = B + (beta / d) * A + this.#expected[t];
      if (s === 0) return score;
      return score - ((bare + (beta / d) * g) * (agreement + (g * A) / d)) / (p + (g * g) / d);
    }
    const is = was - this.#root * this.#isHidden[t]; // r_rt without what is hidden
    const D = d * (1 + gamma) + beta * beta;
    const [knownA, knownB] = [A + beta * is, B + gamma * is];
    const score = (beta * knownA + d * knownB) / D + this.#expected[t];
    if (s === 0) return score;
    const turned = (1 + gamma) * g * knownA - beta * (g * knownB + bare * knownA) - d * bare * knownB;
    const bent = (1 + gamma) * g * g - 2 * beta * g * bare - d * bare * bare;
    return score - (((beta * g + d * bare) / D) * (agreement + bare * is + turned / D)) / (p + bent / D);
  }

  #scaleOf(target: number): number {
    return this.#problem.own === undefined ? 0 : this.#problem.own.scales[target];
  }
}

/**
 * Takes from scores what the other rows added by targets that they hide: what target t of row j adds to row r is −K⁻¹[r][j] where t
 * is no feature; without its own feature, K⁻¹ is K⁻¹ + s_t² c_t a_t a_tᵀ. `shared`: K⁻¹ of rows by rows.
 */
export function hideTogether(
  scores: Float32Array,
  { own, roots }: RidgeProblem,
  { rows, hidden }: Hiding,
  { a, factors }: Pick<Residuals, 'a' | 'factors'>,
  shared: Float32Array,
): void {
  const numTargets = factors.length;
  for (let j = 0; j < rows.length; j++) {
    for (const t of hidden[j]) {
      const reach = own === undefined ? 0 : own.scales[t] ** 2 * factors[t] * a[j * numTargets + t];
      for (let i = 0; i < rows.length; i++) {
        const times = roots === undefined ? 1 : roots[rows[j]] / roots[rows[i]];
        if (i !== j)
          scores[i * numTargets + t] += times * (shared[i * rows.length + j] + reach * a[i * numTargets + t]);
      }
    }
  }
}
