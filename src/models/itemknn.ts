// ItemKNN: an object gets the tags of its strongest neighbours in the object graph, each neighbour with its weight.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { countPaths } from '../graph/path-counts.ts';
import { strongestNeighbours } from '../graph/prune.ts';
import { sppmi } from '../graph/sppmi.ts';
import type { Listener } from '../listener.ts';
import type { Neighbours } from './neighbours.ts';

export interface ItemKnnSettings {
  readonly neighbours: number;
  /** The shift k of SPPMI. */
  readonly objectShift: number;
}

export async function fitItemKnn(
  train: KnowledgeGraph,
  settings: ItemKnnSettings,
  listener: Listener = {},
): Promise<Neighbours> {
  const counts = await countPaths(train.interact, listener);
  return { form: 'neighbours', graph: strongestNeighbours(sppmi(counts, settings.objectShift), settings.neighbours) };
}
