// How sure loom may be, from the fits themselves: what they would have suggested if they had not known some tags of an object, or
// the object at all (hindsight.ts). Where a fit cannot tell that, some objects are kept out of it.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { Random } from '../../random.ts';
import { MISSING_SHARE, NUM_JUDGED, type Outcome } from '../confidence.ts';
import { topTags } from '../scorer.ts';
import type { Loom } from './loom.ts';
import { LoomScorer } from './score.ts';

const MAX_OBJECTS = 2500;
const BLOCK = 256;

/** Scores of the first suggestions to some of the objects. */
export async function suggestedScores(
  kernels: Kernels,
  loom: Loom,
  train: KnowledgeGraph,
  objects: Int32Array,
  listener: Listener,
): Promise<{ readonly scores: Float32Array; readonly numObjects: number }> {
  const breathe = makeBreather(listener);
  const numTags = train.tags.size;
  const some = objects.subarray(0, MAX_OBJECTS);
  const open = new LoomScorer(kernels, loom, train);
  const suggested: number[] = [];
  try {
    for (let first = 0; first < some.length; first += BLOCK) {
      listener.progress?.('judging confidence', first, some.length);
      await breathe();
      const block = some.subarray(first, first + BLOCK);
      const all = new Float32Array(block.length * numTags);
      await open.score(block, all);
      for (const [i, object] of block.entries()) {
        const scores = all.subarray(i * numTags, (i + 1) * numTags);
        for (const tag of topTags(scores, train.tagged.row(object), NUM_JUDGED)) suggested.push(scores[tag]);
      }
    }
  } finally {
    open.release();
  }
  return { scores: Float32Array.from(suggested), numObjects: some.length };
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

/** `own`: which tags are right. */
export function addOutcomes(outcomes: Outcome[], scores: Float32Array, known: Int32Array, own: Int32Array): void {
  for (const tag of topTags(scores, known, NUM_JUDGED)) {
    outcomes.push({ score: scores[tag], isRight: own.includes(tag), hasTags: known.length > 0 });
  }
}
