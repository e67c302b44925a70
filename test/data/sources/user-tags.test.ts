import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserTags } from '../../../src/data/sources/user-tags.ts';

test('keep(rule) agrees with counting by hand', () => {
  const row = fc.tuple(fc.constantFrom('u', 'v', 'w'), fc.nat(3), fc.constantFrom('a', 'b', 'c'));
  const rule = fc.record({ minObjects: fc.nat(4), minPairUsers: fc.nat(4), minTagUsers: fc.nat(4) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), rule, (rows, asked) => {
      const userTags = new UserTags();
      for (const [user, object, tag] of rows) userTags.add(user, object, tag);
      const kept: string[] = [];
      userTags.keep(asked, (object, tag) => kept.push(`${object} ${tag}`));

      const distinct = (values: unknown[]) => new Set(values).size;
      const byHand = rows.filter(([, object, tag]) => {
        const ofTag = rows.filter((other) => other[2] === tag);
        const ofPair = ofTag.filter((other) => other[1] === object);
        return (
          distinct(ofTag.map((other) => other[1])) >= asked.minObjects &&
          (distinct(ofPair.map((other) => other[0])) >= asked.minPairUsers ||
            distinct(ofTag.map((other) => other[0])) >= asked.minTagUsers)
        );
      });
      expect(kept.sort()).toEqual([...new Set(byHand.map(([, object, tag]) => `${object} ${tag}`))].sort());
    }),
  );
});
