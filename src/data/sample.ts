// A smaller data set that is like the whole: some of the objects, with all their users and tags.

import { permutation, Random } from '../random.ts';
import type { KnowledgeGraph } from './knowledge-graph.ts';

/** A share of the objects, at random; ids keep their meaning. Of one seed, a smaller sample is part of a larger one. */
export function sampleObjects(graph: KnowledgeGraph, share: number, seed: number): KnowledgeGraph {
  const { interact, tagged, objects } = graph;
  if (share >= 1) return graph;
  const order = permutation(objects.size, new Random(seed, 'sample of objects'));
  const isIn = new Uint8Array(objects.size);
  for (const object of order.subarray(0, Math.ceil(share * objects.size))) isIn[object] = 1;
  return {
    ...graph,
    interact: interact.select(Uint8Array.from(interact.tails, (object) => isIn[object])),
    tagged: tagged.select(Uint8Array.from(tagged.heads, (object) => isIn[object])),
  };
}
