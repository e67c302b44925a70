import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { Similarity } from '../../src/graph/similarity.ts';
import { knowledgeGraph } from '../arbitraries.ts';
import { checkerboard } from '../checkerboard.ts';

/** By the definition, with no shortcut. */
function cosine({ interact }: KnowledgeGraph, damping: number, a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const square = (user: number) => interact.rowLength(user) ** (-2 * damping);
  const sum = (users: Iterable<number>) => [...users].reduce((total, user) => total + square(user), 0);
  const shared = [...a].filter((user) => b.has(user));
  return sum(shared) / Math.sqrt(sum(a) * sum(b));
}

function usersOf({ interact }: KnowledgeGraph, object: number): Set<number> {
  return new Set([...interact.tails.keys()].filter((i) => interact.tails[i] === object).map((i) => interact.heads[i]));
}

describe('similarity', () => {
  it('is the cosine of users, where those of many objects count for less', () => {
    fc.assert(
      fc.property(knowledgeGraph, fc.constantFrom(0, 0.25, 1), (graph, damping) => {
        const similarity = new Similarity(graph.interact, damping);
        for (let object = 0; object < graph.objects.size; object++) {
          const own = usersOf(graph, object);
          const { objects, cosines } = similarity.similarTo(similarity.usersOf(object));
          const expected = Array.from({ length: graph.objects.size }, (_, other) => other).filter((other) =>
            [...usersOf(graph, other)].some((user) => own.has(user)),
          );
          expect([...objects]).toEqual(expected);
          for (const [i, other] of expected.entries()) {
            expect(cosines[i]).toBeCloseTo(cosine(graph, damping, own, usersOf(graph, other)), 5);
          }
        }
      }),
    );
  });

  it('gives the nearest, the smaller id among equals, without the object and those that do not count', () => {
    fc.assert(
      fc.property(knowledgeGraph, fc.integer({ min: 1, max: 5 }), (graph, most) => {
        const similarity = new Similarity(graph.interact, 0.25);
        const among = Uint8Array.from({ length: graph.objects.size }, (_, object) => (object % 3 === 0 ? 0 : 1));
        for (let object = 0; object < graph.objects.size; object++) {
          const users = similarity.usersOf(object);
          const all = similarity.similarTo(users);
          const nearest = similarity.mostSimilar(users, { most, among, except: object });
          const ranked = [...all.objects.keys()]
            .filter((i) => all.objects[i] !== object && among[all.objects[i]] !== 0)
            .sort((i, j) => all.cosines[j] - all.cosines[i] || all.objects[i] - all.objects[j])
            .slice(0, most);
          const cosines = ranked.map((i) => all.cosines[i]).sort();
          expect(nearest.objects.length).toBe(ranked.length);
          expect([...nearest.objects]).toEqual([...nearest.objects].sort((a, b) => a - b));
          for (const [i, value] of [...nearest.cosines].sort().entries()) expect(value).toBeCloseTo(cosines[i], 5);
        }
      }),
    );
  });

  it('has rows whose products are the cosines', () => {
    const graph = checkerboard(20, 6, 12);
    const similarity = new Similarity(graph.interact, 0.5);
    const { rowStart, columns, values } = similarity.rows();
    const row = (object: number) => {
      const dense = new Float64Array(graph.users.size);
      for (let e = rowStart[object]; e < rowStart[object + 1]; e++) dense[columns[e]] = values[e];
      return dense;
    };
    const { objects, cosines } = similarity.similarTo(similarity.usersOf(3));
    for (const [i, other] of objects.entries()) {
      expect(row(3).reduce((sum, value, user) => sum + value * row(other)[user], 0)).toBeCloseTo(cosines[i], 6);
    }
    expect([...similarity.row(similarity.usersOf(3))]).toEqual([...values.subarray(rowStart[3], rowStart[4])]);
  });

  it('knows nothing like an object without users', () => {
    const similarity = new Similarity(checkerboard(6, 4, 4).interact, 0.25);
    expect(similarity.similarTo([]).objects).toHaveLength(0);
    expect(similarity.mostSimilar([], { most: 3 }).objects).toHaveLength(0);
  });
});
