// What a model that knows nothing but evidence falls back to: an object without any gets the tags that most objects carry.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { tagCounts } from '../../data/statistics.ts';

/** By tag, the share of the objects that carry it: more than 0 where one does, so that it is suggested. */
export function popularityShares(train: KnowledgeGraph): Float32Array {
  return Float32Array.from(tagCounts(train), (count) => count / train.objects.size);
}
