// The ridge regression of ridge.ts where no square of all rows or all features fits, by two solves that each leave features out:
// exactly over the strongest features of all (the same for every target), and over the features that go with a target best
// (sparse.ts). Targets of many rows need thousands of features, most of them common ones; rare targets need few, and rare ones.
//
// With weights w_t over some features only, ‖F w_t − r_t‖² + ‖w_t‖² = r_tᵀ r_t − r_tᵀ F w_t at its least. Over all features it would
// be smaller, by the squared distance to the weights over all features, measured by FᵀF + I. So of the two, the one that explains
// more, r_tᵀ F w_t, is closer to the solution over all features, whatever that is.

import { type Csr, CsrBuilder, numRowsOf, selectedRows, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { strongestOf, withFeatures } from './kept-features.ts';
import { numFeaturesOf, type RidgeProblem, rightSides } from './problem.ts';
import { solveRidge } from './ridge.ts';
import { addMeansOfDropped, largestWeights, type SelectedWeights } from './selection.ts';
import type { Ridge } from './solution.ts';
import { solveSparseRidge } from './sparse.ts';

export interface BestOfTwoOptions {
  /** Features of a target in the sparse solve, at most. */
  readonly perTarget: number;
  /** Features in the exact solve, the same for all targets. */
  readonly numStrongest: number;
  /** Weights kept of a target that is solved exactly, on average. */
  readonly numKept: number;
  readonly listener: Listener;
}

const BLOCK = 256; // targets at a time

export async function solveBestOfTwo(
  kernels: Kernels,
  problem: RidgeProblem,
  { perTarget, numStrongest, numKept, listener }: BestOfTwoOptions,
): Promise<SelectedWeights> {
  const sparse = await solveSparseRidge(kernels, problem, { perTarget, listener });
  const parts = Int32Array.from({ length: problem.numTargets }, (_, t) => t).filter((t) => sparse.isPart[t] === 1);
  if (parts.length === 0) return sparse;
  const all = Int32Array.from({ length: problem.numSparse }, (_, f) => f);
  const { problem: reduced, restored } = withFeatures(problem, strongestOf(problem, all, numStrongest));
  const ridge = await solveRidge(kernels, reduced, listener);
  try {
    const explained = await explainedBy(ridge, reduced, parts, listener);
    const better = parts.filter((t, i) => explained[i] > sparse.explained[t]);
    if (better.length === 0) return sparse;
    const some = onlyTargets(reduced, ridge, better);
    const selected = await largestWeights(some.ridge, some.problem, { perTarget: numKept, listener });
    addMeansOfDropped(some.problem, selected);
    return replaced(sparse, better, { ...selected, weights: restored(selected.weights) }, problem.numTargets);
  } finally {
    ridge.release();
  }
}

/** r_tᵀ F w_t of some targets. */
async function explainedBy(
  ridge: Ridge,
  problem: RidgeProblem,
  targets: Int32Array,
  listener: Listener,
): Promise<Float64Array> {
  const right = rightSides(problem);
  const breathe = makeBreather(listener);
  const explained = new Float64Array(targets.length);
  for (let first = 0; first < targets.length; first += BLOCK) {
    listener.progress?.('comparing solutions', first, targets.length);
    await breathe();
    const block = targets.subarray(first, first + BLOCK);
    const weights = await ridge.weightsOf(block);
    explained.set(fitsOf(problem, selectedRows(right, block), weights), first);
  }
  return explained;
}

/** `weights`: (features, targets), a column for each row of `right`. */
function fitsOf(problem: RidgeProblem, right: Csr, weights: Float32Array): Float64Array {
  const { sparse, dense, numDense, numSparse } = problem;
  const width = weights.length / numFeaturesOf(problem);
  const fits = new Float64Array(width);
  for (let i = 0; i < width; i++) {
    for (let e = right.rowStart[i]; e < right.rowStart[i + 1]; e++) {
      const row = right.columns[e];
      let score = 0;
      for (let k = sparse.rowStart[row]; k < sparse.rowStart[row + 1]; k++) {
        score += sparse.values[k] * weights[sparse.columns[k] * width + i];
      }
      for (let k = 0; k < numDense; k++) score += dense[row * numDense + k] * weights[(numSparse + k) * width + i];
      fits[i] += right.values[e] * score;
    }
  }
  return fits;
}

/** A solved problem as if it had only some of its targets. */
function onlyTargets(
  problem: RidgeProblem,
  ridge: Ridge,
  targets: Int32Array,
): { readonly problem: RidgeProblem; readonly ridge: Pick<Ridge, 'weightsOf' | 'strongWeightsOf'> } {
  const { numTargets, numRows, prior } = problem;
  const of = (places: Int32Array) => places.map((place) => targets[place]);
  const columns = (rows: Csr) => transposedCsr(selectedRows(transposedCsr(rows, numTargets), targets), numRows);
  return {
    problem: {
      ...problem,
      numTargets: targets.length,
      targets: columns(problem.targets),
      prior: prior && columns(prior),
    },
    ridge: {
      weightsOf: (places) => ridge.weightsOf(of(places)),
      strongWeightsOf: (places, limits) => ridge.strongWeightsOf(of(places), limits),
    },
  };
}

/** Weights, but for some targets others, which have a column for each of these. */
function replaced(
  first: SelectedWeights,
  targets: Int32Array,
  others: SelectedWeights,
  numTargets: number,
): SelectedWeights {
  const place = new Int32Array(numTargets).fill(-1);
  for (const [i, target] of targets.entries()) place[target] = i;
  const rest = first.rest.slice();
  for (let k = 0; k * numTargets < rest.length; k++) {
    for (const [i, target] of targets.entries()) {
      rest[k * numTargets + target] = others.rest[k * targets.length + i];
    }
  }
  const [a, b] = [first.weights, others.weights];
  const numFeatures = numRowsOf(a);
  const rows = new CsrBuilder(numFeatures);
  for (let f = 0; f < numFeatures; f++) {
    let j = b.rowStart[f];
    const addBefore = (target: number) => {
      for (; j < b.rowStart[f + 1] && targets[b.columns[j]] < target; j++) rows.add(targets[b.columns[j]], b.values[j]);
    };
    for (let i = a.rowStart[f]; i < a.rowStart[f + 1]; i++) {
      if (place[a.columns[i]] >= 0) continue;
      addBefore(a.columns[i]);
      rows.add(a.columns[i], a.values[i]);
    }
    addBefore(numTargets);
    rows.endRow();
  }
  return { weights: rows.finish(), rest };
}
