import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CsrBuilder, entryOf, selectedRows } from '../../../src/csr.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { withFeatures } from '../../../src/models/ridge/kept-features.ts';
import type { OwnFeatures, RidgeProblem } from '../../../src/models/ridge/problem.ts';
import { solveRidge } from '../../../src/models/ridge/ridge.ts';
import { TargetAnswers } from '../../../src/models/ridge/solution.ts';
import { solveSparseRidge } from '../../../src/models/ridge/sparse.ts';
import { Random } from '../../../src/random.ts';
import { oracle } from '../../oracle.ts';
import { csrOf } from './csr-of.ts';
import { without } from './without.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

/** The oracle's two views of its tagged objects: own tags, neighbours' tags, 1. */
function twoViews(): number[][] {
  const tags = Array.from({ length: oracle.objects }, (_, object) => {
    const row = new Array<number>(oracle.tags).fill(0);
    for (const [tagged, tag] of oracle.tagged) if (tagged === object) row[tag] = 1;
    return row;
  });
  const views = tags.map((own, object) => {
    const weights = oracle.sppmiObjects[object];
    const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
    const mean = own.map(
      (_, tag) => weights.reduce((sum, weight, other) => sum + weight * tags[other][tag], 0) / total,
    );
    return [...own, ...mean.map((value) => oracle.twoViewRidge.neighbourScale * value), 1];
  });
  return views.filter((_, object) => tags[object].includes(1));
}

/** The last features are dense, the others sparse. */
function problemOf(
  rows: readonly (readonly number[])[],
  scales: readonly number[],
  numTargets: number,
  numDense = 1,
): RidgeProblem {
  const rowStart = [0];
  const [columns, values, dense]: [number[], number[], number[]] = [[], [], []];
  const numSparse = scales.length - numDense;
  for (const row of rows) {
    for (const [f, scale] of scales.entries()) {
      const value = (row[f] ?? 0) * scale;
      if (f >= numSparse) dense.push(value);
      else if (value !== 0) {
        columns.push(f);
        values.push(value);
      }
    }
    rowStart.push(columns.length);
  }
  return {
    numRows: rows.length,
    numSparse,
    sparse: {
      rowStart: Int32Array.from(rowStart),
      columns: Int32Array.from(columns),
      values: Float32Array.from(values),
    },
    numDense,
    dense: Float32Array.from(dense),
    numTargets,
    targets: csrOf(rows.map((row) => row.slice(0, numTargets))),
    own: ownOf(scales, numTargets),
  };
}

/** The first features are the targets. */
function ownOf(scales: readonly number[], numTargets: number): OwnFeatures {
  return {
    features: Int32Array.from({ length: numTargets }, (_, t) => t),
    scales: Float32Array.from(scales.slice(0, numTargets)),
  };
}

/** Weights on the features as they are, by feature. */
async function solved(problem: RidgeProblem, scales: readonly number[]): Promise<number[][]> {
  const ridge = await solveRidge(kernels, problem);
  const targets = Int32Array.from({ length: problem.numTargets }, (_, t) => t);
  const weights = await ridge.weightsOf(targets);
  ridge.release();
  return scales.map((scale, f) =>
    [...weights.subarray(f * problem.numTargets, (f + 1) * problem.numTargets)].map((weight) => weight * scale),
  );
}

describe('ridge', () => {
  it('agrees with the oracle, by either of its matrices', async () => {
    const { ownLambda, neighbourLambda, interceptLambda, weights } = oracle.twoViewRidge;
    const perTag = (lambda: number) => new Array<number>(oracle.tags).fill(1 / Math.sqrt(lambda));
    const scales = [...perTag(ownLambda), ...perTag(neighbourLambda), 1 / Math.sqrt(interceptLambda)];
    const rows = twoViews();
    // features that no row has change nothing, but may make the other matrix the smaller one
    for (const [numEmpty, numDense] of [0, 100].flatMap((empty) => [0, 1, 7].map((dense) => [empty, dense]))) {
      const padded = [...scales, ...new Array<number>(numEmpty).fill(1)];
      const got = await solved(problemOf(rows, padded, oracle.tags, numDense), padded);
      for (const [f, row] of weights.entries()) {
        for (const [t, weight] of row.entries()) expect(got[f][t], `${f} → ${t}`).toBeCloseTo(weight, 4);
      }
      for (const row of got.slice(weights.length)) for (const weight of row) expect(weight).toBe(0);
    }
  });

  it('knows what fits would say of a row if they did not know it, or some of its targets, by either matrix', async () => {
    const random = new Random(1, 'expected');
    const rows = twoViews();
    const prior = rows.map((row) => row.slice(0, oracle.tags).map(() => (random.float() < 0.3 ? random.float() : 0)));
    const numFeatures = 2 * oracle.tags + 1;
    const every = Int32Array.from({ length: oracle.tags }, (_, t) => t);
    const asked = Int32Array.of(0, 2, rows.length - 1);
    const tagsOf = (row: number) => every.filter((t) => rows[row][t] === 1);
    for (const [numEmpty, isExpected, isReduced] of [0, 100].flatMap((empty) =>
      [false, true].flatMap((expected) => [false, true].map((reduced) => [empty, expected, reduced] as const)),
    )) {
      const scales = Array.from({ length: numFeatures + numEmpty }, (_, f) => 0.3 + 0.05 * (f % 7));
      const make = (views: readonly (readonly number[])[], expected: readonly (readonly number[])[]) => {
        const problem = problemOf(views, scales, oracle.tags);
        const whole = { ...problem, ...(isExpected && { prior: csrOf(expected) }) };
        // every third target is no feature
        const kept = Int32Array.from({ length: problem.numSparse }, (_, f) => f).filter(
          (f) => !isReduced || f >= oracle.tags || f % 3 > 0,
        );
        return withFeatures(whole, kept).problem;
      };
      const problem = make(rows, prior);
      const ridge = await solveRidge(kernels, problem);
      await ridge.weightsOf(every);
      for (const [which, keepsRow] of ['none', 'some', 'all'].flatMap((one) => [
        [one, true] as const,
        [one, false] as const,
      ])) {
        const hidden = Array.from(asked, (row) =>
          tagsOf(row).filter((_, i) => which === 'all' || (which === 'some' && i % 2 === 0)),
        );
        const got = await without(ridge, { rows: asked, hidden, keepsRow });
        for (const [i, row] of asked.entries()) {
          const isKnown = (t: number) => rows[row][t] === 1 && !hidden[i].includes(t);
          const forgetful = rows.map((views, r) =>
            r === row ? views.map((v, f) => (f < oracle.tags ? (isKnown(f) ? 1 : 0) : v)) : views,
          );
          const others = (_: unknown, r: number) => keepsRow || r !== row;
          const refit = await solveRidge(kernels, make(forgetful.filter(others), prior.filter(others)));
          const weights = await refit.weightsOf(every);
          refit.release();
          const features = featuresOf(make(forgetful, prior), row);
          for (const t of every) {
            const said = features.reduce(
              (sum, x, f) => sum + x * weights[f * oracle.tags + t],
              isExpected ? prior[row][t] : 0,
            );
            expect(got[i * oracle.tags + t], `${which} of row ${row}, ${keepsRow}, target ${t}`).toBeCloseTo(said, 3);
          }
        }
      }
      ridge.release();
    }
  });

  it('knows to the first order what fits would say if targets of other rows were hidden, too', async () => {
    const random = new Random(1, 'others');
    const [numRows, numTags] = [60, 12];
    const rows = Array.from({ length: numRows }, (_, r) => {
      const tags = Array.from({ length: numTags }, (_, t) => ((r + t) % 3 === 0 && random.float() < 0.7 ? 1 : 0));
      return [...tags, ...tags.map((has) => has * random.float() + 0.3 * random.float()), 1];
    });
    const every = Int32Array.from({ length: numTags }, (_, t) => t);
    for (const numEmpty of [0, 100]) {
      const scales = Array.from({ length: 2 * numTags + 1 + numEmpty }, () => 0.5);
      const ridge = await solveRidge(kernels, problemOf(rows, scales, numTags));
      await ridge.weightsOf(every);
      const hiddenOf = (row: number) => every.filter((t) => rows[row][t] === 1 && (t + row) % 4 === 0);
      const fold = Int32Array.from({ length: 15 }, (_, i) => 4 * i);
      const hiding = { rows: fold, hidden: Array.from(fold, hiddenOf), keepsRow: true };
      const alone = await without(ridge, hiding);
      const together = await without(ridge, { ...hiding, isTogether: true });
      ridge.release();
      const forgetful = rows.map((row, r) =>
        fold.includes(r) ? row.map((value, f) => (f < numTags && hiddenOf(r).includes(f) ? 0 : value)) : row,
      );
      const weights = await solved(problemOf(forgetful, scales, numTags), scales);
      const distance = (scores: Float32Array) =>
        Math.sqrt(
          scores.reduce((sum, score, at) => {
            const [i, t] = [Math.floor(at / numTags), at % numTags];
            const said = forgetful[fold[i]].reduce((total, value, f) => total + value * weights[f][t], 0);
            return sum + (score - said) ** 2;
          }, 0),
        );
      expect(distance(together)).toBeLessThan(0.7 * distance(alone));
    }
  });

  it('keeps what it computed for targets as far as there is room, and computes the rest again', async () => {
    const asked: number[][] = [];
    const rowsFor = (targets: Int32Array, sign: number) =>
      Float32Array.from({ length: 2 * targets.length }, (_, i) => sign * (10 * targets[i >> 1] + (i % 2)));
    const answers = new TargetAnswers(
      2,
      async (targets) => {
        asked.push([...targets]);
        return { a: rowsFor(targets, 1), right: rowsFor(targets, -1) };
      },
      3 * 16, // bytes: three targets of two numbers twice
    );
    const check = async (targets: number[]) => {
      const found = await answers.of(targets);
      expect([...found.keys()].sort()).toEqual(targets);
      for (const [target, { a, right }] of found) {
        expect([...a]).toEqual([10 * target, 10 * target + 1]);
        expect([...right]).toEqual([-10 * target, -10 * target - 1]);
      }
    };
    for (const targets of [[], [1, 2], [1, 2], [2, 3, 4], [1, 3, 4]]) await check(targets);
    expect(asked).toEqual([[1, 2], [3, 4], [4]]);
  });

  it('solves for each target alone as a regression on its features would', async () => {
    const rows = twoViews();
    const scales = Array.from({ length: 2 * oracle.tags + 1 }, (_, f) => 0.3 + 0.05 * (f % 7));
    const problem = problemOf(rows, scales, oracle.tags);
    const { weights, rest } = await solveSparseRidge(kernels, problem, { perTarget: 3, listener: {} });
    const inChunks = await solveSparseRidge(kernels, problem, { perTarget: 3, listener: {}, maxBytes: 1 });
    expect(inChunks).toMatchObject({ weights, rest });
    for (let t = 0; t < oracle.tags; t++) {
      const support = Array.from({ length: weights.rowStart.length - 1 }, (_, f) => f).filter((f) =>
        weights.columns.subarray(weights.rowStart[f], weights.rowStart[f + 1]).includes(t),
      );
      expect(support.length).toBeLessThanOrEqual(3);
      expect(support).not.toContain(t);
      // the gradient of ½‖F w − y‖² + ½‖w‖² vanishes on the support
      const of = (f: number) => {
        if (f === problem.numSparse) return rest[t];
        const at = weights.columns.subarray(weights.rowStart[f], weights.rowStart[f + 1]).indexOf(t);
        return weights.values[weights.rowStart[f] + at];
      };
      const features = [...support, problem.numSparse];
      const residuals = rows.map((row) => features.reduce((sum, f) => sum + row[f] * scales[f] * of(f), 0) - row[t]);
      for (const f of features) {
        const gradient = rows.reduce((sum, row, r) => sum + row[f] * scales[f] * residuals[r], 0) + of(f);
        expect(gradient, `target ${t}, feature ${f}`).toBeCloseTo(0, 4);
      }
    }
  });

  it('counts what features share over some of their rows where they have many, to much the same weights', async () => {
    const random = new Random(1, 'many rows');
    const [numRows, numTags] = [3000, 8];
    const rows = Array.from({ length: numRows }, () => {
      const tags = Array.from({ length: numTags }, () => (random.float() < 0.15 ? 1 : 0) as number);
      const words = tags.map((has, t) => (random.float() < (has + (tags[(t + 1) % numTags] ?? 0) * 0.5) / 2 ? 1 : 0));
      return [...tags, ...words, 1];
    });
    const scales = Array.from({ length: 2 * numTags + 1 }, () => 0.5);
    const problem = problemOf(rows, scales, numTags);
    const solve = (maxRows?: number) =>
      solveSparseRidge(kernels, problem, { perTarget: 10, listener: {}, ...(maxRows && { maxRows }) });
    const exact = await solve();
    expect(await solve(numRows)).toEqual(exact);
    const distanceOf = async (maxRows: number) => {
      const { weights } = await solve(maxRows);
      expect(weights.columns).toEqual(exact.weights.columns);
      expect(weights.values.every(Number.isFinite)).toBe(true);
      const squares = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);
      return Math.sqrt(
        squares(weights.values.map((value, i) => value - exact.weights.values[i])) / squares(exact.weights.values),
      );
    };
    expect(await distanceOf(200)).toBeLessThan(0.1);
    expect(await distanceOf(2)).toBeGreaterThan(0.1); // too few to tell, but it ends
  });

  it('learns the rest of what was expected, of targets that are features and of those that are not', async () => {
    const random = new Random(1, 'expected');
    const rows = twoViews();
    const prior = rows.map((row) => row.slice(0, oracle.tags).map(() => (random.float() < 0.3 ? random.float() : 0)));
    const numFeatures = 2 * oracle.tags + 1;
    for (const [own, numEmpty] of [true, false].flatMap((one) => [0, 100].map((empty) => [one, empty] as const))) {
      const scales = Array.from({ length: numFeatures + numEmpty }, (_, f) => 0.3 + 0.05 * (f % 7));
      const whole = problemOf(rows, scales, oracle.tags);
      const { own: itself, ...bare } = own ? whole : withoutOwn(whole, oracle.tags);
      const problem = { ...bare, ...(own && { own: itself }), prior: csrOf(prior) };
      const ridge = await solveRidge(kernels, problem);
      const weights = await ridge.weightsOf(Int32Array.from({ length: oracle.tags }, (_, t) => t));
      const row = await without(ridge, { rows: Int32Array.of(3), hidden: [new Int32Array(0)], keepsRow: false });
      ridge.release();
      const features = rows.map((_, r) => featuresOf(problem, r));
      for (let t = 0; t < oracle.tags; t++) {
        const of = (f: number) => weights[f * oracle.tags + t];
        const left = rows.map((views, r) => features[r].reduce((sum, x, f) => sum + x * of(f), prior[r][t] - views[t]));
        for (const f of features[0].keys()) {
          if (own && f === t) expect(of(f)).toBe(0);
          else expect(left.reduce((sum, one, r) => sum + one * features[r][f], of(f))).toBeCloseTo(0, 3);
        }
      }
      const others = { ...problem, ...withoutRow(problem, 3) };
      const lacking = await solveRidge(kernels, others);
      const learnt = await lacking.weightsOf(Int32Array.from({ length: oracle.tags }, (_, t) => t));
      lacking.release();
      for (let t = 0; t < oracle.tags; t++) {
        const said = features[3].reduce((sum, x, f) => sum + x * learnt[f * oracle.tags + t], prior[3][t]);
        expect(row[t]).toBeCloseTo(said, 3);
      }
    }
  });

  it('counts products of features as if they were written out', async () => {
    const rows = twoViews().map((row) => row.slice(oracle.tags, 2 * oracle.tags));
    const tags = twoViews().map((row) => row.slice(0, oracle.tags));
    const pairs = rows.map((row) => row.flatMap((one) => row.map((other) => one * other)));
    const base = { numRows: rows.length, numTargets: oracle.tags, targets: csrOf(tags), numDense: 1 };
    const dense = new Float32Array(rows.length).fill(1);
    const written = { ...base, dense, numSparse: rows[0].length + pairs[0].length };
    const strength = 0.7;
    const all = rows.map((row, r) => [...row, ...pairs[r].map((value) => Math.sqrt(strength) * value)]);
    const out = await solveRidge(kernels, { ...written, sparse: csrOf(all) });
    const squares = [{ rows: csrOf(rows), numColumns: rows[0].length, strength }];
    const implied = await solveRidge(kernels, {
      ...base,
      dense,
      numSparse: rows[0].length,
      sparse: csrOf(rows),
      squares,
    });
    const asked = Int32Array.of(0, 5);
    const none = [new Int32Array(0), new Int32Array(0)];
    const [expected, got] = [
      await without(out, { rows: asked, hidden: none, keepsRow: false }),
      await without(implied, { rows: asked, hidden: none, keepsRow: false }),
    ];
    for (const [i, value] of expected.entries()) expect(got[i]).toBeCloseTo(value, 4);
    out.release();
    implied.release();
  });

  it('solves where two features are the same for every row and float32 has no room for their penalties', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => [i % 2, 1 - (i % 2), i % 2, 1, 1, 1]);
    const scales = [1, 1, 1, 3e5, 3e5, 1e5]; // constants, with next to no penalty
    const before = kernels.usedBytes;
    const weights = await solved(problemOf(rows, scales, 2, 3), scales);
    expect(weights.flat().every(Number.isFinite)).toBe(true);
    for (const [i, row] of rows.slice(0, 2).entries()) {
      const scoreOf = (target: number) => row.reduce((sum, value, f) => sum + value * weights[f][target], 0);
      expect(scoreOf(i % 2 === 1 ? 0 : 1)).toBeGreaterThan(scoreOf(i % 2 === 1 ? 1 : 0));
    }
    expect(kernels.usedBytes).toBe(before);
  });

  it('solves where features are multiples of one another over more rows than a sum in float32 takes', async () => {
    const numRows = 150_000;
    const constants = [1.1, 3.7, 7.3, 12.9]; // the same for every row
    const [sparse, targets] = [new CsrBuilder(numRows), new CsrBuilder(numRows)];
    for (let row = 0; row < numRows; row++) {
      sparse.add(row % 2, 1);
      for (const [f, value] of constants.entries()) sparse.add(2 + f, value);
      sparse.endRow();
      targets.add(row % 2, 1);
      targets.endRow();
    }
    const problem = {
      ...{ numRows, numSparse: 2 + constants.length, sparse: sparse.finish() },
      ...{ numDense: 2, dense: Float32Array.from({ length: 2 * numRows }, (_, i) => [9.1, 1][i % 2]) },
      ...{ numTargets: 2, targets: targets.finish() },
    };
    const before = kernels.usedBytes;
    const weights = await solved(problem, new Array<number>(8).fill(1));
    const scoreOf = (row: number[], target: number) =>
      [...row, ...constants, 9.1, 1].reduce((sum, value, f) => sum + value * weights[f][target], 0);
    for (const target of [0, 1]) {
      expect(scoreOf([1, 0], target)).toBeCloseTo(1 - target, 1);
      expect(scoreOf([0, 1], target)).toBeCloseTo(target, 1);
    }
    expect(kernels.usedBytes).toBe(before);
  });

  it('gives back its memory', async () => {
    const before = kernels.usedBytes;
    const scales = new Array<number>(2 * oracle.tags + 1).fill(1);
    await solved(problemOf(twoViews(), scales, oracle.tags), scales);
    await solved(problemOf(twoViews().slice(0, 3), scales, oracle.tags), scales);
    expect(kernels.usedBytes).toBe(before);
  });
});

/** Of a problem whose first features are the targets, the same without these. */
function withoutOwn(problem: RidgeProblem, numTargets: number): RidgeProblem {
  const rows = Array.from({ length: problem.numRows }, (_, r) =>
    featuresOf(problem, r).slice(numTargets, problem.numSparse),
  );
  return { ...problem, numSparse: problem.numSparse - numTargets, sparse: csrOf(rows) };
}

function withoutRow(
  problem: RidgeProblem,
  row: number,
): Pick<RidgeProblem, 'numRows' | 'sparse' | 'dense' | 'targets' | 'prior'> {
  const others = Int32Array.from({ length: problem.numRows }, (_, r) => r).filter((r) => r !== row);
  const [sparse, targets] = [selectedRows(problem.sparse, others), selectedRows(problem.targets, others)];
  const dense = problem.dense.filter((_, i) => Math.floor(i / problem.numDense) !== row);
  return {
    numRows: others.length,
    sparse,
    dense,
    targets,
    prior: problem.prior && selectedRows(problem.prior, others),
  };
}

function featuresOf({ sparse, numSparse, dense, numDense }: RidgeProblem, row: number): number[] {
  const sparseOnes = Array.from({ length: numSparse }, (_, f) => entryOf(sparse, row, f));
  return [...sparseOnes, ...dense.subarray(row * numDense, (row + 1) * numDense)];
}
