// TransE (Bordes et al., NIPS 2013): a relation is a step through space. A head h linked to a tail t has h + r ≈ t; how far
// off it is says how unlikely the link. Vectors of users, objects and tags have length 1, as published: here each is
// divided by its length on the tape, so that it holds in every step and gradients know of it.
//
// TransH and TransR take the same step in another space: a Translation is all they differ in. The losses are theirs, too.

import type { Tape, Tensor } from '../engine/tape.ts';

/** One relation, recorded on a tape. */
export interface Translation {
  /** The vectors of users, objects or tags, as rows, as the relation sees them. */
  project(vectors: Tensor): Tensor; // (n, d) to (n, width of r)
  readonly r: Tensor; // (1, width of r)
}

/** What a relation is recorded with. */
export interface Recorder {
  readonly tape: Tape;
  /** Makes a parameter. Random rows have a length near 1. */
  learn(rows: number, cols: number, name: string, start?: 'random' | 'identity'): Tensor;
}

/** h + r ≈ t */
export function transE({ tape, learn }: Recorder, relation: string, width: number): Translation {
  return {
    project: (vectors) => unitRows(tape, vectors),
    r: learn(1, width, `${relation} r`),
  };
}

/** ‖from − to‖² of each row, as (1, n); from is h + r and to is t. */
export function squaredDistances(tape: Tape, from: Tensor, to: Tensor): Tensor {
  const gap = tape.sub(from, to);
  return tape.rowDot(gap, gap);
}

/** The mean of [γ + right − wrong]₊: a wrong pair is to be farther off than a right one, by γ (1, n). */
export function marginLoss(tape: Tape, right: Tensor, wrong: Tensor, gamma: Tensor): Tensor {
  return tape.mean(tape.relu(tape.add(gamma, tape.sub(right, wrong))));
}

/** The mean of − log σ(wrong − right): Bayesian personalised ranking (Rendle et al., UAI 2009) by distances. */
export function rankingLoss(tape: Tape, right: Tensor, wrong: Tensor): Tensor {
  return tape.mean(tape.softplus(tape.sub(right, wrong)));
}

/** x[r] / ‖x[r]‖ */
export function unitRows(tape: Tape, x: Tensor): Tensor {
  const logLength = tape.log(tape.rowNorm(x));
  return tape.scaleRows(x, tape.exp(tape.scale(logLength, -1)));
}
