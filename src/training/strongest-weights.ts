// Of the weights of a ridge regression the strongest: all of them would take gigabytes, and most say next to nothing. What a
// weight says is its size times that of its feature where it is used, and a little more where it is used often.

import type { CsrArrays } from '../engine/matrix.ts';
import { enlarged } from '../engine/rows.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import { type Listener, makeBreather } from '../listener.ts';
import type { Ridge } from './ridge.ts';
import type { RidgeProblem } from './ridge-problem.ts';

const BLOCK = 256; // targets at a time
const SAMPLE_EVERY = 16; // targets: what they have tells how many weights are how strong

export interface Selection {
  /** How many weights of sparse features are kept, for each target on average. */
  readonly perTarget: number;
  readonly listener: Listener;
}

export interface SelectedWeights {
  /** From sparse features to targets. */
  readonly weights: WeightedGraph; // (numSparse) rows
  /** All weights of the dense ones. */
  readonly rest: Float32Array; // (numDense, numTargets)
}

export async function strongestWeights(
  ridge: Ridge,
  problem: RidgeProblem,
  { perTarget, listener }: Selection,
): Promise<SelectedWeights> {
  const { numTargets, numSparse, numDense } = problem;
  const lengths = columnLengths(problem);
  const sample = Int32Array.from({ length: Math.ceil(numTargets / SAMPLE_EVERY) }, (_, i) => i * SAMPLE_EVERY);
  const breathe = makeBreather(listener);
  const strengths: Float32Array[] = [];
  for (let first = 0; first < sample.length; first += BLOCK) {
    const targets = sample.subarray(first, first + BLOCK);
    const weights = await ridge.weightsOf(targets);
    strengths.push(strengthsOf(weights, lengths, targets.length));
  }
  const least = leastOf(strengths, perTarget * sample.length);

  const found = new TripleList();
  const rest = new Float32Array(numDense * numTargets);
  // a little less than what is asked for, as it is rounded: `collect` looks again
  const limits = Float32Array.from(lengths, (length) => (least === 0 ? 0 : (least / length) * (1 - 1e-6)));
  for (let first = 0; first < numTargets; first += BLOCK) {
    listener.progress?.('weighing', first, numTargets);
    await breathe();
    const targets = Int32Array.from({ length: Math.min(BLOCK, numTargets - first) }, (_, i) => first + i);
    const { sparse, dense } = await ridge.strongWeightsOf(targets, limits);
    collect(found, sparse, targets, { lengths, least });
    for (let k = 0; k < numDense; k++) {
      rest.set(dense.subarray(k * targets.length, (k + 1) * targets.length), k * numTargets + first);
    }
  }
  return { weights: found.toGraph(numSparse), rest };
}

/** The weights that are strong enough. A function of its own: as a part of one that waits it was slow. */
function collect(
  found: TripleList,
  { rowStart, columns, values }: CsrArrays,
  targets: Int32Array,
  { lengths, least }: { readonly lengths: Float64Array; readonly least: number },
): void {
  for (let f = 0; f < lengths.length; f++) {
    for (let e = rowStart[f]; e < rowStart[f + 1]; e++) {
      const weight = values[e];
      if (weight !== 0 && Math.abs(weight) * lengths[f] >= least) found.add(f, targets[columns[e]], weight);
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
function columnLengths({ sparse: { columns, values }, numSparse }: RidgeProblem): Float64Array {
  const squares = new Float64Array(numSparse);
  const uses = new Float64Array(numSparse);
  for (let e = 0; e < columns.length; e++) {
    squares[columns[e]] += values[e] ** 2;
    uses[columns[e]]++;
  }
  return squares.map((square, f) => (uses[f] > 0 ? Math.sqrt(square / uses[f]) * uses[f] ** USE_POWER : 0));
}

function leastOf(strengths: readonly Float32Array[], wanted: number): number {
  const total = strengths.reduce((sum, { length }) => sum + length, 0);
  if (wanted >= total) return 0;
  return nthLargest(strengths, Math.max(1, Math.floor(wanted)));
}

const HALF = 1 << 16;

/** None is negative: such floats and their bits sort alike. The upper half of its bits is found first, then the lower. */
function nthLargest(parts: readonly Float32Array[], n: number): number {
  const bits = parts.map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length));
  let left = n;
  const search = (counts: Float64Array): number => {
    let half = HALF - 1;
    for (; counts[half] < left; half--) left -= counts[half];
    return half;
  };
  const highs = new Float64Array(HALF);
  for (const part of bits) for (let i = 0; i < part.length; i++) highs[part[i] >>> 16]++;
  const high = search(highs);
  const lows = new Float64Array(HALF);
  for (const part of bits) for (let i = 0; i < part.length; i++) if (part[i] >>> 16 === high) lows[part[i] & 0xffff]++;
  return new Float32Array(Uint32Array.of(high * HALF + search(lows)).buffer)[0];
}

/** (row, column, value) with columns ascending within a row as they are added. */
export class TripleList {
  #rows = new Int32Array(1 << 16);
  #columns = new Int32Array(1 << 16);
  #values = new Float32Array(1 << 16);
  #size = 0;

  add(row: number, column: number, value: number): void {
    if (this.#size === this.#rows.length) this.#grow();
    this.#rows[this.#size] = row;
    this.#columns[this.#size] = column;
    this.#values[this.#size++] = value;
  }

  toGraph(numNodes: number): WeightedGraph {
    const rowStart = new Int32Array(numNodes + 1);
    for (let i = 0; i < this.#size; i++) rowStart[this.#rows[i] + 1]++;
    for (let r = 0; r < numNodes; r++) rowStart[r + 1] += rowStart[r];
    const next = rowStart.slice();
    const [columns, weights] = [new Int32Array(this.#size), new Float32Array(this.#size)];
    for (let i = 0; i < this.#size; i++) {
      const at = next[this.#rows[i]]++;
      columns[at] = this.#columns[i];
      weights[at] = this.#values[i];
    }
    return { numNodes, rowStart, columns, weights };
  }

  #grow(): void {
    const capacity = 2 * this.#rows.length;
    this.#rows = enlarged(this.#rows, new Int32Array(capacity));
    this.#columns = enlarged(this.#columns, new Int32Array(capacity));
    this.#values = enlarged(this.#values, new Float32Array(capacity));
  }
}
