// One of loom's two sets of weights at work: scores of objects from what is seen of them.

import type { Kernels } from '../../engine/kernels.ts';
import type { Dense, Sparse } from '../../engine/matrix.ts';
import type { Tiles } from '../../engine/single-rows.ts';
import { FeatureWeights } from './feature-weights.ts';
import { type Layout, type Loom, type LoomWeights, layoutOf } from './loom.ts';
import type { Seen } from './seen.ts';
import type { SharedWords } from './shared-words.ts';
import { SingleSide } from './single-side.ts';
import { textWidth } from './text-space.ts';

/** What is added to the weights for a tag. */
export interface TagChange {
  readonly sparse: ReadonlyMap<number, number>; // by feature
  readonly dense: Float64Array; // profile, content, base
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
  #dense: { readonly plain?: Dense; readonly tiles?: Tiles } = {}; // (width, numTags): in tiles where the engine takes single rows
  #one: SingleSide | undefined; // for one object at a time, where the engine has steps for that
  #single: { readonly row: Sparse; readonly out: Dense } | undefined; // likewise where it has none

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
    this.#write();
    if (weights.squares !== undefined || numTags === 0) return;
    const { features, layout } = this;
    this.#one = SingleSide.of(kernels, { features, layout, numTags, width: this.#width });
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

  /** Whether it scores one object at a time without waiting. */
  get takesOne(): boolean {
    return this.#one !== undefined;
  }

  /** The scores of one object, in the engine's memory until the next call. */
  scoreOne(seen: Seen): Dense {
    if (this.#one === undefined) throw new Error('The engine has no steps for one object.');
    if (!this.#isWritten) this.#write();
    const { base, mention } = this.#weights;
    return this.#one.score(seen, { width: this.#width, tiles: this.#dense.tiles, base, mention });
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
    this.#releaseDense();
    this.#one?.release();
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
    this.#releaseDense();
    const plain = this.#kernels.dense(this.#width, base.length);
    this.#kernels.write(plain, all);
    const tiles = this.#width > 0 ? this.#kernels.singleRows?.tiles(plain) : undefined;
    if (tiles) this.#kernels.release(plain);
    this.#dense = tiles ? { tiles } : { plain };
    this.#isWritten = true;
  }

  #releaseDense(): void {
    const { plain, tiles } = this.#dense;
    if (plain) this.#kernels.release(plain);
    if (tiles) this.#kernels.singleRows?.release(tiles);
    this.#dense = {};
  }

  /** out = left · the dense weights */
  #multiply(out: Dense, left: Dense): void {
    const { plain, tiles } = this.#dense;
    if (tiles) this.#kernels.singleRows?.multiply(out, left, tiles);
    else if (plain) this.#kernels.gemm(out, left, plain);
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
      this.#multiply(out, left);
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

  /** Without copying all weights to where a product of matrices reads them fast. */
  #multiplyOne(dense: Float32Array): Promise<Float32Array> {
    const [width, { plain, tiles }] = [this.#width, this.#dense];
    // a sparse row without gaps
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
    if (tiles) this.#kernels.singleRows?.multiplyRow(out, row.values, tiles);
    else if (plain) this.#kernels.spmm(out, row, plain);
    return this.#kernels.read(out);
  }
}

function addTo(out: Float32Array, values: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] += values[i];
}
