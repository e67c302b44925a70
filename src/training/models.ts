// The models there are, by the name they have everywhere.

import { InputError } from '../errors.ts';
import { fitEase } from '../models/ease.ts';
import { fitHeteLearn } from '../models/hetelearn.ts';
import { fitItemKnn } from '../models/itemknn.ts';
import { fitMad } from '../models/mad.ts';
import { fitPopularity } from '../models/popularity.ts';
import { DGE, type DgeSettings, ITEM_KNN } from './config.ts';
import { EASE, HETELEARN, MAD } from './config-closed.ts';
import { COFACTOR, MF, SKIP_GRAM } from './config-factors.ts';
import { GCMC, LIGHT_GCN, NGCF } from './config-graph-networks.ts';
import { LOOM } from './config-loom.ts';
import { TRANS_E, TRANS_H, TRANS_R } from './config-translations.ts';
import { type FitContext, kind, type ModelKind } from './model-kind.ts';
import { trainDge } from './train-dge.ts';
import { fitCoFactor, fitMf, fitSkipGram } from './train-factors.ts';
import { fitLoom } from './train-loom.ts';
import { fitTransE, fitTransH, fitTransR } from './train-translations.ts';
import { fitGcmc, fitLightGcn, fitNgcf } from './train-tripartite.ts';

function dge(summary: string, convolves: { objects: boolean; tags: boolean }): ModelKind {
  const fit = async ({ kernels, train, settings, features, watch, listener }: FitContext<DgeSettings>) => {
    const training = { train, settings, convolves, features };
    const { fitted, ...rest } = await trainDge(kernels, training, watch, listener);
    return { fitted, training: rest };
  };
  return kind(summary, DGE, fit, { takesFeatures: true });
}

const BY_NAME = {
  loom: kind('a ridge regression on all that is known of an object, in closed form', LOOM, fitLoom, {
    takesFeatures: true,
    rehearses: true,
  }),
  popularity: kind('tags in the order of how many objects carry them', {}, async ({ train }) => ({
    fitted: fitPopularity(train),
  })),
  itemknn: kind('the tags of objects that share users', ITEM_KNN, async ({ train, settings, listener }) => ({
    fitted: await fitItemKnn(train, settings, listener),
  })),
  ease: kind('a linear autoencoder over tags, in closed form', EASE, async ({ kernels, train, settings }) => ({
    fitted: await fitEase(kernels, train, settings),
  })),
  mf: kind('matrix factorisation with squared error', MF, fitMf),
  'skip-gram': kind('the same factors with a noise-contrastive loss', SKIP_GRAM, fitSkipGram),
  cofactor: kind('matrix factorisation, tags factorised with their neighbours as well', COFACTOR, fitCoFactor),
  transe: kind('relations as translations', TRANS_E, fitTransE),
  transh: kind('relations as translations on hyperplanes', TRANS_H, fitTransH),
  transr: kind('relations as translations in spaces of their own', TRANS_R, fitTransR),
  mad: kind('modified adsorption: tags passed on along the object graph', MAD, async (context) => ({
    fitted: await fitMad(context.kernels, context.train, context.settings, context.listener),
  })),
  hetelearn: kind('random walks over users, objects and tags', HETELEARN, async (context) => ({
    fitted: await fitHeteLearn(context.kernels, context.train, context.settings, context.listener),
  })),
  gcmc: kind('graph convolution over users, objects and tags, a bilinear decoder', GCMC, fitGcmc),
  ngcf: kind('the same graph, with messages that multiply neighbours', NGCF, fitNgcf),
  lightgcn: kind('the same graph, embeddings averaged over neighbours and nothing else', LIGHT_GCN, fitLightGcn),
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
