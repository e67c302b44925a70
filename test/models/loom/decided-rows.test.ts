import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DecidedRows } from '../../../src/models/loom/decided-rows.ts';

const NUM_FEATURES = 6;
const OVERLAP = 0.3;

const rows = fc.array(
  fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { minLength: NUM_FEATURES, maxLength: NUM_FEATURES }),
  { minLength: 1, maxLength: 8 },
);
const rates = fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: NUM_FEATURES, maxLength: NUM_FEATURES });

function sparse(full: readonly number[]) {
  const features = Int32Array.from(full.keys()).filter((feature) => full[feature] !== 0);
  return { features, values: Float32Array.from(features, (feature) => full[feature]) };
}

it('solves (1 + overlap · F D Fᵀ) α = signs, and spreads numbers of rows over their features', () => {
  fc.assert(
    fc.property(rows, rates, fc.infiniteStream(fc.constantFrom(1, -1)), (full, given, stream) => {
      const d = Float32Array.from(given);
      const signs = Float64Array.from(full, () => stream.next().value as number);
      const decided = new DecidedRows(full.map(sparse), d);
      const alpha = decided.amounts(signs, OVERLAP);
      const product = (a: readonly number[], b: readonly number[]) =>
        a.reduce((sum, one, f) => sum + one * d[f] * b[f], 0);
      for (const [i, row] of full.entries()) {
        const left = full.reduce((sum, other, j) => sum + OVERLAP * product(row, other) * alpha[j], alpha[i]);
        expect(left).toBeCloseTo(signs[i], 4);
      }
      const spread = decided.spread(alpha);
      for (let f = 0; f < NUM_FEATURES; f++) {
        const expected = d[f] * full.reduce((sum, row, i) => sum + row[f] * alpha[i], 0);
        expect(spread[f]).toBeCloseTo(expected, 6);
      }
    }),
  );
});

it('lets two objects with the same features teach less than two with others, and one alone less than its sign', () => {
  const one = sparse([1, 1, 0, 0, 0, 0]);
  const other = sparse([0, 0, 1, 1, 0, 0]);
  const ofRows = (rows: (typeof one)[]) =>
    new DecidedRows(rows, new Float32Array(NUM_FEATURES).fill(0.5)).amounts(new Float64Array(rows.length).fill(1), 1);
  expect(ofRows([one])[0]).toBeCloseTo(1 / 2, 6);
  expect(ofRows([one, other])[0]).toBeCloseTo(1 / 2, 6);
  expect(ofRows([one, one])[0]).toBeCloseTo(1 / 3, 6);
});

it('has nothing to say of no rows', () => {
  const none = new DecidedRows([], new Float32Array(NUM_FEATURES));
  expect(none.amounts(new Float64Array(0), 1)).toEqual(new Float64Array(0));
  expect(none.spread(new Float64Array(0))).toEqual(new Float64Array(NUM_FEATURES));
});
