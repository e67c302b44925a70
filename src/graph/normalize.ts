// The adjacency a graph convolution multiplies by (Kipf and Welling, ICLR 2017): Ā = A + I, Â = D̄^(−1/2) Ā D̄^(−1/2),
// D̄ the row sums of Ā. Â is symmetric if A is: one matrix serves forward and backward.

import { GraphRows, type WeightedGraph } from './weighted-graph.ts';

export function normalized(graph: WeightedGraph): WeightedGraph {
  const { numNodes, rowStart, columns, weights } = graph;
  const scale = new Float64Array(numNodes); // D̄^(−1/2)
  for (let node = 0; node < numNodes; node++) {
    let degree = 1; // of the loop
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) degree += weights[e];
    scale[node] = 1 / Math.sqrt(degree);
  }
  const rows = new GraphRows(numNodes);
  for (let node = 0; node < numNodes; node++) {
    let e = rowStart[node];
    for (; e < rowStart[node + 1] && columns[e] < node; e++)
      rows.add(columns[e], scale[node] * weights[e] * scale[columns[e]]);
    rows.add(node, scale[node] * scale[node]);
    for (; e < rowStart[node + 1]; e++) rows.add(columns[e], scale[node] * weights[e] * scale[columns[e]]);
    rows.endRow();
  }
  return rows.finish();
}
