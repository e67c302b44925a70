// Fewer edges: those that rest on enough paths, and the strongest of each node.

import { GraphRows, type WeightedGraph } from './weighted-graph.ts';

/** At most `most` neighbours a node; of equal weights the smaller id stays. Directed: i may keep j and not j i. */
export function strongestNeighbours(graph: WeightedGraph, most: number): WeightedGraph {
  const kept = marksOfStrongest(graph, most);
  return filtered(graph, (edge) => kept[edge] !== 0);
}

/** An edge stays if it is among the strongest of either end: what is left of a symmetric graph is symmetric. */
export function prunedSymmetric(graph: WeightedGraph, most: number): WeightedGraph {
  const { numNodes, rowStart, columns } = graph;
  const kept = marksOfStrongest(graph, most);
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

export function withMinimum(graph: WeightedGraph, least: number): WeightedGraph {
  return filtered(graph, (edge) => graph.weights[edge] >= least);
}

/** Marks by edge. Sorted weights tell that of the last place; ties at it go to the smaller ids. */
function marksOfStrongest({ numNodes, rowStart, weights }: WeightedGraph, most: number): Uint8Array {
  const marks = new Uint8Array(weights.length);
  for (let node = 0; node < numNodes; node++) {
    const [start, end] = [rowStart[node], rowStart[node + 1]];
    if (end - start <= most) {
      marks.fill(1, start, end);
      continue;
    }
    const last = weights.slice(start, end).sort()[end - start - most];
    let room = most;
    for (let e = start; e < end; e++) {
      if (weights[e] > last) {
        marks[e] = 1;
        room--;
      }
    }
    for (let e = start; e < end && room > 0; e++) {
      if (weights[e] === last) {
        marks[e] = 1;
        room--;
      }
    }
  }
  return marks;
}

function filtered(graph: WeightedGraph, keeps: (edge: number) => boolean): WeightedGraph {
  const rows = new GraphRows(graph.numNodes);
  for (let node = 0; node < graph.numNodes; node++) {
    for (let e = graph.rowStart[node]; e < graph.rowStart[node + 1]; e++) {
      if (keeps(e)) rows.add(graph.columns[e], graph.weights[e]);
    }
    rows.endRow();
  }
  return rows.finish();
}
