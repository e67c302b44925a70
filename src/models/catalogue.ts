// The models there are, by the name they have everywhere. To add one, write its file and add its line here.

import { InputError } from '../errors.ts';
import type { SettingList } from '../settings.ts';
import { COFACTOR } from './cofactor.ts';
import { DGE, SO_GE, ST_GE } from './dge.ts';
import { EASE } from './ease.ts';
import { GCMC } from './gcmc.ts';
import { HETELEARN } from './hetelearn.ts';
import { ITEM_KNN } from './itemknn.ts';
import { LIGHT_GCN } from './lightgcn.ts';
import { LOOM } from './loom/fit.ts';
import { MAD } from './mad.ts';
import { MF } from './mf.ts';
import type { ModelKind } from './model-kind.ts';
import { NGCF } from './ngcf.ts';
import { POPULARITY } from './popularity.ts';
import { SKIP_GRAM } from './skip-gram.ts';
import { TRANS_E } from './transe.ts';
import { TRANS_H } from './transh.ts';
import { TRANS_R } from './transr.ts';

/** The name of a model, as in --model. */
export type ModelName =
  | 'loom'
  | 'popularity'
  | 'itemknn'
  | 'ease'
  | 'mf'
  | 'skip-gram'
  | 'cofactor'
  | 'transe'
  | 'transh'
  | 'transr'
  | 'mad'
  | 'hetelearn'
  | 'gcmc'
  | 'ngcf'
  | 'lightgcn'
  | 'dge'
  | 'so-ge'
  | 'st-ge';

/** In the order they are listed to people. */
const KINDS: Readonly<Record<ModelName, ModelKind>> = {
  loom: LOOM,
  popularity: POPULARITY,
  itemknn: ITEM_KNN,
  ease: EASE,
  mf: MF,
  'skip-gram': SKIP_GRAM,
  cofactor: COFACTOR,
  transe: TRANS_E,
  transh: TRANS_H,
  transr: TRANS_R,
  mad: MAD,
  hetelearn: HETELEARN,
  gcmc: GCMC,
  ngcf: NGCF,
  lightgcn: LIGHT_GCN,
  dge: DGE,
  'so-ge': SO_GE,
  'st-ge': ST_GE,
};

/** What there is to know of a model before it is trained. */
export interface ModelInfo {
  /** What it is, in a line. */
  readonly summary: string;
  /** Its settings by name, with their defaults, bounds and what they do. */
  readonly settings: SettingList;
  /** Whether objects may come with content features. */
  readonly takesFeatures: boolean;
}

/**
 * The models by name, "loom" first.
 *
 * @example
 * import { MODELS } from 'tagloom';
 *
 * console.log(Object.keys(MODELS).length, MODELS.loom.settings.neighbours.default); // 18 30
 */
export const MODELS: Readonly<Record<ModelName, ModelInfo>> = KINDS;

export function findModel(name: string): ModelKind {
  return KINDS[checkedModelName(name)];
}

/** The same text as a model's name; refuses any other. */
export function checkedModelName(name: string): ModelName {
  if (Object.hasOwn(KINDS, name)) return name as ModelName;
  const expected = `one of ${Object.keys(MODELS).join(', ')}`;
  throw new InputError({ got: `the model "${name}"`, expected, cure: 'Check its spelling.' });
}
