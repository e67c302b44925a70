// A model whose training never ends: what is done to a training can be tried without a race against it.

import { split } from '../../src/data/split.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { checkerboard } from '../checkerboard.ts';

export const graph = split(checkerboard(), { trainFraction: 0.7, seed: 3 }).train;

/** It was trained for an epoch, and its settings say otherwise. */
export async function saveEndless(path: string): Promise<void> {
  const model = await train(graph, { model: 'mf', threads: 1, settings: { epochs: 1 } });
  await saveModel(path, { ...model, settings: { ...model.settings, epochs: 1e6, patience: 1e6 } });
}
