import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import type { Relation } from '../../src/data/relation.ts';
import { type SplitUnit, sampleObjects, split } from '../../src/data/split.ts';
import { knowledgeGraph } from '../arbitraries.ts';

const pairsOf = (relation: Relation) => Array.from(relation.heads, (head, i) => `${head},${relation.tails[i]}`);
const groupOf = (name: string) => name[0];
const unit = fc.constantFrom<SplitUnit>('pair', 'object', 'group');

function unitOf(graph: KnowledgeGraph, by: SplitUnit, pair: string): string {
  const object = pair.split(',')[0];
  return { pair, object, group: groupOf(graph.objects.name(Number(object))) }[by];
}

describe('split', () => {
  it('is disjoint and complete, and no unit is on both sides, for any graph, fraction and seed', () => {
    fc.assert(
      fc.property(
        knowledgeGraph,
        unit,
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.nat(),
        (graph, by, trainFraction, seed) => {
          const all = pairsOf(graph.tagged);
          fc.pre(new Set(all.map((pair) => unitOf(graph, by, pair))).size >= 2);
          const { train, test } = split(graph, { trainFraction, seed, by, groupOf });
          const [trainPairs, testPairs] = [pairsOf(train.tagged), pairsOf(test)];
          expect([...trainPairs, ...testPairs].sort()).toEqual([...all].sort());
          expect(trainPairs.length).toBeGreaterThan(0);
          expect(testPairs.length).toBeGreaterThan(0);
          const trainUnits = new Set(trainPairs.map((pair) => unitOf(graph, by, pair)));
          for (const pair of testPairs) expect(trainUnits).not.toContain(unitOf(graph, by, pair));
          expect(train.interact).toBe(graph.interact);
          expect(train.tags).toBe(graph.tags);
        },
      ),
      { numRuns: 200 },
    );
  });

  const grid = graphFrom({
    interact: [['u', 'o0']],
    tagged: Array.from({ length: 1000 }, (_, i) => [`o${i % 100}`, `t${Math.floor(i / 100)}`] as const),
  });

  it('takes the asked share of pairs or objects', () => {
    expect(split(grid, { trainFraction: 0.8, seed: 1 }).train.tagged.size).toBe(800);
    const { test } = split(grid, { trainFraction: 0.7, seed: 1, by: 'object' });
    expect(new Set(test.heads).size).toBe(30);
    expect(test.size).toBe(300);
  });

  it('repeats with its seed, changes with another, and stays what it was', () => {
    const testOf = (seed: number) => pairsOf(split(grid, { trainFraction: 0.8, seed }).test);
    expect(testOf(1)).toEqual(testOf(1));
    expect(testOf(1)).not.toEqual(testOf(2));
    expect(testOf(1).slice(0, 4)).toMatchInlineSnapshot(`
      [
        "0,3",
        "1,1",
        "1,2",
        "2,0",
      ]
    `);
  });

  it('refuses a fraction outside (0, 1) and data that cannot be cut', () => {
    for (const trainFraction of [0, 1, -1, Number.NaN]) {
      expect(() => split(grid, { trainFraction, seed: 1 })).toThrow(
        /got a training fraction of .*, expected more than 0 and less than 1/,
      );
    }
    const tiny = graphFrom({ interact: [['u', 'o']], tagged: [['o', 't']] });
    expect(() => split(tiny, { trainFraction: 0.8, seed: 1 })).toThrow(
      /got 1 pair with a tag, expected at least 2.*side\. Add data\.$/,
    );
  });
});

describe('sampleObjects', () => {
  it('keeps a share of the objects with all their users and tags; a smaller sample is part of a larger one', () => {
    fc.assert(
      fc.property(knowledgeGraph, fc.double({ min: 0.05, max: 1, noNaN: true }), fc.nat(9), (graph, share, seed) => {
        const [small, large] = [sampleObjects(graph, share / 2, seed), sampleObjects(graph, share, seed)];
        const objectsOf = ({ interact, tagged }: typeof graph) => new Set([...interact.tails, ...tagged.heads]);
        const [few, more] = [objectsOf(small), objectsOf(large)];
        expect([...few].every((object) => more.has(object))).toBe(true);
        expect(more.size).toBeLessThanOrEqual(Math.ceil(share * graph.objects.size));
        for (const object of more) expect(large.tagged.row(object)).toEqual(graph.tagged.row(object));
        expect(large.objects).toBe(graph.objects);
        expect(sampleObjects(graph, 1, seed)).toBe(graph);
      }),
    );
  });
});
