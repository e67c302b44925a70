// TransH (Wang et al., AAAI 2014): TransE on a hyperplane of each relation. What a vector has along the plane's normal w is
// taken off before the step: e⊥ = e − (w · e) w, h⊥ + d ≈ t⊥. So an object can stand in one place for its users and in
// another for its tags. The paper asks for ‖w‖ = 1 and, nearly, d ⊥ w by a penalty; here both hold exactly, since w is
// divided by its length and d is taken to the plane like all else.

import type { Tensor } from '../engine/tape/tape.ts';
import { modelKind } from './model-kind.ts';
import { TRANS_E_SETTINGS } from './transe.ts';
import { fitTranslations, type Recorder, type Translation, unitRows } from './translations.ts';

export const TRANS_H_SETTINGS = TRANS_E_SETTINGS;

export const TRANS_H = modelKind('relations as translations on hyperplanes', TRANS_H_SETTINGS, (context) =>
  fitTranslations(context, (recorder, relation) => transH(recorder, relation, context.settings.width)),
);

/** h⊥ + d⊥ ≈ t⊥ */
export function transH({ tape, learn }: Recorder, relation: string, width: number): Translation {
  const w = unitRows(tape, learn(1, width, `${relation} w`));
  const d = learn(1, width, `${relation} d`);
  const toPlane = (e: Tensor) => tape.sub(e, tape.matmul(tape.matmul(e, w, { transposeB: true }), w));
  return {
    project: (vectors) => toPlane(unitRows(tape, vectors)),
    r: toPlane(d),
  };
}
