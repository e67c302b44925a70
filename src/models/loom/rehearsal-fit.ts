// A small fit of loom to try strengths with: from the products of the views, one inverse, and no weights. It says K(o, ·) answers_t
// of object o and tag t (ridge.ts), and what fits that lack an object would say of it. The answers of all tags are never written out:
// K(o, ·) K⁻¹ is one row of numbers, and the score of a tag is the sum of those of its carriers (Last.fm: a quarter of the
// multiplications that the answers of its 9,718 tags took).

import { type Csr, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { difference } from '../ridge/problem.ts';
import type { ScoreTags } from '../scorer.ts';
import { rarityFactors, tagRows, tagScales } from './problem.ts';
import type { LoomSettings } from './settings.ts';
import type { Strengths } from './strengths.ts';
import type { ViewProducts } from './view-products.ts';
import type { Views } from './views.ts';

export interface RehearsalProblem {
  readonly views: Views;
  /** The first objects of the views are learnt from. */
  readonly numLearnt: number;
  readonly products: ViewProducts;
  readonly settings: LoomSettings;
}

/** What is known of the objects learnt from, in terms of tags. */
interface Learnt {
  readonly tags: Csr; // (numLearnt, numTags), y
  /** y less what was expected, where something was. */
  readonly left: Csr | undefined; // (numLearnt, numTags), r
  /** By tag s_t² c_t y_tᵀ K⁻¹ r_t: so much of K⁻¹ y_t is added to K⁻¹ r_t, so that no tag speaks for itself. */
  readonly gains: Float64Array;
}

export class RehearsalFit {
  readonly #kernels: Kernels;
  readonly #problem: RehearsalProblem;
  readonly #strengths: Strengths;
  readonly #products: Float32Array; // (numRows, numLearnt)
  readonly #inverse: Float32Array; // (numLearnt, numLearnt), K⁻¹
  readonly #learnt: Learnt;
  readonly #factors: Float64Array; // by tag

  private constructor(
    kernels: Kernels,
    problem: RehearsalProblem,
    strengths: Strengths,
    found: { readonly products: Float32Array; readonly inverse: Float32Array },
  ) {
    this.#kernels = kernels;
    this.#problem = problem;
    this.#strengths = strengths;
    this.#products = found.products;
    this.#inverse = found.inverse;
    this.#learnt = learntBy(problem, strengths, found.inverse);
    this.#factors = rarityFactors(problem.views.train, problem.settings);
  }

  static async to(kernels: Kernels, problem: RehearsalProblem, strengths: Strengths): Promise<RehearsalFit> {
    const { numLearnt } = problem;
    const products = await problem.products.weighted(strengths);
    const gram = products.slice(0, numLearnt * numLearnt);
    for (let i = 0; i < numLearnt; i++) gram[i * numLearnt + i] += 1;
    const inverse = kernels.dense(numLearnt, numLearnt);
    try {
      kernels.write(inverse, gram);
      await kernels.invertSymmetric(inverse);
      return new RehearsalFit(kernels, problem, strengths, { products, inverse: await kernels.read(inverse) });
    } finally {
      kernels.release(inverse);
    }
  }

  /** Scores of any objects of the views. */
  readonly score: ScoreTags = async (objects, scores) => {
    const { views, numLearnt } = this.#problem;
    const rowOf = new Map(Array.from(views.objects, (object, row) => [object, row]));
    const rows = new Float32Array(objects.length * numLearnt);
    const places = Int32Array.from(objects, (object) => rowOf.get(object) as number);
    for (const [i, row] of places.entries()) {
      rows.set(this.#products.subarray(row * numLearnt, (row + 1) * numLearnt), i * numLearnt);
    }
    this.#say(await this.#timesInverse(rows), places, scores);
  };

  /** What fits without each object learnt from say of it as if it had no tags: (numLearnt, numTags). */
  async scoresWithout(): Promise<Float32Array> {
    return this.#strengths.ownPenalty === undefined ? this.#scoresOfUnknown() : this.#scoresAsUntagged();
  }

  /** y_r − (K⁻¹ r)_r / K⁻¹[r][r]. A function of its own: as a part of one that waits it took twice the time. */
  #scoresOfUnknown(): Float32Array {
    const { views, numLearnt } = this.#problem;
    const numTags = views.train.tags.size;
    const scores = new Float32Array(numLearnt * numTags);
    const said = new Float64Array(numTags); // sums in Float32Array take longer
    for (let i = 0; i < numLearnt; i++) {
      const inverse = this.#inverse.subarray(i * numLearnt, (i + 1) * numLearnt);
      said.fill(0);
      addRows(said, this.#learnt.left ?? this.#learnt.tags, inverse);
      for (let t = 0; t < numTags; t++) said[t] /= -inverse[i];
      for (const tag of views.train.tagged.row(views.objects[i])) said[tag] += 1;
      for (let t = 0, at = i * numTags; t < numTags; t++, at++) scores[at] = said[t] * this.#factors[t];
    }
    return scores;
  }

  /** With k the products of an object's features but for own tags, and r its row: kᵀa − (kᵀK⁻¹e_r) a_r / K⁻¹[r][r]. */
  async #scoresAsUntagged(): Promise<Float32Array> {
    const { views, numLearnt, products } = this.#problem;
    const bare = await products.weighted({ ...this.#strengths, ownPenalty: undefined });
    const rows = await this.#timesInverse(bare.subarray(0, numLearnt * numLearnt));
    for (let i = 0; i < numLearnt; i++) {
      const [first, end] = [i * numLearnt, (i + 1) * numLearnt];
      const factor = rows[first + i] / this.#inverse[first + i];
      for (let at = first; at < end; at++) rows[at] -= factor * this.#inverse[at];
    }
    const scores = new Float32Array(numLearnt * views.train.tags.size);
    this.#say(
      rows,
      Int32Array.from({ length: numLearnt }, (_, i) => i),
      scores,
    );
    return scores;
  }

  /** Rows over the objects learnt from, times K⁻¹. */
  async #timesInverse(rows: Float32Array): Promise<Float32Array> {
    const { numLearnt } = this.#problem;
    const numRows = rows.length / Math.max(1, numLearnt);
    const kernels = this.#kernels;
    const [left, out] = [kernels.dense(numRows, numLearnt), kernels.dense(numRows, numLearnt)];
    const inverse = kernels.dense(numLearnt, numLearnt);
    try {
      kernels.write(left, rows);
      kernels.write(inverse, this.#inverse);
      kernels.gemm(out, left, inverse);
      return await kernels.read(out);
    } finally {
      kernels.release(left, out, inverse);
    }
  }

  /** Scores from K(o, ·) K⁻¹ of objects, with what is expected of tags that are named; common ones are held back. */
  #say(rows: Float32Array, places: Int32Array, scores: Float32Array): void {
    const { views, numLearnt } = this.#problem;
    const { tags, left, gains } = this.#learnt;
    const { mention } = this.#strengths;
    const { rowStart, columns, values } = views.mentions;
    const numTags = gains.length;
    const said = new Float64Array(numTags);
    for (const [i, place] of places.entries()) {
      const row = rows.subarray(i * numLearnt, (i + 1) * numLearnt);
      said.fill(0);
      addRows(said, tags, row);
      for (let t = 0; t < numTags; t++) said[t] *= left ? gains[t] : 1 + gains[t];
      if (left) addRows(said, left, row);
      for (let e = left ? rowStart[place] : 0; left && e < rowStart[place + 1]; e++) {
        said[columns[e]] += mention * values[e];
      }
      for (let t = 0, at = i * numTags; t < numTags; t++, at++) scores[at] = said[t] * this.#factors[t];
    }
  }
}

function learntBy(
  { views, numLearnt, settings }: RehearsalProblem,
  strengths: Strengths,
  inverse: Float32Array,
): Learnt {
  const { train, objects, mentions } = views;
  const { mention, ownPenalty } = strengths;
  const numTags = train.tags.size;
  const tags = tagRows(train, objects.subarray(0, numLearnt));
  const left = mention > 0 ? difference(tags, expectedOf(mentions, numLearnt, mention)) : undefined;
  const gains = new Float64Array(numTags);
  if (ownPenalty === undefined) return { tags, left, gains };
  const scales = tagScales(train, ownPenalty, settings);
  const own = transposedCsr(tags, numTags);
  const agreements = agreementsBetween(own, own, inverse);
  const ofLeft = left ? agreementsBetween(own, transposedCsr(left, numTags), inverse) : agreements;
  for (let t = 0; t < numTags; t++) {
    const square = scales[t] ** 2;
    gains[t] = (square * ofLeft[t]) / Math.max(1 - square * agreements[t], 1e-6);
  }
  return { tags, left, gains };
}

/** By object learnt from and tag, the share of its words that is written, times a factor. */
function expectedOf({ rowStart, columns, values }: Csr, numLearnt: number, factor: number): Csr {
  const numEntries = rowStart[numLearnt];
  return {
    rowStart: rowStart.subarray(0, numLearnt + 1),
    columns: columns.subarray(0, numEntries),
    values: values.subarray(0, numEntries).map((value) => value * factor),
  };
}

/** By row of both, aᵀ K⁻¹ b. */
function agreementsBetween(a: Csr, b: Csr, inverse: Float32Array): Float64Array {
  const size = Math.sqrt(inverse.length);
  const sums = new Float64Array(a.rowStart.length - 1);
  for (let t = 0; t < sums.length; t++) {
    let sum = 0;
    for (let i = a.rowStart[t]; i < a.rowStart[t + 1]; i++) {
      const first = a.columns[i] * size;
      let ofRow = 0;
      for (let j = b.rowStart[t]; j < b.rowStart[t + 1]; j++) ofRow += b.values[j] * inverse[first + b.columns[j]];
      sum += a.values[i] * ofRow;
    }
    sums[t] = sum;
  }
  return sums;
}

/** out += Σ factors[r] · row r. */
function addRows(out: Float64Array, { rowStart, columns, values }: Csr, factors: Float32Array): void {
  for (let r = 0; r < factors.length; r++) {
    const factor = factors[r];
    for (let e = rowStart[r]; e < rowStart[r + 1]; e++) out[columns[e]] += factor * values[e];
  }
}
