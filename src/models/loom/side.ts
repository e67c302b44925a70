// One of loom's two sets of weights at work: scores of objects from what is seen of them.

import type { Kernels } from '../../engine/kernels.ts';
import type { Dense, Sparse } from '../../engine/matrix.ts';
import { type Layout, type Loom, type LoomWeights, layoutOf } from './loom.ts';
import type { SharedWords } from './shared-words.ts';
import { type TextRow, textWidth } from './text-space.ts';

/** What loom sees of an object. */
export interface Seen {
  /** Where the data has it. */
  readonly object?: number | undefined;
  readonly tags: ArrayLike<number>;
  readonly numUsers: number;
  /** The mean of each tag over its neighbours. */
  readonly means: ReadonlyMap<number, number>;
  readonly text: TextRow;
  /** By tag the share of its own words that are written. */
  readonly mentions: ReadonlyMap<number, number>;
  readonly profile: Float32Array;
  readonly content: Float32Array;
}

export class Side {
  readonly weights: LoomWeights;
  readonly layout: Layout;
  readonly #kernels: Kernels;
  readonly #shared: SharedWords | undefined; // where products of words count
  readonly #width: number; // of profile, content and shared words together
  readonly #dense: Dense; // (width, numTags)
  #single: { readonly row: Sparse; readonly out: Dense } | undefined; // for one object at a time

  constructor(
    kernels: Kernels,
    { profile, content, text }: Loom,
    weights: LoomWeights,
    own: boolean,
    shared?: SharedWords,
  ) {
    const numTags = weights.base.length;
    this.weights = weights;
    this.layout = layoutOf(numTags, textWidth(text), own);
    this.#kernels = kernels;
    this.#shared = weights.squares && shared;
    const numbers = [weights.profile, weights.content, ...(weights.squares ? [weights.squares.answers] : [])];
    this.#width = profile.width + (content?.width ?? 0) + (this.#shared?.numObjects ?? 0);
    this.#dense = kernels.dense(this.#width, numTags);
    const all = new Float32Array(this.#width * numTags);
    let at = 0;
    for (const one of numbers) {
      all.set(one, at);
      at += one.length;
    }
    kernels.write(this.#dense, all);
  }

  /** A row of scores for each of the objects. */
  async score(objects: readonly Seen[]): Promise<Float32Array> {
    const { base, mention } = this.weights;
    const numTags = base.length;
    const scores = await this.#scoreDense(objects);
    for (const [i, { tags, means, text, mentions }] of objects.entries()) {
      const row = scores.subarray(i * numTags, (i + 1) * numTags);
      for (let t = 0; t < numTags; t++) row[t] += base[t];
      if (this.layout.neighbours > 0) for (let k = 0; k < tags.length; k++) this.#add(row, tags[k], 1);
      for (const [tag, mean] of means) this.#add(row, this.layout.neighbours + tag, mean);
      for (let k = 0; k < text.features.length; k++)
        this.#add(row, this.layout.text + text.features[k], text.values[k]);
      for (const [tag, share] of mentions) row[tag] += share * mention[tag];
    }
    return scores;
  }

  release(): void {
    this.#kernels.release(this.#dense);
    if (this.#single) this.#kernels.release(this.#single.row, this.#single.out);
  }

  #add(row: Float32Array, feature: number, factor: number): void {
    const { rowStart, columns, values } = this.weights.sparse;
    for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) row[columns[e]] += factor * values[e];
  }

  async #scoreDense(objects: readonly Seen[]): Promise<Float32Array> {
    const numTags = this.weights.base.length;
    if (this.#width === 0 || numTags === 0) return new Float32Array(objects.length * numTags);
    const rows = new Float32Array(objects.length * this.#width);
    for (const [i, seen] of objects.entries()) this.#fill(rows.subarray(i * this.#width, (i + 1) * this.#width), seen);
    if (objects.length === 1) return this.#multiplyOne(rows);
    const [left, out] = [
      this.#kernels.dense(objects.length, this.#width),
      this.#kernels.dense(objects.length, numTags),
    ];
    try {
      this.#kernels.write(left, rows);
      this.#kernels.gemm(out, left, this.#dense);
      return await this.#kernels.read(out);
    } finally {
      this.#kernels.release(left, out);
    }
  }

  #fill(row: Float32Array, { profile, content, text }: Seen): void {
    row.set(profile);
    row.set(content, profile.length);
    const { squares } = this.weights;
    if (squares) this.#shared?.addSquares(row.subarray(profile.length + content.length), text, squares.strengths);
  }

  /** A sparse row without gaps: a product of dense ones would first copy all weights to where it reads them fast. */
  #multiplyOne(dense: Float32Array): Promise<Float32Array> {
    const width = this.#width;
    this.#single ??= {
      row: this.#kernels.sparse(1, width, {
        rowStart: Int32Array.of(0, width),
        columns: Int32Array.from(dense.keys()),
        values: dense,
      }),
      out: this.#kernels.dense(1, this.weights.base.length),
    };
    const { row, out } = this.#single;
    this.#kernels.write(row.values, dense);
    this.#kernels.spmm(out, row, this.#dense);
    return this.#kernels.read(out);
  }
}
