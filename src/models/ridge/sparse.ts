// The ridge regression of ridge.ts where no square of all rows or all features fits: each target is regressed on the sparse
// features that go with it best and on all dense ones, exactly. Memory is linear in the data and in targets × features kept.
//
// With S_t the features of target t, A = F_Sᵀ F_S, C = Fᵀ D, E = DᵀD + I = L Lᵀ and B = C L⁻ᵀ, the dense features fall
// out of the system: (A + I − B_S B_Sᵀ) w_S = (Fᵀr_t)_S − B_S L⁻¹Dᵀr_t, and w_D = L⁻ᵀ (L⁻¹Dᵀr_t − B_Sᵀ w_S).
// What two features share is counted over the rows of the rarer one, or over some thousands of them: so the time is linear in the
// rows, too. Choosing features by their correlation with a target and solving for each alone follows Steck, NeurIPS 2019 (Markov
// random fields), and Ning and Karypis, ICDM 2011 (SLIM with feature selection).

import type { Csr } from '../../csr.ts';
import { rowsBetween, TripleList, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { choleskyInPlace, isFactorized, solveLower, solveUpper } from '../../engine/numerics/cholesky.ts';
import { largest } from '../../engine/numerics/top-k.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { checkedSize } from '../../size-limits.ts';
import { type RidgeProblem, rightSides } from './problem.ts';
import type { SelectedWeights } from './selection.ts';
import { numRowsMeant } from './weighted-rows.ts';

export interface SparseRidgeOptions {
  /** Features of a target, at most. */
  readonly perTarget: number;
  readonly listener: Listener;
  /** Of the small matrices held at once. */
  readonly maxBytes?: number;
  /** Rows of a feature, at most, that are looked at for what it shares with others. */
  readonly maxRows?: number;
}

export interface SparseWeights extends SelectedWeights {
  /** By target, r_tᵀ F w_t: a ridge regression leaves r_tᵀ r_t less this. */
  readonly explained: Float64Array;
  /** By target, whether features that go with it were left out. */
  readonly isPart: Uint8Array;
}

const MAX_BYTES = 5e8; // less takes more passes over the features
const MAX_ROWS = 4096; // what is shared is known to 1 or 2 % then
const EVERY = 256; // targets or features between two breaths

export async function solveSparseRidge(
  kernels: Kernels,
  problem: RidgeProblem,
  options: SparseRidgeOptions,
): Promise<SparseWeights> {
  const { numTargets, numSparse, numDense } = problem;
  const { perTarget, listener, maxBytes = MAX_BYTES, maxRows = MAX_ROWS } = options;
  const right = rightSides(problem);
  const products = new FeatureProducts(problem, maxRows);
  const supports = await chooseSupports(products, problem, right, perTarget, listener);
  const dense = await DensePart.of(kernels, problem, right, listener);
  const found = new TripleList();
  const rest = new Float32Array(numDense * numTargets);
  const explained = new Float64Array(numTargets);
  const chunk = Math.max(1, Math.floor(maxBytes / (2 * perTarget * perTarget)));
  try {
    for (let first = 0; first < numTargets; first += chunk) {
      const end = Math.min(numTargets, first + chunk);
      const systems = await gatherSystems(products, supports, { first, end, numSparse }, listener);
      const breathe = makeBreather(listener);
      for (let t = first; t < end; t++) {
        if (t % EVERY === 0) {
          listener.progress?.('solving', t, numTargets);
          await breathe();
        }
        const { features } = supports[t];
        const { weights, denseWeights, fit } = await solveTarget(t, supports[t], systems[t - first], dense);
        explained[t] = fit;
        for (let i = 0; i < features.length; i++) if (weights[i] !== 0) found.add(features[i], t, weights[i]);
        for (let k = 0; k < numDense; k++) rest[k * numTargets + t] = denseWeights[k];
      }
    }
  } finally {
    dense.release();
  }
  const isPart = Uint8Array.from(supports, (support) => (support.isPart ? 1 : 0));
  return { weights: found.toCsr(numSparse), rest, explained, isPart };
}

interface Support {
  readonly features: Int32Array; // those of most rows first
  readonly products: Float32Array; // Fᵀ r_t of each
  readonly isPart: boolean; // of those that go with the target
}

/** Rows of FᵀF over sparse features, one at a time. */
class FeatureProducts {
  readonly columns: Csr; // features by rows
  readonly squares: Float64Array; // by feature, its product with itself
  readonly totals: Float64Array; // by feature, over all that rows stand for
  readonly #rows: Csr;
  readonly #maxRows: number;
  readonly #sums: Float64Array; // scratch
  readonly #reached: Int32Array;
  readonly #seenBy: Int32Array; // by feature, whose products it is in

  constructor({ sparse, numSparse, roots }: RidgeProblem, maxRows: number) {
    this.#rows = sparse;
    this.#maxRows = maxRows;
    this.columns = transposedCsr(sparse, numSparse);
    [this.squares, this.totals] = [new Float64Array(numSparse), new Float64Array(numSparse)];
    for (let row = 0; row + 1 < sparse.rowStart.length; row++) {
      const root = roots?.[row] ?? 1;
      for (let e = sparse.rowStart[row]; e < sparse.rowStart[row + 1]; e++) {
        this.squares[sparse.columns[e]] += sparse.values[e] * sparse.values[e];
        this.totals[sparse.columns[e]] += root * sparse.values[e];
      }
    }
    this.#sums = new Float64Array(numSparse);
    this.#reached = new Int32Array(numSparse);
    this.#seenBy = new Int32Array(numSparse).fill(-1);
  }

  numRowsOf(feature: number): number {
    return this.columns.rowStart[feature + 1] - this.columns.rowStart[feature];
  }

  /** Calls back with the products of a feature with all others, counted over some of its rows where it has many. */
  ofFeature(feature: number, use: (sums: Float64Array) => void): void {
    this.with(this.columns, feature, use, this.#maxRows);
  }

  /**
   * Calls back with the products of one row of `lists` (numbers by row of F) with all features, and those that have any. Of
   * more than `most` entries, as many in even steps stand for all.
   */
  with<Result>(
    lists: Csr,
    list: number,
    use: (sums: Float64Array, reached: Int32Array) => Result,
    most = Number.POSITIVE_INFINITY,
  ): Result {
    const [sums, reached, seenBy] = [this.#sums, this.#reached, this.#seenBy];
    const { rowStart, columns, values } = this.#rows;
    const { rowStart: starts, columns: rowIds, values: own } = lists;
    const numEntries = starts[list + 1] - starts[list];
    const numUsed = Math.min(numEntries, most);
    const step = numEntries / Math.max(1, numUsed);
    let count = 0;
    for (let k = 0; k < numUsed; k++) {
      const e = starts[list] + Math.floor(k * step);
      const [row, value] = [rowIds[e], own[e] * step];
      const end = rowStart[row + 1];
      for (let i = rowStart[row]; i < end; i++) {
        const other = columns[i];
        if (seenBy[other] !== list) {
          seenBy[other] = list;
          reached[count++] = other;
        }
        sums[other] += value * values[i];
      }
    }
    const result = use(sums, reached.subarray(0, count));
    for (let i = 0; i < count; i++) {
      sums[reached[i]] = 0;
      seenBy[reached[i]] = -1;
    }
    return result;
  }
}

/** By target, the features most correlated with it. */
async function chooseSupports(
  products: FeatureProducts,
  problem: RidgeProblem,
  right: Csr,
  most: number,
  listener: Listener,
): Promise<Support[]> {
  const breathe = makeBreather(listener);
  const { numTargets, own, roots } = problem;
  const { totals, squares } = products;
  const numMeant = Math.max(1, numRowsMeant(problem));
  const lengths = squares.map((square, f) => Math.sqrt(square - totals[f] ** 2 / numMeant + 1));
  const supports: Support[] = [];
  for (let t = 0; t < numTargets; t++) {
    if (t % EVERY === 0) {
      listener.progress?.('choosing features', t, numTargets);
      await breathe();
    }
    supports.push(
      products.with(right, t, (sums, reached) => {
        const others = own === undefined ? reached.slice() : reached.filter((f) => f !== own.features[t]);
        const mean = totalOf(right, t, roots) / numMeant;
        const strengths = Float32Array.from(others, (f) => Math.abs(sums[f] - mean * totals[f]) / lengths[f]);
        const features = largest(others, strengths, most).sort(
          (a, b) => products.numRowsOf(b) - products.numRowsOf(a) || a - b,
        );
        const isPart = features.length < others.length;
        return { features, products: Float32Array.from(features, (f) => sums[f]), isPart };
      }),
    );
  }
  return supports;
}

function totalOf({ rowStart, columns, values }: Csr, target: number, roots?: Float64Array): number {
  let sum = 0;
  for (let e = rowStart[target]; e < rowStart[target + 1]; e++) sum += (roots?.[columns[e]] ?? 1) * values[e];
  return sum;
}

/** By target the lower triangle of A, row by row. */
async function gatherSystems(
  products: FeatureProducts,
  supports: readonly Support[],
  { first, end, numSparse }: { first: number; end: number; numSparse: number },
  listener: Listener,
): Promise<Float32Array[]> {
  const breathe = makeBreather(listener);
  const systems = supports.slice(first, end).map(({ features: { length } }) => {
    return new Float32Array((length * (length + 1)) / 2);
  });
  const users = targetsByFeature(supports, first, end, numSparse);
  for (let f = 0; f < numSparse; f++) {
    if (f % EVERY === 0) {
      listener.progress?.('comparing features', f, numSparse);
      await breathe();
    }
    const [start, stop] = [users.rowStart[f], users.rowStart[f + 1]];
    if (start === stop) continue;
    products.ofFeature(f, (sums) => {
      for (let e = start; e < stop; e++) {
        const { features } = supports[users.targets[e]];
        const row = users.places[e];
        const system = systems[users.targets[e] - first];
        const at = (row * (row + 1)) / 2;
        for (let j = 0; j < row; j++) system[at + j] = sums[features[j]];
        system[at + row] = products.squares[f];
      }
    });
  }
  return systems;
}

/** Which targets use a feature, and in which place. */
function targetsByFeature(supports: readonly Support[], first: number, end: number, numSparse: number) {
  const size = supports.slice(first, end).reduce((sum, { features }) => sum + features.length, 0);
  checkedSize('entries', size, 'features of tags');
  const rowStart = new Int32Array(numSparse + 1);
  for (let t = first; t < end; t++) for (const f of supports[t].features) rowStart[f + 1]++;
  for (let f = 0; f < numSparse; f++) rowStart[f + 1] += rowStart[f];
  const next = rowStart.slice();
  const [targets, places] = [new Int32Array(size), new Int32Array(size)];
  for (let t = first; t < end; t++) {
    for (const [place, f] of supports[t].features.entries()) {
      targets[next[f]] = t;
      places[next[f]++] = place;
    }
  }
  return { rowStart, targets, places };
}

/** L of DᵀD + I, B = FᵀD L⁻ᵀ and L⁻¹Dᵀr_t by target. */
class DensePart {
  readonly width: number;
  readonly factor: Float64Array; // (width, width), L
  readonly rows: Float32Array; // (numSparse, width), B
  readonly targets: Float32Array; // (numTargets, width), L⁻¹Dᵀr_t
  readonly #kernels: Kernels;
  readonly #onEngine: Dense; // the same

  private constructor(kernels: Kernels, factor: Float64Array, rows: Float32Array, targets: Float32Array) {
    const width = Math.sqrt(factor.length);
    this.width = width;
    this.factor = factor;
    this.rows = rows;
    this.targets = targets;
    this.#kernels = kernels;
    this.#onEngine = kernels.dense(rows.length / width, width);
    kernels.write(this.#onEngine, rows);
  }

  static async of(kernels: Kernels, problem: RidgeProblem, right: Csr, listener: Listener): Promise<DensePart> {
    const { numDense: width } = problem;
    const { across, within } = await denseProducts(kernels, problem, listener);
    const factor = Float64Array.from(within);
    for (let i = 0; i < width; i++) factor[i * width + i] += 1;
    choleskyInPlace(factor, width);
    const targets = denseSums(problem, right);
    const row = new Float64Array(width);
    for (const rows of [across, targets]) {
      for (let start = 0; start < rows.length; start += width) {
        row.set(rows.subarray(start, start + width));
        solveLower(factor, row, width);
        rows.set(row, start);
      }
    }
    return new DensePart(kernels, factor, across, targets);
  }

  /** B_S B_Sᵀ. */
  async products(features: Int32Array): Promise<Float32Array> {
    const size = features.length;
    if (size === 0) return new Float32Array(0);
    const [ids, rows] = [this.#kernels.ints(size), this.#kernels.dense(size, this.width)];
    const products = this.#kernels.dense(size, size);
    try {
      this.#kernels.writeInts(ids, features);
      this.#kernels.gather(rows, this.#onEngine, ids);
      this.#kernels.gemm(products, rows, rows, { transposeB: true });
      return await this.#kernels.read(products);
    } finally {
      this.#kernels.release(ids, rows, products);
    }
  }

  release(): void {
    this.#kernels.release(this.#onEngine);
  }
}

/** Dᵀ r_t by target. */
function denseSums({ numTargets, numDense, dense }: RidgeProblem, right: Csr): Float32Array {
  const sums = new Float32Array(numTargets * numDense);
  for (let t = 0; t < numTargets; t++) {
    for (let e = right.rowStart[t]; e < right.rowStart[t + 1]; e++) {
      for (let k = 0, at = right.columns[e] * numDense; k < numDense; k++, at++) {
        sums[t * numDense + k] += right.values[e] * dense[at];
      }
    }
  }
  return sums;
}

const ROWS = 1 << 16; // at a time, so that all of them need not fit into the engine

/** FᵀD and DᵀD. */
async function denseProducts(
  kernels: Kernels,
  { numRows, numSparse, numDense, sparse, dense }: RidgeProblem,
  listener: Listener,
): Promise<{ across: Float32Array; within: Float32Array }> {
  const breathe = makeBreather(listener);
  const [across, within] = [kernels.dense(numSparse, numDense), kernels.dense(numDense, numDense)];
  try {
    for (let first = 0; first < numRows; first += ROWS) {
      listener.progress?.('comparing profiles', first, numRows);
      await breathe();
      const end = Math.min(numRows, first + ROWS);
      const some = kernels.sparse(end - first, numSparse, rowsBetween(sparse, first, end));
      const right = kernels.dense(end - first, numDense);
      kernels.write(right, dense.subarray(first * numDense, end * numDense));
      kernels.spmmTransposed(across, some, right, true);
      kernels.gemm(within, right, right, { transposeA: true, accumulate: true });
      kernels.release(some, right);
    }
    return { across: await kernels.read(across), within: await kernels.read(within) };
  } finally {
    kernels.release(across, within);
  }
}

async function solveTarget(
  target: number,
  { features, products }: Support,
  system: Float32Array,
  dense: DensePart,
): Promise<{ weights: Float64Array; denseWeights: Float64Array; fit: number }> {
  const { width, factor, rows } = dense;
  const size = features.length;
  const matrix = factorOf(system, await dense.products(features), size);
  const weights = new Float64Array(size);
  const left = Float64Array.from(dense.targets.subarray(target * width, (target + 1) * width));
  for (let i = 0; i < size; i++) {
    let sum = 0;
    for (let k = 0, at = features[i] * width; k < width; k++, at++) sum += rows[at] * left[k];
    weights[i] = products[i] - sum;
  }
  solveLower(matrix, weights, size);
  solveUpper(matrix, weights, size);
  for (let i = 0; i < size; i++) {
    for (let k = 0, at = features[i] * width; k < width; k++, at++) left[k] -= rows[at] * weights[i];
  }
  let fit = 0;
  for (let i = 0; i < size; i++) fit += products[i] * weights[i];
  for (let k = 0; k < width; k++) fit += dense.targets[target * width + k] * left[k]; // (Dᵀr_t)ᵀ w_D
  solveUpper(factor, left, width);
  return { weights, denseWeights: left, fit };
}

const [SHRINK, LEAST] = [0.8, 1e-3];

/** L of A + I − B_S B_Sᵀ. Counted over some rows it may not be positive definite: then what features share counts for less. */
function factorOf(system: Float32Array, shared: Float32Array, size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let times = 1; times > LEAST; times *= SHRINK) {
    for (let i = 0, at = 0; i < size; i++) {
      for (let j = 0; j < i; j++, at++) matrix[i * size + j] = times * (system[at] - shared[i * size + j]);
      matrix[i * size + i] = Math.max(0, system[at] - shared[i * size + i]) + 1;
      at++;
    }
    if (isFactorized(matrix, size)) return matrix;
  }
  throw new RangeError('Got features that are not numbers when expected finite ones.');
}
