import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Relation } from '../../src/data/relation.ts';
import {
  cappedMiddles,
  MOST_PER_MIDDLE,
  mostPerMiddle,
  numPaths,
  sampleKey,
  warnOfCapped,
} from '../../src/graph/capped-middles.ts';
import { buildGraph } from '../../src/graph/dual-graphs.ts';
import { Similarity } from '../../src/graph/similarity.ts';

/** By middle, how many nodes it has: the first ones. */
function relationOf(...lengths: number[]): Relation {
  const heads = lengths.flatMap((length, middle) => new Array<number>(length).fill(middle));
  const tails = lengths.flatMap((length) => Array.from({ length }, (_, node) => node));
  return new Relation(lengths.length, Math.max(...lengths), Int32Array.from(heads), Int32Array.from(tails));
}

const lengths = fc.array(fc.nat(40), { minLength: 1, maxLength: 8 });

describe('cappedMiddles', () => {
  it('leaves at most that many nodes to a middle, always the same, and all where there are fewer', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 45 }), (sizes, most) => {
        const whole = relationOf(...sizes);
        const capped = cappedMiddles(whole, most);
        for (const [middle, size] of sizes.entries()) {
          expect(capped.rowLength(middle)).toBe(Math.min(most, size));
          for (const node of capped.row(middle)) expect(whole.has(middle, node)).toBe(true);
        }
        expect(cappedMiddles(whole, most)).toEqual(capped);
        if (Math.max(...sizes) <= most) expect(capped).toBe(whole);
      }),
    );
  });

  it('keeps the nodes of the smallest keys', () => {
    const kept = cappedMiddles(relationOf(100), 10).row(0);
    const byKey = Array.from({ length: 100 }, (_, node) => node).sort((a, b) => sampleKey(0, a) - sampleKey(0, b));
    expect([...kept]).toEqual(byKey.slice(0, 10).sort((a, b) => a - b));
  });

  it('draws evenly from all ids, and others for another middle', () => {
    const [first, second] = [0, 1].map((middle) => cappedMiddles(relationOf(60_000, 60_000), 6000).row(middle));
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = first.filter((node) => Math.floor(node / 6000) === tenth).length / 6000;
      expect(share).toBeGreaterThan(0.08);
      expect(share).toBeLessThan(0.12);
    }
    const both = first.filter((node) => second.includes(node)).length;
    expect(both / 6000).toBeLessThan(0.15); // a tenth by chance
  });

  it('computes keys exactly, whatever the ids', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), fc.nat(2 ** 31 - 1), (middle, node) => {
        const x = (BigInt(node) * 48_271n + BigInt(middle) * 40_692n + 1n) % 94_906_249n;
        expect(BigInt(sampleKey(middle, node))).toBe((x * x + BigInt(node)) % (2n ** 31n - 1n));
      }),
    );
  });
});

describe('the steps of counting paths', () => {
  it('do not grow with the objects of one user beyond the cap, and are all counted below it', () => {
    for (const size of [10_000, 20_000, 200_000]) {
      expect(numPaths(cappedMiddles(relationOf(size)))).toBe(MOST_PER_MIDDLE ** 2);
    }
    const usual = relationOf(2314, 1850, 17);
    expect(cappedMiddles(usual)).toBe(usual);
  });

  it('stay within the budget where many users have very many objects', () => {
    const heads = 100;
    const large = relationOf(...new Array<number>(heads).fill(4000));
    expect(numPaths(large)).toBe(1.6e9);
    const most = mostPerMiddle(large);
    expect(heads * most ** 2).toBeLessThanOrEqual(2 ** 29);
    expect(heads * (most + 1) ** 2).toBeGreaterThan(2 ** 29);
  });

  it('bound what is similar to an object: its neighbours come from the sample', () => {
    const size = 2 * MOST_PER_MIDDLE;
    const interact = relationOf(size, 3);
    const sample = new Set(cappedMiddles(interact).row(0));
    const { objects } = new Similarity(interact, 0.25).mostSimilar([0], { most: size });
    expect([...objects].every((object) => sample.has(object))).toBe(true);
    expect(objects.length).toBe(MOST_PER_MIDDLE);
  });
});

describe('a warning', () => {
  const told = (through: Relation, most?: number) => {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    warnOfCapped(through, { middle: 'user', node: 'object' }, { warn }, most);
    return warnings;
  };

  it('says who is represented by a sample, and nothing where nobody is', () => {
    expect(told(relationOf(12_345, 3))).toEqual([
      '1 user has more than 5,000 objects (12,345 at most): objects are compared by a sample of 5,000 of its objects.',
    ]);
    expect(told(relationOf(9, 8, 2), 5)).toEqual([
      '2 users have more than 5 objects (9 at most): objects are compared by a sample of 5 of their objects.',
    ]);
    expect(told(relationOf(5000))).toEqual([]);
  });

  it('comes with a graph that was built from a sample', async () => {
    const warnings: string[] = [];
    const settings = { shift: 0.5, neighbours: 0, minCount: 1, maxPerMiddle: 20 };
    const { columns } = await buildGraph(relationOf(500, 3), settings, { warn: (message) => warnings.push(message) });
    expect(columns.length).toBeLessThanOrEqual(20 * 19 + 3 * 2);
    expect(warnings).toHaveLength(1);
  });
});
