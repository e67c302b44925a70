import { describe, expect, it } from 'vitest';
import { featuresFrom } from '../../src/data/features.ts';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { DGE_SETTINGS, type DgeTraining, trainDge } from '../../src/models/dge.ts';
import { embeddingScorer } from '../../src/models/forms/embeddings.ts';
import { fitModel } from '../../src/pipeline.ts';
import { resolveSettings } from '../../src/settings.ts';
import type { Embeddings, EpochReport } from '../../src/training/trainer.ts';
import { checkerboard } from '../checkerboard.ts';

const parts = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
const settings = resolveSettings(DGE_SETTINGS, {
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
  const scorer = embeddingScorer(kernels, embeddings);
  const evaluation = await evaluate(scorer.score, parts, [5]);
  scorer.release();
  return meanOf(evaluation, 'recall@5');
}

describe('trainDge', () => {
  const features = featuresFrom(
    parts.train.objects,
    Array.from({ length: parts.train.objects.size }, (_, o) => {
      const name = parts.train.objects.name(o);
      return [name, Number(name.slice(1)) % 2 === 0 ? 'even' : 'odd', 1] as const;
    }),
  );

  it.each<[string, Partial<DgeTraining>]>([
    ['DGE', {}],
    ['SO-GE', { convolves: { objects: true, tags: false } }],
    ['ST-GE', { convolves: { objects: false, tags: true } }],
    ['DGE with the softmax over all tags', { settings: { ...settings, objective: 'softmax' } }],
    ['DGE without the prior', { settings: { ...settings, prior: 'off', epochs: 60 } }],
    ['DGE with features of the objects', { features }],
    ['ST-GE with features of the objects', { features, convolves: { objects: false, tags: true } }],
  ])('%s finds the missing squares of a checkerboard', async (_name, changes) => {
    await withKernels(1, async (kernels) => {
      const before = kernels.usedBytes;
      const { fitted } = await trainDge(kernels, { ...training, ...changes });
      expect(await recallOf(kernels, fitted)).toBeGreaterThan(0.95);
      expect(kernels.usedBytes).toBe(before);
    });
  });

  it('gives the same bytes for the same seed on one thread and on two, and others for another seed', async () => {
    const train = async (threads: number, seed: number) => {
      const run = { ...training, settings: { ...settings, epochs: 3, seed } };
      return (await withKernels(threads, (kernels) => trainDge(kernels, run))).fitted;
    };
    const [one, two, other] = [await train(1, 1), await train(2, 1), await train(1, 2)];
    expect(two).toEqual(one);
    expect(other.objects).not.toEqual(one.objects);
  });

  it('refuses a graph without a tagged pair', async () => {
    const train = graphFrom({ interact: [['u', 'o']], tagged: [] });
    const run = withKernels(1, (kernels) => trainDge(kernels, { ...training, train }));
    await expect(run).rejects.toThrow('got no tagged pair, expected some to learn from. Add objects with tags.');
  });

  it('lowers the loss', async () => {
    const reports: EpochReport[] = [];
    await withKernels(1, (kernels) => trainDge(kernels, training, { onEpoch: (report) => reports.push(report) }));
    expect(reports.at(-1)?.loss).toBeLessThan(reports[0].loss);
  });

  it('stops when asked to and leaves no memory behind', async () => {
    await withKernels(1, async (kernels) => {
      const before = kernels.usedBytes;
      const stop = new AbortController();
      const run = trainDge(kernels, training, { onEpoch: () => stop.abort() }, { signal: stop.signal });
      await expect(run).rejects.toThrow('Stopped on request.');
      expect(kernels.usedBytes).toBe(before);
    });
  });
});

describe('settings', () => {
  it('are the defaults with what is given over them; unknown names and values out of bounds are refused', () => {
    expect(resolveSettings(DGE_SETTINGS, { epochs: 7 })).toMatchObject({
      epochs: 7,
      batchSize: DGE_SETTINGS.batchSize.default,
    });
    expect(resolveSettings(DGE_SETTINGS, { epochs: '7' })).toMatchObject({ epochs: 7 });
    expect(() => resolveSettings(DGE_SETTINGS, { epoch: 7 })).toThrow(
      /got the setting epoch, expected one of hidden, /,
    );
    expect(() => resolveSettings(DGE_SETTINGS, { learningRate: -1 })).toThrow(
      'got learningRate -1, expected a number from 1e-9 to 10. It is: of Adam, at the start.',
    );
    expect(() => resolveSettings(DGE_SETTINGS, { epochs: 1.5 })).toThrow(
      /got epochs 1.5, expected a whole number from 1/,
    );
    expect(() => resolveSettings(DGE_SETTINGS, { objective: 'hinge' })).toThrow(
      /got objective hinge, expected one of nce, softmax/,
    );
  });

  it('chooses the number of neighbours by the data, writes it down, and takes the given one', async () => {
    await withKernels(1, async (kernels) => {
      const quick = { epochs: 1, validation: 0 };
      const chosen = await fitModel(kernels, parts.train, { model: 'dge', settings: quick });
      expect(chosen.settings.neighbours).toBe(30); // objects have eight users
      const given = await fitModel(kernels, parts.train, { model: 'dge', settings: { ...quick, neighbours: 30 } });
      expect(given).toEqual(chosen);
      const all = await fitModel(kernels, parts.train, { model: 'dge', settings: { ...quick, neighbours: 0 } });
      expect(all.settings.neighbours).toBe(0);
    });
  });
});
