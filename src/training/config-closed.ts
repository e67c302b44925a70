// The settings of the models that are computed, not trained: EASE, MAD and HeteLearn. The paper names μ1, μ2, μ3 and α;
// the rest was chosen on validation pairs.

import { linearScale, logScale, SEED, type SettingList } from './config.ts';

const MANY = 1e6;

const KEEP = { default: 100, min: 1, max: MANY, whole: true, help: 'best tags kept for each object' } as const;

export const EASE = {
  lambda: {
    default: 10,
    min: 1e-3,
    max: 1e9,
    search: logScale(0.3, 3000),
    help: 'ridge penalty; larger trusts rare tags less',
  },
  intercept: {
    default: 'on',
    choices: ['on', 'off'],
    search: ['on', 'off'],
    help: 'whether tags have a base score: how common they are',
  },
  weightsPerTag: { default: 200, min: 1, max: MANY, help: 'strongest weights kept, for each tag on average' },
} as const satisfies SettingList;

export const MAD = {
  injection: { default: 1, min: 0, max: MANY, help: 'μ1: how closely objects keep to their own tags' },
  continuation: {
    default: 1e-4,
    min: 0,
    max: MANY,
    search: logScale(1e-6, 1),
    help: 'μ2: how alike neighbours become',
  },
  abandonment: {
    default: 1,
    min: 1e-6,
    max: MANY,
    search: logScale(0.01, 100),
    help: 'μ3: pull towards no tag at all',
  },
  rounds: {
    default: 4,
    min: 1,
    max: 1000,
    whole: true,
    search: linearScale(2, 8),
    help: 'times labels are passed on, with the own ones',
  },
  objectShift: {
    default: 1,
    min: 1e-6,
    max: MANY,
    search: logScale(0.1, 10),
    help: 'k of SPPMI in the object graph; smaller is denser',
  },
  neighbours: {
    default: 100,
    min: 0,
    max: MANY,
    whole: true,
    search: logScale(10, 500),
    help: 'strongest neighbours kept for each object; 0: all',
  },
  minCount: { default: 1, min: 1, max: MANY, whole: true, help: 'users two objects must share to be neighbours' },
  maxPerMiddle: { default: 5000, min: 2, max: 1e9, whole: true, help: 'objects of one user that count for paths' },
  keep: KEEP,
  seed: SEED,
} as const satisfies SettingList;

export const HETELEARN = {
  restart: {
    default: 0.8,
    min: 1e-3,
    max: 0.999,
    search: linearScale(0.05, 0.95),
    help: 'α: probability that the walk sets out again',
  },
  rounds: {
    default: 3,
    min: 1,
    max: 1000,
    whole: true,
    search: linearScale(2, 6),
    help: 'walks have up to 2 · rounds − 1 steps',
  },
  heldOut: { default: 0.1, min: 1e-3, max: 0.9, help: 'share of the pairs on which the weight of tags is chosen' },
  keep: KEEP,
  seed: SEED,
} as const satisfies SettingList;
