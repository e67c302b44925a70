// The three ways to take the largest of many, against sorting.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largest, nthLargest, TopK } from '../../../src/engine/numerics/top-k.ts';

const FEW = [0, -0, 1, 1.5, -2, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]; // so few that many are equal
const number = fc.oneof(fc.constantFrom(...FEW), fc.float({ noNaN: true }));
const keys = fc.array(number, { maxLength: 60 }).map((values) => Float32Array.from(values));

/** Places of the best keys first, the smaller id first among equals. */
function sortedPlaces(keys: Float32Array, ids: Int32Array): number[] {
  const places = Array.from(keys.keys());
  return places.sort((a, b) => (keys[a] === keys[b] ? ids[a] - ids[b] : keys[a] > keys[b] ? -1 : 1));
}

describe('largest', () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.nat(1000), number), { maxLength: 60, selector: ([id]) => id });

  it('gives the ids of the largest keys, of equal keys the smaller ids', () => {
    fc.assert(
      fc.property(pairs, fc.nat(70), (given, most) => {
        const ids = Int32Array.from(given, ([id]) => id);
        const keys = Float32Array.from(given, ([, key]) => key);
        const expected = sortedPlaces(keys, ids).slice(0, most);
        expect(largest(ids, keys, most).sort()).toEqual(Int32Array.from(expected, (place) => ids[place]).sort());
      }),
    );
  });

  it('leaves what it was given as it was', () => {
    const [ids, keys] = [Int32Array.of(3, 1, 2), Float32Array.of(1, 5, 3)];
    expect([...largest(ids, keys, 2)].sort()).toEqual([1, 2]);
    largest(ids, keys, 9)[0] = 7;
    expect([[...ids], [...keys]]).toEqual([
      [3, 1, 2],
      [1, 5, 3],
    ]);
  });
});

describe('TopK', () => {
  it('keeps the best of what is offered in any order, and sorts them', () => {
    fc.assert(
      fc.property(keys, fc.nat(70), (values, limit) => {
        const ids = Int32Array.from(values.keys());
        const best = new TopK(limit, (a, b) => values[a] < values[b] || (values[a] === values[b] && a > b));
        for (const id of ids) {
          expect(best.isFull).toBe(id >= limit);
          best.offer(id);
        }
        const expected = sortedPlaces(values, ids).slice(0, limit);
        expect(best.sorted()).toEqual(expected);
        expect(best.worst).toBe(expected.at(-1));
      }),
    );
  });
});

describe('nthLargest', () => {
  const size = fc.oneof(fc.constantFrom(0, 1, 1.5, Number.POSITIVE_INFINITY), fc.float({ min: 0, noNaN: true }));
  const part = fc.array(size, { maxLength: 20 }).map((values) => Float32Array.from(values, Math.abs)); // no −0

  it('is the n-th of all parts, sorted', () => {
    const parts = fc.array(part, { minLength: 1, maxLength: 4 }).filter((all) => all.some(({ length }) => length > 0));
    fc.assert(
      fc.property(parts, fc.nat(), (all, place) => {
        const sorted = all.flatMap((values) => [...values]).sort((a, b) => (a === b ? 0 : a > b ? -1 : 1));
        const n = 1 + (place % sorted.length);
        expect(nthLargest(all, n)).toBe(sorted[n - 1]);
      }),
    );
  });

  it('reads a part of a longer array as that part', () => {
    expect(nthLargest([Float32Array.of(9, 1, 2, 9).subarray(1, 3)], 1)).toBe(2);
  });
});
