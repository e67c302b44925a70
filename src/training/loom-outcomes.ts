// How sure loom may be, from the fit itself: what fits that do not know of a tag, one by one, would have suggested. As if a fifth
// of all tags were hidden, one in four of an object's tags counts as one to be found, and the others as known. Objects
// without a tag are those that lost all of them so: nearly always objects with one or two. They are in no fit, so of them
// fits without the object tell, less what its own tags say.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { MISSING_SHARE, NUM_JUDGED, type Outcome } from '../models/confidence.ts';
import type { Loom } from '../models/loom.ts';
import { topTags } from '../models/top-tags.ts';
import { permutation, Random } from '../random.ts';
import type { Ridge } from './ridge.ts';

const MAX_OBJECTS = 4000;
const BLOCK = 256;

/** `objects`: those the rows of the fit stand for. */
export async function loomOutcomes(
  ridge: Ridge,
  loom: Loom,
  { tagged, tags }: KnowledgeGraph,
  objects: Int32Array,
  { seed, listener }: { seed: number; listener: Listener },
): Promise<Outcome[]> {
  const breathe = makeBreather(listener);
  const random = new Random(seed, 'tags to find again');
  const rows = permutation(objects.length, new Random(seed, 'objects to find them for')).slice(0, MAX_OBJECTS);
  const outcomes: Outcome[] = [];
  for (let start = 0; start < rows.length; start += BLOCK) {
    listener.progress?.('judging confidence', start, rows.length);
    await breathe();
    const block = rows.subarray(start, start + BLOCK);
    const lacking = await ridge.without(block);
    for (let i = 0; i < block.length; i++) {
      const [first, end] = [i * tags.size, (i + 1) * tags.size];
      const own = tagged.row(objects[block[i]]);
      const isKnown = own.map(() => (random.float() < MISSING_SHARE / (1 - MISSING_SHARE) ? 0 : 1));
      const known = own.filter((_, at) => isKnown[at] !== 0);
      if (known.length > 0) addOutcomes(outcomes, lacking.target.subarray(first, end), known, own, true);
      if (random.float() < MISSING_SHARE ** (own.length - 1)) {
        addOutcomes(outcomes, withoutOwn(lacking.row.subarray(first, end), own, loom), [], own, false);
      }
    }
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
    for (let e = graph.rowStart[tag]; e < graph.rowStart[tag + 1]; e++) left[graph.columns[e]] -= graph.weights[e];
  }
  return left;
}
