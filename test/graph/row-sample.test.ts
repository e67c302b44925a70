// Which objects a solve learns from, against the rule written out with whole numbers of any size.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Relation } from '../../src/data/relation.ts';
import { SAMPLE_KEY, sampleKey } from '../../src/graph/capped-middles.ts';
import { LEAST_COMMON, NOBODY, sampleRows } from '../../src/graph/row-sample.ts';

/** Every second object carries one tag, or another one where its id tells so. */
function tagged(numObjects: number, numTags: number): Relation {
  const heads = Int32Array.from({ length: numObjects >> 1 }, (_, i) => 2 * i);
  const tails = heads.map((object) => (object % 7 === 0 ? (object / 7) % numTags : 0));
  return new Relation(numObjects, numTags, heads, tails);
}

describe('sampleRows', () => {
  it('has all objects of rare tags and, by the key, a share of the others', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 3000 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 0, max: 20 }),
        (numObjects, numTags, rows, rareCount) => {
          const relation = tagged(numObjects, numTags);
          const { objects, weights } = sampleRows(relation, { rows, rareCount });
          const counts = new Map<number, number>();
          for (const tag of relation.tails) counts.set(tag, (counts.get(tag) ?? 0) + 1);
          const all = [...new Set(relation.heads)];
          const isRare = (object: number) =>
            relation.row(object).some((tag) => (counts.get(tag) as number) <= rareCount);
          const common = all.filter((object) => !isRare(object)).length;
          const room = Math.max(rows - (all.length - common), Math.ceil(rows / LEAST_COMMON));
          const isKept = (object: number) =>
            BigInt(sampleKey(NOBODY, object)) * BigInt(common) < BigInt(room) * BigInt(SAMPLE_KEY.largest);
          const expected = all.filter((object) => isRare(object) || common <= room || isKept(object));
          expect([...objects]).toEqual(expected);
          const weightOf = (object: number) => (isRare(object) ? 1 : common / room);
          expect(weights && [...weights]).toEqual(common <= room ? undefined : expected.map(weightOf));
        },
      ),
    );
  });

  it('stands for all tagged objects, about', () => {
    const relation = tagged(200_000, 50);
    const { objects, weights } = sampleRows(relation, { rows: 5000, rareCount: 0 });
    expect(Math.abs(objects.length / 5000 - 1)).toBeLessThan(0.05);
    const total = [...(weights ?? [])].reduce((sum, weight) => sum + weight, 0);
    expect(Math.abs(total / 100_000 - 1)).toBeLessThan(0.05);
  });
});
