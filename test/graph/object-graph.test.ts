import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairList, type Relation } from '../../src/data/relation.ts';
import { countNeighbours, countPaths, numPaths } from '../../src/graph/path-counts.ts';
import { strongestNeighbours } from '../../src/graph/prune.ts';
import { sppmi } from '../../src/graph/sppmi.ts';
import type { WeightedGraph } from '../../src/graph/weighted-graph.ts';
import { oracle } from '../oracle.ts';

function relationOf(pairs: readonly (readonly [number, number])[], numHeads: number, numTails: number): Relation {
  const list = new PairList();
  for (const [head, tail] of pairs) list.add(head, tail);
  const identity = (n: number) => Int32Array.from({ length: n }, (_, i) => i);
  return list.toRelation(identity(numHeads), identity(numTails));
}

function dense({ numNodes, rowStart, columns, weights }: WeightedGraph): number[][] {
  return Array.from({ length: numNodes }, (_, node) => {
    const row = new Array(numNodes).fill(0);
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) row[columns[e]] = weights[e];
    return row;
  });
}

function expectClose(got: readonly number[][], expected: readonly number[][]): void {
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

describe('strongestNeighbours', () => {
  it('keeps the heaviest edges of each row, the smaller id first among equals', () => {
    const graph: WeightedGraph = {
      numNodes: 2,
      rowStart: Int32Array.of(0, 4, 5),
      columns: Int32Array.of(0, 1, 2, 3, 0),
      weights: Float32Array.of(1, 2, 1, 3, 5),
    };
    const { rowStart, columns, weights } = strongestNeighbours(graph, 3);
    expect([...rowStart]).toEqual([0, 3, 4]);
    expect([...columns]).toEqual([0, 1, 3, 0]);
    expect([...weights]).toEqual([1, 2, 3, 5]);
  });
});
