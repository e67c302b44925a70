// Keeps the strongest neighbours of each node. The result is directed: j may be among i's strongest and not i among j's.

import { GraphRows, type WeightedGraph } from './weighted-graph.ts';

/** At most `most` neighbours a node; of equal weights the smaller id stays. */
export function strongestNeighbours(graph: WeightedGraph, most: number): WeightedGraph {
  const rows = new GraphRows(graph.numNodes);
  for (let node = 0; node < graph.numNodes; node++) {
    const [start, end] = [graph.rowStart[node], graph.rowStart[node + 1]];
    const edges = Int32Array.from({ length: end - start }, (_, i) => start + i);
    if (edges.length > most)
      edges.sort((a, b) => graph.weights[b] - graph.weights[a] || graph.columns[a] - graph.columns[b]);
    for (const edge of edges.subarray(0, most).sort()) rows.add(graph.columns[edge], graph.weights[edge]);
    rows.endRow();
  }
  return rows.finish();
}
