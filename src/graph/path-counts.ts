// Path-based neighbours (paper, section IV-B): two objects are neighbours if a user interacted with both, two tags if
// an object carries both. Both are the same question: how many paths node → middle → node join each pair of nodes?
// A relation from middles to nodes (user → object, object → tag) answers it. Counts are symmetric, so only pairs with
// a smaller first node are counted, and mirrored at the end; memory is linear in the result. Cap the relation first
// (capped-middles.ts): steps grow with the square of what one middle has.

import { type Csr, CsrBuilder } from '../csr.ts';
import type { Relation } from '../data/relation.ts';
import { type Listener, makeBreather } from '../listener.ts';

/** Edge weights are counts of paths between distinct nodes. Counts are exact up to 2^24. */
export async function countPaths(through: Relation, listener: Listener = {}): Promise<Csr> {
  const rows = new CsrBuilder(through.numTails);
  await forEachUpperRow(through, listener, (node, reached, counts) => {
    addSorted(rows, node, reached, counts);
    rows.endRow();
  });
  return rows.finishMirrored();
}

/** The number of edges the graph would have, in both directions, without keeping it. */
export async function countNeighbours(through: Relation, listener: Listener = {}): Promise<number> {
  let total = 0;
  await forEachUpperRow(through, listener, (_node, reached) => {
    total += 2 * reached.length;
  });
  return total;
}

type OnRow = (node: number, reached: Int32Array, counts: Int32Array) => void;

/** Calls back for each node with the later nodes it reaches, unordered, and counts by node. */
async function forEachUpperRow(through: Relation, listener: Listener, onRow: OnRow): Promise<void> {
  const breathe = makeBreather(listener);
  const middlesOf = through.reversed();
  const counts = new Int32Array(through.numTails);
  const reached = new Int32Array(through.numTails);
  const { tails, rowStart } = through;
  // nodes come in ascending order, and so do the nodes of a middle: behind its cursor are those still to come
  const cursors = rowStart.slice();
  for (let node = 0; node < through.numTails; node++) {
    if (node % 64 === 0) {
      listener.progress?.('counting paths', node, through.numTails);
      await breathe();
    }
    let numReached = 0;
    for (let m = middlesOf.rowStart[node]; m < middlesOf.rowStart[node + 1]; m++) {
      const middle = middlesOf.tails[m];
      const end = rowStart[middle + 1];
      for (let i = ++cursors[middle]; i < end; i++) {
        const other = tails[i];
        if (counts[other]++ === 0) reached[numReached++] = other;
      }
    }
    onRow(node, reached.subarray(0, numReached), counts);
    for (let i = 0; i < numReached; i++) counts[reached[i]] = 0;
  }
}

/** Adds a row in ascending order: by sorting what was reached or, where that is much, by looking at every later node. */
function addSorted(rows: CsrBuilder, node: number, reached: Int32Array, counts: Int32Array): void {
  if (reached.length * 16 > counts.length - node) {
    for (let other = node + 1; other < counts.length; other++) {
      if (counts[other] > 0) rows.add(other, counts[other]);
    }
    return;
  }
  const sorted = reached.slice().sort();
  for (let i = 0; i < sorted.length; i++) rows.add(sorted[i], counts[sorted[i]]);
}
