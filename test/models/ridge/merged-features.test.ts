// Features that are the same for every row, solved as one, against all of them solved apart; targets likewise.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Csr, entryOf, firstEqualRows } from '../../../src/csr.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { mergeEqualFeatures, UnmergedRidge } from '../../../src/models/ridge/merged-features.ts';
import type { RidgeProblem } from '../../../src/models/ridge/problem.ts';
import { solveDual, solveRidge } from '../../../src/models/ridge/ridge.ts';
import { largestWeights } from '../../../src/models/ridge/selection.ts';
import { Random } from '../../../src/random.ts';
import { csrOf } from './csr-of.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

const [NUM_ROWS, NUM_TARGETS] = [40, 6];
/** By feature, which of some columns it has: −1, none. The first two are targets as well. */
const COLUMNS = [0, 1, 2, 3, 2, -1, 4, 3, 2, 1];

/** Targets 3 and 5 have the same rows; with `prior`, something else is expected of the second. */
function problemOf(withPrior = false): RidgeProblem {
  const random = new Random(1, 'equal features');
  const columns = Array.from({ length: 5 }, () => Array.from({ length: NUM_ROWS }, () => +(random.float() < 0.4)));
  const ofTargets = [0, 1, 2, 3, 4, 3].map((c) =>
    c < 2 ? columns[c] : columns[c].map((_, r) => +(r % (c + 2) === 0)),
  );
  const scales = COLUMNS.map((_, f) => (f < 2 ? 0.5 : 0.7));
  const rows = Array.from({ length: NUM_ROWS }, (_, r) =>
    COLUMNS.map((c, f) => (c < 0 ? 0 : scales[f] * columns[c][r])),
  );
  return {
    numRows: NUM_ROWS,
    numSparse: COLUMNS.length,
    sparse: csrOf(rows),
    numDense: 2,
    dense: Float32Array.from({ length: 2 * NUM_ROWS }, (_, i) => (i % 2 === 0 ? random.float() : 1)),
    numTargets: NUM_TARGETS,
    targets: csrOf(rows.map((_, r) => ofTargets.map((target) => target[r]))),
    own: { features: Int32Array.of(0, 1, -1, -1, -1, -1), scales: Float32Array.of(0.5, 0.5, 0, 0, 0, 0) },
    ...(withPrior && { prior: csrOf(rows.map((_, r) => [0, 0, 0, 0, 0, r % 3 === 0 ? 0.5 : 0])) }),
  };
}

const all = Int32Array.from({ length: NUM_TARGETS }, (_, t) => t);

it('makes one of features that all rows have alike, but not of targets, and drops those of no row', () => {
  const { problem, places, shares } = mergeEqualFeatures(problemOf());
  // feature 9 is as target 1 is, and scaled otherwise
  expect([...places]).toEqual([0, 1, 2, 3, 2, -1, 4, 3, 2, 5]);
  expect(problem.numSparse).toBe(6);
  expect(shares[2]).toBeCloseTo(1 / Math.sqrt(3));
  expect([...(problem.own?.features ?? [])]).toEqual([0, 1, -1, -1, -1, -1]);
});

it.each([false, true])('says what features apart say, also in hindsight (prior: %s)', async (prior) => {
  const problem = problemOf(prior);
  const [plain, merged] = [await solveDual(kernels, problem), await solveRidge(kernels, problem)];
  expect(merged).toBeInstanceOf(UnmergedRidge);
  const [expected, found] = [await plain.weightsOf(all), await merged.weightsOf(all)];
  for (const [at, weight] of expected.entries()) expect(found[at]).toBeCloseTo(weight, 5);
  const limits = Float32Array.from(COLUMNS, (_, f) => 0.02 * f);
  const strong = await merged.strongWeightsOf(all, limits);
  for (let f = 0; f < COLUMNS.length; f++) {
    for (let t = 0; t < NUM_TARGETS; t++) {
      const weight = found[f * NUM_TARGETS + t];
      expect(entryOf(strong.sparse, f, t)).toBe(Math.abs(weight) >= limits[f] ? weight : 0);
    }
  }
  const hiding = { places: Int32Array.of(0, 1), hidden: [Int32Array.of(0), new Int32Array(0)], keepsRow: true };
  const isIn = (row: number) => entryOf(problem.targets, row, 0) === 1;
  const rows = Int32Array.from(Array.from({ length: NUM_ROWS }, (_, row) => row).filter(isIn)).subarray(0, 2);
  const [before, after] = [await plain.look(rows), await merged.look(rows)];
  const scores = await before.without(hiding);
  for (const [at, score] of (await after.without(hiding)).entries()) expect(score).toBeCloseTo(scores[at], 4);
  plain.release();
  merged.release();
});

it('weighs targets of the same rows once, unless something else is expected of them', async () => {
  for (const [prior, most] of [
    [false, 5],
    [true, 6],
  ] as const) {
    const problem = problemOf(prior);
    const ridge = await solveRidge(kernels, problem);
    const asked: number[] = [];
    const watched = {
      weightsOf: (targets: Int32Array) => ridge.weightsOf(targets),
      strongWeightsOf: (targets: Int32Array, limits: Float32Array) => {
        asked.push(...targets);
        return ridge.strongWeightsOf(targets, limits);
      },
    };
    const { weights, rest } = await largestWeights(watched, problem, { perTarget: 1e6, listener: {} });
    expect(asked.length).toBe(most);
    const every = await ridge.weightsOf(all);
    for (let t = 0; t < NUM_TARGETS; t++) {
      for (let f = 0; f < COLUMNS.length; f++) {
        expect(entryOf(weights, f, t)).toBeCloseTo(every[f * NUM_TARGETS + t], 6);
      }
      for (let k = 0; k < 2; k++) {
        expect(rest[k * NUM_TARGETS + t]).toBeCloseTo(every[(COLUMNS.length + k) * NUM_TARGETS + t], 6);
      }
    }
    expectAscending(weights);
    ridge.release();
  }
});

function expectAscending({ rowStart, columns }: Csr): void {
  for (let row = 0; row + 1 < rowStart.length; row++) {
    for (let e = rowStart[row] + 1; e < rowStart[row + 1]; e++) expect(columns[e]).toBeGreaterThan(columns[e - 1]);
  }
}

it('finds rows that are the same to the bit', () => {
  const rows = csrOf([[1, 0, 2], [1, 0, 2], [0, 1, 2], [], [1, 0, 2.5], [], [0, 1, 2]]);
  expect([...firstEqualRows(rows, new Set())]).toEqual([0, 0, 2, 3, 4, 3, 2]);
  expect([...firstEqualRows(rows, new Set([0, 5]))]).toEqual([0, 1, 2, 3, 4, 5, 2]);
});
