// New weights for the edges of a graph: cosine and SPPMI of path counts, and the two normalisations of graph convolutions.

import { type Csr, CsrBuilder, numRowsOf } from '../csr.ts';
import type { Relation } from '../data/relation.ts';

/**
 * #(i, j) / √(n_i · n_j), n_i being the number of middles of node i (users of an object): the cosine of the two sets of
 * middles. `counts`: the paths through the same relation.
 */
export function cosine(counts: Csr, through: Relation): Csr {
  const numMiddles = new Float64Array(numRowsOf(counts));
  for (const node of through.tails) numMiddles[node]++;
  return reweighted(counts, (count, i, j) => count / Math.sqrt(numMiddles[i] * numMiddles[j]));
}

/**
 * Shifted positive pointwise mutual information (Levy and Goldberg, NIPS 2014) of path counts:
 * max(log(#(i, j) · D / (#(i) · #(j))) − log k, 0), with #(i) = Σ_j #(i, j) and D = Σ_i #(i). Edges whose weight is not
 * positive are dropped; k < 1 keeps more of them, k > 1 fewer.
 */
export function sppmi(counts: Csr, k: number): Csr {
  const { rowStart, columns, values } = counts;
  const totals = rowSums(counts);
  const shift = Math.log(totals.reduce((sum, total) => sum + total, 0)) - Math.log(k);
  const rows = new CsrBuilder(totals.length);
  for (let node = 0; node < totals.length; node++) {
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) {
      const weight = Math.log(values[e]) - Math.log(totals[node]) - Math.log(totals[columns[e]]) + shift;
      if (weight > 0) rows.add(columns[e], weight);
    }
    rows.endRow();
  }
  return rows.finish();
}

/**
 * The adjacency a graph convolution multiplies by (Kipf and Welling, ICLR 2017): Ā = A + I, Â = D̄^(−1/2) Ā D̄^(−1/2), D̄
 * being the row sums of Ā. Â is symmetric if A is: one matrix serves forward and backward.
 */
export function normalized(graph: Csr): Csr {
  const { rowStart, columns, values } = graph;
  const scale = rowSums(graph, 1).map((degree) => 1 / Math.sqrt(degree)); // D̄^(−1/2)
  const rows = new CsrBuilder(scale.length);
  for (let node = 0; node < scale.length; node++) {
    let e = rowStart[node];
    for (; e < rowStart[node + 1] && columns[e] < node; e++)
      rows.add(columns[e], scale[node] * values[e] * scale[columns[e]]);
    rows.add(node, scale[node] * scale[node]);
    for (; e < rowStart[node + 1]; e++) rows.add(columns[e], scale[node] * values[e] * scale[columns[e]]);
    rows.endRow();
  }
  return rows.finish();
}

/** D^(−1/2) A D^(−1/2): the weight of an edge over the root of both its ends' degrees. Nodes get no loops. */
export function normalizedWithoutLoops(graph: Csr): Csr {
  const degrees = rowSums(graph);
  return reweighted(graph, (value, i, j) => value / Math.sqrt(degrees[i] * degrees[j]));
}

/** Each row's sum, begun at `start`. */
function rowSums(graph: Csr, start = 0): Float64Array {
  const sums = new Float64Array(numRowsOf(graph));
  for (let node = 0; node < sums.length; node++) {
    let sum = start;
    for (let e = graph.rowStart[node]; e < graph.rowStart[node + 1]; e++) sum += graph.values[e];
    sums[node] = sum;
  }
  return sums;
}

function reweighted(graph: Csr, weigh: (value: number, i: number, j: number) => number): Csr {
  const values = new Float32Array(graph.values.length);
  for (let node = 0; node < numRowsOf(graph); node++) {
    for (let e = graph.rowStart[node]; e < graph.rowStart[node + 1]; e++) {
      values[e] = weigh(graph.values[e], node, graph.columns[e]);
    }
  }
  return { ...graph, values };
}
