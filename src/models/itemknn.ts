// ItemKNN: an object gets the tags of its strongest neighbours in the object graph, each neighbour with its weight.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import { rowByRow, type ScoreTags } from './model.ts';

/** `neighbours`: the object graph, already cut to each object's strongest neighbours. */
export function fitItemKnn(train: KnowledgeGraph, neighbours: WeightedGraph): ScoreTags {
  const { rowStart: tagStart, tails: tags } = train.tagged;
  const { rowStart, columns, weights } = neighbours;
  return rowByRow(train.tags.size, (object, row) => {
    row.fill(0);
    for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
      for (let i = tagStart[columns[e]]; i < tagStart[columns[e] + 1]; i++) row[tags[i]] += weights[e];
    }
  });
}
