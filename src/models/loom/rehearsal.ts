// How strong the views of loom should be. Part of the pairs is hidden, loom is fitted to the rest, and the strength that finds
// the hidden ones best is kept. The views are looked at and compared once; a fit is then one inverse of products, and says
// K(o, ·) K⁻¹ y_t · c_t of object o and tag t (ridge.ts), which needs no weights. Where there are more than a few
// thousand objects, a part of them is learnt from, and only the strengths of words and of content are chosen: these differ most from
// data to data (names of packages tell their tags, names of bands do not), and few objects tell them as well as many. The
// others go by their defaults there.

import type { Csr } from '../../csr.ts';
import { transposedCsr } from '../../csr.ts';
import { taggedObjects } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import type { Listener } from '../../listener.ts';
import { permutation, Random } from '../../random.ts';
import type { Rehearsal } from '../model-kind.ts';
import type { ScoreTags } from '../scorer.ts';
import { rarityFactors, tagScales } from './problem.ts';
import type { LoomSettings } from './settings.ts';
import { ViewProducts } from './view-products.ts';
import { type Views, viewObjects } from './views.ts';

export interface Rehearsed {
  readonly settings: LoomSettings;
  /** How well hidden pairs were found; undefined where only a part of the objects was learnt from. */
  readonly value: number | undefined;
}

const MAX_ROWS = 2500; // objects: the matrix to invert is no larger
const WORTH = 0.002; // a smaller gain is chance

type Strength = 'wordStrength' | 'contentStrength' | 'profileStrength' | 'neighbourStrength' | 'ownPenalty';
/** Tried one after the other; a step is taken again as long as it pays, upwards first. */
const STEPS: readonly (readonly [Strength, number])[] = [
  ['wordStrength', 4],
  ['contentStrength', 4],
  ['profileStrength', 4],
  ['neighbourStrength', 3],
  ['ownPenalty', 2.5],
];

export async function rehearse(
  kernels: Kernels,
  { train, judged, judge }: Rehearsal,
  { users, content }: Pick<Views, 'users' | 'content'>,
  given: LoomSettings,
  listener: Listener,
): Promise<Rehearsed> {
  const all = taggedObjects(train);
  const order = permutation(all.length, new Random(given.seed, 'objects to rehearse on')).subarray(0, MAX_ROWS);
  const isPart = all.length > MAX_ROWS;
  const learnt = order.map((i) => all[i]).sort();
  const objects = Int32Array.of(...learnt, ...judged);
  const views = { ...(await viewObjects(train, users, objects, given, listener)), content };
  const products = await ViewProducts.of(kernels, views, learnt.length);
  const isTried = (name: Strength) => {
    if (name === 'contentStrength') return content !== undefined;
    return name === 'wordStrength' || !isPart;
  };
  const steps = STEPS.filter(([name]) => isTried(name));
  let numTried = 0;
  const attempt = async (settings: LoomSettings) => {
    const total = 3 * steps.length + 1; // about as many
    listener.progress?.('choosing strengths', Math.min(numTried++, total), total);
    const fit = await RehearsalFit.to(kernels, views, learnt.length, products, settings);
    try {
      return { settings, value: await judge(fit.score) };
    } finally {
      fit.release();
    }
  };
  let best = await attempt(given);
  for (const [name, factor] of steps) {
    for (const step of [factor, 1 / factor]) {
      const before = best;
      for (let pays = true; pays; ) {
        const next = await attempt({ ...best.settings, [name]: best.settings[name] * step });
        pays = next.value > best.value + WORTH;
        if (pays) best = next;
      }
      if (best !== before) break;
    }
  }
  return { settings: best.settings, value: isPart ? undefined : best.value };
}

/** Scores of the objects to judge, whose rows follow those learnt from. */
class RehearsalFit {
  readonly #kernels: Kernels;
  readonly #rowOf: ReadonlyMap<number, number>; // by object
  readonly #products: Float32Array; // (numRows, numLearnt)
  readonly #answers: Dense; // (numTags, numLearnt), K⁻¹ y_t · c_t

  private constructor(kernels: Kernels, objects: Int32Array, products: Float32Array, answers: Dense) {
    this.#kernels = kernels;
    this.#rowOf = new Map(Array.from(objects, (object, row) => [object, row]));
    this.#products = products;
    this.#answers = answers;
  }

  static async to(
    kernels: Kernels,
    { train, objects }: Views,
    numLearnt: number,
    viewProducts: ViewProducts,
    settings: LoomSettings,
  ): Promise<RehearsalFit> {
    const products = await viewProducts.weighted(settings);
    const gram = products.slice(0, numLearnt * numLearnt);
    for (let i = 0; i < numLearnt; i++) gram[i * numLearnt + i] += 1;
    const rowsOf = rowsByTag(train.tagged, objects.subarray(0, numLearnt), train.tags.size);
    const y = kernels.sparse(train.tags.size, numLearnt, rowsOf);
    const [inverse, answers] = [kernels.dense(numLearnt, numLearnt), kernels.dense(train.tags.size, numLearnt)];
    try {
      kernels.write(inverse, gram);
      await kernels.invertSymmetric(inverse);
      kernels.spmm(answers, y, inverse);
      const scales = { own: tagScales(train, settings), rarity: rarityFactors(train, settings) };
      kernels.write(answers, unbiased(await kernels.read(answers), rowsOf, scales));
      return new RehearsalFit(kernels, objects, products, answers);
    } catch (error) {
      kernels.release(answers);
      throw error;
    } finally {
      kernels.release(y, inverse);
    }
  }

  readonly score: ScoreTags = async (objects, scores) => {
    const { cols: numLearnt, rows: numTags } = this.#answers;
    const rows = new Float32Array(objects.length * numLearnt);
    for (const [i, object] of objects.entries()) {
      const start = (this.#rowOf.get(object) as number) * numLearnt;
      rows.set(this.#products.subarray(start, start + numLearnt), i * numLearnt);
    }
    const [left, out] = [this.#kernels.dense(objects.length, numLearnt), this.#kernels.dense(objects.length, numTags)];
    try {
      this.#kernels.write(left, rows);
      this.#kernels.gemm(out, left, this.#answers, { transposeB: true });
      scores.set(await this.#kernels.read(out));
    } finally {
      this.#kernels.release(left, out);
    }
  };

  release(): void {
    this.#kernels.release(this.#answers);
  }
}

/** By tag the rows that have it: ones. */
function rowsByTag(tagged: Views['train']['tagged'], objects: Int32Array, numTags: number): Csr {
  const rowStart = new Int32Array(objects.length + 1);
  for (const [i, object] of objects.entries()) rowStart[i + 1] = rowStart[i] + tagged.rowLength(object);
  const columns = new Int32Array(rowStart[objects.length]);
  for (const [i, object] of objects.entries()) columns.set(tagged.row(object), rowStart[i]);
  return transposedCsr({ rowStart, columns, values: new Float32Array(columns.length).fill(1) }, numTags);
}

/** a_t · c_t, so that no tag speaks for itself. */
function unbiased(
  answers: Float32Array,
  { rowStart, columns }: Csr,
  { own, rarity }: { readonly own: Float32Array; readonly rarity: Float64Array },
): Float32Array {
  const numLearnt = answers.length / own.length;
  for (let t = 0; t < own.length; t++) {
    const row = answers.subarray(t * numLearnt, (t + 1) * numLearnt);
    let agreement = 0;
    for (let e = rowStart[t]; e < rowStart[t + 1]; e++) agreement += row[columns[e]];
    const factor = rarity[t] / Math.max(1 - own[t] * own[t] * agreement, 1e-6);
    for (let i = 0; i < numLearnt; i++) row[i] *= factor;
  }
  return answers;
}
