// Popularity: a tag's score is the number of training objects that carry it. The floor for every other model.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { rowByRow, type ScoreTags } from './model.ts';

export function fitPopularity(train: KnowledgeGraph): ScoreTags {
  const counts = new Float32Array(train.tags.size);
  for (const tag of train.tagged.tails) counts[tag]++;
  return rowByRow(train.tags.size, (_object, row) => row.set(counts));
}
