// Matrix factorisation (Koren, Bell and Volinsky, Computer 2009) with squared error: s(o, t) = x_o · y_t + b_t is to be 1
// for observed pairs and 0 for all others, which weigh less (Hu, Koren and Volinsky, ICDM 2008), since most of them are
// no and some are missing. With P observed pairs, w the weight of the others and λ the regularisation, P times the loss is
//   Σ_observed (1 − s)² + w · Σ_others s² + λ · (Σ ‖x_o‖² + Σ ‖y_t‖²)
// The others are never listed: their sum is that over all pairs, which products of small matrices give, less the observed.

import type { Kernels } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import { Tape, type Tensor } from '../engine/tape/tape.ts';
import type { SettingList, SettingsOf } from '../settings.ts';
import { PairFeed } from '../training/pair-feed.ts';
import {
  ALL_PAIRS,
  type FactorShape,
  type Pairs,
  shapeOf,
  startFactors,
  sumOfSquares,
  trainableFactors,
  WIDTH,
} from './factors.ts';
import { type Fit, type FitContext, fitInEpochs, modelKind } from './model-kind.ts';

export const MF_SETTINGS = { width: WIDTH, ...ALL_PAIRS } as const satisfies SettingList;

export const MF = modelKind('matrix factorisation with squared error', MF_SETTINGS, fitMf);

export async function fitMf(context: FitContext<SettingsOf<typeof MF_SETTINGS>>): Promise<Fit> {
  const { kernels, train, settings } = context;
  const feed = new PairFeed(kernels, train.tagged, settings);
  const model = new Mf(kernels, shapeOf(train, settings.width), settings.seed);
  model.tape.minimize(model.loss(feed, { ...settings, numPairs: train.tagged.size }));
  return fitInEpochs(
    context,
    trainableFactors(kernels, model, [feed], () => kernels.read(model.biases.value)),
  );
}

export interface MfWeights {
  readonly numPairs: number; // P
  readonly unobservedWeight: number; // w
  readonly regularization: number; // λ
}

export class Mf {
  readonly tape: Tape;
  readonly objects: Tensor; // (numObjects, width)
  readonly tags: Tensor; // (numTags, width)
  readonly biases: Tensor; // (numTags, 1)
  readonly parameters: readonly Tensor[];
  readonly #kernels: Kernels;

  constructor(kernels: Kernels, { numObjects, numTags, width }: FactorShape, seed: number) {
    this.#kernels = kernels;
    this.tape = new Tape(kernels);
    this.objects = this.tape.parameter(numObjects, width, 'objects');
    this.tags = this.tape.parameter(numTags, width, 'tags');
    this.biases = this.tape.parameter(numTags, 1, 'biases');
    this.parameters = [this.objects, this.tags, this.biases];
    startFactors(kernels, [this.objects, this.tags], seed);
  }

  /** To be minimised: the loss above, with the observed pairs of a step standing for all of them. */
  loss(pairs: Pairs, { numPairs, unobservedWeight: w, regularization }: MfWeights): Tensor {
    const { tape, objects, tags } = this;
    const s = this.#scores(pairs);
    const error = tape.sub(ones(this.#kernels, tape, 1, s.cols), s);
    const observed = tape.sub(tape.mul(error, error), tape.scale(tape.mul(s, s), w)); // less what `all` counts too much
    const all = tape.scale(this.#sumOverAllPairs(), w / numPairs);
    const lengths = tape.add(sumOfSquares(tape, objects), sumOfSquares(tape, tags));
    return tape.add(tape.add(tape.mean(observed), all), tape.scale(lengths, regularization / numPairs));
  }

  #scores({ heads: objects, tails: tags }: Pairs): Tensor {
    const { tape } = this;
    const products = tape.rowDot(tape.gather(this.objects, objects), tape.gather(this.tags, tags));
    return tape.add(products, gatherNumbers(this.#kernels, tape, this.biases, tags));
  }

  /** Σ_o Σ_t (x_o · y_t + b_t)² = ⟨XᵀX, YᵀY⟩ + 2 (Σ_o x_o) · (Yᵀb) + numObjects · ‖b‖² */
  #sumOverAllPairs(): Tensor {
    const { tape, objects, tags, biases } = this;
    const ofObjects = tape.matmul(objects, objects, { transposeA: true });
    const ofTags = tape.matmul(tags, tags, { transposeA: true });
    const mixed = tape.matmul(tape.columnSums(objects), tape.matmul(tags, biases, { transposeA: true }));
    const ofBiases = tape.scale(sumOfSquares(tape, biases), objects.rows);
    return tape.add(tape.add(tape.sum(tape.mul(ofObjects, ofTags)), tape.scale(mixed, 2)), ofBiases);
  }
}

/** The numbers of a column x (n, 1) in the given rows, as (1, B). */
export function gatherNumbers(kernels: Kernels, tape: Tape, x: Tensor, rows: Ints): Tensor {
  return tape.rowDot(tape.gather(x, rows), ones(kernels, tape, rows.length, 1));
}

function ones(kernels: Kernels, tape: Tape, rows: number, cols: number): Tensor {
  const made = tape.constant(rows, cols);
  kernels.fill(made.value, 1);
  return made;
}
