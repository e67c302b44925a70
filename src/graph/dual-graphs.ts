// The two graphs of the paper from one knowledge graph: objects joined by users, tags joined by objects. Interact is
// known for all objects; TaggedWith must be the training pairs alone, and nothing else of the graph is looked at.

import type { Csr } from '../csr.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import type { Listener } from '../listener.ts';
import { cappedMiddles, mostPerMiddle, type PathNames, warnOfCapped } from './capped-middles.ts';
import { countPaths } from './path-counts.ts';
import { prunedSymmetric, withMinimum } from './prune.ts';
import { sppmi } from './weighting.ts';

export interface GraphSettings {
  /** The shift k of SPPMI; smaller is denser. */
  readonly shift: number;
  /** Heaviest edges kept for each node, where either end may keep an edge; 0 keeps all. */
  readonly neighbours: number;
  /** Paths two nodes must have in common to be neighbours. */
  readonly minCount: number;
  /** Nodes of one middle (objects of one user) that count at most; the others are left out (capped-middles.ts). */
  readonly maxPerMiddle: number;
}

export interface DualGraphs {
  readonly objects: Csr;
  readonly tags: Csr;
}

/** SPPMI weights, symmetric, without loops. */
export async function buildDualGraphs(
  train: KnowledgeGraph,
  settings: { readonly objects: GraphSettings; readonly tags: GraphSettings },
  listener: Listener = {},
): Promise<DualGraphs> {
  return {
    objects: await buildGraph(train.interact, settings.objects, listener),
    tags: await buildGraph(train.tagged, settings.tags, listener, { middle: 'object', node: 'tag' }),
  };
}

const [FEWEST_NEIGHBOURS, MOST_NEIGHBOURS] = [30, 100];

/**
 * How many neighbours to keep where nobody says: as many as the median object has users, from 30 to 100. Edges rest on users in
 * common. Where objects have few, all but the heaviest edges are chance and pull embeddings together that have nothing in common;
 * where they have hundreds, the hundredth neighbour still tells something. Found on validation pairs; see docs/results/paper.md.
 */
export function defaultNeighbours({ tails, numTails }: Relation): number {
  const numUsers = new Int32Array(numTails);
  for (const object of tails) numUsers[object]++;
  const used = numUsers.filter((count) => count > 0).sort();
  const median = used.length === 0 ? 0 : used[used.length >> 1];
  return Math.min(MOST_NEIGHBOURS, Math.max(FEWEST_NEIGHBOURS, median));
}

export async function buildGraph(
  through: Relation,
  settings: GraphSettings,
  listener: Listener = {},
  names: PathNames = { middle: 'user', node: 'object' },
): Promise<Csr> {
  const most = mostPerMiddle(through, settings.maxPerMiddle);
  warnOfCapped(through, names, listener, most);
  const counts = await countPaths(cappedMiddles(through, most), listener);
  const enough = settings.minCount > 1 ? withMinimum(counts, settings.minCount) : counts;
  const weighted = sppmi(enough, settings.shift);
  return settings.neighbours > 0 ? prunedSymmetric(weighted, settings.neighbours) : weighted;
}
