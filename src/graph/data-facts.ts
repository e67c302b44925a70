// What is worth knowing of a data set before any model sees it: its sizes and tails (data/statistics.ts), and how much of
// the object graph and the tag graph its paths fill.

import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import { type Statistics, statistics } from '../data/statistics.ts';
import type { Listener } from '../listener.ts';
import { numPaths } from './capped-middles.ts';
import { countNeighbours } from './path-counts.ts';

const MAX_PATHS = 2e9; // some ten seconds of counting

export interface DataFacts extends Statistics {
  readonly fingerprint: string;
  /** Share of all pairs of objects that some user joins; null where counting would take too long. */
  readonly objectGraphDensity: number | null;
  /** Share of all pairs of tags that some object joins. */
  readonly tagGraphDensity: number | null;
}

export async function dataFacts(graph: KnowledgeGraph, listener: Listener = {}): Promise<DataFacts> {
  return {
    ...statistics(graph),
    fingerprint: fingerprint(graph),
    objectGraphDensity: await graphDensity(graph.interact, listener),
    tagGraphDensity: await graphDensity(graph.tagged, listener),
  };
}

async function graphDensity(through: Relation, listener: Listener): Promise<number | null> {
  if (numPaths(through) > MAX_PATHS) return null;
  if (through.numTails < 2) return 0;
  return (await countNeighbours(through, listener)) / (through.numTails * (through.numTails - 1));
}
