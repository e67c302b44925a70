// ItemKNN: an object gets the tags of the objects it shares users with, each with the weight of their edge. An edge stays
// if it is among the heaviest of either end.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { cappedMiddles, warnOfCapped } from '../graph/capped-middles.ts';
import { countPaths } from '../graph/path-counts.ts';
import { prunedSymmetric } from '../graph/prune.ts';
import { cosine, sppmi } from '../graph/weighting.ts';
import type { Listener } from '../listener.ts';
import { logScale, MANY, type SettingList, type SettingsOf } from '../settings.ts';
import type { Neighbours } from './forms/neighbours.ts';
import { modelKind } from './model-kind.ts';

export const ITEM_KNN_SETTINGS = {
  neighbours: {
    default: 30,
    min: 1,
    max: MANY,
    whole: true,
    tune: logScale(5, 300),
    help: 'neighbours kept for each object, those of the largest weights',
  },
  weighting: {
    default: 'cosine',
    choices: ['cosine', 'sppmi'],
    tune: ['cosine', 'sppmi'],
    help: 'how the weight of a neighbour is computed',
  },
  objectShift: {
    default: 1,
    min: 1e-6,
    max: MANY,
    tune: logScale(0.1, 10),
    help: 'k of SPPMI, where that is the weighting',
  },
} as const satisfies SettingList;

type ItemKnnSettings = SettingsOf<typeof ITEM_KNN_SETTINGS>;

export const ITEM_KNN = modelKind(
  'the tags of objects that share users',
  ITEM_KNN_SETTINGS,
  async ({ train, settings, listener }) => ({ fitted: await fitItemKnn(train, settings, listener) }),
);

export async function fitItemKnn(
  train: KnowledgeGraph,
  { neighbours, weighting, objectShift }: ItemKnnSettings,
  listener: Listener = {},
): Promise<Neighbours> {
  warnOfCapped(train.interact, { middle: 'user', node: 'object' }, listener);
  const interact = cappedMiddles(train.interact);
  const counts = await countPaths(interact, listener);
  const weighted = weighting === 'cosine' ? cosine(counts, interact) : sppmi(counts, objectShift);
  return { form: 'neighbours', graph: prunedSymmetric(weighted, neighbours) };
}
