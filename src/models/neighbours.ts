// What a neighbour model leaves: for each object a few others, with weights. An object gets the tags its neighbours have,
// each with the neighbour's weight.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import { rowByRow, type Scorer } from './score-tags.ts';

export interface Neighbours {
  readonly form: 'neighbours';
  /** Objects to objects; need not be symmetric. */
  readonly graph: WeightedGraph;
}

/** `train`: whose tags count. */
export function neighbourScorer({ graph }: Neighbours, train: KnowledgeGraph): Scorer {
  const { rowStart: tagStart, tails: tags } = train.tagged;
  const { rowStart, columns, weights } = graph;
  return {
    floor: 0,
    score: rowByRow(train.tags.size, (object, row) => {
      row.fill(0);
      for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
        for (let i = tagStart[columns[e]]; i < tagStart[columns[e] + 1]; i++) row[tags[i]] += weights[e];
      }
    }),
    release() {},
  };
}
