// The features of the objects that a tag is learnt from, a row for each, and what learning multiplies them with (learning.ts). F is
// (objects, features), D the diagonal of rates: how far one more example moves the weight of a feature.

import { conjugateGradients } from '../../engine/numerics/conjugate-gradients.ts';

/** One row: features by their places among the weights, each once, and what the object has of them. */
export interface DecidedRow {
  readonly features: Int32Array;
  readonly values: Float32Array;
}

const MAX_PRODUCTS = 20; // about ten are enough for a part in a million

export class DecidedRows {
  readonly #rows: readonly DecidedRow[];
  readonly #rates: Float32Array;
  readonly #sums: Float64Array; // by feature
  /** The features that some row has. */
  readonly features: Int32Array;

  constructor(rows: readonly DecidedRow[], rates: Float32Array) {
    this.#rows = rows;
    this.#rates = rates;
    this.#sums = new Float64Array(rates.length);
    const isThere = new Uint8Array(rates.length);
    for (const { features } of rows) for (const feature of features) isThere[feature] = 1;
    this.features = Int32Array.from(isThere.keys()).filter((feature) => isThere[feature] === 1);
  }

  /** D Fᵀ x by feature, 0 for those that no row has; until the next call. */
  spread(x: Float64Array): Float64Array {
    const sums = this.#sums;
    for (const feature of this.features) sums[feature] = 0;
    for (const [i, { features, values }] of this.#rows.entries()) {
      for (let k = 0; k < features.length; k++) sums[features[k]] += x[i] * values[k];
    }
    for (const feature of this.features) sums[feature] *= this.#rates[feature];
    return sums;
  }

  /** The α with (1 + overlap · F D Fᵀ) α = signs: how much each object teaches beside the others. */
  amounts(signs: Float64Array, overlap: number): Float64Array {
    const times = (x: Float64Array) => {
      const sums = this.spread(x);
      return Float64Array.from(this.#rows, ({ features, values }, i) => {
        let sum = 0;
        for (let k = 0; k < features.length; k++) sum += sums[features[k]] * values[k];
        return x[i] + overlap * sum;
      });
    };
    return conjugateGradients(times, signs, MAX_PRODUCTS);
  }
}
