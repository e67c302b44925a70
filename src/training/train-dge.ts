// DGE and its ablations, from a knowledge graph to something the trainer can run: the two graphs, the model on its tape,
// the objective, the batches.

import type { Features } from '../data/features.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Tape, Tensor } from '../engine/tape.ts';
import { buildDualGraphs } from '../graph/dual-graphs.ts';
import type { Listener } from '../listener.ts';
import { Dge, type DgeInputs } from '../models/dge.ts';
import type { Embeddings } from '../models/embeddings.ts';
import type { DgeSettings } from './config.ts';
import { PairFeed } from './pair-feed.ts';
import { runTraining, type Trainable, type Trained, type Watch } from './trainer.ts';

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
  const { train, settings, features } = training;
  const { neighbours, minCount, maxPerMiddle, seed } = settings;
  const common = { neighbours, minCount, maxPerMiddle, seed };
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

    const noisePerPair = objective === 'nce' ? settings.noisePerPair : 0;
    this.#feed = new PairFeed(kernels, train, { ...settings, noisePerPair });
    this.stepsPerEpoch = this.#feed.stepsPerEpoch;
    const logNoise = Float32Array.from(this.#feed.noiseProbabilities, Math.log);
    const prior = settings.prior === 'on' ? logNoise : new Float32Array(logNoise.length);
    this.#base = prior.map((value) => settings.priorWeight * value);

    const perTag = this.tape.constant(1, train.tags.size);
    const batch = { objects: this.#feed.objects, tags: this.#feed.tags };
    if (objective === 'nce') {
      // p(observed | t, o) = e^s / (e^s + K · p_n(t)): the logit is s − log(K · p_n(t))
      const logK = Math.log(noisePerPair);
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
