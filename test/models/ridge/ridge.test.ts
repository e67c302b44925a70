import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import type { RidgeProblem } from '../../../src/models/ridge/problem.ts';
import { solveRidge } from '../../../src/models/ridge/ridge.ts';
import { solveSparseRidge } from '../../../src/models/ridge/sparse.ts';
import { oracle } from '../../oracle.ts';

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
    targetScales: Float32Array.from(scales.slice(0, numTargets)),
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

  it('knows what fits without a row, or one of its targets, would say of it, by either of its matrices', async () => {
    const rows = twoViews();
    const numFeatures = 2 * oracle.tags + 1;
    for (const numEmpty of [0, 100]) {
      const scales = Array.from({ length: numFeatures + numEmpty }, (_, f) => 0.3 + 0.05 * (f % 7));
      const problem = problemOf(rows, scales, oracle.tags);
      const ridge = await solveRidge(kernels, problem);
      await ridge.weightsOf(Int32Array.from({ length: oracle.tags }, (_, t) => t));
      const asked = Int32Array.of(0, 2, rows.length - 1);
      const got = await ridge.without(asked);
      ridge.release();
      for (const [i, row] of asked.entries()) {
        const others = rows.filter((_, other) => other !== row);
        const weights = await solved(problemOf(others, scales, oracle.tags), scales);
        for (let t = 0; t < oracle.tags; t++) {
          const said = rows[row].reduce((sum, value, f) => sum + value * weights[f][t], 0);
          expect(got.row[i * oracle.tags + t], `row ${row}, target ${t}`).toBeCloseTo(said, 3);
        }
        for (let t = 0; t < oracle.tags; t++) {
          const forgetful = rows.map((views, at) => (at === row ? views.with(t, 0) : views));
          const unknown = await solved(problemOf(forgetful, scales, oracle.tags), scales);
          const said = rows[row].reduce((sum, value, f) => sum + value * unknown[f][t], 0);
          expect(got.target[i * oracle.tags + t], `target ${t} of row ${row}`).toBeCloseTo(said, 3);
        }
      }
    }
  });

  it('solves for each target alone as a regression on its features would', async () => {
    const rows = twoViews();
    const scales = Array.from({ length: 2 * oracle.tags + 1 }, (_, f) => 0.3 + 0.05 * (f % 7));
    const problem = problemOf(rows, scales, oracle.tags);
    const { weights, rest } = await solveSparseRidge(kernels, problem, { perTarget: 3, listener: {} });
    expect(await solveSparseRidge(kernels, problem, { perTarget: 3, listener: {}, maxBytes: 1 })).toEqual({
      weights,
      rest,
    });
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

  it('gives back its memory', async () => {
    const before = kernels.usedBytes;
    const scales = new Array<number>(2 * oracle.tags + 1).fill(1);
    await solved(problemOf(twoViews(), scales, oracle.tags), scales);
    await solved(problemOf(twoViews().slice(0, 3), scales, oracle.tags), scales);
    expect(kernels.usedBytes).toBe(before);
  });
});
