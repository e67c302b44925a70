// How sure loom may be, from the fit itself: what fits that do not know of a tag, one by one, would have suggested. As if a fifth
// of all tags were hidden, one in four of an object's tags counts as one to be found, and the others as known. Objects
// without a tag are those that lost all of them so: nearly always objects with one or two. They are in no fit, so of them
// fits without the object tell, less what its own tags say. Where a fit cannot tell that, some objects are kept out of it.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { permutation, Random } from '../../random.ts';
import { MISSING_SHARE, NUM_JUDGED, type Outcome } from '../confidence.ts';
import type { Ridge } from '../ridge/solution.ts';
import { topTags } from '../scorer.ts';
import type { Loom } from './loom.ts';
import { LoomScorer } from './score.ts';

const MAX_OBJECTS = 2500;
const BLOCK = 256;

/** `objects`: those the rows of the fit stand for. */
export async function outcomesOfFit(
  ridge: Ridge,
  loom: Loom,
  { tagged, tags }: KnowledgeGraph,
  objects: Int32Array,
  { seed, factors }: { readonly seed: number /** By tag. */; readonly factors: Float64Array },
  listener: Listener,
): Promise<Outcome[]> {
  const breathe = makeBreather(listener);
  const random = new Random(seed, 'tags to find again');
  const rows = permutation(objects.length, new Random(seed, 'objects to find them for')).slice(0, MAX_OBJECTS);
  const outcomes: Outcome[] = [];
  for (let start = 0; start < rows.length; start += BLOCK) {
    listener.progress?.('judging confidence', start, rows.length);
    await breathe();
    const block = rows.subarray(start, start + BLOCK);
    const { row, target } = await ridge.without(block);
    for (const scores of [row, target]) for (let i = 0; i < scores.length; i++) scores[i] *= factors[i % tags.size];
    for (let i = 0; i < block.length; i++) {
      const [first, end] = [i * tags.size, (i + 1) * tags.size];
      const own = tagged.row(objects[block[i]]);
      const isKnown = own.map(() => (random.float() < MISSING_SHARE / (1 - MISSING_SHARE) ? 0 : 1));
      const known = own.filter((_, at) => isKnown[at] !== 0);
      if (known.length > 0) addOutcomes(outcomes, target.subarray(first, end), known, own, true);
      if (random.float() < MISSING_SHARE ** (own.length - 1)) {
        addOutcomes(outcomes, withoutOwn(row.subarray(first, end), own, loom), [], own, false);
      }
    }
  }
  return outcomes;
}

/** `objects` are in no row of the fit: what it says of them tells the same. */
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
  const usersOf = train.interact.reversed();
  const outcomes: Outcome[] = [];
  try {
    for (const [i, object] of objects.entries()) {
      if (i % BLOCK === 0) {
        listener.progress?.('judging confidence', i, objects.length);
        await breathe();
      }
      const own = train.tagged.row(object);
      const known = own.filter(() => random.float() >= MISSING_SHARE);
      const told = [known, ...(random.float() < MISSING_SHARE ** (own.length - 1) ? [new Int32Array(0)] : [])];
      for (const tags of known.length > 0 ? told : told.slice(1)) {
        const scores = new Float32Array(train.tags.size);
        const facts = { tags, users: usersOf.row(object), title: train.titles.at(object), object };
        await open.scoreUnseen(facts, scores);
        addOutcomes(outcomes, scores, tags, own, tags.length > 0);
      }
    }
  } finally {
    open.release();
  }
  return outcomes;
}

function addOutcomes(
  outcomes: Outcome[],
  scores: Float32Array,
  known: Int32Array | readonly number[],
  own: Int32Array,
  hasTags: boolean,
): void {
  for (const tag of topTags(scores, Int32Array.from(known), NUM_JUDGED)) {
    outcomes.push({ score: scores[tag], isRight: own.includes(tag), hasTags });
  }
}

/** The scores less what the object's own tags say. */
function withoutOwn(scores: Float32Array, own: Int32Array, { weights: graph }: Loom): Float32Array {
  const left = scores.slice();
  for (const tag of own) {
    for (let e = graph.rowStart[tag]; e < graph.rowStart[tag + 1]; e++) left[graph.columns[e]] -= graph.values[e];
  }
  return left;
}
