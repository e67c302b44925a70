// Trains DGE and its ablations: steps of Adam on the noise-contrastive loss, an evaluation on validation pairs now and
// then, the best embeddings kept, an end when they stop getting better. Test pairs are nowhere near.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import { Adam } from '../engine/tape-adam.ts';
import { buildDualGraphs } from '../graph/dual-graphs.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { Dge } from '../models/dge.ts';
import type { Embeddings } from '../models/embeddings.ts';
import { Batches } from './batches.ts';
import type { DgeSettings } from './config.ts';
import { Noise } from './noise.ts';

export interface EpochReport {
  readonly epoch: number;
  readonly loss: number;
  /** On validation pairs, where this epoch was evaluated. */
  readonly validation: number | undefined;
}

export interface DgeTraining {
  readonly train: KnowledgeGraph;
  readonly settings: DgeSettings;
  /** Which side convolves over its graph: both is DGE, objects alone SO-GE, tags alone ST-GE. */
  readonly convolves: { readonly objects: boolean; readonly tags: boolean };
  /** How good embeddings are on validation pairs; higher is better. Without it, all epochs are run. */
  validate?(embeddings: Embeddings): Promise<number>;
  onEpoch?(report: EpochReport): void;
}

const ADAM = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }; // as published

export async function trainDge(kernels: Kernels, training: DgeTraining, listener: Listener = {}): Promise<Embeddings> {
  const { train, settings, convolves } = training;
  const graph = {
    neighbours: settings.neighbours,
    minCount: settings.minCount,
    maxPerMiddle: settings.maxPerMiddle,
    seed: settings.seed,
  };
  const graphs = await buildDualGraphs(
    train,
    { objects: { ...graph, shift: settings.objectShift }, tags: { ...graph, shift: settings.tagShift } },
    listener,
  );
  const model = new Dge(kernels, graphs, {
    hidden: settings.hidden,
    output: settings.output,
    objectGraph: convolves.objects,
    tagGraph: convolves.tags,
  });
  model.initialize(settings.seed);
  const steps = new Steps(kernels, model, training);
  try {
    return await runEpochs(steps, training, listener);
  } finally {
    steps.release();
    model.release();
  }
}

/** Epoch after epoch until the last, or until validation has not improved for a while. */
async function runEpochs(steps: Steps, training: DgeTraining, listener: Listener): Promise<Embeddings> {
  const { epochs, evaluateEvery, patience } = training.settings;
  const breathe = makeBreather(listener);
  let best: { value: number; embeddings: Embeddings } | undefined;
  let numWorse = 0;
  for (let epoch = 1; epoch <= epochs && numWorse < patience; epoch++) {
    for (let step = 0; step < steps.perEpoch; step++) {
      steps.run();
      await breathe();
    }
    listener.progress?.('training', epoch, epochs);
    const loss = await steps.loss();
    const isDue = training.validate !== undefined && (epoch % evaluateEvery === 0 || epoch === epochs);
    let validation: number | undefined;
    if (isDue) {
      const embeddings = await steps.embeddings();
      validation = await training.validate?.(embeddings);
      const isBetter = validation !== undefined && (best === undefined || validation > best.value);
      if (isBetter) best = { value: validation as number, embeddings };
      numWorse = isBetter ? 0 : numWorse + 1;
    }
    training.onEpoch?.({ epoch, loss, validation });
  }
  return best?.embeddings ?? (await steps.embeddings());
}

/** The machinery of one step: a batch is drawn, the tape runs, Adam moves the weights. */
class Steps {
  readonly perEpoch: number;
  readonly #kernels: Kernels;
  readonly #model: Dge;
  readonly #batches: Batches;
  readonly #batch;
  readonly #adam: Adam;
  readonly #noise: Noise;
  readonly #learningRate: number;

  constructor(kernels: Kernels, model: Dge, { train, settings }: DgeTraining) {
    this.#kernels = kernels;
    this.#model = model;
    this.#learningRate = settings.learningRate;
    const batchSize = Math.min(settings.batchSize, train.tagged.size);
    this.perEpoch = Math.ceil(train.tagged.size / batchSize);
    this.#noise = new Noise(tagCounts(train));
    this.#batches = new Batches(train.tagged, this.#noise, { ...settings, batchSize });
    this.#batch = {
      objects: kernels.ints(batchSize),
      tags: kernels.ints(batchSize),
      noise: kernels.ints(batchSize * settings.noisePerPair),
    };
    // with the prior log p_n in the score, what is left of − log(K · p_n) is − log K
    const offsets = model.tape.constant(1, train.tags.size);
    kernels.fill(offsets.value, -Math.log(settings.noisePerPair));
    model.minimizeNce(this.#batch, offsets);
    this.#adam = new Adam(kernels, model.parameters);
  }

  run(): void {
    this.#batches.next();
    this.#kernels.writeInts(this.#batch.objects, this.#batches.objects);
    this.#kernels.writeInts(this.#batch.tags, this.#batches.tags);
    this.#kernels.writeInts(this.#batch.noise, this.#batches.noise);
    this.#model.tape.run();
    this.#adam.step({ learningRate: this.#learningRate, ...ADAM });
  }

  /** Of the last batch; throws NonFiniteError where training has gone astray. */
  loss(): Promise<number> {
    return this.#model.tape.loss();
  }

  async embeddings(): Promise<Embeddings> {
    this.#model.tape.forward();
    return {
      width: this.#model.objectEmbeddings.cols,
      objects: await this.#kernels.read(this.#model.objectEmbeddings.value),
      tags: await this.#kernels.read(this.#model.tagEmbeddings.value),
      base: Float32Array.from(this.#noise.probabilities, Math.log),
    };
  }

  release(): void {
    this.#adam.release();
    this.#kernels.release(this.#batch.objects, this.#batch.tags, this.#batch.noise);
  }
}

function tagCounts({ tags, tagged }: KnowledgeGraph): Float64Array {
  const counts = new Float64Array(tags.size);
  for (const tag of tagged.tails) counts[tag]++;
  return counts;
}
