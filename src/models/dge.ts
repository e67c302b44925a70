// Dual Graph Embedding (Li et al., the paper): two two-layer graph convolutions, one over objects and one over tags, whose
// embeddings meet in a dot product. Z = Â · ReLU(Â · W0) · W1 with one-hot features, so that W0 has a row for each node.
// The ablations replace one convolution by a perceptron of the same shape: SO-GE that of the tags, ST-GE the objects'.
//
// This file records the model on a tape and reads its embeddings; how it is trained is in training/.

import type { Kernels } from '../engine/kernels.ts';
import type { Csr, Ints } from '../engine/matrix.ts';
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

/** The pairs of one step, and what is added to each tag's logit. */
export interface DgeBatch {
  readonly objects: Ints; // (B)
  readonly tags: Ints; // (B)
  readonly noise: Ints; // (B · K)
}

export class Dge {
  readonly tape: Tape;
  readonly objectEmbeddings: Tensor; // (numObjects, output)
  readonly tagEmbeddings: Tensor; // (numTags, output)
  /** W0 and W1 of the objects, then of the tags. */
  readonly parameters: readonly Tensor[];
  readonly #kernels: Kernels;
  readonly #graphs: Csr[] = [];

  constructor(kernels: Kernels, graphs: { objects: WeightedGraph; tags: WeightedGraph }, shape: DgeShape) {
    this.#kernels = kernels;
    this.tape = new Tape(kernels);
    const objects = this.#encode('object', graphs.objects, shape.objectGraph, shape);
    const tags = this.#encode('tag', graphs.tags, shape.tagGraph, shape);
    this.objectEmbeddings = objects.z;
    this.tagEmbeddings = tags.z;
    this.parameters = [...objects.weights, ...tags.weights];
  }

  /** Glorot's uniform start (AISTATS 2010), the same for a seed on any backend. */
  initialize(seed: number): void {
    for (const { value, operation } of this.parameters) {
      const random = new Random(seed, operation);
      const limit = Math.sqrt(6 / (value.rows + value.cols));
      const draw = () => limit * (2 * random.float() - 1);
      this.#kernels.write(value, Float32Array.from({ length: value.rows * value.cols }, draw));
    }
  }

  /** Makes the mean noise-contrastive loss of a batch what the tape minimises. */
  minimizeNce(batch: DgeBatch, offsets: Tensor): void {
    const loss = this.tape.nce({
      objectEmbeddings: this.objectEmbeddings,
      tagEmbeddings: this.tagEmbeddings,
      ...batch,
      offsets: offsets.value,
    });
    this.tape.minimize(loss);
  }

  release(): void {
    this.tape.release();
    this.#kernels.release(...this.#graphs);
  }

  #encode(side: string, graph: WeightedGraph, convolves: boolean, { hidden, output }: DgeShape) {
    const { tape } = this;
    const w0 = tape.parameter(graph.numNodes, hidden, `${side} W0`);
    const w1 = tape.parameter(hidden, output, `${side} W1`);
    if (!convolves) return { z: tape.matmul(tape.relu(w0), w1), weights: [w0, w1] };
    const a = this.#adjacency(graph);
    const h = tape.relu(tape.spmm(a, w0, { symmetric: true }));
    return { z: tape.spmm(a, tape.matmul(h, w1), { symmetric: true }), weights: [w0, w1] };
  }

  #adjacency(graph: WeightedGraph): Csr {
    const { numNodes, rowStart, columns, weights } = normalized(graph);
    const a = this.#kernels.csr(numNodes, numNodes, { rowStart, columns, values: weights });
    this.#graphs.push(a);
    return a;
  }
}
