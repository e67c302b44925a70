// The weights of sparse features as scoring reads them: those of the model, and what was added to them since for some tags.

import { type Csr, entryOf } from '../../csr.ts';

/** The features that have a weight for a tag, ascending. */
export interface Weighted {
  readonly features: number[];
  readonly weights: number[];
}

/** What was added to the weights of one feature. */
interface Added {
  readonly tags: number[];
  readonly weights: number[];
}

export class FeatureWeights {
  readonly #stored: Csr; // a row for each feature, over tags
  readonly #added = new Map<number, Added>(); // by feature
  readonly #columns = new Map<number, ReadonlyMap<number, number>>(); // by tag, by feature

  constructor(stored: Csr) {
    this.#stored = stored;
  }

  get stored(): Csr {
    return this.#stored;
  }

  /** Adds the weights of a feature, times a factor, to a number for each tag. */
  addTo(out: Float32Array, feature: number, factor: number): void {
    addRowTo(out, this.#stored, feature, factor);
    if (this.#added.size > 0) this.addLearnt(out, feature, factor);
  }

  /** Whether anything was added to the weights of a feature. */
  hasLearnt(feature: number): boolean {
    return this.#added.size > 0 && this.#added.has(feature);
  }

  /** Adds only what was added to its weights. */
  addLearnt(out: Float32Array, feature: number, factor: number): void {
    const added = this.#added.get(feature);
    if (added === undefined) return;
    const { tags, weights } = added;
    for (let i = 0; i < tags.length; i++) out[tags[i]] += factor * weights[i];
  }

  of(feature: number, tag: number): number {
    return entryOf(this.#stored, feature, tag) + (this.#columns.get(tag)?.get(feature) ?? 0);
  }

  /** Of some features, counted from the first of them. */
  columnOf(tag: number, first: number, numFeatures: number): Weighted {
    const [features, weights]: [number[], number[]] = [[], []];
    const added = this.#columns.get(tag);
    for (let feature = 0; feature < numFeatures; feature++) {
      const weight = entryOf(this.#stored, first + feature, tag) + (added?.get(first + feature) ?? 0);
      if (weight === 0) continue;
      features.push(feature);
      weights.push(weight);
    }
    return { features, weights };
  }

  /** Adds weights for a tag, instead of those that were added for it before. */
  add(tag: number, column: ReadonlyMap<number, number>): void {
    for (const feature of this.#columns.get(tag)?.keys() ?? []) this.#remove(feature, tag);
    for (const [feature, weight] of column) {
      const added = this.#added.get(feature) ?? { tags: [], weights: [] };
      added.tags.push(tag);
      added.weights.push(weight);
      this.#added.set(feature, added);
    }
    if (column.size > 0) this.#columns.set(tag, column);
    else this.#columns.delete(tag);
  }

  #remove(feature: number, tag: number): void {
    const added = this.#added.get(feature);
    const place = added?.tags.indexOf(tag) ?? -1;
    if (added === undefined || place < 0) return;
    added.tags.splice(place, 1);
    added.weights.splice(place, 1);
    if (added.tags.length === 0) this.#added.delete(feature);
  }
}

/** Adds a sparse row, times a factor. Four entries at a time: most of what a suggestion takes, and a third less so. */
function addRowTo(out: Float32Array, { rowStart, columns, values }: Csr, row: number, factor: number): void {
  const end = rowStart[row + 1];
  let e = rowStart[row];
  for (; e + 3 < end; e += 4) {
    const a = columns[e];
    const b = columns[e + 1];
    const c = columns[e + 2];
    const d = columns[e + 3];
    out[a] += factor * values[e];
    out[b] += factor * values[e + 1];
    out[c] += factor * values[e + 2];
    out[d] += factor * values[e + 3];
  }
  for (; e < end; e++) out[columns[e]] += factor * values[e];
}
