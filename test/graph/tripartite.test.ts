import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Csr } from '../../src/csr.ts';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import { tripartiteGraph } from '../../src/graph/tripartite.ts';
import { normalizedWithoutLoops } from '../../src/graph/weighting.ts';
import { checkerboard } from '../checkerboard.ts';

function dense({ rowStart, columns, values }: Csr): number[][] {
  const numNodes = rowStart.length - 1;
  return Array.from({ length: numNodes }, (_, node) => {
    const row = new Array(numNodes).fill(0);
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) row[columns[e]] += values[e];
    return row;
  });
}

const pairs = (head: string, tail: string) =>
  fc.array(
    fc.tuple(fc.nat(6), fc.nat(6)).map(([h, t]) => [`${head}${h}`, `${tail}${t}`] as const),
    { maxLength: 30 },
  );
const graphs = fc.record({ interact: pairs('u', 'o'), tagged: pairs('o', 't') }).map(graphFrom);

/** Whether two nodes are joined, by looking them up in the relations. */
function isEdge({ objects, tags, interact, tagged }: KnowledgeGraph, a: number, b: number): boolean {
  const [low, high] = a < b ? [a, b] : [b, a];
  if (low >= objects.size || high < objects.size) return false;
  const tag = high - objects.size;
  return tag < tags.size ? tagged.has(low, tag) : interact.has(tag - tags.size, low);
}

describe('tripartiteGraph', () => {
  it('has objects, then tags, then users, joined both ways', () => {
    const graph = graphFrom({
      interact: [
        ['u0', 'o0'],
        ['u1', 'o0'],
        ['u1', 'o1'],
      ],
      tagged: [
        ['o0', 't0'],
        ['o2', 't0'],
      ],
    });
    expect(dense(tripartiteGraph(graph))).toEqual([
      [0, 0, 0, 1, 1, 1],
      [0, 0, 0, 0, 0, 1],
      [0, 0, 0, 1, 0, 0],
      [1, 0, 1, 0, 0, 0],
      [1, 0, 0, 0, 0, 0],
      [1, 1, 0, 0, 0, 0],
    ]);
  });

  it('has an edge where a relation has a pair and nowhere else, in rows that ascend, for any data', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const tripartite = tripartiteGraph(graph);
        const { rowStart, columns } = tripartite;
        const numNodes = rowStart.length - 1;
        expect(numNodes).toBe(graph.objects.size + graph.tags.size + graph.users.size);
        expect(dense(tripartite)).toEqual(
          Array.from({ length: numNodes }, (_, a) => Array.from({ length: numNodes }, (_, b) => +isEdge(graph, a, b))),
        );
        for (let node = 0; node < numNodes; node++) {
          const row = columns.slice(rowStart[node], rowStart[node + 1]);
          expect(row).toEqual(row.slice().sort());
        }
      }),
    );
  });

  it('knows training pairs alone', () => {
    const { train, test } = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
    const graph = dense(tripartiteGraph(train));
    for (let i = 0; i < test.size; i++) expect(graph[test.heads[i]][train.objects.size + test.tails[i]]).toBe(0);
  });
});

describe('normalizedWithoutLoops', () => {
  it('divides by the root of both degrees and leaves nodes without edges alone', () => {
    const graph = {
      ...graphFrom({
        interact: [['u0', 'o0']],
        tagged: [
          ['o0', 't0'],
          ['o1', 't0'],
          ['o2', 't1'],
        ],
      }),
    };
    const cut = { ...graph, tagged: graph.tagged.select(Uint8Array.of(1, 1, 0)) };
    const [root2, root4] = [Math.fround(1 / Math.sqrt(2)), 1 / Math.sqrt(4)];
    expect(dense(normalizedWithoutLoops(tripartiteGraph(cut)))).toEqual([
      [0, 0, 0, root4, 0, root2],
      [0, 0, 0, root2, 0, 0],
      [0, 0, 0, 0, 0, 0],
      [root4, root2, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
      [root2, 0, 0, 0, 0, 0],
    ]);
  });

  it('stays symmetric to the last bit, for any data', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const normalized = dense(normalizedWithoutLoops(tripartiteGraph(graph)));
        expect(normalized.map((row, a) => row.map((_, b) => normalized[b][a]))).toEqual(normalized);
      }),
    );
  });
});
