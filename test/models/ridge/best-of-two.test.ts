import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Csr, CsrBuilder, entryOf } from '../../../src/csr.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { solveBestOfTwo } from '../../../src/models/ridge/best-of-two.ts';
import { strongestOf, withFeatures } from '../../../src/models/ridge/kept-features.ts';
import type { RidgeProblem } from '../../../src/models/ridge/problem.ts';
import { solveRidge } from '../../../src/models/ridge/ridge.ts';
import type { SelectedWeights } from '../../../src/models/ridge/selection.ts';
import { solveSparseRidge } from '../../../src/models/ridge/sparse.ts';
import { Random } from '../../../src/random.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

const [NUM_ROWS, NUM_TARGETS, NUM_SPARSE, NUM_DENSE] = [50, 6, 16, 3];
const EVERY = { targets: Int32Array.from({ length: NUM_TARGETS }, (_, t) => t), numKept: 1e6, listener: {} };

/** The first features are the targets; the last dense one is a constant. One row has all targets and features, so that all go together. */
function randomProblem(seed: number, hasPrior: boolean): RidgeProblem {
  const random = new Random(seed, 'problem');
  const has = Array.from({ length: NUM_ROWS }, (_, row) =>
    Array.from({ length: NUM_TARGETS }, () => random.float() < 0.3 || row === 0),
  );
  const scales = Float32Array.from({ length: NUM_TARGETS }, () => 0.3 + random.float());
  const strengths = Array.from({ length: NUM_SPARSE }, () => 0.2 + 2 * random.float());
  const rowsOf = (numColumns: number, numberIn: (row: number, column: number) => number): Csr => {
    const rows = new CsrBuilder(NUM_ROWS);
    for (let row = 0; row < NUM_ROWS; row++) {
      for (let column = 0; column < numColumns; column++) {
        const value = numberIn(row, column);
        if (value !== 0) rows.add(column, value);
      }
      rows.endRow();
    }
    return rows.finish();
  };
  const other = (row: number, f: number) =>
    random.float() < (has[row][f % NUM_TARGETS] ? 0.6 : 0.2) || row === 0 ? strengths[f] * random.float() : 0;
  const sparse = rowsOf(NUM_SPARSE, (row, f) => (f < NUM_TARGETS ? Number(has[row][f]) * scales[f] : other(row, f)));
  return {
    ...{ numRows: NUM_ROWS, numSparse: NUM_SPARSE, sparse, numDense: NUM_DENSE, numTargets: NUM_TARGETS },
    dense: Float32Array.from({ length: NUM_ROWS * NUM_DENSE }, (_, i) =>
      i % NUM_DENSE === NUM_DENSE - 1 ? 1 : random.float() - 0.5,
    ),
    targets: rowsOf(NUM_TARGETS, (row, t) => Number(has[row][t])),
    own: { features: EVERY.targets, scales },
    ...(hasPrior && { prior: rowsOf(NUM_TARGETS, () => (random.float() < 0.2 ? random.float() : 0)) }),
  };
}

/** By target its weights from all features, dense ones last. */
function columnsOf({ weights, rest }: SelectedWeights): number[][] {
  return Array.from(EVERY.targets, (t) => [
    ...Array.from({ length: NUM_SPARSE }, (_, f) => entryOf(weights, f, t)),
    ...Array.from({ length: NUM_DENSE }, (_, k) => rest[k * NUM_TARGETS + t]),
  ]);
}

/** By target its weights by the exact solve over the strongest features, written out. */
async function exactColumns(problem: RidgeProblem, numStrongest: number): Promise<number[][]> {
  const all = Int32Array.from({ length: NUM_SPARSE }, (_, f) => f);
  const kept = strongestOf(problem, all, numStrongest);
  const ridge = await solveRidge(kernels, withFeatures(problem, kept).problem);
  const weights = await ridge.weightsOf(EVERY.targets);
  ridge.release();
  const places = [...kept, ...Array.from({ length: NUM_DENSE }, (_, k) => NUM_SPARSE + k)];
  return Array.from(EVERY.targets, (t) => {
    const column = new Array<number>(NUM_SPARSE + NUM_DENSE).fill(0);
    for (const [i, f] of places.entries()) column[f] = weights[i * NUM_TARGETS + t];
    return column;
  });
}

/** What a target is less what was expected of it, row by row, and what weights say of it. */
function residualsOf({ sparse, dense, targets, prior }: RidgeProblem, target: number, weights: readonly number[]) {
  return Array.from({ length: NUM_ROWS }, (_, row) => {
    let says = 0;
    for (let f = 0; f < NUM_SPARSE; f++) says += entryOf(sparse, row, f) * weights[f];
    for (let k = 0; k < NUM_DENSE; k++) says += dense[row * NUM_DENSE + k] * weights[NUM_SPARSE + k];
    return { is: entryOf(targets, row, target) - (prior ? entryOf(prior, row, target) : 0), says };
  });
}

/** ‖F w − r‖² + ‖w‖² */
function lossOf(problem: RidgeProblem, target: number, weights: readonly number[]): number {
  const missed = residualsOf(problem, target, weights).reduce((sum, { is, says }) => sum + (is - says) ** 2, 0);
  return weights.reduce((sum, weight) => sum + weight ** 2, missed);
}

function expectClose(got: readonly number[][], expected: readonly number[][]): void {
  for (const [t, column] of expected.entries()) {
    for (const [f, weight] of column.entries()) expect(got[t][f], `${f} → ${t}`).toBeCloseTo(weight, 3);
  }
}

describe('solveSparseRidge', () => {
  it('is the exact solve where a target may have all features and goes with all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.boolean(), async (seed, hasPrior) => {
        const problem = randomProblem(seed, hasPrior);
        const got = await solveSparseRidge(kernels, problem, { perTarget: NUM_SPARSE, listener: {} });
        expectClose(columnsOf(got), await exactColumns(problem, NUM_SPARSE));
        expect([...got.isPart]).toEqual(new Array(NUM_TARGETS).fill(0));
      }),
      { numRuns: 20 },
    );
  });

  it('knows how much it explains, and where it left features out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 8 }), async (seed, perTarget) => {
        const problem = randomProblem(seed, true);
        const got = await solveSparseRidge(kernels, problem, { perTarget, listener: {} });
        for (const [t, weights] of columnsOf(got).entries()) {
          const rows = residualsOf(problem, t, weights);
          const explained = rows.reduce((sum, { is, says }) => sum + is * says, 0);
          const total = rows.reduce((sum, { is }) => sum + is * is, 0);
          expect(got.explained[t]).toBeCloseTo(explained, 3);
          expect(total - explained).toBeCloseTo(lossOf(problem, t, weights), 3);
        }
        expect([...got.isPart]).toEqual(new Array(NUM_TARGETS).fill(1));
      }),
      { numRuns: 20 },
    );
  });
});

describe('solveBestOfTwo', () => {
  it('has for each target the weights of the solve with the smaller loss', async () => {
    const taken = { exact: 0, sparse: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.boolean(), async (seed, hasPrior) => {
        const problem = randomProblem(seed, hasPrior);
        const options = { perTarget: 4, numStrongest: 9 };
        const got = columnsOf(await solveBestOfTwo(kernels, problem, { ...EVERY, ...options }));
        const sparse = columnsOf(await solveSparseRidge(kernels, problem, { ...EVERY, ...options }));
        const exact = await exactColumns(problem, options.numStrongest);
        for (const t of EVERY.targets) {
          const [a, b] = [lossOf(problem, t, exact[t]), lossOf(problem, t, sparse[t])];
          if (Math.abs(a - b) < 1e-3) continue;
          taken[a < b ? 'exact' : 'sparse']++;
          expectClose([got[t]], [a < b ? exact[t] : sparse[t]]);
        }
      }),
      { numRuns: 30, seed: 1 },
    );
    expect(Math.min(taken.exact, taken.sparse)).toBeGreaterThan(10);
  });

  it('is the exact solve where all features are among the strongest, and where a target may have all', async () => {
    const problem = randomProblem(1, true);
    const exact = await exactColumns(problem, NUM_SPARSE);
    for (const [perTarget, numStrongest] of [
      [1, NUM_SPARSE],
      [NUM_SPARSE, 1],
    ]) {
      expectClose(columnsOf(await solveBestOfTwo(kernels, problem, { ...EVERY, perTarget, numStrongest })), exact);
    }
  });

  it('gives back its memory', async () => {
    const before = kernels.usedBytes;
    await solveBestOfTwo(kernels, randomProblem(1, true), { ...EVERY, perTarget: 3, numStrongest: 7 });
    expect(kernels.usedBytes).toBe(before);
  });
});
