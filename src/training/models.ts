// The models there are, by the name they have everywhere.

import { InputError } from '../errors.ts';
import { fitItemKnn } from '../models/itemknn.ts';
import { fitPopularity } from '../models/popularity.ts';
import { DGE, type DgeSettings, ITEM_KNN } from './config.ts';
import { type FitContext, kind, type ModelKind } from './model-kind.ts';
import { trainDge } from './train-dge.ts';

function dge(summary: string, convolves: { objects: boolean; tags: boolean }): ModelKind {
  const fit = async ({ kernels, train, settings, features, watch, listener }: FitContext<DgeSettings>) => {
    const training = { train, settings, convolves, features };
    const { fitted, ...rest } = await trainDge(kernels, training, watch, listener);
    return { fitted, training: rest };
  };
  return kind(summary, DGE, fit, true);
}

const BY_NAME = {
  popularity: kind('tags in the order of how many objects carry them', {}, async ({ train }) => ({
    fitted: fitPopularity(train),
  })),
  itemknn: kind('the tags of objects that share users', ITEM_KNN, async ({ train, settings, listener }) => ({
    fitted: await fitItemKnn(train, settings, listener),
  })),
  dge: dge('dual graph embedding: a graph convolution over objects, one over tags', { objects: true, tags: true }),
  'so-ge': dge('dge without the tag graph', { objects: true, tags: false }),
  'st-ge': dge('dge without the object graph', { objects: false, tags: true }),
};

export type ModelName = keyof typeof BY_NAME;

export const MODELS: Readonly<Record<ModelName, ModelKind>> = BY_NAME;

export function modelKind(name: string): ModelKind {
  const found: ModelKind | undefined = (MODELS as Record<string, ModelKind>)[name];
  if (found !== undefined && Object.hasOwn(MODELS, name)) return found;
  const expected = `one of ${Object.keys(MODELS).join(', ')}`;
  throw new InputError({ got: `the model "${name}"`, expected, cure: 'Check its spelling.' });
}
