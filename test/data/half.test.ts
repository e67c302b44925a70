import { describe, expect, it } from 'vitest';
import { asHalves, fromHalf, toHalf } from '../../src/data/half.ts';

describe('half', () => {
  it('knows every number of 16 bits', () => {
    const comesBack = (half: number) => {
      const value = fromHalf(half);
      return Number.isNaN(value) ? Number.isNaN(fromHalf(toHalf(value))) : toHalf(value) === half;
    };
    const halves = Array.from({ length: 65536 }, (_, half) => half);
    expect(halves.filter((half) => !comesBack(half))).toEqual([]);
    expect(fromHalf(0x8000)).toBe(-0);
  });

  it('has the values of the standard', () => {
    const known: [number, number][] = [
      [1, 0x3c00],
      [-2, 0xc000],
      [65504, 0x7bff],
      [2 ** -14, 0x0400],
      [2 ** -24, 0x0001],
      [1 / 3, 0x3555],
      [Number.POSITIVE_INFINITY, 0x7c00],
    ];
    for (const [value, half] of known) expect(toHalf(value)).toBe(half);
  });

  it('rounds to the nearest, and of two as near to the even one', () => {
    const between = (half: number, share: number) => fromHalf(half) + share * (fromHalf(half + 1) - fromHalf(half));
    for (const half of [0x0000, 0x0001, 0x03ff, 0x0400, 0x3bff, 0x3c00, 0x3c01, 0x7bfe]) {
      expect(toHalf(between(half, 0.49))).toBe(half);
      expect(toHalf(between(half, 0.51))).toBe(half + 1);
      expect(toHalf(between(half, 0.5))).toBe(half % 2 === 0 ? half : half + 1);
    }
    expect(toHalf(65520)).toBe(0x7c00);
    expect(toHalf(1e-9)).toBe(0);
  });

  it('keeps three digits', () => {
    const values = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i) * 10 ** ((i % 7) - 4));
    for (const [i, half] of asHalves(values).entries()) {
      expect(Math.abs(half - values[i])).toBeLessThanOrEqual(Math.abs(values[i]) / 2048 + 3e-8);
    }
  });
});
