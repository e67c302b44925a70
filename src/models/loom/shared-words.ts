// How much the texts of tagged objects share with a text, part by part: what products of words are scored by.

import { type Csr, transposedCsr } from '../../csr.ts';
import { type KnowledgeGraph, taggedObjects } from '../../data/knowledge-graph.ts';
import type { TextRow, TextSpace } from './text-space.ts';

export class SharedWords {
  readonly #space: TextSpace;
  readonly #postings: Csr; // from features to tagged objects, in their order
  readonly numObjects: number;

  constructor(space: TextSpace, train: KnowledgeGraph) {
    const objects = taggedObjects(train);
    this.#space = space;
    this.#postings = transposedCsr(space.rowsOf(train, objects), space.width);
    this.numObjects = objects.length;
  }

  /** Whether a feature belongs to a part of the text. */
  isIn(feature: number, part: number): boolean {
    return feature >= this.#space.starts[part] && feature < this.#space.starts[part + 1];
  }

  /** By tagged object the product of both texts in one part. */
  products({ features, values }: TextRow, part: number): Float64Array {
    const { rowStart, columns, values: others } = this.#postings;
    const products = new Float64Array(this.numObjects);
    for (let i = 0; i < features.length; i++) {
      const feature = features[i];
      if (!this.isIn(feature, part)) continue;
      const value = values[i];
      for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) products[columns[e]] += value * others[e];
    }
    return products;
  }

  /** Adds strength · product² of each part, by tagged object. */
  addSquares(out: Float32Array, row: TextRow, strengths: Float32Array): void {
    for (const [part, strength] of strengths.entries()) {
      if (strength === 0) continue;
      const products = this.products(row, part);
      for (let i = 0; i < products.length; i++) out[i] += strength * products[i] * products[i];
    }
  }

  /** The sum over tagged objects of their number of the text's feature times a weight. */
  sum(feature: number, weights: Float64Array): number {
    const { rowStart, columns, values } = this.#postings;
    let sum = 0;
    for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) sum += values[e] * weights[columns[e]];
    return sum;
  }
}
