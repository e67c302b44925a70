// Training on a GPU: as good as on the processor, and the same every time.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Csr, CsrBuilder } from '../../src/csr.ts';
import { split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { ReferenceKernels } from '../../src/engine/reference/reference-kernels.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { DGE_SETTINGS, type DgeTraining, trainDge } from '../../src/models/dge.ts';
import { embeddingScorer } from '../../src/models/forms/embeddings.ts';
import { solveRidge } from '../../src/models/ridge/ridge.ts';
import { Random } from '../../src/random.ts';
import { resolveSettings } from '../../src/settings.ts';
import { checkerboard } from '../checkerboard.ts';
import { sparse } from '../engine/contract/sparse.ts';
import { gpuSkipped, hasGpu, openGpu } from '../engine/gpu.ts';

const parts = split(checkerboard(30, 12, 20), { trainFraction: 0.7, seed: 1 });
const given = { hidden: 16, output: 8, batchSize: 64, learningRate: 0.02, objectShift: 0.5, epochs: 20 };
const training: DgeTraining = {
  train: parts.train,
  settings: resolveSettings(DGE_SETTINGS, given),
  convolves: { objects: true, tags: true },
};

describe.skipIf(!hasGpu)(`on a GPU${gpuSkipped}`, () => {
  let gpu: Kernels;
  beforeAll(async () => {
    gpu = await openGpu();
  });
  afterAll(() => gpu.close());

  it('trainDge finds the missing squares of a checkerboard as on the processor, and leaves no memory behind', async () => {
    const before = gpu.usedBytes;
    const recall = async (kernels: Kernels) => {
      const { fitted } = await trainDge(kernels, training);
      const scorer = embeddingScorer(kernels, fitted);
      const evaluation = await evaluate(scorer.score, parts, [5]);
      scorer.release();
      return meanOf(evaluation, 'recall@5');
    };
    const [there, here] = [await recall(gpu), await recall(new ReferenceKernels())];
    expect(there).toBeGreaterThan(0.9);
    expect(Math.abs(there - here)).toBeLessThan(0.05);
    expect(gpu.usedBytes).toBe(before);
  }, 120_000);

  it('gives the same bytes for the same seed', async () => {
    const run = { ...training, settings: { ...training.settings, epochs: 2 } };
    const [first, second] = [await trainDge(gpu, run), await trainDge(gpu, run)];
    expect(second.fitted).toEqual(first.fitted);
  }, 120_000);

  it('solveRidge gives the weights of the processor, by either of its matrices', async () => {
    for (const numRows of [10, 70]) {
      const [random, numSparse, numDense] = [new Random(1, 'ridge'), 30, 3];
      const arrays = sparse(random, numRows, numSparse, 6);
      arrays.values.set(arrays.values.map(() => 0.7));
      const problem = {
        ...{ numRows, numSparse, sparse: arrays, numDense, numTargets: 12 },
        dense: new Float32Array(numRows * numDense).map(() => random.float()),
        targets: onesBelow(arrays, 12),
        own: { features: Int32Array.from({ length: 12 }, (_, t) => t), scales: new Float32Array(12).fill(0.7) },
      };
      const targets = Int32Array.of(0, 3, 4, 11);
      const weights: Float32Array[] = [];
      for (const kernels of [gpu, new ReferenceKernels()]) {
        const ridge = await solveRidge(kernels, problem);
        weights.push(await ridge.weightsOf(targets));
        ridge.release();
      }
      const difference = weights[0].map((value, i) => Math.abs(value - weights[1][i]));
      expect(Math.max(...difference)).toBeLessThan(1e-4);
    }
  }, 120_000);
});

/** Of the columns below a number, ones. */
function onesBelow({ rowStart, columns }: Csr, end: number): Csr {
  const rows = new CsrBuilder(rowStart.length - 1);
  for (let row = 0; row + 1 < rowStart.length; row++) {
    for (const column of columns.subarray(rowStart[row], rowStart[row + 1])) if (column < end) rows.add(column, 1);
    rows.endRow();
  }
  return rows.finish();
}
