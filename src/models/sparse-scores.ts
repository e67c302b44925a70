// What a propagation model leaves: for each object its best tags, with their scores. All other tags score 0, and so do the
// tags it has.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { rowByRow, type Scorer } from './score-tags.ts';

export interface SparseScores {
  readonly form: 'scores';
  readonly rowStart: Int32Array; // (numObjects + 1)
  readonly columns: Int32Array; // tags, ascending in a row
  readonly values: Float32Array; // positive
}

export function sparseScorer({ rowStart, columns, values }: SparseScores, train: KnowledgeGraph): Scorer {
  return {
    floor: 0,
    score: rowByRow(train.tags.size, (object, row) => {
      row.fill(0);
      for (let e = rowStart[object]; e < rowStart[object + 1]; e++) row[columns[e]] = values[e];
    }),
    release() {},
  };
}

/** Keeps the best tags of each object while blocks of tags come by, in ascending order; of equal scores the first. */
export class BestTags {
  readonly #train: KnowledgeGraph;
  readonly #most: number;
  readonly #numKept: Int32Array; // (numObjects)
  readonly #tags: Int32Array; // (numObjects, most), from best to worst
  readonly #scores: Float32Array; // (numObjects, most)

  constructor(train: KnowledgeGraph, most: number) {
    this.#train = train;
    this.#most = Math.min(most, train.tags.size);
    this.#numKept = new Int32Array(train.objects.size);
    this.#tags = new Int32Array(train.objects.size * this.#most);
    this.#scores = new Float32Array(train.objects.size * this.#most);
  }

  /** `scores`: (numObjects, width), of the tags from `firstTag` on. */
  add(firstTag: number, width: number, scores: Float32Array): void {
    const { tagged } = this.#train;
    for (let object = 0; object < this.#numKept.length; object++) {
      let least = this.#leastOf(object);
      for (let i = 0; i < width; i++) {
        const score = scores[object * width + i];
        if (score <= least || tagged.has(object, firstTag + i)) continue;
        this.#insert(object, firstTag + i, score);
        least = this.#leastOf(object);
      }
    }
  }

  /** What a score must exceed to be kept. */
  #leastOf(object: number): number {
    return this.#numKept[object] < this.#most ? 0 : this.#scores[(object + 1) * this.#most - 1];
  }

  #insert(object: number, tag: number, score: number): void {
    const first = object * this.#most;
    if (this.#numKept[object] < this.#most) this.#numKept[object]++;
    let at = first + this.#numKept[object] - 1;
    for (; at > first && this.#scores[at - 1] < score; at--) {
      this.#tags[at] = this.#tags[at - 1];
      this.#scores[at] = this.#scores[at - 1];
    }
    this.#tags[at] = tag;
    this.#scores[at] = score;
  }

  finish(): SparseScores {
    const rowStart = new Int32Array(this.#numKept.length + 1);
    for (const [object, kept] of this.#numKept.entries()) rowStart[object + 1] = rowStart[object] + kept;
    const columns = new Int32Array(rowStart[this.#numKept.length]);
    const values = new Float32Array(columns.length);
    const scoreOf = new Float32Array(this.#train.tags.size);
    for (const [object, kept] of this.#numKept.entries()) {
      const first = object * this.#most;
      for (let i = first; i < first + kept; i++) scoreOf[this.#tags[i]] = this.#scores[i];
      const sorted = this.#tags.slice(first, first + kept).sort();
      columns.set(sorted, rowStart[object]);
      for (let i = 0; i < kept; i++) values[rowStart[object] + i] = scoreOf[sorted[i]];
    }
    return { form: 'scores', rowStart, columns, values };
  }
}
