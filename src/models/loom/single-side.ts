// One of loom's two sets of weights in an engine's memory, ready for one object at a time: the same additions in the same order as
// Side takes them for many, so the same bits.

import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import type { PackedRows, SingleRows, Tiles } from '../../engine/single-rows.ts';
import type { FeatureWeights } from './feature-weights.ts';
import type { Layout } from './loom.ts';
import type { Seen } from './seen.ts';

/** What a side has beside its sparse weights. */
export interface DenseWeights {
  readonly width: number;
  readonly tiles: Tiles | undefined; // (width, numTags); undefined where the width is 0
  readonly base: Float32Array; // (numTags)
  readonly mention: Float32Array; // (numTags)
}

export class SingleSide {
  readonly #kernels: Kernels;
  readonly #rows: SingleRows;
  readonly #packed: PackedRows;
  readonly #features: FeatureWeights;
  readonly #layout: Layout;
  readonly #out: Dense; // (1, numTags)
  readonly #base: Dense; // (1, numTags)
  readonly #dense: Dense; // (1, width): of the object
  #ids = new Int32Array(0); // features of an object, scratch
  #factors = new Float64Array(0);
  #numFeatures = 0;

  private constructor(kernels: Kernels, rows: SingleRows, packed: PackedRows, side: SideParts) {
    this.#kernels = kernels;
    this.#rows = rows;
    this.#packed = packed;
    this.#features = side.features;
    this.#layout = side.layout;
    this.#out = kernels.dense(1, side.numTags);
    this.#base = kernels.dense(1, side.numTags);
    this.#dense = kernels.dense(1, side.width);
  }

  /** Undefined where the engine has no such steps for these weights. */
  static of(kernels: Kernels, side: SideParts): SingleSide | undefined {
    const rows = kernels.singleRows;
    const packed = rows?.packRows(side.features.stored, side.numTags);
    return rows && packed && new SingleSide(kernels, rows, packed, side);
  }

  /** The scores of an object by these weights, in the engine's memory until the next call. */
  score(seen: Seen, weights: DenseWeights): Dense {
    const { width, tiles, base, mention } = weights;
    this.#kernels.write(this.#base, base); // what was learnt may have changed it
    const out = this.#out;
    if (tiles === undefined || width === 0) this.#kernels.fill(out, 0);
    else {
      const row = this.#rows.view(this.#dense);
      row.set(seen.profile);
      row.set(seen.content, seen.profile.length);
      this.#rows.multiplyRow(out, this.#dense, tiles);
    }
    this.#kernels.addBias(out, out, this.#base);
    this.#addSparse(out, seen);
    const scores = this.#rows.view(out);
    for (const [tag, share] of seen.mentions) scores[tag] += share * mention[tag];
    return out;
  }

  release(): void {
    this.#rows.release(this.#packed);
    this.#kernels.release(this.#out, this.#base, this.#dense);
  }

  #addSparse(out: Dense, { tags, means, text }: Seen): void {
    const { neighbours, text: first } = this.#layout;
    this.#numFeatures = 0;
    this.#require(tags.length + means.tags.length + text.features.length);
    if (neighbours > 0) for (let k = 0; k < tags.length; k++) this.#take(out, tags[k], 1);
    for (let k = 0; k < means.tags.length; k++) this.#take(out, neighbours + means.tags[k], means.values[k]);
    for (let k = 0; k < text.features.length; k++) this.#take(out, first + text.features[k], text.values[k]);
    this.#flush(out);
  }

  #require(numFeatures: number): void {
    if (this.#ids.length >= numFeatures) return;
    this.#ids = new Int32Array(2 * numFeatures);
    this.#factors = new Float64Array(2 * numFeatures);
  }

  /** What was learnt of a feature follows what is stored of it, before the next. */
  #take(out: Dense, feature: number, factor: number): void {
    this.#ids[this.#numFeatures] = feature;
    this.#factors[this.#numFeatures++] = factor;
    if (!this.#features.hasLearnt(feature)) return;
    this.#flush(out);
    this.#features.addLearnt(this.#rows.view(out), feature, factor);
  }

  #flush(out: Dense): void {
    const [features, factors] = [
      this.#ids.subarray(0, this.#numFeatures),
      this.#factors.subarray(0, this.#numFeatures),
    ];
    this.#rows.addRows(out, this.#packed, features, factors);
    this.#numFeatures = 0;
  }
}

export interface SideParts {
  readonly features: FeatureWeights;
  readonly layout: Layout;
  readonly numTags: number;
  readonly width: number;
}
