// The settings of the models that factorise: MF, Skip-Gram, CoFactor. Widths are the paper's (Table "Experimental
// Settings"); what it leaves open was chosen on validation pairs.

import { logScale, NOISE, type SettingList, type SettingsOf, TRAINING } from './config.ts';

const width = {
  default: 100,
  min: 1,
  max: 4096,
  whole: true,
  search: logScale(16, 256),
  help: 'width of the vectors',
} as const;
const regularization = {
  default: 2,
  min: 0,
  max: 1e6,
  search: logScale(0.05, 50),
  help: 'λ of the squared lengths of all vectors',
} as const;

/** What squared error over all pairs asks for: few large steps, since each goes over the unobserved pairs, too. */
const ALL_PAIRS = {
  unobservedWeight: {
    default: 0.03,
    min: 0,
    max: 1,
    search: logScale(0.003, 0.3),
    help: 'weight of an unobserved pair; an observed one has 1',
  },
  regularization,
  ...TRAINING,
  batchSize: { ...TRAINING.batchSize, default: 131072 },
  learningRate: { ...TRAINING.learningRate, default: 0.1 },
  evaluateEvery: { ...TRAINING.evaluateEvery, default: 10 },
} as const satisfies SettingList;

export const MF = { width, ...ALL_PAIRS } as const satisfies SettingList;

export const SKIP_GRAM = {
  width,
  ...NOISE,
  regularization,
  ...TRAINING,
  epochs: { ...TRAINING.epochs, default: 60 },
  evaluateEvery: { ...TRAINING.evaluateEvery, default: 10 },
} as const satisfies SettingList;

/** The paper has k = 2 and d = 64 for LastFM, as here, k = 1 and d = 16 for the others. */
export const COFACTOR = {
  width: { ...width, default: 64 },
  tagShift: { default: 2, min: 1e-6, max: 1e6, search: logScale(0.3, 10), help: 'k of SPPMI in the tag graph' },
  graphWeight: {
    default: 0.1,
    min: 0,
    max: 1e6,
    search: logScale(0.01, 1),
    help: "weight of the tag graph's mean squared error",
  },
  ...ALL_PAIRS,
} as const satisfies SettingList;

export type MfSettings = SettingsOf<typeof MF>;
export type SkipGramSettings = SettingsOf<typeof SKIP_GRAM>;
export type CoFactorSettings = SettingsOf<typeof COFACTOR>;
