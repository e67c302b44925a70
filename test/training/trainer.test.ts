import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { featuresFrom } from '../../src/data/features.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { CancelledError } from '../../src/errors.ts';
import { DGE_SETTINGS, trainDge } from '../../src/models/dge.ts';
import { resolveSettings } from '../../src/settings.ts';
import { loadCheckpoint, saveCheckpoint } from '../../src/training/checkpoint.ts';
import {
  type Embeddings,
  type EpochReport,
  learningRateFactor,
  type TrainingState,
  type Watch,
} from '../../src/training/trainer.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';

const settings = resolveSettings(DGE_SETTINGS, { hidden: 8, output: 4, batchSize: 100, epochs: 6, evaluateEvery: 2 });
const training = { train: checkerboard(), settings, convolves: { objects: true, tags: true } };

async function withKernels<T>(use: (kernels: Kernels) => Promise<T>): Promise<T> {
  const kernels = await openKernels({ threads: 1 });
  try {
    return await use(kernels);
  } finally {
    kernels.close();
  }
}

/** Some number that depends on the embeddings, as a validation would. */
const validate = async ({ objects }: Embeddings) => Math.abs(Math.sin(1000 * objects[0]));

describe('training', () => {
  it('keeps the best epoch by validation and stops when it gets no better', async () => {
    const worth = [0.1, 0.5, 0.4, 0.3, 0.2, 0.9];
    const seen: Embeddings[] = [];
    const reports: EpochReport[] = [];
    const watch: Watch = {
      validate: async (fitted) => worth[seen.push(fitted) - 1],
      onEpoch: (report) => reports.push(report),
    };
    const patient = { ...settings, epochs: 30, patience: 3 };
    const trained = await withKernels((kernels) => trainDge(kernels, { ...training, settings: patient }, watch));
    expect(seen).toHaveLength(5);
    expect(trained.fitted).toBe(seen[1]);
    expect(trained).toMatchObject({ epochs: 10, best: { value: 0.5, epoch: 4 } });
    expect(reports).toHaveLength(10);
    expect(reports[3].validation).toBe(0.5);
    expect(reports[2].validation).toBeUndefined();
  });

  it('stopped after any step and resumed from disk ends in the same bytes as a run never stopped', async () => {
    const whole = await withKernels((kernels) => trainDge(kernels, training, { validate }));
    const identity = { model: 'dge', settings, data: 'x' };
    const path = join(await tempFolder(), 'run.checkpoint');
    for (const stopAfter of [1, 6, 7, 13, 30]) {
      let state: TrainingState | undefined;
      let numSaves = 0;
      // everyMs 0 saves before each step: the run is cut off at one of them, as by a crash
      const save = async (reached: TrainingState) => {
        numSaves++;
        if (numSaves > stopAfter) throw new Error('the lights went out');
        await saveCheckpoint(path, identity, reached);
      };
      const cut = withKernels((kernels) =>
        trainDge(kernels, training, { validate, checkpoint: { everyMs: -1, save } }),
      );
      await expect(cut).rejects.toThrow('the lights went out');
      state = await loadCheckpoint(path, identity);
      expect(state.step).toBe(stopAfter - 1);
      const resumed = await withKernels((kernels) =>
        trainDge(kernels, training, { validate, checkpoint: { everyMs: 1e9, resume: state, save: async () => {} } }),
      );
      expect(resumed).toEqual(whole);
    }
  });

  it('makes a checkpoint when it is asked to stop, also in the middle of a validation', async () => {
    const whole = await withKernels((kernels) => trainDge(kernels, training, { validate }));
    const saved: TrainingState[] = [];
    const checkpoint = { everyMs: 1e9, save: async (state: TrainingState) => void saved.push(state) };
    const stopping = async () => {
      throw new CancelledError();
    };
    const run = withKernels((kernels) => trainDge(kernels, training, { validate: stopping, checkpoint }));
    await expect(run).rejects.toThrow('Stopped on request.');
    expect(saved).toHaveLength(1);
    expect(saved[0]).toMatchObject({ numEpochs: 1 }); // the second waits for its validation
    const resumed = await withKernels((kernels) =>
      trainDge(kernels, training, { validate, checkpoint: { ...checkpoint, resume: saved[0] } }),
    );
    expect(resumed).toEqual(whole);
  });

  it('that goes astray is an error its owner can mend', async () => {
    const { objects } = training.train;
    const huge = Array.from({ length: objects.size }, (_, id) => [objects.name(id), 'x', 1e38] as const);
    const wild = { ...training, features: featuresFrom(objects, huge) };
    const run = withKernels((kernels) => trainDge(kernels, wild));
    await expect(run).rejects.toThrow(/got NaN or infinity from .+ in step \d+, expected finite numbers. Lower the/);
  });

  it('gives back all memory', async () => {
    await withKernels(async (kernels) => {
      const before = kernels.usedBytes;
      await trainDge(kernels, training);
      expect(kernels.usedBytes).toBe(before);
    });
  });
});

describe('a checkpoint', () => {
  it('belongs to one model, one data set and one list of settings', async () => {
    const path = join(await tempFolder(), 'checkpoint');
    const identity = { model: 'dge', settings: { epochs: 3, seed: 1 }, data: 'abc' };
    await saveCheckpoint(path, identity, { step: 1, numEpochs: 0, numWorse: 0, best: undefined, parameters: [] });
    await expect(loadCheckpoint(path, identity)).resolves.toMatchObject({ step: 1, best: undefined });
    await expect(loadCheckpoint(path, { ...identity, settings: { epochs: 4, seed: 1 } })).rejects.toThrow(
      /got a run with epochs 3, expected a run with epochs 4. Give the same data and settings/,
    );
    await expect(loadCheckpoint(path, { ...identity, data: 'def' })).rejects.toThrow(/got a run on data abc/);
    await expect(loadCheckpoint(path, { ...identity, model: 'so-ge' })).rejects.toThrow(/got a run of dge/);
  });
});

describe('the learning rate', () => {
  it('falls to zero as its schedule says', () => {
    expect([0, 0.25, 0.5, 1].map((done) => learningRateFactor('linear', done))).toEqual([1, 0.75, 0.5, 0]);
    expect(learningRateFactor('cosine', 0)).toBe(1);
    expect(learningRateFactor('cosine', 0.5)).toBeCloseTo(0.5);
    expect(learningRateFactor('cosine', 1)).toBeCloseTo(0);
    expect(learningRateFactor('constant', 0.9)).toBe(1);
  });
});
