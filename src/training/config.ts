// Every setting of every model, with its default, its bounds and what it does: the only place a default is written. The
// defaults are the paper's where it names them (Table "Experimental Settings") and they hold up, else chosen on
// validation pairs (RESULTS.md says how). The command line's help and the model file are made from these. Where a search
// for better values looks (tune.ts) stands here, too.

import { InputError } from '../errors.ts';
import type { Settings, SettingValue } from '../models/model.ts';

/** Numbers a search draws from: all alike, or on a log scale all orders of magnitude alike. */
export interface SearchRange {
  readonly low: number;
  readonly high: number;
  readonly scale: 'log' | 'linear';
}

export interface NumberSetting {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly help: string;
  readonly whole?: true;
  /** Without it, a search leaves the setting alone. */
  readonly search?: SearchRange;
}

export interface ChoiceSetting {
  readonly default: string;
  readonly choices: readonly string[];
  readonly help: string;
  /** The choices a search draws from. Without it, a search leaves the setting alone. */
  readonly search?: readonly string[];
}

export type Setting = NumberSetting | ChoiceSetting;
export type SettingList = Readonly<Record<string, Setting>>;

/** The values of a list of settings: numbers, or one of the choices. */
export type SettingsOf<List extends SettingList> = {
  readonly [Name in keyof List]: List[Name] extends { choices: readonly (infer Choice)[] } ? Choice : number;
};

const MANY = 1e6;

export function logScale(low: number, high: number): SearchRange {
  return { low, high, scale: 'log' };
}

export function linearScale(low: number, high: number): SearchRange {
  return { low, high, scale: 'linear' };
}

export const SEED = { default: 1, min: 0, max: 2 ** 53 - 1, whole: true, help: 'of everything random' } as const;

/** Of every model that is trained step by step. */
export const TRAINING = {
  epochs: { default: 100, min: 1, max: MANY, whole: true, help: 'passes over the training pairs, at most' },
  batchSize: { default: 8192, min: 1, max: 1e7, whole: true, help: 'pairs of one step' },
  learningRate: { default: 0.05, min: 1e-9, max: 10, search: logScale(0.002, 0.3), help: 'of Adam, at the start' },
  schedule: {
    default: 'linear',
    choices: ['linear', 'cosine', 'constant'],
    help: 'how the learning rate falls to zero',
  },
  validation: {
    default: 0.05,
    min: 0,
    max: 0.5,
    help: 'share of the pairs kept back to choose the best epoch; 0: none',
  },
  evaluateEvery: { default: 5, min: 1, max: MANY, whole: true, help: 'epochs between two evaluations on them' },
  patience: {
    default: 5,
    min: 1,
    max: MANY,
    whole: true,
    help: 'evaluations without a better Recall@3 before it stops',
  },
  seed: SEED,
} as const satisfies SettingList;

/** Of models with a noise-contrastive loss. */
export const NOISE = {
  noisePerPair: {
    default: 15,
    min: 1,
    max: 1000,
    whole: true,
    search: logScale(5, 50),
    help: 'noise tags drawn for each pair',
  },
  prior: { default: 'on', choices: ['on', 'off'], help: "whether log p(tag) is part of a tag's score" },
} as const satisfies SettingList;

export const DGE = {
  hidden: { default: 64, min: 1, max: 4096, whole: true, search: logScale(32, 256), help: 'width of the hidden layer' },
  output: { default: 64, min: 1, max: 4096, whole: true, search: logScale(32, 256), help: 'width of the embeddings' },
  objectShift: {
    default: 5,
    min: 1e-6,
    max: MANY,
    search: logScale(0.3, 30),
    help: 'k of SPPMI in the object graph; smaller is denser',
  },
  tagShift: { default: 1, min: 1e-6, max: MANY, search: logScale(0.3, 10), help: 'k of SPPMI in the tag graph' },
  neighbours: {
    default: 50,
    min: 0,
    max: MANY,
    whole: true,
    search: logScale(10, 200),
    help: 'strongest neighbours kept for each node; 0: all',
  },
  minCount: { default: 1, min: 1, max: MANY, whole: true, help: 'paths two nodes must share to be neighbours' },
  maxPerMiddle: {
    default: 5000,
    min: 2,
    max: 1e9,
    whole: true,
    help: 'objects of one user (tags of one object) that count for paths',
  },
  objective: { default: 'nce', choices: ['nce', 'softmax'], help: 'noise-contrastive, or softmax over all tags' },
  noisePerPair: NOISE.noisePerPair,
  noiseFrom: { default: 'others', choices: ['all', 'others'], help: 'any tags, or only such as the object lacks' },
  prior: NOISE.prior,
  priorWeight: {
    default: 1.2,
    min: 0,
    max: 10,
    search: linearScale(0.5, 2),
    help: 'its weight when tags are ranked; 1 in training',
  },
  layerRate: {
    default: 0.02,
    min: 1e-6,
    max: 10,
    search: logScale(0.003, 0.3),
    help: 'learning rate of W1, as a share of that of W0',
  },
  ...TRAINING,
  epochs: { default: 60, min: 1, max: MANY, whole: true, help: 'passes over the training pairs, at most' },
  batchSize: { default: 0, min: 0, max: 1e7, whole: true, help: 'pairs of one step; 0: a fifth of them' },
  learningRate: { default: 0.1, min: 1e-9, max: 10, search: logScale(0.01, 0.5), help: 'of Adam, at the start' },
} as const satisfies SettingList;

export type DgeSettings = SettingsOf<typeof DGE>;

export const ITEM_KNN = {
  neighbours: {
    default: 30,
    min: 1,
    max: MANY,
    whole: true,
    search: logScale(5, 300),
    help: 'strongest neighbours kept for each object',
  },
  weighting: {
    default: 'cosine',
    choices: ['cosine', 'sppmi'],
    search: ['cosine', 'sppmi'],
    help: 'what makes a neighbour strong',
  },
  objectShift: {
    default: 1,
    min: 1e-6,
    max: MANY,
    search: logScale(0.1, 10),
    help: 'k of SPPMI, where that is the weighting',
  },
} as const satisfies SettingList;

/** The defaults with the given settings over them; refuses names it does not know and values out of bounds. */
export function resolveSettings<List extends SettingList>(list: List, given: Settings = {}): SettingsOf<List> {
  const settings: Record<string, SettingValue> = {};
  for (const [name, setting] of Object.entries(list)) settings[name] = setting.default;
  for (const [name, value] of Object.entries(given)) {
    const setting: Setting | undefined = list[name];
    if (setting === undefined) {
      const expected = Object.keys(list).length === 0 ? 'none' : `one of ${Object.keys(list).join(', ')}`;
      throw new InputError({ got: `the setting ${name}`, expected, cure: 'Check its spelling and the model.' });
    }
    settings[name] = checked(name, setting, value);
  }
  return settings as SettingsOf<List>;
}

function checked(name: string, setting: Setting, value: SettingValue): SettingValue {
  const refuse = (expected: string) =>
    new InputError({ got: `${name} ${value}`, expected, cure: `It is: ${setting.help}.` });
  if ('choices' in setting) {
    if (!setting.choices.includes(String(value))) throw refuse(`one of ${setting.choices.join(', ')}`);
    return value;
  }
  const number = typeof value === 'number' ? value : Number(value);
  if (
    value === '' ||
    !(number >= setting.min && number <= setting.max) ||
    (setting.whole && !Number.isInteger(number))
  ) {
    throw refuse(`a ${setting.whole ? 'whole ' : ''}number from ${setting.min} to ${setting.max}`);
  }
  return number;
}
