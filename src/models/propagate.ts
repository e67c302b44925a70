// Tags that spread from object to object: scores = injected + step(scores), from zero, a number of rounds. Each tag spreads by
// itself, so blocks of tags are computed one after the other, for all objects at once, and only the best are kept.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Dense } from '../engine/matrix.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { MANY } from '../settings.ts';
import { BestTags, type SparseScores } from './forms/sparse-scores.ts';

/** The setting of how many tags are kept. */
export const KEPT_TAGS = {
  default: 100,
  min: 1,
  max: MANY,
  whole: true,
  help: 'best tags kept for each object',
} as const;

export interface Propagation {
  /** By object: the score each of its own tags starts with, and gets again in every round. */
  readonly injected: Float32Array; // (numObjects)
  /** Adds to `next` what spreads from `current`; both (numObjects, BLOCK_TAGS). */
  step(next: Dense, current: Dense): void;
  /** The first one is the injected scores alone. */
  readonly rounds: number;
  /** Best tags kept for each object. */
  readonly keep: number;
}

export const BLOCK_TAGS = 64; // 4.5 MB for the objects of Last.fm: what is gathered from stays in the cache

export async function propagateTags(
  kernels: Kernels,
  train: KnowledgeGraph,
  { injected, step, rounds, keep }: Propagation,
  listener: Listener = {},
): Promise<SparseScores> {
  const best = new BestTags(train, keep);
  const breathe = makeBreather(listener);
  const injectedBlock = new Float32Array(train.objects.size * BLOCK_TAGS);
  const [start, one, other] = [0, 0, 0].map(() => kernels.dense(train.objects.size, BLOCK_TAGS));
  try {
    for (let firstTag = 0; firstTag < train.tags.size; firstTag += BLOCK_TAGS) {
      listener.progress?.('spreading tags', firstTag, train.tags.size);
      await breathe();
      writeInjected(injectedBlock, train, injected, firstTag);
      kernels.write(start, injectedBlock);
      let [current, next] = [start, one];
      for (let round = 1; round < rounds; round++) {
        kernels.add(next, start, start, 1, 0);
        step(next, current);
        [current, next] = [next, next === one ? other : one];
      }
      best.add(firstTag, BLOCK_TAGS, await kernels.read(current)); // tags beyond the last are on no object, so they have no scores
    }
  } finally {
    kernels.release(start, one, other);
  }
  return best.finish();
}

function writeInjected(
  block: Float32Array,
  { tagged }: KnowledgeGraph,
  injected: Float32Array,
  firstTag: number,
): void {
  block.fill(0);
  for (let i = 0; i < tagged.size; i++) {
    const column = tagged.tails[i] - firstTag;
    if (column >= 0 && column < BLOCK_TAGS) block[tagged.heads[i] * BLOCK_TAGS + column] = injected[tagged.heads[i]];
  }
}
