// The loss of MF over a tiny data set, pair by pair.

import { dot, row } from './factors-contract.ts';

export const TINY = { numObjects: 2, numTags: 3, width: 2 };
export const OBSERVED = { objects: [0, 1, 1], tags: [0, 0, 2] };
export const WEIGHTS = { numPairs: 3, unobservedWeight: 0.25, regularization: 0.5 };

export function mfLoss([x, y, biases]: readonly number[][]): number {
  const { numObjects, numTags, width } = TINY;
  let total = 0;
  for (let o = 0; o < numObjects; o++) {
    for (let t = 0; t < numTags; t++) {
      const s = dot(row(x, o, width), row(y, t, width)) + biases[t];
      const isObserved = OBSERVED.objects.some((object, i) => object === o && OBSERVED.tags[i] === t);
      total += isObserved ? (1 - s) ** 2 : WEIGHTS.unobservedWeight * s ** 2;
    }
  }
  return (total + WEIGHTS.regularization * (dot(x, x) + dot(y, y))) / WEIGHTS.numPairs;
}
