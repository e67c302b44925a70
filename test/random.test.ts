import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permutation, Random, threefry, weightedPermutation } from '../src/random.ts';

describe('threefry', () => {
  // the known answers that the authors publish with Random123 for threefry2x32, 20 rounds
  it.each([
    [
      [0, 0],
      [0, 0],
      [0x6b200159, 0x99ba4efe],
    ],
    [
      [0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x1cb996fc, 0xbb002be7],
    ],
    [
      [0x13198a2e, 0x03707344],
      [0x243f6a88, 0x85a308d3],
      [0xc4923a9c, 0x483df7a0],
    ],
  ])('of key %j and counter %j is %j', (key, counter, expected) => {
    const out = new Uint32Array(2);
    threefry(out, key[0], key[1], counter[0], counter[1]);
    expect([...out]).toEqual(expected);
  });
});

describe('Random', () => {
  it('repeats for the same seed and purpose, and differs for another', () => {
    const draws = (seed: number, purpose: string) => {
      const random = new Random(seed, purpose);
      return Array.from({ length: 8 }, () => random.next());
    };
    expect(draws(7, 'split')).toEqual(draws(7, 'split'));
    expect(draws(7, 'split')).not.toEqual(draws(8, 'split'));
    expect(draws(7, 'split')).not.toEqual(draws(7, 'noise'));
    expect(draws(7, 'split')).not.toEqual(draws(7 + 2 ** 32, 'split'));
  });

  it('below(n) is even: 60,000 draws below 6 stay within five deviations', () => {
    const random = new Random(1, 'dice');
    const counts = new Array(6).fill(0);
    for (let i = 0; i < 60_000; i++) counts[random.below(6)]++;
    for (const count of counts)
      expect(Math.abs(count - 10_000)).toBeLessThan(5 * Math.sqrt(60_000 * (1 / 6) * (5 / 6)));
  });

  it('float() is in [0, 1) with mean near one half', () => {
    const random = new Random(3, 'floats');
    const draws = Array.from({ length: 20_000 }, () => random.float());
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
    expect(draws.reduce((a, b) => a + b) / draws.length).toBeCloseTo(0.5, 1);
  });

  it('refuses a seed that is not a whole number from 0', () => {
    for (const seed of [-1, 0.5, Number.NaN, 2 ** 60]) expect(() => new Random(seed, 'x')).toThrow(/seed/);
  });
});

describe('permutation', () => {
  it('holds each number once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.nat(), (n, seed) => {
        expect([...permutation(n, new Random(seed, 'p'))].sort((a, b) => a - b)).toEqual([...Array(n).keys()]);
      }),
    );
  });

  it('with weights holds each number once, the heavier the earlier', () => {
    const weights = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? 1 : 9));
    const order = weightedPermutation(weights, new Random(1, 'p'));
    expect(order.toSorted()).toEqual(Int32Array.from(weights.keys()));
    const heavy = order.subarray(0, 100).reduce((sum, i) => sum + (i % 2), 0);
    expect(heavy).toBeGreaterThan(80); // 90 expected
    expect(heavy).toBeLessThan(98);
    expect(weightedPermutation(weights, new Random(1, 'p'))).toEqual(order);
  });

  it('reaches all six orders of three', () => {
    const orders = new Set(Array.from({ length: 200 }, (_, seed) => permutation(3, new Random(seed, 'p')).join()));
    expect(orders.size).toBe(6);
  });
});
