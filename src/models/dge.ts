// Dual Graph Embedding (Li et al., the paper): two two-layer graph convolutions, one over objects and one over tags, whose
// embeddings meet in a dot product. Z = Â · ReLU(Â · X · W0) · W1. X is the identity (then W0 has a row for each node) unless
// the objects come with content features. The ablations replace one convolution by a perceptron of the same shape: SO-GE that of the tags, ST-GE the objects'.

import { type Csr, numRowsOf } from '../csr.ts';
import type { Features } from '../data/features.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { tagCounts } from '../data/statistics.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Dense, Ints, Sparse } from '../engine/matrix.ts';
import { Tape, type Tensor } from '../engine/tape/tape.ts';
import { buildDualGraphs, defaultNeighbours } from '../graph/dual-graphs.ts';
import { normalized } from '../graph/weighting.ts';
import type { Listener } from '../listener.ts';
import { linearScale, logScale, MANY, type SettingList, type SettingsOf } from '../settings.ts';
import { glorotLimit, initialize } from '../training/initialize.ts';
import { NOISE_SETTINGS, Noise } from '../training/noise.ts';
import { PairFeed } from '../training/pair-feed.ts';
import {
  type Embeddings,
  runTraining,
  TRAINING,
  type Trainable,
  type Trained,
  type Watch,
} from '../training/trainer.ts';
import { type FitContext, type ModelKind, modelKind } from './model-kind.ts';

const BY_DATA = -1;

export const DGE_SETTINGS = {
  hidden: { default: 64, min: 1, max: 4096, whole: true, tune: logScale(32, 256), help: 'width of the hidden layer' },
  output: { default: 64, min: 1, max: 4096, whole: true, tune: logScale(32, 256), help: 'width of the embeddings' },
  objectShift: {
    default: 1, // edges of more paths than chance: with 5, popular objects of dense data have hardly any
    min: 1e-6,
    max: MANY,
    tune: logScale(0.3, 30),
    help: 'k of SPPMI in the object graph; smaller is denser',
  },
  tagShift: { default: 1, min: 1e-6, max: MANY, tune: logScale(0.3, 10), help: 'k of SPPMI in the tag graph' },
  neighbours: {
    default: BY_DATA,
    min: BY_DATA,
    max: MANY,
    whole: true,
    tune: logScale(10, 200),
    help: 'heaviest edges kept for each node; 0: all, -1: by the data, from 30 to 100',
  },
  minCount: { default: 1, min: 1, max: MANY, whole: true, help: 'paths two nodes must share to be neighbours' },
  maxPerMiddle: {
    default: 5000,
    min: 2,
    max: 1e9,
    whole: true,
    help: 'objects of one user (tags of one object) that count for paths',
  },
  objective: { default: 'nce', choices: ['nce', 'softmax'], help: 'noise-contrastive, or softmax over all tags' },
  noisePerPair: NOISE_SETTINGS.noisePerPair,
  noiseFrom: { default: 'others', choices: ['all', 'others'], help: 'any tags, or only such as the object lacks' },
  prior: NOISE_SETTINGS.prior,
  priorWeight: {
    default: 1.2,
    min: 0,
    max: 10,
    tune: linearScale(0.5, 2),
    help: 'its weight when tags are ranked; 1 in training',
  },
  layerRate: {
    default: 0.02,
    min: 1e-6,
    max: 10,
    tune: logScale(0.003, 0.3),
    help: 'learning rate of W1, as a share of that of W0',
  },
  ...TRAINING,
  epochs: { default: 60, min: 1, max: MANY, whole: true, help: 'passes over the training pairs, at most' },
  batchSize: { default: 0, min: 0, max: 1e7, whole: true, help: 'pairs of one step; 0: a fifth of them' },
  learningRate: { default: 0.1, min: 1e-9, max: 10, tune: logScale(0.01, 0.5), help: 'of Adam, at the start' },
} as const satisfies SettingList;

export type DgeSettings = SettingsOf<typeof DGE_SETTINGS>;

export const DGE = dgeKind('dual graph embedding: a graph convolution over objects, one over tags', true, true);
export const SO_GE = dgeKind('dge without the tag graph', true, false);
export const ST_GE = dgeKind('dge without the object graph', false, true);

function dgeKind(summary: string, objects: boolean, tags: boolean): ModelKind {
  const fit = async ({ kernels, train, settings, features, watch, listener }: FitContext<DgeSettings>) => {
    const training = { train, settings: withNeighbours(settings, train), convolves: { objects, tags }, features };
    const { fitted, ...rest } = await trainDge(kernels, training, watch, listener);
    return { fitted, settings: training.settings, training: rest };
  };
  return modelKind(summary, DGE_SETTINGS, fit, { takesFeatures: true });
}

/** With a number of neighbours, where that is left to the data. */
function withNeighbours(settings: DgeSettings, { interact }: KnowledgeGraph): DgeSettings {
  return settings.neighbours === BY_DATA ? { ...settings, neighbours: defaultNeighbours(interact) } : settings;
}

export interface DgeTraining {
  readonly train: KnowledgeGraph;
  readonly settings: DgeSettings;
  /** Which side convolves over its graph: both is DGE, objects alone SO-GE, tags alone ST-GE. */
  readonly convolves: { readonly objects: boolean; readonly tags: boolean };
  /** Content of the objects; one-hot without. */
  readonly features?: Features | undefined;
}

export async function trainDge(
  kernels: Kernels,
  training: DgeTraining,
  watch: Watch = {},
  listener: Listener = {},
): Promise<Trained> {
  const { train, features } = training;
  const settings = withNeighbours(training.settings, train);
  const { neighbours, minCount, maxPerMiddle } = settings;
  const common = { neighbours, minCount, maxPerMiddle };
  const graphSettings = {
    objects: { ...common, shift: settings.objectShift },
    tags: { ...common, shift: settings.tagShift },
  };
  const graphs = await buildDualGraphs(train, graphSettings, listener);
  const trainable = new TrainableDge(kernels, { ...graphs, features }, training);
  return runTraining(kernels, trainable, settings, watch, listener);
}

class TrainableDge implements Trainable {
  readonly tape: Tape;
  readonly parameters: readonly Tensor[];
  readonly rates: readonly number[];
  readonly stepsPerEpoch: number;
  readonly #kernels: Kernels;
  readonly #model: Dge;
  readonly #feed: PairFeed;
  readonly #base: Float32Array; // (numTags), the prior in the score when tags are ranked

  constructor(kernels: Kernels, inputs: DgeInputs, { train, settings, convolves }: DgeTraining) {
    const { hidden, output, objective, seed } = settings;
    this.#kernels = kernels;
    this.#model = new Dge(kernels, inputs, {
      hidden,
      output,
      objectGraph: convolves.objects,
      tagGraph: convolves.tags,
    });
    this.#model.initialize(seed);
    this.tape = this.#model.tape;
    this.parameters = this.#model.parameters;
    this.rates = [1, settings.layerRate, 1, settings.layerRate];

    const noise = new Noise(tagCounts(train));
    const drawn = { from: noise, perPair: settings.noisePerPair, sparesOwn: settings.noiseFrom === 'others' };
    this.#feed = new PairFeed(kernels, train.tagged, { ...settings, ...(objective === 'nce' && { noise: drawn }) });
    this.stepsPerEpoch = this.#feed.stepsPerEpoch;
    const logNoise = Float32Array.from(noise.probabilities, Math.log);
    const prior = settings.prior === 'on' ? logNoise : new Float32Array(logNoise.length);
    this.#base = prior.map((value) => settings.priorWeight * value);

    const perTag = this.tape.constant(1, train.tags.size);
    const batch = { objects: this.#feed.heads, tags: this.#feed.tails };
    if (objective === 'nce') {
      // p(observed | t, o) = e^s / (e^s + K · p_n(t)): the logit is s − log(K · p_n(t))
      const logK = Math.log(settings.noisePerPair);
      kernels.write(
        perTag.value,
        prior.map((value, tag) => value - logNoise[tag] - logK),
      );
      this.#model.minimizeNce(batch, this.#feed.noise, perTag);
    } else {
      kernels.write(perTag.value, prior);
      this.#model.minimizeSoftmax(batch, perTag);
    }
  }

  prepare(step: number): void {
    this.#feed.fill(step);
  }

  async fitted(): Promise<Embeddings> {
    this.tape.forward();
    return {
      form: 'embeddings',
      width: this.#model.objectEmbeddings.cols,
      objects: await this.#kernels.read(this.#model.objectEmbeddings.value),
      tags: await this.#kernels.read(this.#model.tagEmbeddings.value),
      base: this.#base,
    };
  }

  release(): void {
    this.#model.release();
    this.#feed.release();
  }
}

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
  readonly objects: Csr;
  readonly tags: Csr;
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
  readonly #made: Sparse[] = [];
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
   * Glorot's start. A row of W0 under one-hot features has one input, not as many as there are nodes: with those, all
   * scores would begin, and long remain, near zero.
   */
  initialize(seed: number): void {
    const limitOf = (value: Dense) => glorotLimit(this.#oneHot.has(value) ? 1 : value.rows, value.cols);
    initialize(this.#kernels, this.parameters, limitOf, seed);
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
    this.#kernels.release(...this.#made);
  }

  #encode(side: string, graph: Csr, convolves: boolean, shape: DgeShape, features?: Features) {
    const { tape } = this;
    const w0 = tape.parameter(features?.numFeatures ?? numRowsOf(graph), shape.hidden, `${side} W0`);
    const w1 = tape.parameter(shape.hidden, shape.output, `${side} W1`);
    if (features === undefined) this.#oneHot.add(w0.value);
    const xw = features === undefined ? w0 : tape.spmm(this.#sparse(features.numFeatures, features), w0);
    if (!convolves) return { z: tape.matmul(tape.relu(xw), w1), weights: [w0, w1] };
    const a = this.#sparse(numRowsOf(graph), normalized(graph));
    const h = tape.relu(tape.spmm(a, xw, { symmetric: true }));
    return { z: tape.spmm(a, tape.matmul(h, w1), { symmetric: true }), weights: [w0, w1] };
  }

  /** A sparse matrix that lives as long as the model. */
  #sparse(numColumns: number, arrays: Csr): Sparse {
    const made = this.#kernels.sparse(arrays.rowStart.length - 1, numColumns, arrays);
    this.#made.push(made);
    return made;
  }
}
