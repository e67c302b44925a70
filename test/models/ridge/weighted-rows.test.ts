// A row of weight 3 is the row three times: whatever is asked of a fit, the answer is that of rows written out.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import type { RidgeProblem } from '../../../src/models/ridge/problem.ts';
import { solveRidge } from '../../../src/models/ridge/ridge.ts';
import { largestWeights, meansOfDropped } from '../../../src/models/ridge/selection.ts';
import { solveSparseRidge } from '../../../src/models/ridge/sparse.ts';
import { withWeights } from '../../../src/models/ridge/weighted-rows.ts';
import { Random } from '../../../src/random.ts';
import { csrOf } from './csr-of.ts';
import { without } from './without.ts';

let kernels: Kernels;
beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

const [NUM_TARGETS, NUM_OTHERS, NUM_DENSE] = [5, 6, 2];
const ALL = Int32Array.from({ length: NUM_TARGETS }, (_, t) => t);

/** What a row has: its targets, other features, dense features, what is expected of its targets. */
interface Row {
  readonly tags: readonly number[];
  readonly others: readonly number[];
  readonly dense: readonly number[];
  readonly expected: readonly number[];
}

interface Shape {
  readonly own: boolean;
  readonly prior: boolean;
  readonly squares: boolean;
  /** Features that no row has: with them, the matrix over rows is the smaller one. */
  readonly numEmpty: number;
}

function randomRows(seed: number, numRows: number): Row[] {
  const random = new Random(seed, 'rows');
  const some = (length: number, share: number) =>
    Array.from({ length }, () => (random.float() < share ? Math.fround(random.float() + 0.2) : 0));
  return Array.from({ length: numRows }, () => ({
    tags: some(NUM_TARGETS, 0.4).map((value) => (value > 0 ? 1 : 0)),
    others: some(NUM_OTHERS, 0.5),
    dense: [random.float() - 0.5, 1],
    expected: some(NUM_TARGETS, 0.3),
  }));
}

const SCALES = [0.5, 0.7, 0.9, 1.1, 0].slice(0, NUM_TARGETS); // the last target is no feature

function problemOf(rows: readonly Row[], { own, prior, squares, numEmpty }: Shape): RidgeProblem {
  const first = own ? SCALES.length - 1 : 0;
  const sparse = csrOf(
    rows.map(({ tags, others }) => [...tags.slice(0, first).map((has, t) => has * SCALES[t]), ...others]),
  );
  return {
    numRows: rows.length,
    numSparse: first + NUM_OTHERS + numEmpty,
    sparse,
    numDense: NUM_DENSE,
    dense: Float32Array.from(rows.flatMap(({ dense }) => dense)),
    numTargets: NUM_TARGETS,
    targets: csrOf(rows.map(({ tags }) => tags)),
    ...(own && {
      own: { features: ALL.map((t) => (t < first ? t : -1)), scales: Float32Array.from(SCALES) },
    }),
    ...(prior && { prior: csrOf(rows.map(({ expected }) => expected)) }),
    ...(squares && {
      squares: [{ rows: csrOf(rows.map(({ others }) => others)), numColumns: NUM_OTHERS, strength: 0.3 }],
    }),
  };
}

/** Each row as often as its weight says. */
function writtenOut<Value>(rows: readonly Value[], weights: readonly number[]): Value[] {
  return rows.flatMap((row, r) => new Array<Value>(weights[r]).fill(row));
}

function closeTo(got: ArrayLike<number>, expected: ArrayLike<number>, digits = 3): void {
  expect(got.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) expect(got[i], `number ${i}`).toBeCloseTo(expected[i], digits);
}

const cases = fc.record({
  seed: fc.nat(1000),
  weights: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 12 }),
  shape: fc.record({
    own: fc.boolean(),
    prior: fc.boolean(),
    squares: fc.boolean(),
    numEmpty: fc.constantFrom(0, 60),
  }),
});

describe('rows with weights', () => {
  it('give the weights that rows written out give, all of them, the largest, and the means of the others', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ seed, weights, shape }) => {
        const rows = randomRows(seed, weights.length);
        const weighted = withWeights(problemOf(rows, shape), weights);
        const out = problemOf(writtenOut(rows, weights), shape);
        const [ridge, expected] = [await solveRidge(kernels, weighted), await solveRidge(kernels, out)];
        closeTo(await ridge.weightsOf(ALL), await expected.weightsOf(ALL));
        const perTarget = 4;
        const [some, others] = [
          await largestWeights(ridge, weighted, { perTarget, listener: {} }),
          await largestWeights(expected, out, { perTarget, listener: {} }),
        ];
        expect([some.weights.rowStart, some.weights.columns]).toEqual([
          others.weights.rowStart,
          others.weights.columns,
        ]);
        if (!shape.squares) closeTo(meansOfDropped(weighted, some), meansOfDropped(out, others));
        ridge.release();
        expected.release();
      }),
      { numRuns: 30 },
    );
  });

  it('give the sparse weights that rows written out give', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ seed, weights, shape }) => {
        const rows = randomRows(seed, weights.length);
        const options = { perTarget: 3, listener: {} };
        const plain = { ...shape, squares: false };
        const got = await solveSparseRidge(kernels, withWeights(problemOf(rows, plain), weights), options);
        const expected = await solveSparseRidge(kernels, problemOf(writtenOut(rows, weights), plain), options);
        expect([got.weights.rowStart, got.weights.columns]).toEqual([
          expected.weights.rowStart,
          expected.weights.columns,
        ]);
        closeTo(got.weights.values, expected.weights.values);
        closeTo(got.rest, expected.rest);
      }),
      { numRuns: 30 },
    );
  });

  it('are hidden with all that they stand for: some of their targets, or all of the row', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async ({ seed, weights, shape }, keepsRow) => {
        const rows = randomRows(seed, weights.length);
        const plain = { ...shape, squares: false };
        const ridge = await solveRidge(kernels, withWeights(problemOf(rows, plain), weights));
        await ridge.weightsOf(ALL);
        const asked = Int32Array.of(1, 4);
        const hidden = Array.from(asked, (row) => ALL.filter((t) => rows[row].tags[t] === 1 && t % 2 === 0));
        const got = await without(ridge, { rows: asked, hidden, keepsRow });
        ridge.release();
        for (const [i, row] of asked.entries()) {
          const known = { ...rows[row], tags: rows[row].tags.map((has, t) => (hidden[i].includes(t) ? 0 : has)) };
          const others = rows.map((one, r) => (r === row ? known : one));
          const left = weights.map((weight, r) => (r === row && !keepsRow ? 0 : weight));
          const refit = await solveRidge(kernels, problemOf(writtenOut(others, left), plain));
          const learnt = await refit.weightsOf(ALL);
          refit.release();
          closeTo(got.subarray(i * NUM_TARGETS, (i + 1) * NUM_TARGETS), scoresOf(known, learnt, plain));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('of which several hide targets at once take from each other what the copies would', async () => {
    const weights = [2, 1, 3, 1, 2, 1, 1, 2];
    const rows = randomRows(5, weights.length);
    const asked = Int32Array.of(0, 2, 5);
    for (const numEmpty of [0, 60]) {
      const shape = { own: true, prior: true, squares: false, numEmpty };
      const ridge = await solveRidge(kernels, withWeights(problemOf(rows, shape), weights));
      const out = await solveRidge(kernels, problemOf(writtenOut(rows, weights), shape));
      await ridge.weightsOf(ALL);
      await out.weightsOf(ALL);
      const hiddenOf = (row: number) => ALL.filter((t) => rows[row].tags[t] === 1 && t < 3);
      const shares = async (row: number, isTogether: boolean) =>
        (
          await without(ridge, { rows: asked, hidden: Array.from(asked, hiddenOf), keepsRow: true, isTogether })
        ).subarray(Array.from(asked).indexOf(row) * NUM_TARGETS);
      // row 5 has weight 1: what the others take from it is what their copies, which hide the same, take
      const copies = writtenOut([...rows.keys()], weights);
      const all = Int32Array.from(copies.keys()).filter((at) => asked.includes(copies[at]));
      const hiding = { rows: all, hidden: Array.from(all, (at) => hiddenOf(copies[at])), keepsRow: true };
      const place = all.findIndex((at) => copies[at] === 5) * NUM_TARGETS;
      const [alone, together] = [await without(out, hiding), await without(out, { ...hiding, isTogether: true })];
      const [mine, ours] = [await shares(5, false), await shares(5, true)];
      const taken = Array.from(ALL, (t) => ours[t] - mine[t]);
      expect(Math.max(...taken.map(Math.abs))).toBeGreaterThan(0.01);
      closeTo(
        taken,
        Array.from(ALL, (t) => together[place + t] - alone[place + t]),
      );
      ridge.release();
      out.release();
    }
  });

  it('are the problem itself where none is told, and to the last bit where all are 1', async () => {
    const rows = randomRows(3, 9);
    for (const numEmpty of [0, 60]) {
      const problem = problemOf(rows, { own: true, prior: true, squares: false, numEmpty });
      expect(withWeights(problem, undefined)).toBe(problem);
      const hiding = { rows: Int32Array.of(2, 3), hidden: [Int32Array.of(0), Int32Array.of(1)], keepsRow: true };
      const hidden = hiding.hidden.map((tags, i) => tags.filter((t) => rows[hiding.rows[i]].tags[t] === 1));
      const answers = await Promise.all(
        [problem, withWeights(problem, new Array<number>(9).fill(1))].map(async (one) => {
          const ridge = await solveRidge(kernels, one);
          const kept = await largestWeights(ridge, one, { perTarget: 3, listener: {} });
          const said = await without(ridge, { ...hiding, hidden, isTogether: true });
          ridge.release();
          return [
            kept,
            meansOfDropped(one, kept),
            said,
            await solveSparseRidge(kernels, one, { perTarget: 3, listener: {} }),
          ];
        }),
      );
      expect(answers[1]).toEqual(answers[0]);
    }
  });
});

/** What weights say of a row. */
function scoresOf({ tags, others, dense, expected }: Row, weights: Float32Array, { own, prior, numEmpty }: Shape) {
  const first = own ? tags.slice(0, SCALES.length - 1).map((has, t) => has * SCALES[t]) : [];
  const features = [...first, ...others, ...new Array<number>(numEmpty).fill(0), ...dense];
  return Array.from(ALL, (t) =>
    features.reduce((sum, x, f) => sum + x * weights[f * NUM_TARGETS + t], prior ? expected[t] : 0),
  );
}
