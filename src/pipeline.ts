// The whole flow in one short file; read it first. A data set is loaded (data/), becomes graphs (graph/), models are
// fitted to it (models/) and measured (evaluation/), and a fitted model suggests tags.

import type { KnowledgeGraph } from './data/knowledge-graph.ts';
import { split } from './data/split.ts';
import { evaluate, meanOf } from './evaluation/evaluate.ts';
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

export interface ComparedModel {
  readonly model: string;
  readonly recall: number;
  readonly ndcg: number;
  readonly paperNdcg: number;
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
    const evaluation = await evaluate(await fitModel(parts.train, listener), parts, [options.k], listener);
    compared.push({
      model,
      recall: meanOf(evaluation, `recall@${options.k}`),
      ndcg: meanOf(evaluation, `ndcg@${options.k}`),
      paperNdcg: meanOf(evaluation, `paperNdcg@${options.k}`),
    });
  }
  return compared;
}

export interface Suggestion {
  readonly tag: string;
  readonly score: number;
}

/** The best tags that an object does not have yet; tags with no evidence at all are not suggested. */
export async function suggest(
  score: ScoreTags,
  graph: KnowledgeGraph,
  object: number,
  limit: number,
): Promise<Suggestion[]> {
  if (!(object >= 0 && object < graph.objects.size)) {
    throw new RangeError(`Got object ${object} when expected 0 to ${graph.objects.size - 1}.`);
  }
  const scores = new Float32Array(graph.tags.size);
  await score(Int32Array.of(object), scores);
  return topTags(scores, graph.tagged.row(object), limit)
    .filter((tag) => scores[tag] > 0)
    .map((tag) => ({ tag: graph.tags.name(tag), score: scores[tag] }));
}
