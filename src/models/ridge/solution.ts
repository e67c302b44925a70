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
  /** Looks closely at some rows, so that it can be asked what fits that know less would say of them. All weights were asked for before. */
  look(rows: Int32Array): Promise<Pick<SeenRows, 'without'>>;
  release(): void;
}

/** What is not known of some rows. */
export interface Hiding {
  /** Which rows, as places among those looked at. */
  readonly places: Int32Array;
  /** By place, some of the targets that the row has. */
  readonly hidden: readonly Int32Array[];
  /** Whether the fit knows the row without these, or not at all. */
  readonly keepsRow: boolean;
  /** Whether what all rows hide is hidden at once, to the first order, or what each hides alone. */
  readonly isTogether?: boolean;
}

/** What it takes to know what fits that know less of some rows would say. */
export interface Residuals {
  readonly rows: Int32Array;
  readonly diagonal: Float64Array; // K⁻¹[r][r] by row
  readonly shared: Float32Array; // (rows, rows), K⁻¹
  readonly a: Float32Array; // (rows, numTargets), K⁻¹ y_t
  readonly left: Float32Array; // (rows, numTargets), K⁻¹ r_t: what is left of a target that may predict itself
  readonly factors: Float64Array; // c_t
  readonly agreements: Float64Array; // y_tᵀ K⁻¹ r_t
  readonly ofTargets: TargetAnswers;
}

/** What a target that is a feature shares with all targets, a row of numTargets numbers for each. */
export interface TargetAgreements {
  readonly a: Float32Array; // y_hᵀ K⁻¹ y_t where t is a feature
  readonly right: Float32Array; // y_hᵀ K⁻¹ r_t
}

const MAX_KEPT_BYTES = 256e6;

/** Agreements of targets, of which the first asked for are kept: common targets are hidden again and again. */
export class TargetAnswers {
  readonly #compute: (targets: Int32Array) => Promise<TargetAgreements>;
  readonly #numTargets: number;
  readonly #kept = new Map<number, TargetAgreements>();
  readonly #mostKept: number;

  constructor(
    numTargets: number,
    compute: (targets: Int32Array) => Promise<TargetAgreements>,
    maxKeptBytes = MAX_KEPT_BYTES,
  ) {
    this.#numTargets = numTargets;
    this.#compute = compute;
    this.#mostKept = Math.floor(maxKeptBytes / Math.max(1, 8 * numTargets));
  }

  async of(targets: readonly number[]): Promise<ReadonlyMap<number, TargetAgreements>> {
    const found = new Map<number, TargetAgreements>();
    const missing: number[] = [];
    for (const target of targets) {
      const kept = this.#kept.get(target);
      if (kept) found.set(target, kept);
      else missing.push(target);
    }
    if (missing.length === 0) return found;
    const { a, right } = await this.#compute(Int32Array.from(missing));
    for (const [i, target] of missing.entries()) {
      const rowOf = (all: Float32Array) => all.slice(i * this.#numTargets, (i + 1) * this.#numTargets);
      const one = { a: rowOf(a), right: rowOf(right) };
      found.set(target, one);
      if (this.#kept.size < this.#mostKept) this.#kept.set(target, one);
    }
    return found;
  }
}

/** Some rows, and what fits would say of them that know less. */
export class SeenRows {
  readonly #problem: RidgeProblem;
  readonly #residuals: Residuals;
  /** By target, as all below: s_t, or 0. */
  readonly #scales: Float64Array;
  readonly #rests: Float64Array; // 1 / c_t
  // of the row at hand
  readonly #has: Float64Array; // y_r
  readonly #expected: Float64Array; // m_r
  readonly #hides: Float64Array;
  readonly #bareA: Float64Array; // x'ᵀP over own features, by their scales
  readonly #bareFit: Float64Array; // x'ᵀ of the weights of a target that may predict itself

  constructor(problem: RidgeProblem, residuals: Residuals) {
    const { numTargets, own } = problem;
    this.#problem = problem;
    this.#residuals = residuals;
    this.#scales = own ? Float64Array.from(own.scales) : new Float64Array(numTargets);
    this.#rests = residuals.factors.map((factor) => 1 / factor);
    this.#has = new Float64Array(numTargets);
    this.#expected = new Float64Array(numTargets);
    this.#hides = new Float64Array(numTargets);
    this.#bareA = new Float64Array(numTargets);
    this.#bareFit = new Float64Array(numTargets);
  }

  /** What fits would say of rows if some of their targets were not known: (places, numTargets). */
  async without(hiding: Hiding): Promise<Float32Array> {
    const { numTargets } = this.#problem;
    const { places, hidden } = hiding;
    const features = new Set(hidden.flatMap((targets) => [...targets].filter((target) => this.#scales[target] !== 0)));
    const agreements = await this.#residuals.ofTargets.of([...features].sort((a, b) => a - b));
    const scores = new Float32Array(places.length * numTargets);
    for (const [i, place] of places.entries()) {
      const known = this.#look(place, hidden[i], agreements);
      const row = scores.subarray(i * numTargets, (i + 1) * numTargets);
      if (hiding.keepsRow) this.#scoreKnown(row, known);
      else this.#scoreUnknown(row, known);
      if (known.root !== 1) for (let t = 0; t < numTargets; t++) row[t] /= known.root;
    }
    if (hiding.isTogether) this.#hideTogether(scores, hiding);
    return scores;
  }

  #look(place: number, hidden: Int32Array, agreements: ReadonlyMap<number, TargetAgreements>): SeenRow {
    const { numTargets, targets, prior, roots } = this.#problem;
    const { rows, a, left, diagonal } = this.#residuals;
    const [has, expected, bareA, bareFit, scales] = [
      this.#has,
      this.#expected,
      this.#bareA,
      this.#bareFit,
      this.#scales,
    ];
    const [row, first] = [rows[place], place * numTargets];
    const root = roots?.[row] ?? 1;
    has.fill(0);
    expected.fill(0);
    this.#hides.fill(0);
    for (let e = targets.rowStart[row]; e < targets.rowStart[row + 1]; e++) has[targets.columns[e]] = root;
    for (let e = prior?.rowStart[row] ?? 0; prior && e < prior.rowStart[row + 1]; e++) {
      expected[prior.columns[e]] = prior.values[e];
    }
    for (let t = 0; t < numTargets; t++) {
      bareA[t] = a[first + t];
      bareFit[t] = has[t] - expected[t] - left[first + t];
    }
    const d = diagonal[place];
    let beta = 1 - d;
    for (const h of hidden) {
      this.#hides[h] = root;
      const square = root * scales[h] ** 2;
      if (square === 0) continue;
      const shared = agreements.get(h) as TargetAgreements;
      for (let t = 0; t < numTargets; t++) {
        bareA[t] += square * shared.a[t];
        bareFit[t] -= square * shared.right[t];
      }
      bareA[h] -= root;
      beta -= square * a[first + h];
    }
    const gamma = hidden.reduce((sum, h) => sum - root * scales[h] ** 2 * bareA[h], beta);
    return { first, root, d, beta, gamma };
  }

  /** The fit knows the row without what is hidden. */
  #scoreKnown(out: Float32Array, { first, d, beta, gamma }: SeenRow): void {
    const { a, left, agreements } = this.#residuals;
    const [has, expected, hides, bareA, bareFit] = [this.#has, this.#expected, this.#hides, this.#bareA, this.#bareFit];
    const [scales, rests] = [this.#scales, this.#rests];
    const D = d * (1 + gamma) + beta * beta;
    for (let t = 0, at = first; t < out.length; t++, at++) {
      const was = has[t] - expected[t]; // r_rt
      const is = was - hides[t]; // r_rt without what is hidden
      const knownA = d * was - left[at] + beta * is;
      const knownB = bareFit[t] - beta * was + gamma * is;
      const score = (beta * knownA + d * knownB) / D + expected[t];
      const s = scales[t];
      if (s === 0) {
        out[t] = score;
        continue;
      }
      const [g, bare] = [s * a[at], s * bareA[t]];
      const agreement = s * agreements[t] - g * was + bare * is;
      const turned = (1 + gamma) * g * knownA - beta * (g * knownB + bare * knownA) - d * bare * knownB;
      const bent = (1 + gamma) * g * g - 2 * beta * g * bare - d * bare * bare;
      out[t] = score - (((beta * g + d * bare) / D) * (agreement + turned / D)) / (rests[t] + bent / D);
    }
  }

  /** The fit does not know the row. */
  #scoreUnknown(out: Float32Array, { first, d, beta }: SeenRow): void {
    const { a, left, agreements } = this.#residuals;
    for (let t = 0, at = first; t < out.length; t++, at++) {
      const was = this.#has[t] - this.#expected[t];
      const A = d * was - left[at];
      const score = this.#bareFit[t] - beta * was + (beta / d) * A + this.#expected[t];
      const s = this.#scales[t];
      if (s === 0) {
        out[t] = score;
        continue;
      }
      const [g, bare] = [s * a[at], s * this.#bareA[t]];
      const agreement = s * agreements[t] - g * was;
      out[t] = score - ((bare + (beta / d) * g) * (agreement + (g * A) / d)) / (this.#rests[t] + (g * g) / d);
    }
  }

  /**
   * Takes from scores what the other rows added by targets that they hide: what target t of row j adds to row r is −K⁻¹[r][j] where t
   * is no feature; without its own feature, K⁻¹ is K⁻¹ + s_t² c_t a_t a_tᵀ.
   */
  #hideTogether(scores: Float32Array, { places, hidden }: Hiding): void {
    const { numTargets, roots } = this.#problem;
    const { rows, a, factors, shared } = this.#residuals;
    for (const [j, other] of places.entries()) {
      for (const t of hidden[j]) {
        const reach = this.#scales[t] ** 2 * factors[t] * a[other * numTargets + t];
        for (const [i, place] of places.entries()) {
          if (i === j) continue;
          const times = roots === undefined ? 1 : roots[rows[other]] / roots[rows[place]];
          const added = shared[place * rows.length + other] + reach * a[place * numTargets + t];
          scores[i * numTargets + t] += times * added;
        }
      }
    }
  }
}

/** Of the row at hand, where its numbers begin, q_r that all of them are times, and d, β and γ as above. */
interface SeenRow {
  readonly first: number;
  readonly root: number;
  readonly d: number;
  readonly beta: number;
  readonly gamma: number;
}
