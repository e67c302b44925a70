import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { countPaths } from '../../src/graph/path-counts.ts';
import { cosine } from '../../src/graph/weighting.ts';
import { neighbourScorer } from '../../src/models/forms/neighbours.ts';
import { fitItemKnn } from '../../src/models/itemknn.ts';

// a and b share u1 and u2, a and c share u2; a has three users, b two, c one
const graph = graphFrom({
  interact: [
    ['u1', 'a'],
    ['u2', 'a'],
    ['u3', 'a'],
    ['u1', 'b'],
    ['u2', 'b'],
    ['u2', 'c'],
    ['u9', 'd'],
  ],
  tagged: [
    ['b', 'x'],
    ['c', 'x'],
    ['c', 'y'],
    ['d', 'z'],
  ],
});

describe('ItemKNN', () => {
  it('weighs neighbours by the cosine of their users', async () => {
    const { columns, values } = cosine(await countPaths(graph.interact), graph.interact);
    expect([...columns]).toEqual([1, 2, 0, 2, 0, 1]);
    const [ab, ac, bc] = [2 / Math.sqrt(6), 1 / Math.sqrt(3), 1 / Math.sqrt(2)];
    for (const [i, expected] of [ab, ac, ab, bc, ac, bc].entries()) expect(values[i]).toBeCloseTo(expected, 6);
  });

  it('adds up what the neighbours have', async () => {
    const fitted = await fitItemKnn(graph, { neighbours: 5, weighting: 'cosine', objectShift: 1 });
    const scores = new Float32Array(graph.tags.size);
    await neighbourScorer(fitted, graph).score(Int32Array.of(0), scores);
    expect(scores[0]).toBeCloseTo(2 / Math.sqrt(6) + 1 / Math.sqrt(3), 6); // x, of b and c
    expect(scores[1]).toBeCloseTo(1 / Math.sqrt(3), 6); // y, of c
    expect(scores[2]).toBe(0); // z: d shares no user
  });

  it('keeps an edge that is strong for either end', async () => {
    const { graph: kept } = await fitItemKnn(graph, { neighbours: 1, weighting: 'cosine', objectShift: 1 });
    // the strongest of a is b, of b a, of c b: the edge b–c stays for the sake of c
    expect([...kept.rowStart]).toEqual([0, 1, 3, 4, 4]);
    expect([...kept.columns]).toEqual([1, 0, 2, 1]);
  });
});
