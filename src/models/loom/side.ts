// One of loom's two sets of weights at work: scores of objects from what is seen of them.

import type { Kernels } from '../../engine/kernels.ts';
import type { Dense, Sparse } from '../../engine/matrix.ts';
import { FeatureWeights } from './feature-weights.ts';
import { type Layout, type Loom, type LoomWeights, layoutOf } from './loom.ts';
import type { SharedWords } from './shared-words.ts';
import { type TextRow, textWidth } from './text-space.ts';

/** What loom sees of an object. */
export interface Seen {
  /** Where the data has it. */
  readonly object?: number | undefined;
  readonly tags: ArrayLike<number>;
  readonly numUsers: number;
  /** The mean of each tag over its neighbours, where it is not 0. */
  readonly means: TagMeans;
  readonly text: TextRow;
  /** By tag the share of its own words that are written. */
  readonly mentions: ReadonlyMap<number, number>;
  readonly profile: Float32Array;
  readonly content: Float32Array;
}

/** What is added to the weights for a tag. */
export interface TagChange {
  readonly sparse: ReadonlyMap<number, number>; // by feature
  readonly dense: Float64Array; // profile, content, base
}

/** Numbers of some tags, each once, in the order they were met. */
export interface TagMeans {
  readonly tags: readonly number[];
  readonly values: readonly number[];
}

export class Side {
  readonly layout: Layout;
  readonly features: FeatureWeights;
  readonly #kernels: Kernels;
  readonly #given: LoomWeights;
  #weights: LoomWeights; // with what was learnt since, but of sparse features
  #isWritten = false;
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
    this.#given = weights;
    this.#weights = weights;
    this.layout = layoutOf(numTags, textWidth(text), own);
    this.features = new FeatureWeights(weights.sparse);
    this.#kernels = kernels;
    this.#shared = weights.squares && shared;
    this.#width = profile.width + (content?.width ?? 0) + (this.#shared?.numObjects ?? 0);
    this.#dense = kernels.dense(this.#width, numTags);
    this.#write();
  }

  /** Those of sparse features are in `features`. */
  get weights(): LoomWeights {
    return this.#weights;
  }

  /** Adds to the weights for a tag, instead of what was added for it before. */
  learn(tag: number, { sparse, dense }: TagChange): void {
    this.features.add(tag, sparse);
    const given = this.#given;
    if (this.#weights === given) {
      const copies = { profile: given.profile.slice(), content: given.content.slice(), base: given.base.slice() };
      this.#weights = { ...given, ...copies };
    }
    const numTags = given.base.length;
    let at = 0;
    for (const part of ['profile', 'content', 'base'] as const) {
      for (let i = tag; i < given[part].length; i += numTags) this.#weights[part][i] = given[part][i] + dense[at++];
    }
    this.#isWritten = false;
  }

  /** A row of scores for each of the objects. */
  async score(objects: readonly Seen[]): Promise<Float32Array> {
    const { base, mention } = this.weights;
    const numTags = base.length;
    const scores = await this.#scoreDense(objects);
    for (const [i, { tags, means, text, mentions }] of objects.entries()) {
      const row = scores.subarray(i * numTags, (i + 1) * numTags);
      addTo(row, base);
      if (this.layout.neighbours > 0) for (let k = 0; k < tags.length; k++) this.#add(row, tags[k], 1);
      const [ofNeighbours, ofText] = [this.layout.neighbours, this.layout.text];
      for (let k = 0; k < means.tags.length; k++) this.#add(row, ofNeighbours + means.tags[k], means.values[k]);
      for (let k = 0; k < text.features.length; k++) this.#add(row, ofText + text.features[k], text.values[k]);
      for (const [tag, share] of mentions) row[tag] += share * mention[tag];
    }
    return scores;
  }

  release(): void {
    this.#kernels.release(this.#dense);
    if (this.#single) this.#kernels.release(this.#single.row, this.#single.out);
  }

  #add(row: Float32Array, feature: number, factor: number): void {
    this.features.addTo(row, feature, factor);
  }

  #write(): void {
    const { profile, content, base, squares } = this.#weights;
    const all = new Float32Array(this.#width * base.length);
    let at = 0;
    for (const one of [profile, content, ...(squares ? [squares.answers] : [])]) {
      all.set(one, at);
      at += one.length;
    }
    this.#kernels.write(this.#dense, all);
    this.#isWritten = true;
  }

  async #scoreDense(objects: readonly Seen[]): Promise<Float32Array> {
    if (!this.#isWritten) this.#write();
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

function addTo(out: Float32Array, values: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] += values[i];
}
