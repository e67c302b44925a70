// Popularity: a tag's score is the number of training objects that carry it. The floor for every other model. As
// embeddings it has a base and no vectors.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { tagCounts } from '../data/statistics.ts';
import type { Embeddings } from '../training/trainer.ts';
import { modelKind } from './model-kind.ts';

export const POPULARITY = modelKind('tags in the order of how many objects carry them', {}, async ({ train }) => ({
  fitted: fitPopularity(train),
}));

export function fitPopularity(train: KnowledgeGraph): Embeddings {
  const base = Float32Array.from(tagCounts(train));
  return { form: 'embeddings', width: 0, objects: new Float32Array(0), tags: new Float32Array(0), base };
}
