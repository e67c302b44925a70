import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Csr } from '../../src/csr.ts';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { PairList, type Relation } from '../../src/data/relation.ts';
import { split } from '../../src/data/split.ts';
import { numPaths } from '../../src/graph/capped-middles.ts';
import { buildDualGraphs, defaultNeighbours } from '../../src/graph/dual-graphs.ts';
import { countNeighbours, countPaths } from '../../src/graph/path-counts.ts';
import { prunedSymmetric, withMinimum } from '../../src/graph/prune.ts';
import { normalized, sppmi } from '../../src/graph/weighting.ts';
import { oracle } from '../oracle.ts';

function relationOf(pairs: readonly (readonly [number, number])[], numHeads: number, numTails: number): Relation {
  const list = new PairList();
  for (const [head, tail] of pairs) list.add(head, tail);
  const identity = (n: number) => Int32Array.from({ length: n }, (_, i) => i);
  return list.toRelation(identity(numHeads), identity(numTails));
}

function dense({ rowStart, columns, values }: Csr): number[][] {
  const numNodes = rowStart.length - 1;
  return Array.from({ length: numNodes }, (_, node) => {
    const row = new Array(numNodes).fill(0);
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) row[columns[e]] = values[e];
    return row;
  });
}

function expectClose(got: readonly number[][], expected: readonly (readonly number[])[]): void {
  expect(got.length).toBe(expected.length);
  for (const [i, row] of expected.entries())
    for (const [j, value] of row.entries()) expect(got[i][j], `${i},${j}`).toBeCloseTo(value, 5);
}

const interact = relationOf(oracle.interact, oracle.users, oracle.objects);
const tagged = relationOf(oracle.tagged, oracle.objects, oracle.tags);

describe('countPaths', () => {
  it('agrees with the oracle for objects and tags', async () => {
    expect(dense(await countPaths(interact))).toEqual(oracle.countsObjects);
    expect(dense(await countPaths(tagged))).toEqual(oracle.countsTags);
  });

  it('is the square of the relation without its diagonal, for any relation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(7), fc.nat(5)), { maxLength: 40 }), async (pairs) => {
        const through = relationOf(pairs, 8, 6);
        const counts = Array.from({ length: 6 }, (_, a) =>
          Array.from({ length: 6 }, (_, b) => {
            let paths = 0;
            for (let m = 0; m < 8; m++) if (a !== b && through.has(m, a) && through.has(m, b)) paths++;
            return paths;
          }),
        );
        expect(dense(await countPaths(through))).toEqual(counts);
        expect(await countNeighbours(through)).toBe(counts.flat().filter((n) => n > 0).length);
        expect(numPaths(through)).toBe(counts.flat().reduce((a, b) => a + b, 0) + through.size);
      }),
    );
  });
});

describe('a long count', () => {
  it('stops when asked to', async () => {
    await expect(countPaths(interact, { signal: AbortSignal.abort() })).rejects.toThrow('Stopped on request.');
  });
});

describe('sppmi', () => {
  it('agrees with the oracle for both shifts', async () => {
    expectClose(dense(sppmi(await countPaths(interact), oracle.shiftObjects)), oracle.sppmiObjects);
    expectClose(dense(sppmi(await countPaths(tagged), oracle.shiftTags)), oracle.sppmiTags);
  });
});

const pairLists = fc.array(fc.tuple(fc.nat(7), fc.nat(9)), { maxLength: 60 });

describe('normalized', () => {
  it('agrees with the oracle for both graphs', async () => {
    expectClose(dense(normalized(sppmi(await countPaths(interact), oracle.shiftObjects))), oracle.normalizedObjects);
    expectClose(dense(normalized(sppmi(await countPaths(tagged), oracle.shiftTags))), oracle.normalizedTags);
  });

  it('has sorted rows, one loop a node, and is symmetric', async () => {
    await fc.assert(
      fc.asyncProperty(pairLists, async (pairs) => {
        const graph = normalized(sppmi(await countPaths(relationOf(pairs, 8, 10)), 0.5));
        const matrix = dense(graph);
        for (let i = 0; i < 10; i++) {
          const row = graph.columns.subarray(graph.rowStart[i], graph.rowStart[i + 1]);
          expect([...row]).toEqual([...new Set(row)].sort((a, b) => a - b));
          expect(matrix[i][i]).toBeGreaterThan(0);
          for (let j = 0; j < i; j++) expect(matrix[i][j]).toBeCloseTo(matrix[j][i], 6);
        }
      }),
    );
  });
});

/** A row with its heaviest entries alone, the smaller column first among equals. */
function heaviest(row: readonly number[], most: number): number[] {
  const order = row.map((_, j) => j).sort((a, b) => row[b] - row[a] || a - b);
  const kept = new Set(order.slice(0, most));
  return row.map((weight, j) => (kept.has(j) ? weight : 0));
}

describe('prunedSymmetric', () => {
  it('keeps an edge if it is among the heaviest of either end, the smaller id first among equals', async () => {
    await fc.assert(
      fc.asyncProperty(pairLists, fc.integer({ min: 1, max: 4 }), async (pairs, most) => {
        const graph = sppmi(await countPaths(relationOf(pairs, 8, 10)), 0.3);
        const [whole, pruned] = [graph, prunedSymmetric(graph, most)].map(dense);
        const directed = whole.map((row) => heaviest(row, most));
        for (let i = 0; i < 10; i++) {
          for (let j = 0; j < 10; j++) {
            const isKept = directed[i][j] > 0 || directed[j][i] > 0;
            expect(pruned[i][j]).toBe(isKept ? whole[i][j] : 0);
          }
        }
      }),
    );
  });
});

describe('withMinimum', () => {
  it('drops edges that rest on too few paths', async () => {
    const counts = await countPaths(interact);
    const kept = dense(withMinimum(counts, 2));
    expect(kept).toEqual(dense(counts).map((row) => row.map((n) => (n >= 2 ? n : 0))));
  });
});

describe('buildDualGraphs', () => {
  const settings = { shift: 0.5, neighbours: 5, minCount: 1, maxPerMiddle: 1000 };

  it('are the same whether or not the test pairs ever existed', async () => {
    const facts = Array.from({ length: 60 }, (_, i) => [`o${(i * 7) % 12}`, `t${(i * 5) % 11}`] as const);
    const interactions = Array.from({ length: 60 }, (_, i) => [`u${i % 9}`, `o${(i * 5) % 12}`] as const);
    const whole = graphFrom({ interact: interactions, tagged: facts });
    const { train, test } = split(whole, { trainFraction: 0.7, seed: 3 });
    // the same training pairs, in a graph that never held the test pairs
    const alone = { ...whole, tagged: relationOf(pairsOf(train.tagged), train.tagged.numHeads, train.tagged.numTails) };
    expect(test.size).toBeGreaterThan(5);
    const both = { objects: settings, tags: settings };
    expect(await buildDualGraphs(train, both)).toEqual(await buildDualGraphs(alone, both));
  });
});

function pairsOf(relation: Relation): [number, number][] {
  return Array.from(relation.heads, (head, i) => [head, relation.tails[i]]);
}

describe('defaultNeighbours', () => {
  /** `usersOf`: how many users each object has. */
  const withUsers = (usersOf: readonly number[]) => {
    const pairs = usersOf.flatMap((count, object) =>
      Array.from({ length: count }, (_, user) => [user, object] as const),
    );
    return relationOf(pairs, Math.max(1, ...usersOf), usersOf.length);
  };

  it('is the users of the median object that has any, from 30 to 100', () => {
    expect(defaultNeighbours(withUsers([0, 0, 2, 60, 200]))).toBe(60);
    expect(defaultNeighbours(withUsers([1, 2, 3, 500]))).toBe(30);
    expect(defaultNeighbours(withUsers([90, 150, 400]))).toBe(100);
    expect(defaultNeighbours(withUsers([0, 0]))).toBe(30);
  });
});
