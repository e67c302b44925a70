// Dual Graph Embedding (Li et al., the paper): two two-layer graph convolutions, one over objects and one over tags, whose
// embeddings meet in a dot product. Z = Â · ReLU(Â · X · W0) · W1. X is the identity (then W0 has a row for each node) unless
// the objects come with content features. The ablations replace one convolution by a perceptron of the same shape: SO-GE that of the tags, ST-GE the objects'.
//
// This file records the model on a tape and reads its embeddings; how it is trained is in training/.

import type { Features } from '../data/features.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Csr, CsrArrays, Dense, Ints } from '../engine/matrix.ts';
import { Tape, type Tensor } from '../engine/tape.ts';
import { normalized } from '../graph/normalize.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import { Random } from '../random.ts';

export interface DgeShape {
  readonly hidden: number;
  readonly output: number;
  /** False for ST-GE. */
  readonly objectGraph: boolean;
  /** False for SO-GE. */
  readonly tagGraph: boolean;
}

/** The pairs of one step. */
export interface DgeBatch {
  readonly objects: Ints; // (B)
  readonly tags: Ints; // (B)
}

/** What the model is built from. */
export interface DgeInputs {
  readonly objects: WeightedGraph;
  readonly tags: WeightedGraph;
  /** X of the objects; the identity where there are none. */
  readonly features?: Features | undefined;
}

export class Dge {
  readonly tape: Tape;
  readonly objectEmbeddings: Tensor; // (numObjects, output)
  readonly tagEmbeddings: Tensor; // (numTags, output)
  /** W0 and W1 of the objects, then of the tags. */
  readonly parameters: readonly Tensor[];
  readonly #kernels: Kernels;
  readonly #sparse: Csr[] = [];
  readonly #oneHot = new Set<Dense>(); // weights whose inputs are one-hot

  constructor(kernels: Kernels, inputs: DgeInputs, shape: DgeShape) {
    this.#kernels = kernels;
    this.tape = new Tape(kernels);
    const objects = this.#encode('object', inputs.objects, shape.objectGraph, shape, inputs.features);
    const tags = this.#encode('tag', inputs.tags, shape.tagGraph, shape);
    this.objectEmbeddings = objects.z;
    this.tagEmbeddings = tags.z;
    this.parameters = [...objects.weights, ...tags.weights];
  }

  /**
   * Glorot's uniform start (AISTATS 2010), the same for a seed on any backend. A row of W0 under one-hot features has
   * one input, not as many as there are nodes: with those, all scores would begin, and long remain, near zero.
   */
  initialize(seed: number): void {
    for (const { value, operation } of this.parameters) {
      const random = new Random(seed, operation);
      const numInputs = this.#oneHot.has(value) ? 1 : value.rows;
      const limit = Math.sqrt(6 / (numInputs + value.cols));
      const draw = () => limit * (2 * random.float() - 1);
      this.#kernels.write(value, Float32Array.from({ length: value.rows * value.cols }, draw));
    }
  }

  /** Makes the mean noise-contrastive loss of a batch what the tape minimises. `noise`: K tags a pair. */
  minimizeNce({ objects, tags }: DgeBatch, noise: Ints, offsets: Tensor): void {
    const { objectEmbeddings, tagEmbeddings } = this;
    const inputs = { objectEmbeddings, tagEmbeddings, objects, tags, noise, offsets: offsets.value };
    this.tape.minimize(this.tape.nce(inputs));
  }

  /** Makes the mean of − log p(tag | object) what the tape minimises: the softmax over all tags. `base`: by tag. */
  minimizeSoftmax({ objects, tags }: DgeBatch, base: Tensor): void {
    const { tape } = this;
    const products = tape.matmul(tape.gather(this.objectEmbeddings, objects), this.tagEmbeddings, { transposeB: true });
    tape.minimize(tape.mean(tape.softmaxCrossEntropy(tape.addBias(products, base), tags)));
  }

  release(): void {
    this.tape.release();
    this.#kernels.release(...this.#sparse);
  }

  #encode(side: string, graph: WeightedGraph, convolves: boolean, shape: DgeShape, features?: Features) {
    const { tape } = this;
    const w0 = tape.parameter(features?.numFeatures ?? graph.numNodes, shape.hidden, `${side} W0`);
    const w1 = tape.parameter(shape.hidden, shape.output, `${side} W1`);
    if (features === undefined) this.#oneHot.add(w0.value);
    const xw = features === undefined ? w0 : tape.spmm(this.#csr(features.numFeatures, features), w0);
    if (!convolves) return { z: tape.matmul(tape.relu(xw), w1), weights: [w0, w1] };
    const { numNodes, rowStart, columns, weights } = normalized(graph);
    const a = this.#csr(numNodes, { rowStart, columns, values: weights });
    const h = tape.relu(tape.spmm(a, xw, { symmetric: true }));
    return { z: tape.spmm(a, tape.matmul(h, w1), { symmetric: true }), weights: [w0, w1] };
  }

  /** A sparse matrix that lives as long as the model. */
  #csr(numColumns: number, arrays: CsrArrays): Csr {
    const made = this.#kernels.csr(arrays.rowStart.length - 1, numColumns, arrays);
    this.#sparse.push(made);
    return made;
  }
}
