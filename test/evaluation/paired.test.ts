import { describe, expect, it } from 'vitest';
import { comparePaired } from '../../src/evaluation/paired.ts';
import { Random } from '../../src/random.ts';

const draws = (n: number, seed: number) => {
  const random = new Random(seed, 'values');
  return new Float64Array(n).map(() => random.float());
};

describe('comparePaired', () => {
  it('sees a small difference that holds for nearly every object', () => {
    const b = draws(500, 1);
    const a = b.map((value, i) => value + (i % 10 === 0 ? -0.01 : 0.02));
    const { difference, interval, pValue } = comparePaired(a, b, 1);
    expect(difference).toBeCloseTo(0.017, 9);
    expect(interval[0]).toBeGreaterThan(0);
    expect(interval[0]).toBeLessThan(difference);
    expect(interval[1]).toBeGreaterThan(difference);
    expect(pValue).toBeLessThan(0.001);
  });

  it('sees none between two random lists, and none at all between a list and itself', () => {
    const { interval, pValue } = comparePaired(draws(300, 1), draws(300, 2), 1);
    expect(interval[0]).toBeLessThan(0);
    expect(interval[1]).toBeGreaterThan(0);
    expect(pValue).toBeGreaterThan(0.05);
    expect(comparePaired(draws(50, 1), draws(50, 1), 1)).toEqual({ difference: 0, interval: [0, 0], pValue: 1 });
  });

  it('is right on average: under no difference, p < 0.1 comes up about one time in ten', () => {
    let small = 0;
    for (let seed = 0; seed < 200; seed++)
      if (comparePaired(draws(30, 2 * seed), draws(30, 2 * seed + 1), seed).pValue < 0.1) small++;
    expect(small).toBeGreaterThan(8);
    expect(small).toBeLessThan(36);
  });

  it('refuses lists of different lengths', () => {
    expect(() => comparePaired(draws(3, 1), draws(4, 1), 1)).toThrow('Got 3 and 4 values when expected as many');
  });
});
