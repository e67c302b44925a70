// What a model suggests to objects once decisions are known, as the service would answer: the place of each tag, and how sure it is.

import type { EngineOptions } from '../engine/open.ts';
import { type Listener, makeBreather } from '../listener.ts';
import type { Model } from '../models/model.ts';
import { ReviewedTags } from '../serving/curation/reviewed-tags.ts';
import { Recommender } from '../serving/recommend/recommender.ts';
import type { Decision } from '../serving/reviews/review-store.ts';
import type { Pair, Verdicts } from './held-back.ts';
import { asChange } from './latest-reviews.ts';

const DEPTH = 100; // ranks behind are all the same
const BLOCK_OBJECTS = 16;

/** What a model says of each tag it suggests to an object; by object, by tag. */
export type Ranks = ReadonlyMap<string, ReadonlyMap<string, Place>>;

interface Place {
  /** From 1 on. */
  readonly rank: number;
  /** How sure the model is: its confidence, or its score where it knows none. */
  readonly sureness: number;
}

export async function ranksOf(
  model: Model,
  objects: readonly string[],
  known: Verdicts,
  options: EngineOptions,
  listener: Listener,
): Promise<Ranks> {
  const { graph } = model;
  const reviewed = new ReviewedTags(graph);
  let revision = 0;
  const apply = (pairs: readonly Pair[], decision: Decision) => {
    for (const pair of pairs) reviewed.apply(asChange({ ...pair, decision, isUndone: false }, ++revision));
  };
  apply(known.accepted, 'accept');
  apply(known.rejected, 'reject');
  const recommender = await Recommender.open(model, options);
  const breathe = makeBreather(listener);
  const ranks = new Map<string, ReadonlyMap<string, Place>>();
  try {
    for (let first = 0; first < objects.length; first += BLOCK_OBJECTS) {
      listener.progress?.('comparing', first, objects.length);
      await breathe();
      const block = objects.slice(first, first + BLOCK_OBJECTS);
      const ids = Int32Array.from(block, (object) => graph.objects.idOf(object));
      const found = await recommender.suggestMany(ids, { limit: DEPTH }, reviewed.amendments);
      for (const [i, object] of block.entries()) {
        const places = found[i].map(({ tag, score, confidence = score }, index): [string, Place] => [
          graph.tags.name(tag),
          { rank: index + 1, sureness: confidence },
        ]);
        ranks.set(object, new Map(places));
      }
    }
  } finally {
    recommender.close();
  }
  return ranks;
}
