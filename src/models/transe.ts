// TransE (Bordes et al., NIPS 2013): a relation is a step through space. A head h linked to a tail t has h + r ≈ t; how far
// off it is says how unlikely the link. Vectors of users, objects and tags have length 1, as published: here each is
// divided by its length on the tape, so that it holds in every step and gradients know of it.
//
// TransH and TransR take the same step in another space (translations.ts has what they share).

import type { SettingList } from '../settings.ts';
import { modelKind } from './model-kind.ts';
import {
  fitTranslations,
  type Recorder,
  TRANSLATION_SETTINGS,
  type Translation,
  unitRows,
  VECTOR_WIDTH,
} from './translations.ts';

export const TRANS_E_SETTINGS = {
  width: { ...VECTOR_WIDTH, help: 'of the vectors' },
  ...TRANSLATION_SETTINGS,
} as const satisfies SettingList;

export const TRANS_E = modelKind('relations as translations', TRANS_E_SETTINGS, (context) =>
  fitTranslations(context, (recorder, relation) => transE(recorder, relation, context.settings.width)),
);

/** h + r ≈ t */
export function transE({ tape, learn }: Recorder, relation: string, width: number): Translation {
  return {
    project: (vectors) => unitRows(tape, vectors),
    r: learn(1, width, `${relation} r`),
  };
}
