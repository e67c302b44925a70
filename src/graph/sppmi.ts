// Shifted positive pointwise mutual information (Levy and Goldberg, NIPS 2014) of path counts:
// weight(i, j) = max(log(#(i,j) · D / (#(i) · #(j))) − log k, 0), with #(i) = Σ_j #(i,j) and D = Σ_i #(i).

import { GraphRows, type WeightedGraph } from './weighted-graph.ts';

/** Edges whose weight is not positive are dropped; k < 1 keeps more of them, k > 1 fewer. */
export function sppmi(counts: WeightedGraph, k: number): WeightedGraph {
  const { numNodes, rowStart, columns, weights } = counts;
  const totals = new Float64Array(numNodes);
  let grandTotal = 0;
  for (let node = 0; node < numNodes; node++) {
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) totals[node] += weights[e];
    grandTotal += totals[node];
  }
  const rows = new GraphRows(numNodes);
  const shift = Math.log(grandTotal) - Math.log(k);
  for (let node = 0; node < numNodes; node++) {
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) {
      const weight = Math.log(weights[e]) - Math.log(totals[node]) - Math.log(totals[columns[e]]) + shift;
      if (weight > 0) rows.add(columns[e], weight);
    }
    rows.endRow();
  }
  return rows.finish();
}
