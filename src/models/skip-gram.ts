// Skip-Gram: the factors of MF, trained to tell observed tags from noise (noise-contrastive estimation, Mnih and Kavukcuoglu,
// NIPS 2013) in place of squared error. s(o, t) = x_o · y_t + prior_t, P(t | o) ∝ e^s. The loss is the mean over pairs, plus
// λ / P · (Σ ‖x_o‖² + Σ ‖y_t‖²) for P observed pairs. The prior is part of the offsets handed in.

import type { Kernels } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import { Tape, type Tensor } from '../engine/tape.ts';
import { type FactorShape, type Pairs, startSmall, sumOfSquares } from './mf.ts';

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
    startSmall(kernels, this.parameters, seed);
  }

  /** To be minimised. */
  loss(pairs: NoisyPairs, { numPairs, regularization }: { numPairs: number; regularization: number }): Tensor {
    const { tape, objects, tags, offsets } = this;
    const nce = tape.nce({ objectEmbeddings: objects, tagEmbeddings: tags, offsets: offsets.value, ...pairs });
    const lengths = tape.add(sumOfSquares(tape, objects), sumOfSquares(tape, tags));
    return tape.add(nce, tape.scale(lengths, regularization / numPairs));
  }
}
