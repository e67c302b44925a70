// ItemKNN: an object gets the tags of its strongest neighbours in the object graph, each neighbour with its weight.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import type { ScoreTags } from './model.ts';

/** `neighbours`: the object graph, already cut to each object's strongest neighbours. */
export function fitItemKnn(train: KnowledgeGraph, neighbours: WeightedGraph): ScoreTags {
  const { tagged } = train;
  const { rowStart, columns, weights } = neighbours;
  return (object, scores) => {
    scores.fill(0);
    for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
      for (let i = tagged.rowStart[columns[e]]; i < tagged.rowStart[columns[e] + 1]; i++)
        scores[tagged.tails[i]] += weights[e];
    }
  };
}
