// TransR (Lin et al., AAAI 2015): each relation has a space of its own, and a matrix M that leads there: hM + r ≈ tM. The
// paper bounds vectors before and behind M by length 1; here they have length 1 behind it, where distances are taken
// (before it, their length then says nothing). M starts as the identity, as published: TransR starts as TransE.

import { type Recorder, type Translation, unitRows } from './transe.ts';

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
