import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { MOST_PER_MIDDLE } from '../../src/graph/capped-middles.ts';
import { countedNeighbours } from '../../src/graph/counted-neighbours.ts';
import { Similarity } from '../../src/graph/similarity.ts';
import { similarTagged } from '../../src/models/loom/neighbours.ts';
import { knowledgeGraph } from '../arbitraries.ts';
import { countedOf } from './counted-of.ts';

async function expectSame(graph: KnowledgeGraph, damping: number, most: number): Promise<void> {
  const found = await countedNeighbours(countedOf(graph), graph.tagged, { damping, most }, {});
  const objects = Int32Array.from({ length: graph.objects.size }, (_, object) => object);
  const expected = await similarTagged(new Similarity(graph.interact, damping), graph, { objects, most }, {});
  expect(found).toEqual(expected);
}

describe('countedNeighbours', () => {
  it('finds what a search in memory finds, to the bit', async () => {
    const settings = fc.tuple(fc.constantFrom(0, 0.25, 1), fc.integer({ min: 1, max: 5 }));
    await fc.assert(
      fc.asyncProperty(knowledgeGraph, settings, (graph, [damping, most]) => expectSame(graph, damping, most)),
    );
  });

  it('takes the same sample of a user with very many objects', async () => {
    const interact = Array.from({ length: MOST_PER_MIDDLE + 500 }, (_, o): [string, string] => ['everything', `o${o}`]);
    for (let o = 0; o < 60; o++) interact.push([`u${o % 7}`, `o${o}`]);
    const tagged = Array.from({ length: 3000 }, (_, o): [string, string] => [`o${2 * o}`, 't']);
    await expectSame(graphFrom({ interact, tagged }), 0.25, 10);
  });
});
