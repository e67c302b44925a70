// A small fit of loom to try strengths with: from the products of the views, one inverse, and no weights. It says K(o, ·) answers_t
// of object o and tag t (ridge.ts), and what fits that lack an object would say of it.

import { type Csr, transposedCsr } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import { transposed } from '../../engine/numerics/dense.ts';
import { rightSides } from '../ridge/problem.ts';
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

export class RehearsalFit {
  readonly #kernels: Kernels;
  readonly #problem: RehearsalProblem;
  readonly #strengths: Strengths;
  readonly #products: Float32Array; // (numRows, numLearnt)
  readonly #answers: Float32Array; // (numTags, numLearnt)
  readonly #inverse: Float32Array; // (numLearnt, numLearnt), K⁻¹

  private constructor(
    kernels: Kernels,
    problem: RehearsalProblem,
    strengths: Strengths,
    found: { readonly products: Float32Array; readonly answers: Float32Array; readonly inverse: Float32Array },
  ) {
    this.#kernels = kernels;
    this.#problem = problem;
    this.#strengths = strengths;
    this.#products = found.products;
    this.#answers = found.answers;
    this.#inverse = found.inverse;
  }

  static async to(kernels: Kernels, problem: RehearsalProblem, strengths: Strengths): Promise<RehearsalFit> {
    const { views, numLearnt } = problem;
    const products = await problem.products.weighted(strengths);
    const gram = products.slice(0, numLearnt * numLearnt);
    for (let i = 0; i < numLearnt; i++) gram[i * numLearnt + i] += 1;
    const inverse = kernels.dense(numLearnt, numLearnt);
    try {
      kernels.write(inverse, gram);
      await kernels.invertSymmetric(inverse);
      const targets = tagRows(views.train, views.objects.subarray(0, numLearnt));
      const y = transposedCsr(targets, views.train.tags.size);
      const answers = await solved(kernels, inverse, y);
      const { mention } = strengths;
      const prior = {
        ...firstRows(views.mentions, numLearnt),
        values: views.mentions.values.map((one) => one * mention),
      };
      const right = mention > 0 && rightSides({ targets, prior, numTargets: views.train.tags.size });
      const left = right ? await solved(kernels, inverse, right) : undefined;
      unbias(answers, left, y, ownScales(problem, strengths));
      const found = { products, answers: left ?? answers, inverse: await kernels.read(inverse) };
      return new RehearsalFit(kernels, problem, strengths, found);
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
    scores.set(await this.#scored(rows));
    this.#finish(scores, places);
  };

  /** What fits without each object learnt from say of it as if it had no tags: (numLearnt, numTags). */
  async scoresWithout(): Promise<Float32Array> {
    if (this.#strengths.ownPenalty !== undefined) return this.#scoresAsUntagged();
    const { views, numLearnt, settings } = this.#problem;
    const numTags = views.train.tags.size;
    const scores = transposed(this.#answers, numTags);
    for (let i = 0, at = 0; i < numLearnt; i++) {
      for (let t = 0; t < numTags; t++, at++) scores[at] = -scores[at] / this.#inverse[i * numLearnt + i];
      for (const tag of views.train.tagged.row(views.objects[i])) scores[i * numTags + tag] += 1;
    }
    const factors = rarityFactors(views.train, settings);
    for (let at = 0; at < scores.length; at++) scores[at] *= factors[at % numTags];
    return scores;
  }

  /** With k the products of an object's features but for own tags, and r its row: kᵀa − (kᵀK⁻¹e_r) a_r / K⁻¹[r][r]. */
  async #scoresAsUntagged(): Promise<Float32Array> {
    const { views, numLearnt, products } = this.#problem;
    const numTags = views.train.tags.size;
    const bare = await products.weighted({ ...this.#strengths, ownPenalty: undefined });
    const rows = bare.subarray(0, numLearnt * numLearnt);
    const scores = await this.#scored(rows);
    for (let i = 0; i < numLearnt; i++) {
      let reach = 0;
      for (let at = i * numLearnt; at < (i + 1) * numLearnt; at++) reach += rows[at] * this.#inverse[at];
      const factor = reach / this.#inverse[i * numLearnt + i];
      for (let t = 0; t < numTags; t++) scores[i * numTags + t] -= factor * this.#answers[t * numLearnt + i];
    }
    this.#finish(
      scores,
      Int32Array.from({ length: numLearnt }, (_, i) => i),
    );
    return scores;
  }

  /** Products of features with those learnt from, times the answers. */
  async #scored(rows: Float32Array): Promise<Float32Array> {
    const { views, numLearnt } = this.#problem;
    const numTags = views.train.tags.size;
    const numRows = rows.length / Math.max(1, numLearnt);
    const kernels = this.#kernels;
    const [left, out] = [kernels.dense(numRows, numLearnt), kernels.dense(numRows, numTags)];
    const answers = kernels.dense(numTags, numLearnt);
    try {
      kernels.write(left, rows);
      kernels.write(answers, this.#answers);
      kernels.gemm(out, left, answers, { transposeB: true });
      return await kernels.read(out);
    } finally {
      kernels.release(left, out, answers);
    }
  }

  /** Adds what is expected of tags that are named, and holds common ones back. */
  #finish(scores: Float32Array, rows: Int32Array): void {
    const { views, settings } = this.#problem;
    const numTags = views.train.tags.size;
    const { rowStart, columns, values } = views.mentions;
    const { mention } = this.#strengths;
    for (const [i, row] of mention > 0 ? rows.entries() : []) {
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) scores[i * numTags + columns[e]] += mention * values[e];
    }
    const factors = rarityFactors(views.train, settings);
    for (let at = 0; at < rows.length * numTags; at++) scores[at] *= factors[at % numTags];
  }
}

function ownScales({ views, settings }: RehearsalProblem, { ownPenalty }: Strengths): Float32Array {
  const numTags = views.train.tags.size;
  return ownPenalty === undefined ? new Float32Array(numTags) : tagScales(views.train, ownPenalty, settings);
}

function firstRows({ rowStart, columns, values }: Csr, numRows: number): Csr {
  return { rowStart: rowStart.subarray(0, numRows + 1), columns: columns.subarray(0, rowStart[numRows]), values };
}

/** Row t: K⁻¹ times row t of the right. */
async function solved(kernels: Kernels, inverse: Dense, right: Csr): Promise<Float32Array> {
  const numRows = right.rowStart.length - 1;
  const [sparse, out] = [kernels.sparse(numRows, inverse.rows, right), kernels.dense(numRows, inverse.cols)];
  try {
    kernels.spmm(out, sparse, inverse);
    return await kernels.read(out);
  } finally {
    kernels.release(sparse, out);
  }
}

/** So that no tag speaks for itself: a_t becomes c_t a_t or, where something was expected, `left` gains what it lacks. */
function unbias(a: Float32Array, left: Float32Array | undefined, y: Csr, own: Float32Array): void {
  const numLearnt = a.length / Math.max(1, own.length);
  for (let t = 0; t < own.length; t++) {
    const agreementOf = (answers: Float32Array) => {
      let sum = 0;
      for (let e = y.rowStart[t]; e < y.rowStart[t + 1]; e++) sum += answers[t * numLearnt + y.columns[e]];
      return sum;
    };
    const square = own[t] * own[t];
    const factor = 1 / Math.max(1 - square * agreementOf(a), 1e-6);
    const gain = left ? square * factor * agreementOf(left) : 0;
    for (let at = t * numLearnt; at < (t + 1) * numLearnt; at++) {
      if (left) left[at] += gain * a[at];
      else a[at] *= factor;
    }
  }
}
