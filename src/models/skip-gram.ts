// Skip-Gram: the factors of MF, trained to tell observed tags from noise (noise-contrastive estimation, Mnih and Kavukcuoglu,
// NIPS 2013) in place of squared error. s(o, t) = x_o · y_t + prior_t, P(t | o) ∝ e^s. The loss is the mean over pairs, plus
// λ / P · (Σ ‖x_o‖² + Σ ‖y_t‖²) for P observed pairs. The prior is part of the offsets handed in.

import { tagCounts } from '../data/statistics.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import { Tape, type Tensor } from '../engine/tape/tape.ts';
import type { SettingList, SettingsOf } from '../settings.ts';
import { NOISE_SETTINGS, Noise } from '../training/noise.ts';
import { PairFeed } from '../training/pair-feed.ts';
import { TRAINING } from '../training/trainer.ts';
import {
  type FactorShape,
  type Pairs,
  REGULARIZATION,
  shapeOf,
  startFactors,
  sumOfSquares,
  trainableFactors,
  WIDTH,
} from './factors.ts';
import { type Fit, type FitContext, fitInEpochs, modelKind } from './model-kind.ts';

export const SKIP_GRAM_SETTINGS = {
  width: WIDTH,
  ...NOISE_SETTINGS,
  regularization: REGULARIZATION,
  ...TRAINING,
  epochs: { ...TRAINING.epochs, default: 60 },
  evaluateEvery: { ...TRAINING.evaluateEvery, default: 10 },
} as const satisfies SettingList;

export const SKIP_GRAM = modelKind('the same factors with a noise-contrastive loss', SKIP_GRAM_SETTINGS, fitSkipGram);

export async function fitSkipGram(context: FitContext<SettingsOf<typeof SKIP_GRAM_SETTINGS>>): Promise<Fit> {
  const { kernels, train, settings } = context;
  const noise = new Noise(tagCounts(train));
  const feed = new PairFeed(kernels, train.tagged, {
    ...settings,
    noise: { from: noise, perPair: settings.noisePerPair, sparesOwn: false },
  });
  const model = new SkipGram(kernels, shapeOf(train, settings.width), settings.seed);
  // P(observed | t, o) = e^s / (e^s + K · p_n(t)): the logit is s − log(K · p_n(t)), and s has the prior log p_n(t) in it
  const logNoise = Float32Array.from(noise.probabilities, Math.log);
  const base = settings.prior === 'on' ? logNoise : new Float32Array(logNoise.length);
  kernels.write(
    model.offsets.value,
    base.map((prior, tag) => prior - logNoise[tag] - Math.log(settings.noisePerPair)),
  );
  model.tape.minimize(model.loss(feed, { ...settings, numPairs: train.tagged.size }));
  return fitInEpochs(
    context,
    trainableFactors(kernels, model, [feed], async () => base),
  );
}

/** Of one step, K noise tags a pair. */
export interface NoisyPairs extends Pairs {
  readonly noise: Ints; // (B · K)
}

export class SkipGram {
  readonly tape: Tape;
  readonly objects: Tensor; // (numObjects, width)
  readonly tags: Tensor; // (numTags, width)
  readonly offsets: Tensor; // (1, numTags), given: the prior − log(K · p_n); x_o · y_t + offset is a logit
  readonly parameters: readonly Tensor[];

  constructor(kernels: Kernels, { numObjects, numTags, width }: FactorShape, seed: number) {
    this.tape = new Tape(kernels);
    this.objects = this.tape.parameter(numObjects, width, 'objects');
    this.tags = this.tape.parameter(numTags, width, 'tags');
    this.offsets = this.tape.constant(1, numTags);
    this.parameters = [this.objects, this.tags];
    startFactors(kernels, this.parameters, seed);
  }

  /** To be minimised. */
  loss(pairs: NoisyPairs, { numPairs, regularization }: { numPairs: number; regularization: number }): Tensor {
    const { tape, objects, tags, offsets } = this;
    const nce = tape.nce({
      objectEmbeddings: objects,
      tagEmbeddings: tags,
      offsets: offsets.value,
      objects: pairs.heads,
      tags: pairs.tails,
      noise: pairs.noise,
    });
    const lengths = tape.add(sumOfSquares(tape, objects), sumOfSquares(tape, tags));
    return tape.add(nce, tape.scale(lengths, regularization / numPairs));
  }
}
