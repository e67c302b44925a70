// The whole flow in one short file; read it first. A data set is loaded (data/), becomes graphs (graph/), models are
// fitted to it (models/) and measured (evaluation/), and a fitted model suggests tags.

import type { KnowledgeGraph } from './data/knowledge-graph.ts';
import { split } from './data/split.ts';
import { evaluate, type Quality } from './evaluation/evaluate.ts';
import { topTags } from './evaluation/top-tags.ts';
import { countPaths } from './graph/path-counts.ts';
import { strongestNeighbours } from './graph/prune.ts';
import { sppmi } from './graph/sppmi.ts';
import type { Listener } from './listener.ts';
import { fitItemKnn } from './models/itemknn.ts';
import type { ScoreTags } from './models/model.ts';
import { fitPopularity } from './models/popularity.ts';

export { readFolder as load } from './data/folder.ts';

const NUM_NEIGHBOURS = 100;

/** The models there are, by the name they have everywhere. */
export const MODELS: Record<string, (train: KnowledgeGraph, listener?: Listener) => Promise<ScoreTags>> = {
  popularity: async (train) => fitPopularity(train),
  itemknn: async (train, listener) => {
    const counts = await countPaths(train.interact, listener);
    return fitItemKnn(train, strongestNeighbours(sppmi(counts, 1), NUM_NEIGHBOURS));
  },
};

export interface ComparedModel extends Quality {
  readonly model: string;
}

/** Fits each model to a training split and measures it on the rest. */
export async function compare(
  graph: KnowledgeGraph,
  options: { trainFraction: number; seed: number; k: number },
  listener: Listener = {},
): Promise<ComparedModel[]> {
  const parts = split(graph, options);
  const compared: ComparedModel[] = [];
  for (const [model, fitModel] of Object.entries(MODELS)) {
    compared.push({ model, ...evaluate(await fitModel(parts.train, listener), parts, options.k) });
  }
  return compared;
}

export interface Suggestion {
  readonly tag: string;
  readonly score: number;
}

/** The best tags that an object does not have yet; tags with no evidence at all are not suggested. */
export function suggest(score: ScoreTags, graph: KnowledgeGraph, object: number, limit: number): Suggestion[] {
  const scores = new Float32Array(graph.tags.size);
  score(object, scores);
  return topTags(scores, graph.tagged.row(object), limit)
    .filter((tag) => scores[tag] > 0)
    .map((tag) => ({ tag: graph.tags.name(tag), score: scores[tag] }));
}
