// The settings of the graph networks on the tripartite graph: GCMC+, NGCF+, LightGCN. Widths and layers are the paper's
// for Last.fm, {64, 64, 64, 64}; for the others it has {128, 128, 128}, which is width 128 and 2 layers. The rest was
// chosen on validation pairs.

import { linearScale, logScale, type SettingList, type SettingsOf, TRAINING } from './config.ts';

const SHAPE = {
  width: {
    default: 64,
    min: 1,
    max: 4096,
    whole: true,
    search: logScale(16, 256),
    help: 'of the vectors of nodes, in every layer',
  },
  layers: {
    default: 3,
    min: 1,
    max: 16,
    whole: true,
    search: linearScale(1, 4),
    help: 'how many times vectors are passed on to neighbours',
  },
} as const satisfies SettingList;

const NODE_DROPOUT = {
  default: 0.5,
  min: 0,
  max: 0.99,
  search: linearScale(0, 0.8),
  help: 'share of the nodes that send nothing in a step',
} as const;
const L2 = {
  default: 0.02,
  min: 0,
  max: 1000,
  search: logScale(1e-4, 1),
  help: 'weight of the squared lengths of vectors in the loss',
} as const;

const COMPARED = {
  negatives: {
    default: 'popular',
    choices: ['popular', 'uniform'],
    search: ['popular', 'uniform'],
    help: 'how tags an object lacks are drawn: as often as they are used, or all alike',
  },
  ...TRAINING,
  epochs: { ...TRAINING.epochs, default: 30 },
} as const satisfies SettingList;

export const GCMC = {
  ...SHAPE,
  nodeDropout: NODE_DROPOUT,
  l2: { ...L2, default: 0 },
  ...COMPARED,
  learningRate: { ...TRAINING.learningRate, default: 0.02 },
} as const satisfies SettingList;

export const NGCF = {
  ...SHAPE,
  nodeDropout: NODE_DROPOUT,
  messageDropout: {
    default: 0,
    min: 0,
    max: 0.99,
    search: linearScale(0, 0.5),
    help: 'share of the numbers received left out of a step',
  },
  l2: L2,
  ...COMPARED,
  learningRate: { ...TRAINING.learningRate, default: 0.02 },
} as const satisfies SettingList;

export const LIGHT_GCN = {
  ...SHAPE,
  l2: L2,
  ...COMPARED,
} as const satisfies SettingList;

export type GcmcSettings = SettingsOf<typeof GCMC>;
export type NgcfSettings = SettingsOf<typeof NGCF>;
export type LightGcnSettings = SettingsOf<typeof LIGHT_GCN>;
