// Fewer edges: those that rest on enough paths, and the heaviest of each node.

import { type Csr, CsrBuilder, numRowsOf } from '../csr.ts';
import { largest } from '../engine/numerics/top-k.ts';

/** An edge stays if it is among the heaviest of either end: what is left of a symmetric graph is symmetric. */
export function prunedSymmetric(graph: Csr, most: number): Csr {
  const { rowStart, columns } = graph;
  const numNodes = numRowsOf(graph);
  const kept = marksOfHeaviest(graph, most);
  const either = kept.slice();
  // the edge (i, j) meets its twin (j, i) in the order of i, since rows are sorted: one cursor a row finds it
  const cursors = rowStart.slice(0, numNodes);
  for (let node = 0; node < numNodes; node++) {
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) {
      const twin = cursors[columns[e]]++;
      if (kept[e] !== 0) either[twin] = 1;
    }
  }
  return filtered(graph, (edge) => either[edge] !== 0);
}

export function withMinimum(graph: Csr, least: number): Csr {
  return filtered(graph, (edge) => graph.values[edge] >= least);
}

/** By edge, whether it is kept. Edges of a node ascend by neighbour, so the smaller edge is the smaller neighbour. */
function marksOfHeaviest({ rowStart, values }: Csr, most: number): Uint8Array {
  const marks = new Uint8Array(values.length);
  for (let node = 0; node + 1 < rowStart.length; node++) {
    const [start, end] = [rowStart[node], rowStart[node + 1]];
    if (end - start <= most) marks.fill(1, start, end);
    else {
      const edges = Int32Array.from({ length: end - start }, (_, i) => start + i);
      for (const edge of largest(edges, values.subarray(start, end), most)) marks[edge] = 1;
    }
  }
  return marks;
}

function filtered(graph: Csr, keeps: (edge: number) => boolean): Csr {
  const rows = new CsrBuilder(numRowsOf(graph));
  for (let node = 0; node < numRowsOf(graph); node++) {
    for (let e = graph.rowStart[node]; e < graph.rowStart[node + 1]; e++) {
      if (keeps(e)) rows.add(graph.columns[e], graph.values[e]);
    }
    rows.endRow();
  }
  return rows.finish();
}
