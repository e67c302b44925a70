// The settings of TransE, TransH and TransR. Widths are the paper's (Table "Experimental Settings"), the margin TransE's own.

import { linearScale, logScale, type SettingList, TRAINING } from './config.ts';

const WIDTH = { default: 100, min: 1, max: 4096, whole: true, search: logScale(32, 256) } as const;

const TRANSLATION = {
  margin: {
    default: 1,
    min: 0,
    max: 1000,
    search: logScale(0.1, 10),
    help: 'by which a wrong pair must be farther off than a right one',
  },
  rankingWeight: {
    default: 0.5,
    min: 0,
    max: 1,
    search: linearScale(0, 1),
    help: "weight of ranking an object's tags; the margin losses have the rest",
  },
  corruption: {
    default: 'uniform',
    choices: ['uniform', 'bernoulli'],
    search: ['uniform', 'bernoulli'],
    help: 'which end of a pair is replaced: either, or rather the one of which there are fewer',
  },
  ...TRAINING,
  batchSize: { ...TRAINING.batchSize, default: 4096, help: 'pairs of each relation in one step' },
  learningRate: { ...TRAINING.learningRate, default: 0.02 },
} as const satisfies SettingList;

export const TRANS_E = {
  width: { ...WIDTH, help: 'of the vectors' },
  ...TRANSLATION,
} as const satisfies SettingList;

export const TRANS_H = TRANS_E;

export const TRANS_R = {
  width: { ...WIDTH, help: 'of the vectors of users, objects and tags' },
  relationWidth: { ...WIDTH, help: 'of the space of each relation' },
  ...TRANSLATION,
  learningRate: { ...TRAINING.learningRate, default: 0.01 },
} as const satisfies SettingList;
