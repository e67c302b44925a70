// TransR (Lin et al., AAAI 2015): each relation has a space of its own, and a matrix M that leads there: hM + r ≈ tM. The
// paper bounds vectors before and behind M by length 1; here they have length 1 behind it, where distances are taken
// (before it, their length then says nothing). M starts as the identity, as published: TransR starts as TransE.

import type { SettingList } from '../settings.ts';
import { TRAINING } from '../training/trainer.ts';
import { modelKind } from './model-kind.ts';
import {
  fitTranslations,
  type Recorder,
  TRANSLATION_SETTINGS,
  type Translation,
  unitRows,
  VECTOR_WIDTH,
} from './translations.ts';

export const TRANS_R_SETTINGS = {
  width: { ...VECTOR_WIDTH, help: 'of the vectors of users, objects and tags' },
  relationWidth: { ...VECTOR_WIDTH, help: 'of the space of each relation' },
  ...TRANSLATION_SETTINGS,
  learningRate: { ...TRAINING.learningRate, default: 0.01 },
} as const satisfies SettingList;

export const TRANS_R = modelKind('relations as translations in spaces of their own', TRANS_R_SETTINGS, (context) =>
  fitTranslations(context, (recorder, relation) => transR(recorder, relation, context.settings)),
);

export interface TransRShape {
  readonly width: number;
  readonly relationWidth: number;
}

/** hM + r ≈ tM */
export function transR({ tape, learn }: Recorder, relation: string, shape: TransRShape): Translation {
  const m = learn(shape.width, shape.relationWidth, `${relation} M`, 'identity');
  return {
    project: (vectors) => unitRows(tape, tape.matmul(vectors, m)),
    r: learn(1, shape.relationWidth, `${relation} r`),
  };
}
