import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explanationGroups, reach } from '../../web/src/parts/explanation-lines.ts';

const amount = fc.double({ min: -1, max: 1, noNaN: true });
const tags = fc.array(fc.record({ tag: fc.string(), amount }), { maxLength: 12 });
const parts = fc.record({
  base: amount,
  ownTags: tags,
  neighbours: fc.array(
    fc.record({
      object: fc.string(),
      title: fc.string(),
      cosine: amount,
      numSharedUsers: fc.nat(9),
      amount,
      tags,
    }),
    { maxLength: 12 },
  ),
  words: fc.array(fc.record({ word: fc.string(), amount }), { maxLength: 12 }),
  profile: amount,
});
const sum = (lines: readonly { readonly amount: number }[]) => lines.reduce((total, one) => total + one.amount, 0);

describe('explanationGroups', () => {
  it('gives groups that add up to the score, and lines that add up to their group', () => {
    fc.assert(
      fc.property(parts, (some) => {
        const groups = explanationGroups(some);
        const score = some.base + some.profile + sum(some.ownTags) + sum(some.neighbours) + sum(some.words);
        expect(sum(groups)).toBeCloseTo(score, 9);
        for (const { lines, amount: total } of groups) if (lines.length > 0) expect(sum(lines)).toBeCloseTo(total, 9);
      }),
    );
  });

  it('names the loudest five and counts the rest', () => {
    const ownTags = [0.01, -0.5, 0.3, 0.02, 0.04, 0.2, -0.03].map((one, i) => ({ tag: `t${i}`, amount: one }));
    const [own] = explanationGroups({ base: 0, ownTags, neighbours: [], words: [], profile: 0 });
    expect(own.lines.map(({ label }) => label)).toEqual(['t1', 't2', 't5', 't4', 't6', '2 more tags']);
    expect(own.lines[5].amount).toBeCloseTo(0.03);
  });

  it('does not name what would be written as 0', () => {
    const ownTags = [
      { tag: 'loud', amount: 0.4 },
      { tag: 'mute', amount: 0.0001 },
    ];
    const [own] = explanationGroups({ base: 0, ownTags, neighbours: [], words: [], profile: 0 });
    expect(own.lines.map(({ label }) => label)).toEqual(['loud', '1 more tag']);
  });

  it('says of a neighbour how many users it shares, and three of its tags', () => {
    const spoke = ['a', 'b', 'c', 'd'].map((tag) => ({ tag, amount: 0.1 }));
    const neighbour = { object: 'o', title: 'O', cosine: 0.5, numSharedUsers: 1, amount: 0.4, tags: spoke };
    const [similar] = explanationGroups({ base: 0, ownTags: [], neighbours: [neighbour], words: [], profile: 0 });
    expect(similar.lines).toEqual([
      { kind: 'object', label: 'O', object: 'o', detail: '1 shared user; a, b, c', amount: 0.4 },
    ]);
  });
});

describe('reach', () => {
  it('has room for the longest bar on either side', () => {
    const groups = explanationGroups({
      base: -0.2,
      ownTags: [{ tag: 'a', amount: 0.7 }],
      neighbours: [],
      words: [],
      profile: 0.1,
    });
    expect(reach(groups)).toEqual({ low: -0.2, high: 0.7 });
    expect(reach([])).toEqual({ low: 0, high: 0 });
  });
});
