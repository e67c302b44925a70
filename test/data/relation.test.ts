import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairList, type Relation } from '../../src/data/relation.ts';

const pairs = fc.array(fc.tuple(fc.nat(9), fc.nat(6)), { maxLength: 60 });
const identity = (n: number) => Int32Array.from({ length: n }, (_, i) => i);

function relationOf(list: readonly (readonly [number, number])[]): Relation {
  const collected = new PairList();
  for (const [head, tail] of list) collected.add(head, tail);
  return collected.toRelation(identity(10), identity(7));
}

function pairsOf(relation: Relation): string[] {
  return Array.from(relation.heads, (head, i) => `${head},${relation.tails[i]}`);
}

describe('PairList.toRelation', () => {
  it('holds the distinct pairs, sorted by head and tail', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        expect(pairsOf(relationOf(list))).toEqual([...new Set(list.map(String))].sort());
      }),
    );
  });

  it('moves ids to their ranks', () => {
    const list = new PairList();
    list.add(0, 0);
    list.add(1, 2);
    const relation = list.toRelation(Int32Array.of(1, 0), Int32Array.of(2, 1, 0));
    expect(pairsOf(relation)).toEqual(['0,0', '1,2']);
    expect(list.size).toBe(0);
  });

  it('crosses block borders: 600,000 pairs with every pair twice', () => {
    const list = new PairList();
    const n = 300_000;
    for (let i = 0; i < 2 * n; i++) list.add((i * 7) % n, i % 3);
    const relation = list.toRelation(identity(n), identity(3));
    expect(relation.size).toBe(new Set(Array.from({ length: 2 * n }, (_, i) => ((i * 7) % n) * 3 + (i % 3))).size);
  });
});

describe('Relation', () => {
  it('row, rowLength and has agree with the pairs', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const relation = relationOf(list);
        const known = new Set(list.map(String));
        for (let head = 0; head < 10; head++) {
          expect(relation.row(head)).toHaveLength(relation.rowLength(head));
          for (let tail = 0; tail < 7; tail++) expect(relation.has(head, tail)).toBe(known.has(`${head},${tail}`));
        }
      }),
    );
  });

  it('reversed twice is itself', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const relation = relationOf(list);
        expect(pairsOf(relation.reversed().reversed())).toEqual(pairsOf(relation));
        expect(relation.reversed().numHeads).toBe(7);
      }),
    );
  });

  it('select keeps exactly the marked pairs', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const relation = relationOf(list);
        const marks = Uint8Array.from(relation.heads, (_, i) => i % 2);
        expect(pairsOf(relation.select(marks))).toEqual(pairsOf(relation).filter((_, i) => i % 2 === 1));
      }),
    );
  });
});
