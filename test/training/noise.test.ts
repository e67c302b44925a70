import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/random.ts';
import { Noise } from '../../src/training/noise.ts';

describe('Noise', () => {
  it('draws every tag as often as its probability says, unseen ones too', () => {
    const noise = new Noise([60, 30, 9, 1, 0]);
    const random = new Random(1, 'noise');
    const numDraws = 200_000;
    const drawn = new Float64Array(5);
    for (let i = 0; i < numDraws; i++) drawn[noise.draw(random)]++;
    expect(noise.probabilities[4]).toBeCloseTo(0.02, 12);
    for (let tag = 0; tag < 5; tag++) {
      const p = noise.probabilities[tag];
      expect(Math.abs(drawn[tag] - numDraws * p)).toBeLessThan(5 * Math.sqrt(numDraws * p * (1 - p)));
    }
  });

  it('sums to one for any counts, none at all too', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 }), (counts) => {
        const noise = new Noise(counts);
        expect(noise.probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 9);
        expect(noise.draw(new Random(1, 'any'))).toBeLessThan(counts.length);
      }),
    );
  });
});
