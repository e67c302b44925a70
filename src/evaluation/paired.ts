// Whether one model is really better than another: both were measured on the same objects, so the differences object by
// object are looked at. A bootstrap interval of the mean difference, and the p-value of a sign-flip permutation test.

import { Random } from '../random.ts';

/** How far apart two models are, and whether by chance. */
export interface PairedComparison {
  /** Mean of a − b. */
  readonly difference: number;
  /** 95 % bootstrap interval of that mean. */
  readonly interval: readonly [low: number, high: number];
  /** How often random signs give a mean at least as far from zero; two-sided. */
  readonly pValue: number;
}

const NUM_RESAMPLES = 2000;

/**
 * Compares two models by their values on the same objects.
 *
 * @example
 * import { comparePaired } from 'tagloom';
 *
 * const { difference } = comparePaired(Float64Array.of(1, 0.5, 1), Float64Array.of(0.5, 0.5, 0.5), 1);
 * console.log(difference.toFixed(3)); // 0.333
 */
export function comparePaired(a: Float64Array, b: Float64Array, seed: number): PairedComparison {
  if (a.length !== b.length || a.length === 0) {
    throw new RangeError(`Got ${a.length} and ${b.length} values when expected as many, and at least one.`);
  }
  const differences = a.map((value, i) => value - b[i]);
  const n = differences.length;
  const difference = differences.reduce((sum, d) => sum + d, 0) / n;
  return {
    difference,
    interval: bootstrapInterval(differences, new Random(seed, 'bootstrap')),
    pValue: signFlipPValue(differences, difference, new Random(seed, 'sign flips')),
  };
}

/** Means of as many values, drawn with replacement; the middle 95 % of them. */
function bootstrapInterval(differences: Float64Array, random: Random): [number, number] {
  const n = differences.length;
  const means = new Float64Array(NUM_RESAMPLES).map(() => {
    let total = 0;
    for (let i = 0; i < n; i++) total += differences[random.below(n)];
    return total / n;
  });
  means.sort();
  return [means[Math.floor(0.025 * NUM_RESAMPLES)], means[Math.ceil(0.975 * NUM_RESAMPLES) - 1]];
}

/** If neither were better, each difference could as well have had the other sign. The observed one counts, too. */
function signFlipPValue(differences: Float64Array, observed: number, random: Random): number {
  const bar = Math.abs(observed) * differences.length * (1 - 1e-12); // equal sums must not fail by rounding
  let asFar = 1;
  for (let resample = 0; resample < NUM_RESAMPLES; resample++) {
    let total = 0;
    let bits = 0;
    for (let i = 0; i < differences.length; i++) {
      if (i % 32 === 0) bits = random.next();
      total += bits & 1 ? differences[i] : -differences[i];
      bits >>>= 1;
    }
    if (Math.abs(total) >= bar) asFar++;
  }
  return asFar / (NUM_RESAMPLES + 1);
}
