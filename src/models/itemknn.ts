// ItemKNN: an object gets the tags of the objects it shares users with, each with the weight of their edge. An edge stays
// if it is among the strongest of either end.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { cosine } from '../graph/cosine.ts';
import { countPaths } from '../graph/path-counts.ts';
import { prunedSymmetric } from '../graph/prune.ts';
import { sppmi } from '../graph/sppmi.ts';
import type { Listener } from '../listener.ts';
import type { Neighbours } from './neighbours.ts';

export interface ItemKnnSettings {
  readonly neighbours: number;
  readonly weighting: 'cosine' | 'sppmi';
  /** The shift k of SPPMI. */
  readonly objectShift: number;
}

export async function fitItemKnn(
  train: KnowledgeGraph,
  { neighbours, weighting, objectShift }: ItemKnnSettings,
  listener: Listener = {},
): Promise<Neighbours> {
  const counts = await countPaths(train.interact, listener);
  const weighted = weighting === 'cosine' ? cosine(counts, train.interact) : sppmi(counts, objectShift);
  return { form: 'neighbours', graph: prunedSymmetric(weighted, neighbours) };
}
