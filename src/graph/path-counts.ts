// Path-based neighbours (paper, section IV-B): two objects are neighbours if a user interacted with both, two tags if
// an object carries both. Both are the same question: how many paths node → middle → node join each pair of nodes?
// A relation from middles to nodes (user → object, object → tag) answers it row by row, in memory linear in the result.

import type { Relation } from '../data/relation.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { GraphRows, type WeightedGraph } from './weighted-graph.ts';

/** Edge weights are counts of paths between distinct nodes. Counts are exact up to 2^24. */
export async function countPaths(through: Relation, listener: Listener = {}): Promise<WeightedGraph> {
  const rows = new GraphRows(through.numTails);
  await forEachCountRow(through, listener, (node, neighbours, counts) => {
    for (const other of neighbours.sort()) if (other !== node) rows.add(other, counts[other]);
    rows.endRow();
  });
  return rows.finish();
}

/** The number of edges the graph would have, in both directions, without keeping it. */
export async function countNeighbours(through: Relation, listener: Listener = {}): Promise<number> {
  let total = 0;
  await forEachCountRow(through, listener, (_node, neighbours) => {
    total += Math.max(0, neighbours.length - 1); // a node with middles reaches itself, too
  });
  return total;
}

/** How many steps the counting takes: the sum of squared row lengths. Known before any counting. */
export function numPaths(through: Relation): number {
  let total = 0;
  for (let middle = 0; middle < through.numHeads; middle++) total += through.rowLength(middle) ** 2;
  return total;
}

/** Calls back once for each node with the nodes it reaches (itself among them), unordered, and counts by node. */
async function forEachCountRow(
  through: Relation,
  listener: Listener,
  onRow: (node: number, reached: Int32Array, counts: Int32Array) => void,
): Promise<void> {
  const breathe = makeBreather(listener);
  const middlesOf = through.reversed();
  const counts = new Int32Array(through.numTails);
  const reached = new Int32Array(through.numTails);
  for (let node = 0; node < through.numTails; node++) {
    if (node % 64 === 0) {
      listener.progress?.('counting paths', node, through.numTails);
      await breathe();
    }
    let numReached = 0;
    for (let m = middlesOf.rowStart[node]; m < middlesOf.rowStart[node + 1]; m++) {
      const middle = middlesOf.tails[m];
      for (let i = through.rowStart[middle]; i < through.rowStart[middle + 1]; i++) {
        const other = through.tails[i];
        if (counts[other]++ === 0) reached[numReached++] = other;
      }
    }
    onRow(node, reached.subarray(0, numReached), counts);
    for (let i = 0; i < numReached; i++) counts[reached[i]] = 0;
  }
}
