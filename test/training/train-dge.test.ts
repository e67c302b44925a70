import { describe, expect, it } from 'vitest';
import { split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { type Embeddings, embeddingScores } from '../../src/models/embeddings.ts';
import { dgeSettings } from '../../src/training/config.ts';
import { type DgeTraining, type EpochReport, trainDge } from '../../src/training/train-dge.ts';
import { checkerboard } from '../checkerboard.ts';

const parts = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
const settings = dgeSettings({
  hidden: 16,
  output: 8,
  batchSize: 128,
  learningRate: 0.02,
  epochs: 30,
  objectShift: 0.5,
});
const training: DgeTraining = { train: parts.train, settings, convolves: { objects: true, tags: true } };

async function withKernels<T>(threads: number, use: (kernels: Kernels) => Promise<T>): Promise<T> {
  const kernels = await openKernels({ threads });
  try {
    return await use(kernels);
  } finally {
    kernels.close();
  }
}

async function recallOf(kernels: Kernels, embeddings: Embeddings): Promise<number> {
  return meanOf(await evaluate(embeddingScores(kernels, embeddings), parts, [5]), 'recall@5');
}

describe('trainDge', () => {
  it.each([
    ['DGE', { objects: true, tags: true }],
    ['SO-GE', { objects: true, tags: false }],
    ['ST-GE', { objects: false, tags: true }],
  ])('%s finds the missing squares of a checkerboard', async (_name, convolves) => {
    await withKernels(1, async (kernels) => {
      const before = kernels.usedBytes;
      const embeddings = await trainDge(kernels, { ...training, convolves });
      expect(await recallOf(kernels, embeddings)).toBeGreaterThan(0.95);
      expect(kernels.usedBytes).toBe(before);
    });
  });

  it('gives the same bytes for the same seed on one thread and on two, and others for another seed', async () => {
    const train = (threads: number, seed: number) =>
      withKernels(threads, (kernels) => trainDge(kernels, { ...training, settings: { ...settings, epochs: 3, seed } }));
    const [one, two, other] = [await train(1, 1), await train(2, 1), await train(1, 2)];
    expect(two).toEqual(one);
    expect(other.objects).not.toEqual(one.objects);
  });

  it('keeps the best epoch by validation and stops when it gets no better', async () => {
    await withKernels(1, async (kernels) => {
      const worth = [0.1, 0.5, 0.4, 0.3, 0.2, 0.9];
      const seen: Embeddings[] = [];
      const reports: EpochReport[] = [];
      const result = await trainDge(kernels, {
        ...training,
        settings: { ...settings, evaluateEvery: 2, patience: 3 },
        validate: async (embeddings) => worth[seen.push(embeddings) - 1],
        onEpoch: (report) => reports.push(report),
      });
      expect(seen).toHaveLength(5);
      expect(result).toBe(seen[1]);
      expect(reports).toHaveLength(10);
      expect(reports[3].validation).toBe(0.5);
      expect(reports[2].validation).toBeUndefined();
      expect(reports[9].loss).toBeLessThan(reports[0].loss);
    });
  });

  it('stops when asked to and leaves no memory behind', async () => {
    await withKernels(1, async (kernels) => {
      const before = kernels.usedBytes;
      const stop = new AbortController();
      const run = trainDge(kernels, { ...training, onEpoch: () => stop.abort() }, { signal: stop.signal });
      await expect(run).rejects.toThrow('Stopped on request.');
      expect(kernels.usedBytes).toBe(before);
    });
  });
});

describe('dgeSettings', () => {
  it('refuses names it does not know and numbers out of bounds', () => {
    expect(dgeSettings({ epochs: 7 })).toMatchObject({ epochs: 7, batchSize: 8192 });
    expect(() => dgeSettings({ epoch: 7 } as object)).toThrow(/Got the setting epoch when expected one of hidden/);
    expect(() => dgeSettings({ learningRate: -1 })).toThrow('Got learningRate -1 when expected 1e-9 to 10.');
  });
});
