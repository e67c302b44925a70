// Which weights of a ridge regression are kept, against all of them sorted.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsrBuilder, entryOf } from '../../../src/csr.ts';
import { largeNumbers } from '../../../src/engine/numerics/dense.ts';
import { openKernels } from '../../../src/engine/open.ts';
import type { RidgeProblem } from '../../../src/models/ridge/problem.ts';
import { solveRidge } from '../../../src/models/ridge/ridge.ts';
import { largestWeights, meansOfDropped } from '../../../src/models/ridge/selection.ts';
import type { Ridge } from '../../../src/models/ridge/solution.ts';
import { Random } from '../../../src/random.ts';

const [NUM_SPARSE, NUM_DENSE, NUM_TARGETS] = [9, 2, 40];

/** A problem whose features are used as often, and are as large, as told. */
function problemOf(uses: readonly number[], size: number): RidgeProblem {
  const numRows = Math.max(1, ...uses);
  const rows = new CsrBuilder(numRows);
  for (let row = 0; row < numRows; row++) {
    for (const [feature, use] of uses.entries()) if (row < use) rows.add(feature, size * (feature + 1));
    rows.endRow();
  }
  return {
    numRows,
    numSparse: NUM_SPARSE,
    sparse: rows.finish(),
    numDense: NUM_DENSE,
    dense: new Float32Array(numRows * NUM_DENSE),
    numTargets: NUM_TARGETS,
    targets: { rowStart: new Int32Array(numRows + 1), columns: new Int32Array(0), values: new Float32Array(0) },
  };
}

/** A solution with the given weights, (features, targets). */
function ridgeOf(weights: readonly number[]): Ridge {
  const weightsOf = async (targets: Int32Array) => {
    const out = new Float32Array((NUM_SPARSE + NUM_DENSE) * targets.length);
    for (let i = 0; i < out.length; i++) {
      out[i] = weights[Math.floor(i / targets.length) * NUM_TARGETS + targets[i % targets.length]];
    }
    return out;
  };
  return {
    weightsOf,
    async strongWeightsOf(targets, limits) {
      const all = await weightsOf(targets);
      const shape = { rows: NUM_SPARSE, cols: targets.length, stride: targets.length };
      return { sparse: largeNumbers(all, shape, limits), dense: all.subarray(NUM_SPARSE * targets.length) };
    },
    look: () => Promise.reject(new Error('not asked for')),
    release() {},
  };
}

const weight = fc.integer({ min: -1000, max: 1000 }).map((n) => Math.fround(n / 64));
const weightsArbitrary = fc.array(weight, {
  minLength: (NUM_SPARSE + NUM_DENSE) * NUM_TARGETS,
  maxLength: (NUM_SPARSE + NUM_DENSE) * NUM_TARGETS,
});
const usesArbitrary = fc.array(fc.nat(4), { minLength: NUM_SPARSE, maxLength: NUM_SPARSE });

describe('largestWeights', () => {
  it('keeps a weight if it is as large as the limit, by its size times that of its feature where it is used', async () => {
    await fc.assert(
      fc.asyncProperty(
        weightsArbitrary,
        usesArbitrary,
        fc.integer({ min: 1, max: 9 }),
        async (all, uses, perTarget) => {
          const { weights, rest } = await largestWeights(ridgeOf(all), problemOf(uses, 1), { perTarget, listener: {} });
          const strength = (f: number, t: number) =>
            uses[f] === 0 ? 0 : Math.abs(all[f * NUM_TARGETS + t]) * (f + 1) * uses[f] ** 0.25;
          const kept = new Set<string>();
          for (let f = 0; f < NUM_SPARSE; f++) {
            for (let e = weights.rowStart[f]; e < weights.rowStart[f + 1]; e++) {
              expect(weights.values[e]).toBe(all[f * NUM_TARGETS + weights.columns[e]]);
              kept.add(`${f} ${weights.columns[e]}`);
            }
          }
          const strengths = { kept: [] as number[], left: [] as number[] };
          for (let f = 0; f < NUM_SPARSE; f++) {
            for (let t = 0; t < NUM_TARGETS; t++) {
              const place = kept.has(`${f} ${t}`) ? 'kept' : 'left';
              if (all[f * NUM_TARGETS + t] !== 0) strengths[place].push(strength(f, t));
            }
          }
          const least = Math.min(...strengths.kept, Number.POSITIVE_INFINITY);
          expect(Math.max(0, ...strengths.left)).toBeLessThanOrEqual(least * (1 + 1e-5));
          expect([...rest]).toEqual(all.slice(NUM_SPARSE * NUM_TARGETS));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('keeps about as many as asked for, and all where that many are asked for', async () => {
    const all = Array.from({ length: (NUM_SPARSE + NUM_DENSE) * NUM_TARGETS }, (_, i) => ((i * 37) % 101) + 1);
    const problem = problemOf(new Array(NUM_SPARSE).fill(3), 1);
    const few = await largestWeights(ridgeOf(all), problem, { perTarget: 2, listener: {} });
    expect(few.weights.values.length).toBeGreaterThan(NUM_TARGETS);
    expect(few.weights.values.length).toBeLessThan(4 * NUM_TARGETS);
    const every = await largestWeights(ridgeOf(all), problem, { perTarget: 1e6, listener: {} });
    expect(every.weights.values).toHaveLength(NUM_SPARSE * NUM_TARGETS);
  });
});

describe('meansOfDropped', () => {
  it('is the mean over rows of what the other weights say, also where something is expected', async () => {
    const random = new Random(1, 'rows');
    const [numRows, numSparse, numTargets] = [40, 12, 5];
    const rowsOf = (width: number, share: number, value: () => number) => {
      const rows = new CsrBuilder(numRows);
      for (let row = 0; row < numRows; row++) {
        for (let column = 0; column < width; column++) if (random.float() < share) rows.add(column, value());
        rows.endRow();
      }
      return rows.finish();
    };
    const sparse = rowsOf(numSparse, 0.4, () => random.float());
    const problem: RidgeProblem = {
      ...{ numRows, numSparse, sparse, numDense: 2, numTargets },
      dense: Float32Array.from({ length: 2 * numRows }, (_, i) => (i % 2 === 1 ? 1 : random.float())),
      targets: rowsOf(numTargets, 0.3, () => 1),
      prior: rowsOf(numTargets, 0.2, () => random.float()),
    };
    const kernels = await openKernels({ threads: 1 });
    const ridge = await solveRidge(kernels, problem);
    const all = await ridge.weightsOf(Int32Array.of(0, 1, 2, 3, 4));
    const selected = await largestWeights(ridge, problem, { perTarget: 4, listener: {} });
    ridge.release();
    await kernels.close();
    const expected = new Float64Array(numTargets);
    for (let e = 0; e < sparse.columns.length; e++) {
      for (let t = 0; t < numTargets; t++) {
        const isKept = entryOf(selected.weights, sparse.columns[e], t) !== 0;
        if (!isKept) expected[t] += (sparse.values[e] * all[sparse.columns[e] * numTargets + t]) / numRows;
      }
    }
    const means = meansOfDropped(problem, selected);
    expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(1e-3);
    for (let t = 0; t < numTargets; t++) expect(means[t]).toBeCloseTo(expected[t], 5);
  });
});
