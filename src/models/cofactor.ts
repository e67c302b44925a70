// CoFactor (Liang, Altosaar, Charlin and Blei, RecSys 2016): MF whose tag factors also explain which tags occur together.
// Each edge of the tag graph, with its SPPMI weight m_ij > 0, adds (m_ij − y_i · z_j − v_i − c_j)² to the loss: y_i is the
// factor MF uses, z_j one of the tag as context, v and c are biases. Pairs of tags without an edge say nothing.

import type { Kernels } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import type { Tape, Tensor } from '../engine/tape.ts';
import { type FactorShape, gatherNumbers, Mf, type MfWeights, type Pairs, startSmall, sumOfSquares } from './mf.ts';

/** Edges of one step. */
export interface Edges {
  readonly from: Ints; // (E)
  readonly to: Ints; // (E)
  readonly weights: Tensor; // (1, E), m
}

export class CoFactor {
  readonly tape: Tape;
  readonly objects: Tensor; // (numObjects, width)
  readonly tags: Tensor; // (numTags, width)
  readonly biases: Tensor; // (numTags, 1), of MF
  readonly contexts: Tensor; // (numTags, width)
  readonly tagBiases: Tensor; // (numTags, 1), v
  readonly contextBiases: Tensor; // (numTags, 1), c
  readonly parameters: readonly Tensor[];
  readonly #kernels: Kernels;
  readonly #mf: Mf;

  constructor(kernels: Kernels, shape: FactorShape, seed: number) {
    this.#kernels = kernels;
    this.#mf = new Mf(kernels, shape, seed);
    this.tape = this.#mf.tape;
    this.objects = this.#mf.objects;
    this.tags = this.#mf.tags;
    this.biases = this.#mf.biases;
    this.contexts = this.tape.parameter(shape.numTags, shape.width, 'contexts');
    this.tagBiases = this.tape.parameter(shape.numTags, 1, 'tag biases');
    this.contextBiases = this.tape.parameter(shape.numTags, 1, 'context biases');
    this.parameters = [...this.#mf.parameters, this.contexts, this.tagBiases, this.contextBiases];
    startSmall(kernels, [this.contexts], seed);
  }

  /** To be minimised: MF's loss and, `graphWeight` times, the mean over edges of theirs; the contexts count as factors. */
  loss(pairs: Pairs, edges: Edges, weights: MfWeights & { readonly graphWeight: number }): Tensor {
    const { tape } = this;
    const error = tape.sub(edges.weights, this.#expectedWeights(edges));
    const ofEdges = tape.scale(tape.mean(tape.mul(error, error)), weights.graphWeight);
    const lengths = tape.scale(sumOfSquares(tape, this.contexts), weights.regularization / weights.numPairs);
    return tape.add(this.#mf.loss(pairs, weights), tape.add(ofEdges, lengths));
  }

  #expectedWeights({ from, to }: Edges): Tensor {
    const { tape } = this;
    const products = tape.rowDot(tape.gather(this.tags, from), tape.gather(this.contexts, to));
    const ofTags = gatherNumbers(this.#kernels, tape, this.tagBiases, from);
    const ofContexts = gatherNumbers(this.#kernels, tape, this.contextBiases, to);
    return tape.add(products, tape.add(ofTags, ofContexts));
  }
}
