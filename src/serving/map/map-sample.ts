// What a map shows of a data set that is too large for it, chosen before anything is computed: of tags the most used, of objects
// any that something is known of. What is left out takes part in nothing, so that a map of a million objects costs what one of
// some thousand does.

import { Relation } from '../../data/relation.ts';
import { permutation, Random } from '../../random.ts';
import type { MapTask, Pairs, Rows } from './map-vectors.ts';

export interface MapSample {
  /** By point, the tag or object of the whole; ascending. */
  readonly ids: Int32Array;
  /** The task with only these. */
  readonly task: MapTask;
}

const MAX_MIDDLES = 200_000; // objects by which tags are compared: more change no place on a map
const SEED = 1;
const NO_PAIRS: Pairs = { heads: new Int32Array(0), tails: new Int32Array(0) };

/** At most so many points; where there are no more, all of them and the task as it is. */
export function sampleOf(task: MapTask, maxPoints: number, maxMiddles = MAX_MIDDLES): MapSample {
  const size = task.side === 'tags' ? task.numTags : task.numObjects;
  if (size <= maxPoints) return { ids: Int32Array.from({ length: size }, (_, id) => id), task };
  return task.side === 'tags' ? ofTags(task, maxPoints, maxMiddles) : ofObjects(task, maxPoints);
}

/** The most used tags, and of too many objects any. */
function ofTags(task: MapTask, maxPoints: number, maxMiddles: number): MapSample {
  const { numObjects, numTags, tagged, embeddings } = task;
  const counts = new Int32Array(numTags);
  for (const tag of tagged.tails) counts[tag]++;
  const byUse = Int32Array.from({ length: numTags }, (_, tag) => tag).sort((a, b) => counts[b] - counts[a] || a - b);
  const ids = byUse.subarray(0, maxPoints).sort();
  const middles = someOf(numObjects, maxMiddles, () => true, 'objects between tags');
  const pairs = between(tagged, places(middles, numObjects), places(ids, numTags));
  return {
    ids,
    task: {
      ...{ side: 'tags', numUsers: 0, numObjects: middles.length, numTags: ids.length },
      ...{ interact: NO_PAIRS, tagged: pairs },
      embeddings: embeddings && rowsOf(embeddings, ids),
    },
  };
}

function ofObjects(task: MapTask, maxPoints: number): MapSample {
  const { numUsers, numObjects, numTags, interact, tagged, embeddings } = task;
  const isKnown = new Uint8Array(numObjects).fill(embeddings === undefined ? 0 : 1);
  for (const object of tagged.heads) isKnown[object] = 1;
  for (const object of interact.tails) isKnown[object] = 1;
  const ids = someOf(numObjects, maxPoints, (object) => isKnown[object] === 1, 'objects on a map');
  const placeOf = places(ids, numObjects);
  const all = (count: number) => Int32Array.from({ length: count }, (_, id) => id);
  return {
    ids,
    task: {
      ...{ side: 'objects', numUsers, numObjects: ids.length, numTags },
      interact: between(interact, all(numUsers), placeOf),
      tagged: between(tagged, placeOf, all(numTags)),
      embeddings: embeddings && rowsOf(embeddings, ids),
    },
  };
}

/** At most so many, by chance; ascending. */
function someOf(size: number, most: number, mayBe: (id: number) => boolean, purpose: string): Int32Array {
  const found = new Int32Array(Math.min(size, most));
  let count = 0;
  for (const id of permutation(size, new Random(SEED, purpose))) {
    if (count === found.length) break;
    if (mayBe(id)) found[count++] = id;
  }
  return found.subarray(0, count).sort();
}

/** By id of the whole its place in the sample; −1: not in it. */
function places(ids: Int32Array, size: number): Int32Array {
  const placeOf = new Int32Array(size).fill(-1);
  for (let i = 0; i < ids.length; i++) placeOf[ids[i]] = i;
  return placeOf;
}

/** The pairs of which both are in the sample; the order of ids stays, so they stay sorted. */
function between({ heads, tails }: Pairs, headPlace: Int32Array, tailPlace: Int32Array): Pairs {
  const [ownHeads, ownTails] = [new Int32Array(heads.length), new Int32Array(tails.length)];
  let size = 0;
  for (let i = 0; i < heads.length; i++) {
    if (headPlace[heads[i]] < 0 || tailPlace[tails[i]] < 0) continue;
    ownHeads[size] = headPlace[heads[i]];
    ownTails[size++] = tailPlace[tails[i]];
  }
  return { heads: ownHeads.slice(0, size), tails: ownTails.slice(0, size) };
}

export function rowsOf({ width, values }: Rows, ids: Int32Array): Rows {
  const out = new Float32Array(ids.length * width);
  for (let i = 0; i < ids.length; i++) out.set(values.subarray(ids[i] * width, (ids[i] + 1) * width), i * width);
  return { width, values: out };
}

/** Its two relations. */
export function relationsOf({ numUsers, numObjects, numTags, interact, tagged }: MapTask) {
  return {
    interact: new Relation(numUsers, numObjects, interact.heads, interact.tails),
    tagged: new Relation(numObjects, numTags, tagged.heads, tagged.tails),
  };
}
