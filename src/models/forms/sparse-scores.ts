// What a propagation model leaves: for each object its best tags, with their scores. All other tags score 0, and so do the tags
// it has. An object that no tag came to gets popular ones (fallback.ts).

import type { Csr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { largest } from '../../engine/numerics/top-k.ts';
import { checkedSize } from '../../size-limits.ts';
import { rowByRow, type Scorer } from '../scorer.ts';
import { csrToTensors, type TensorEntry, type TensorReader } from '../tensors.ts';
import { popularityShares } from './fallback.ts';

/** Objects by tags; scores are positive. */
export interface SparseScores extends Csr {
  readonly form: 'scores';
}

export function sparseScorer({ rowStart, columns, values }: SparseScores, train: KnowledgeGraph): Scorer {
  const popular = popularityShares(train);
  return {
    floor: 0,
    score: rowByRow(train.tags.size, (object, row) => {
      row.fill(0);
      for (let e = rowStart[object]; e < rowStart[object + 1]; e++) row[columns[e]] = values[e];
      if (rowStart[object] === rowStart[object + 1]) row.set(popular);
    }),
    // without the fallback: a popular tag is not missing from every object
    async scoreObjects(tag) {
      const column = new Float32Array(train.objects.size);
      for (let object = 0; object < column.length; object++) {
        for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
          if (columns[e] === tag) column[object] = values[e];
        }
      }
      return column;
    },
    release() {},
  };
}

/** Keeps the best tags of each object while blocks of tags come by; of equal scores the smaller tag. */
export class BestTags {
  readonly #train: KnowledgeGraph;
  readonly #most: number;
  readonly #tags: Int32Array[]; // by object, at most `most` in no order
  readonly #scoresOf: Float32Array[]; // by object, beside its tags
  readonly #scores: Float32Array; // (numTags) scratch

  constructor(train: KnowledgeGraph, most: number) {
    this.#train = train;
    this.#most = Math.min(most, train.tags.size);
    this.#tags = Array.from({ length: train.objects.size }, () => new Int32Array(0));
    this.#scoresOf = this.#tags.map(() => new Float32Array(0));
    this.#scores = new Float32Array(train.tags.size);
  }

  /** `scores`: (numObjects, width), of the tags from `firstTag` on. */
  add(firstTag: number, width: number, scores: Float32Array): void {
    const { tagged } = this.#train;
    for (let object = 0; object < this.#tags.length; object++) {
      const found: number[] = [];
      for (let i = 0; i < width; i++) {
        if (scores[object * width + i] > 0 && !tagged.has(object, firstTag + i)) found.push(i);
      }
      if (found.length === 0) continue;
      const tags = Int32Array.of(...this.#tags[object], ...found.map((i) => firstTag + i));
      const keys = Float32Array.of(...this.#scoresOf[object], ...found.map((i) => scores[object * width + i]));
      for (const [i, tag] of tags.entries()) this.#scores[tag] = keys[i];
      this.#tags[object] = largest(tags, keys, this.#most);
      this.#scoresOf[object] = Float32Array.from(this.#tags[object], (tag) => this.#scores[tag]);
    }
  }

  finish(): SparseScores {
    const size = this.#tags.reduce((sum, { length }) => sum + length, 0);
    checkedSize('entries', size, 'scores to keep');
    const rowStart = new Int32Array(this.#tags.length + 1);
    for (const [object, { length }] of this.#tags.entries()) rowStart[object + 1] = rowStart[object] + length;
    const columns = new Int32Array(size);
    const values = new Float32Array(columns.length);
    for (const [object, tags] of this.#tags.entries()) {
      for (const [i, tag] of tags.entries()) this.#scores[tag] = this.#scoresOf[object][i];
      columns.set(tags.toSorted(), rowStart[object]);
      for (let e = rowStart[object]; e < rowStart[object + 1]; e++) values[e] = this.#scores[columns[e]];
    }
    return { form: 'scores', rowStart, columns, values };
  }
}

export function sparseScoresToTensors(scores: SparseScores): TensorEntry[] {
  return csrToTensors('scores', scores);
}

export function sparseScoresFromTensors(tensors: TensorReader, { objects, tags }: KnowledgeGraph): SparseScores {
  return { form: 'scores', ...tensors.csr('scores', objects.size, tags.size) };
}
