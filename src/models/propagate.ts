// Tags that spread from object to object: scores = seeds + step(scores), from zero, a number of rounds. Each tag spreads by
// itself, so blocks of tags are computed one after the other, for all objects at once, and only the best are kept.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Dense } from '../engine/matrix.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { BestTags, type SparseScores } from './sparse-scores.ts';

export interface Propagation {
  /** By object: the seed of each of its tags. */
  readonly seeds: Float32Array; // (numObjects)
  /** Adds to `next` what spreads from `current`; both (numObjects, BLOCK_TAGS). */
  step(next: Dense, current: Dense): void;
  /** The first one is the seeds alone. */
  readonly rounds: number;
  /** Best tags kept for each object. */
  readonly keep: number;
}

export const BLOCK_TAGS = 64; // 4.5 MB for the objects of Last.fm: what is gathered from stays in the cache

export async function propagateTags(
  kernels: Kernels,
  train: KnowledgeGraph,
  { seeds, step, rounds, keep }: Propagation,
  listener: Listener = {},
): Promise<SparseScores> {
  const best = new BestTags(train, keep);
  const breathe = makeBreather(listener);
  const seedBlock = new Float32Array(train.objects.size * BLOCK_TAGS);
  const [seeded, one, other] = [0, 0, 0].map(() => kernels.dense(train.objects.size, BLOCK_TAGS));
  try {
    for (let firstTag = 0; firstTag < train.tags.size; firstTag += BLOCK_TAGS) {
      listener.progress?.('spreading tags', firstTag, train.tags.size);
      await breathe();
      writeSeeds(seedBlock, train, seeds, firstTag);
      kernels.write(seeded, seedBlock);
      let [current, next] = [seeded, one];
      for (let round = 1; round < rounds; round++) {
        kernels.add(next, seeded, seeded, 1, 0);
        step(next, current);
        [current, next] = [next, next === one ? other : one];
      }
      best.add(firstTag, BLOCK_TAGS, await kernels.read(current)); // tags beyond the last have no seeds, so no scores
    }
  } finally {
    kernels.release(seeded, one, other);
  }
  return best.finish();
}

function writeSeeds(block: Float32Array, { tagged }: KnowledgeGraph, seeds: Float32Array, firstTag: number): void {
  block.fill(0);
  for (let i = 0; i < tagged.size; i++) {
    const column = tagged.tails[i] - firstTag;
    if (column >= 0 && column < BLOCK_TAGS) block[tagged.heads[i] * BLOCK_TAGS + column] = seeds[tagged.heads[i]];
  }
}
