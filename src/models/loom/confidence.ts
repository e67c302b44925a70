// How sure loom may be, from the fits themselves: what fits that do not know of a tag, one by one, would have suggested. As if a
// fifth of all tags were hidden, one in four of an object's tags counts as one to be found, and the others as known. For objects
// without tags, fits without the object tell. Where a fit cannot tell that, some objects are kept out of it.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { permutation, Random } from '../../random.ts';
import { MISSING_SHARE, NUM_JUDGED, type Outcome } from '../confidence.ts';
import type { Ridge } from '../ridge/solution.ts';
import { topTags } from '../scorer.ts';
import { type Loom, shareOf } from './loom.ts';
import { LoomScorer } from './score.ts';
import type { Views } from './views.ts';

const MAX_OBJECTS = 2500;
const BLOCK = 256;

/** Hears what both fits say, one after the other, and tells what became of it. */
export class Judging {
  readonly #views: Views;
  readonly #mixing: readonly number[];
  readonly #factors: Float64Array; // by tag
  readonly #rows: Int32Array; // places of the objects judged by
  readonly #known: readonly Int32Array[]; // tags of each that are not hidden
  readonly #mixed: Float32Array; // (rows, numTags)
  readonly #bare: Float32Array; // the same as if they had no tags
  readonly #outcomes: Outcome[] = [];

  constructor(views: Views, mixing: readonly number[], factors: Float64Array, seed: number) {
    const { train, objects } = views;
    const random = new Random(seed, 'tags to find again');
    this.#views = views;
    this.#mixing = mixing;
    this.#factors = factors;
    this.#rows = permutation(objects.length, new Random(seed, 'objects to find them for')).slice(0, MAX_OBJECTS);
    this.#known = Array.from(this.#rows, (row) =>
      train.tagged.row(objects[row]).filter(() => random.float() >= MISSING_SHARE / (1 - MISSING_SHARE)),
    );
    this.#mixed = new Float32Array(this.#rows.length * train.tags.size);
    this.#bare = this.#mixed.slice();
  }

  /** What a fit says of objects it lacks or does not know all tags of. */
  async hear(ridge: Ridge, own: boolean, listener: Listener): Promise<void> {
    const breathe = makeBreather(listener);
    const numTags = this.#views.train.tags.size;
    for (let start = 0; start < this.#rows.length; start += BLOCK) {
      listener.progress?.('judging confidence', start, this.#rows.length);
      await breathe();
      const block = this.#rows.subarray(start, start + BLOCK);
      const { row, target, bare } = await ridge.without(block);
      const untagged = own ? bare : row;
      for (const scores of [untagged, target])
        for (let i = 0; i < scores.length; i++) scores[i] *= this.#factors[i % numTags];
      for (let i = 0; i < block.length; i++) {
        const first = i * numTags;
        const weightOf = (numKnown: number) => {
          const share = shareOf(this.#mixing, numKnown);
          return own ? share : 1 - share;
        };
        const at = (start + i) * numTags;
        const [weight, none] = [weightOf(this.#known[start + i].length), weightOf(0)];
        for (let t = 0; t < numTags; t++) {
          this.#mixed[at + t] += weight * target[first + t];
          this.#bare[at + t] += none * untagged[first + t];
        }
      }
    }
  }

  /** Once both were heard; `scoreOwn`: what weights with own tags say of objects as if they had none. */
  async outcomes(scoreOwn: (objects: Int32Array) => Promise<Float32Array>): Promise<Outcome[]> {
    const { train, objects } = this.#views;
    const share = shareOf(this.#mixing, 0);
    if (share > 0) {
      const scores = await scoreOwn(this.#rows.map((row) => objects[row]));
      for (let at = 0; at < scores.length; at++) this.#bare[at] += share * scores[at];
    }
    const rowOf = (scores: Float32Array, i: number) => scores.subarray(i * train.tags.size, (i + 1) * train.tags.size);
    for (const [i, known] of this.#known.entries()) {
      this.#add(i, rowOf(this.#bare, i), new Int32Array(0));
      if (known.length > 0) this.#add(i, rowOf(this.#mixed, i), known);
    }
    return this.#outcomes;
  }

  #add(judged: number, scores: Float32Array, known: Int32Array): void {
    const { train, objects } = this.#views;
    addOutcomes(this.#outcomes, scores, known, train.tagged.row(objects[this.#rows[judged]]));
  }
}

/** `objects` are in no row of the fits: what they say of them tells the same. */
export async function outcomesOfHeld(
  kernels: Kernels,
  loom: Loom,
  train: KnowledgeGraph,
  objects: Int32Array,
  seed: number,
  listener: Listener,
): Promise<Outcome[]> {
  const breathe = makeBreather(listener);
  const random = new Random(seed, 'tags to find again');
  const open = new LoomScorer(kernels, loom, train);
  const outcomes: Outcome[] = [];
  try {
    for (const [i, object] of objects.entries()) {
      if (i % BLOCK === 0) {
        listener.progress?.('judging confidence', i, objects.length);
        await breathe();
      }
      const own = train.tagged.row(object);
      const known = own.filter(() => random.float() >= MISSING_SHARE);
      for (const tags of known.length > 0 ? [known, new Int32Array(0)] : [known]) {
        const scores = new Float32Array(train.tags.size);
        await open.score(Int32Array.of(object), scores, () => tags);
        addOutcomes(outcomes, scores, tags, own);
      }
    }
  } finally {
    open.release();
  }
  return outcomes;
}

function addOutcomes(outcomes: Outcome[], scores: Float32Array, known: Int32Array, own: Int32Array): void {
  for (const tag of topTags(scores, known, NUM_JUDGED)) {
    outcomes.push({ score: scores[tag], isRight: own.includes(tag), hasTags: known.length > 0 });
  }
}
