// MF, Skip-Gram and CoFactor, from a knowledge graph to something the trainer can run: each model on its tape, what a step
// writes into it, and what is read from it.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { Relation } from '../data/relation.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import type { Tape, Tensor } from '../engine/tape.ts';
import { countPaths } from '../graph/path-counts.ts';
import { sppmi } from '../graph/sppmi.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import { CoFactor, type Edges } from '../models/cofactor.ts';
import { Mf } from '../models/mf.ts';
import { SkipGram } from '../models/skip-gram.ts';
import { Batches } from './batches.ts';
import type { CoFactorSettings, MfSettings, SkipGramSettings } from './config-factors.ts';
import type { Fit, FitContext } from './model-kind.ts';
import { Noise } from './noise.ts';
import { PairFeed } from './pair-feed.ts';
import { runTraining, type Trainable, type TrainerSettings } from './trainer.ts';

export async function fitMf(context: FitContext<MfSettings>): Promise<Fit> {
  const { kernels, train, settings } = context;
  const feed = new PairFeed(kernels, train, { ...settings, noisePerPair: 0 });
  const model = new Mf(kernels, shapeOf(train, settings.width), settings.seed);
  model.tape.minimize(model.loss(feed, { ...settings, numPairs: train.tagged.size }));
  return run(
    context,
    trainable(kernels, model, [feed], () => kernels.read(model.biases.value)),
  );
}

export async function fitSkipGram(context: FitContext<SkipGramSettings>): Promise<Fit> {
  const { kernels, train, settings } = context;
  const feed = new PairFeed(kernels, train, settings);
  const model = new SkipGram(kernels, shapeOf(train, settings.width), settings.seed);
  // P(observed | t, o) = e^s / (e^s + K · p_n(t)): the logit is s − log(K · p_n(t)), and s has the prior log p_n(t) in it
  const logNoise = Float32Array.from(feed.noiseProbabilities, Math.log);
  const base = settings.prior === 'on' ? logNoise : new Float32Array(logNoise.length);
  kernels.write(
    model.offsets.value,
    base.map((prior, tag) => prior - logNoise[tag] - Math.log(settings.noisePerPair)),
  );
  model.tape.minimize(model.loss(feed, { ...settings, numPairs: train.tagged.size }));
  return run(
    context,
    trainable(kernels, model, [feed], async () => base),
  );
}

export async function fitCoFactor(context: FitContext<CoFactorSettings>): Promise<Fit> {
  const { kernels, train, settings, listener } = context;
  const graph = sppmi(await countPaths(train.tagged, listener), settings.tagShift);
  if (graph.columns.length === 0) return fitMf(context); // no edge, nothing to add
  const model = new CoFactor(kernels, shapeOf(train, settings.width), settings.seed);
  const pairs = new PairFeed(kernels, train, { ...settings, noisePerPair: 0 });
  const edges = new EdgeFeed(kernels, model.tape, graph, settings);
  model.tape.minimize(model.loss(pairs, edges, { ...settings, numPairs: train.tagged.size }));
  return run(
    context,
    trainable(kernels, model, [pairs, edges], () => kernels.read(model.biases.value)),
  );
}

async function run(
  { kernels, settings, watch, listener }: FitContext<TrainerSettings>,
  trainable: Trainable,
): Promise<Fit> {
  const { fitted, ...training } = await runTraining(kernels, trainable, settings, watch, listener);
  return { fitted, training };
}

function shapeOf({ objects, tags }: KnowledgeGraph, width: number) {
  return { numObjects: objects.size, numTags: tags.size, width };
}

/** Writes the inputs of a step; owns what it writes into. */
interface Feed {
  readonly stepsPerEpoch: number;
  fill(step: number): void;
  release(): void;
}

interface FactorModel {
  readonly tape: Tape;
  readonly objects: Tensor;
  readonly tags: Tensor;
  readonly parameters: readonly Tensor[];
}

/** The first feed says how many steps an epoch has. */
function trainable(
  kernels: Kernels,
  { tape, objects, tags, parameters }: FactorModel,
  feeds: readonly [Feed, ...Feed[]],
  readBase: () => Promise<Float32Array>,
): Trainable {
  return {
    tape,
    parameters,
    stepsPerEpoch: feeds[0].stepsPerEpoch,
    prepare(step) {
      for (const feed of feeds) feed.fill(step);
    },
    fitted: async () => ({
      form: 'embeddings',
      width: objects.cols,
      objects: await kernels.read(objects.value),
      tags: await kernels.read(tags.value),
      base: await readBase(),
    }),
    release() {
      tape.release();
      for (const feed of feeds) feed.release();
    },
  };
}

/** Edges of a graph that has some, in random order. */
class EdgeFeed implements Feed, Edges {
  readonly from: Ints; // (E)
  readonly to: Ints; // (E)
  readonly weights: Tensor; // (1, E)
  readonly stepsPerEpoch: number;
  readonly #kernels: Kernels;
  readonly #graph: WeightedGraph;
  readonly #nodes: Int32Array; // by edge, where it starts
  readonly #batches: Batches;

  constructor(kernels: Kernels, tape: Tape, graph: WeightedGraph, settings: { batchSize: number; seed: number }) {
    const { numNodes, rowStart, columns } = graph;
    const numEdges = columns.length;
    this.#kernels = kernels;
    this.#graph = graph;
    this.#nodes = new Int32Array(numEdges);
    for (let node = 0; node < numNodes; node++) this.#nodes.fill(node, rowStart[node], rowStart[node + 1]);
    // pairs of an edge's number and its end, so that the weight is found, too
    const numbers = Int32Array.from({ length: numEdges }, (_, edge) => edge);
    const ends = new Relation(numEdges, numNodes, numbers, columns);
    this.#batches = new Batches(ends, new Noise([1]), { ...settings, noisePerPair: 0 });
    this.stepsPerEpoch = this.#batches.stepsPerEpoch;
    this.from = kernels.ints(this.#batches.objects.length);
    this.to = kernels.ints(this.#batches.tags.length);
    this.weights = tape.constant(1, this.from.length);
  }

  fill(step: number): void {
    this.#batches.fill(step);
    const { objects: numbers, tags: ends } = this.#batches;
    this.#kernels.writeInts(
      this.from,
      numbers.map((edge) => this.#nodes[edge]),
    );
    this.#kernels.writeInts(this.to, ends);
    this.#kernels.write(
      this.weights.value,
      Float32Array.from(numbers, (edge) => this.#graph.weights[edge]),
    );
  }

  release(): void {
    this.#kernels.release(this.from, this.to);
  }
}
