// Cosine weights of path counts: two nodes are as near as their sets of middles (users of objects) point the same way.
// weight(i, j) = #(i,j) / √(n_i · n_j), n_i the number of middles of i.

import type { Relation } from '../data/relation.ts';
import type { WeightedGraph } from './weighted-graph.ts';

/** `counts`: the paths through the same relation. */
export function cosine(counts: WeightedGraph, through: Relation): WeightedGraph {
  const { numNodes, rowStart, columns } = counts;
  const numMiddles = new Float64Array(numNodes);
  for (const node of through.tails) numMiddles[node]++;
  const weights = counts.weights.slice();
  for (let node = 0; node < numNodes; node++) {
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) {
      weights[e] /= Math.sqrt(numMiddles[node] * numMiddles[columns[e]]);
    }
  }
  return { ...counts, weights };
}
