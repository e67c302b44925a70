// Pairs of users and objects as if they lay in a file, for tests.

import type { KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import type { CountedUsers } from '../../src/graph/counted-users.ts';

export function countedOf({ interact }: Pick<KnowledgeGraph, 'interact'>): CountedUsers {
  const { rowStart, tails } = interact.reversed();
  const lengths = (starts: Int32Array) => Int32Array.from(starts.subarray(1), (end, i) => end - starts[i]);
  return {
    numObjectsOf: lengths(interact.rowStart),
    numUsersOf: lengths(rowStart),
    read: async (at, length) => tails.slice(at, at + length),
  };
}
