// Features that are the same for every row, such as the tags that the same objects carry, are solved as one: an inverse costs the cube
// of its size. k features x with the weights w_i add Σ w_i x to a score and Σ w_i² to the penalty. At the minimum all w_i are equal, so
// that one feature √k x with the weight √k w_i adds the same to both. On Last.fm, 5,740 of the 9,718 tags of neighbours differ.

import { CsrBuilder, firstEqualRows, numRowsOf, transposedCsr } from '../../csr.ts';
import type { LargeProducts, RidgeProblem } from './problem.ts';
import type { Ridge, SeenRows } from './solution.ts';

export interface Merged {
  readonly problem: RidgeProblem;
  /** By sparse feature, which of the problem it became; −1: no row has it. */
  readonly places: Int32Array;
  /** By sparse feature, the share of that feature's weight. */
  readonly shares: Float32Array;
}

/** Features that are targets stay apart: they have constraints of their own. */
export function mergeEqualFeatures(problem: RidgeProblem): Merged {
  const { sparse, numSparse, own } = problem;
  const columns = transposedCsr(sparse, numSparse);
  const isUsed = (f: number) => columns.rowStart[f] < columns.rowStart[f + 1];
  const targets = new Set(own?.features);
  const firsts = firstEqualRows(columns, targets).map((first, f) => (isUsed(f) || targets.has(f) ? first : -1));
  const counts = new Int32Array(numSparse);
  for (const first of firsts) if (first >= 0) counts[first]++;
  const placeOf = new Int32Array(numSparse).fill(-1);
  let numMerged = 0;
  for (let f = 0; f < numSparse; f++) if (firsts[f] === f) placeOf[f] = numMerged++;
  const rows = new CsrBuilder(numRowsOf(sparse));
  for (let row = 0; row < numRowsOf(sparse); row++) {
    for (let e = sparse.rowStart[row]; e < sparse.rowStart[row + 1]; e++) {
      const feature = sparse.columns[e];
      if (firsts[feature] === feature) rows.add(placeOf[feature], sparse.values[e] * Math.sqrt(counts[feature]));
    }
    rows.endRow();
  }
  const features = own?.features.map((feature) => (feature < 0 ? -1 : placeOf[feature]));
  return {
    problem: {
      ...problem,
      numSparse: numMerged,
      sparse: rows.finish(),
      ...(own && features && { own: { ...own, features } }),
    },
    places: firsts.map((first) => (first < 0 ? -1 : placeOf[first])),
    shares: Float32Array.from(firsts, (first) => (first < 0 ? 0 : 1 / Math.sqrt(counts[first]))),
  };
}

/** The solution of a problem by that of its merged form, which it owns. */
export class UnmergedRidge implements Ridge {
  readonly #ridge: Ridge;
  readonly #merged: Merged;

  constructor(ridge: Ridge, merged: Merged) {
    this.#ridge = ridge;
    this.#merged = merged;
  }

  async weightsOf(targets: Int32Array): Promise<Float32Array> {
    const { problem, places, shares } = this.#merged;
    const width = targets.length;
    const found = await this.#ridge.weightsOf(targets);
    const weights = new Float32Array((places.length + problem.numDense) * width);
    for (const [f, place] of places.entries()) {
      if (place < 0) continue;
      const share = shares[f];
      for (let i = 0, at = f * width, from = place * width; i < width; i++) weights[at++] = share * found[from++];
    }
    weights.set(found.subarray(problem.numSparse * width), places.length * width);
    return weights;
  }

  async strongWeightsOf(targets: Int32Array, limits: Float32Array): Promise<LargeProducts> {
    const { problem, places, shares } = this.#merged;
    const least = new Float32Array(problem.numSparse).fill(Number.POSITIVE_INFINITY);
    for (const [f, place] of places.entries()) {
      // a little less, as it is rounded: each feature's own limit decides
      if (place >= 0) least[place] = Math.min(least[place], (limits[f] / shares[f]) * (1 - 1e-6));
    }
    const { sparse, dense } = await this.#ridge.strongWeightsOf(targets, least);
    const rows = new CsrBuilder(places.length);
    for (const [f, place] of places.entries()) {
      for (let e = place < 0 ? 0 : sparse.rowStart[place]; place >= 0 && e < sparse.rowStart[place + 1]; e++) {
        const weight = Math.fround(shares[f] * sparse.values[e]);
        if (Math.abs(weight) >= limits[f]) rows.add(sparse.columns[e], weight);
      }
      rows.endRow();
    }
    return { sparse: rows.finish(), dense };
  }

  look(rows: Int32Array): Promise<Pick<SeenRows, 'without'>> {
    return this.#ridge.look(rows);
  }

  release(): void {
    this.#ridge.release();
  }
}
