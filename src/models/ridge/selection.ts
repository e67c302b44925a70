// Selects the largest weights of a ridge regression: all of them would take gigabytes, and most add next to nothing. A weight is
// as large as its size times that of its feature where it is used, and a little larger where it is used often.

import { type Csr, firstEqualRows, TripleList, transposedCsr } from '../../csr.ts';
import { nthLargest } from '../../engine/numerics/top-k.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import type { RidgeProblem } from './problem.ts';
import type { Ridge } from './solution.ts';
import { numRowsMeant } from './weighted-rows.ts';

const BLOCK = 256; // targets at a time
const SAMPLE_EVERY = 16; // targets: what they have tells how many weights are how strong

export interface Selection {
  /** How many weights of sparse features are kept, for each target on average. */
  readonly perTarget: number;
  readonly listener: Listener;
}

export interface SelectedWeights {
  /** From sparse features to targets. */
  readonly weights: Csr; // (numSparse) rows
  /** All weights of the dense ones. */
  readonly rest: Float32Array; // (numDense, numTargets)
}

/** Weights that are not kept count by what they say on average, in the constant: the last of the dense features. */
export function addMeansOfDropped(problem: RidgeProblem, selected: SelectedWeights): void {
  const first = (problem.numDense - 1) * problem.numTargets;
  for (const [t, mean] of meansOfDropped(problem, selected).entries()) selected.rest[first + t] += mean;
}

/**
 * By target, what the weights that are not kept say of a row on average. The last dense feature is a constant of penalty 1, so that
 * what a fit leaves of a target adds up to its weight: the mean of what all weights say is known without them.
 */
export function meansOfDropped(problem: RidgeProblem, { weights, rest }: SelectedWeights): Float64Array {
  const { numTargets, numDense, dense, targets, prior, roots } = problem;
  const sums = new Float64Array(numTargets);
  addColumns(sums, targets, roots);
  if (prior) addColumns(sums, prior, roots, -1);
  const lengths = new Float64Array(numDense); // sums over rows
  for (let at = 0; at < dense.length; at++) {
    lengths[at % numDense] += dense[at] * (roots?.[Math.floor(at / numDense)] ?? 1);
  }
  for (let k = 0; k < numDense; k++) {
    const length = lengths[k] + (k === numDense - 1 ? 1 : 0);
    for (let t = 0; t < numTargets; t++) sums[t] -= length * rest[k * numTargets + t];
  }
  const uses = new Float64Array(problem.numSparse);
  addColumns(uses, problem.sparse, roots);
  for (let f = 0; f < uses.length; f++) {
    for (let e = weights.rowStart[f]; e < weights.rowStart[f + 1]; e++)
      sums[weights.columns[e]] -= uses[f] * weights.values[e];
  }
  const numMeant = numRowsMeant(problem);
  return sums.map((sum) => sum / Math.max(1, numMeant));
}

/** Sums of columns over all that rows stand for. */
function addColumns(
  sums: Float64Array,
  { rowStart, columns, values }: Csr,
  roots: Float64Array | undefined,
  sign = 1,
): void {
  for (let row = 0; row + 1 < rowStart.length; row++) {
    const factor = sign * (roots?.[row] ?? 1);
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) sums[columns[e]] += factor * values[e];
  }
}

export async function largestWeights(
  ridge: Pick<Ridge, 'weightsOf' | 'strongWeightsOf'>,
  problem: RidgeProblem,
  { perTarget, listener }: Selection,
): Promise<SelectedWeights> {
  const { numTargets, numSparse, numDense } = problem;
  const lengths = columnLengths(problem);
  const { firsts, order } = differentTargets(problem);
  const sample = Int32Array.from({ length: Math.ceil(numTargets / SAMPLE_EVERY) }, (_, i) => i * SAMPLE_EVERY);
  const breathe = makeBreather(listener);
  const strengths: Float32Array[] = [];
  for (let first = 0; first < sample.length; first += BLOCK) {
    const targets = sample.subarray(first, first + BLOCK);
    const weights = await ridge.weightsOf(targets);
    strengths.push(strengthsOf(weights, lengths, targets.length));
  }
  const least = leastOf(strengths, perTarget * sample.length);

  const found = new TripleList(); // by target
  const rest = new Float32Array(numDense * numTargets);
  // a little less than what is asked for, as it is rounded: `collect` looks again
  const limits = Float32Array.from(lengths, (length) => (least === 0 ? 0 : (least / length) * (1 - 1e-6)));
  for (let first = 0; first < order.length; first += BLOCK) {
    listener.progress?.('weighing', first, order.length);
    await breathe();
    const targets = order.subarray(first, first + BLOCK);
    const { sparse, dense } = await ridge.strongWeightsOf(targets, limits);
    collect(found, sparse, targets, { lengths, least: least * (1 - 1e-7) }); // rounded, too
    for (const [i, target] of targets.entries()) {
      for (let k = 0; k < numDense; k++) rest[k * numTargets + target] = dense[k * targets.length + i];
    }
  }
  for (const [target, first] of firsts.entries()) {
    for (let at = 0; at < rest.length && target !== first; at += numTargets) rest[at + target] = rest[at + first];
  }
  return { weights: byFeature(found.toCsr(numTargets), firsts, numSparse), rest };
}

/**
 * Targets that the same rows have, that are no features and of which nothing else is expected have the same weights. `firsts`: by
 * target the first of its kind; `order`: these first targets, those of few rows first, since a block takes as long as if all its
 * targets had as many rows as the fullest.
 */
function differentTargets({ targets, prior, own, numTargets }: RidgeProblem): {
  readonly firsts: Int32Array;
  readonly order: Int32Array;
} {
  const apart = new Set<number>();
  const rowsOf = transposedCsr(targets, numTargets);
  const named = prior && new Set(prior.columns);
  const countOf = (t: number) => rowsOf.rowStart[t + 1] - rowsOf.rowStart[t];
  for (let t = 0; t < numTargets; t++) {
    if (named?.has(t) || countOf(t) === 0 || (own && own.features[t] >= 0)) apart.add(t);
  }
  const firsts = firstEqualRows(rowsOf, apart);
  const order = Int32Array.from(firsts.keys()).filter((t) => firsts[t] === t);
  return { firsts, order: order.sort((a, b) => countOf(a) - countOf(b) || a - b) };
}

/** From rows by target, of which some have those of others, rows by feature. */
function byFeature({ rowStart, columns, values }: Csr, firsts: Int32Array, numFeatures: number): Csr {
  const all = new TripleList();
  for (const [target, first] of firsts.entries()) {
    for (let e = rowStart[first]; e < rowStart[first + 1]; e++) all.add(columns[e], target, values[e]);
  }
  return all.toCsr(numFeatures);
}

/** The weights that are strong enough. A function of its own: as a part of one that waits it was slow. */
function collect(
  found: TripleList,
  { rowStart, columns, values }: Csr,
  targets: Int32Array,
  { lengths, least }: { readonly lengths: Float64Array; readonly least: number },
): void {
  for (let f = 0; f < lengths.length; f++) {
    for (let e = rowStart[f]; e < rowStart[f + 1]; e++) {
      const weight = values[e];
      if (weight !== 0 && Math.abs(weight) * lengths[f] >= least) found.add(targets[columns[e]], f, weight);
    }
  }
}

/** Of the weights of sparse features, a row for each. */
function strengthsOf(weights: Float32Array, lengths: Float64Array, width: number): Float32Array {
  const out = new Float32Array(lengths.length * width);
  for (let f = 0, at = 0; f < lengths.length; f++) {
    for (let i = 0; i < width; i++, at++) out[at] = Math.abs(weights[at]) * lengths[f];
  }
  return out;
}

const USE_POWER = 0.25;

/** By feature: its size where it is used, times a small power of how often it is. */
function columnLengths({ sparse: { rowStart, columns, values }, numSparse, roots }: RidgeProblem): Float64Array {
  const squares = new Float64Array(numSparse);
  const uses = new Float64Array(numSparse);
  for (let row = 0; row + 1 < rowStart.length; row++) {
    const weight = (roots?.[row] ?? 1) ** 2;
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      squares[columns[e]] += values[e] ** 2;
      uses[columns[e]] += weight;
    }
  }
  return squares.map((square, f) => (uses[f] > 0 ? Math.sqrt(square / uses[f]) * uses[f] ** USE_POWER : 0));
}

function leastOf(strengths: readonly Float32Array[], wanted: number): number {
  const total = strengths.reduce((sum, { length }) => sum + length, 0);
  if (wanted >= total) return 0;
  return nthLargest(strengths, Math.max(1, Math.floor(wanted)));
}
