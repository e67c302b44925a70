// GCMC+, NGCF+ and LightGCN, from a knowledge graph to something the trainer can run: the tripartite graph, a network
// on a tape, the loss over (object, tag) pairs and tags the objects lack, the batches. NGCF and LightGCN rank pairs
// before such tags (BPR); GCMC tells the two apart (logistic loss), which is its softmax over ratings where there are
// two of them.
//
// Either loss learns log p(t | o) / p_n(t) where tags are drawn from p_n, so log p_n is added back to the scores.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { tagCounts } from '../data/statistics.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Csr, Ints } from '../engine/matrix.ts';
import { Tape, type Tensor } from '../engine/tape.ts';
import { normalized } from '../graph/normalize.ts';
import { nodesOf, normalizedWithoutLoops, tripartiteGraph } from '../graph/tripartite.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import type { Embeddings } from '../models/embeddings.ts';
import { recordGcmc } from '../models/gcmc.ts';
import { recordLightGcn } from '../models/lightgcn.ts';
import { recordNgcf } from '../models/ngcf.ts';
import {
  bprLoss,
  type Layer,
  logisticLoss,
  type Network,
  type NetworkInputs,
  squaredLengths,
  type Triples,
} from '../models/tripartite-network.ts';
import { Random } from '../random.ts';
import { Batches } from './batches.ts';
import type { GcmcSettings, LightGcnSettings, NgcfSettings } from './config-graph-networks.ts';
import type { Fit, FitContext } from './model-kind.ts';
import { Noise } from './noise.ts';
import { runTraining, type Trainable } from './trainer.ts';

export function fitGcmc(context: FitContext<GcmcSettings>): Promise<Fit> {
  const { settings } = context;
  return fitNetwork(context, {
    adjacency: normalized,
    record: (inputs) => recordGcmc(inputs, settings),
    loss: 'logistic',
    mostInputs: settings.width, // a product of many small matrices is slow to leave zero
  });
}

export function fitNgcf(context: FitContext<NgcfSettings>): Promise<Fit> {
  const { settings } = context;
  return fitNetwork(context, {
    adjacency: normalizedWithoutLoops,
    record: (inputs) => recordNgcf(inputs, settings),
    loss: 'bpr',
    mostInputs: Number.POSITIVE_INFINITY,
  });
}

export function fitLightGcn(context: FitContext<LightGcnSettings>): Promise<Fit> {
  const { settings } = context;
  return fitNetwork(context, {
    adjacency: normalizedWithoutLoops,
    record: (inputs) => recordLightGcn(inputs, settings),
    loss: 'bpr',
    mostInputs: Number.POSITIVE_INFINITY,
  });
}

/** What sets the networks apart; LightGCN's settings are those they share. */
interface NetworkKind {
  adjacency(graph: WeightedGraph): WeightedGraph;
  record(inputs: NetworkInputs): Network;
  readonly loss: 'bpr' | 'logistic';
  /** How many rows of a matrix count for the size of its first numbers. */
  readonly mostInputs: number;
}

async function fitNetwork(context: FitContext<LightGcnSettings>, kind: NetworkKind): Promise<Fit> {
  const { kernels, settings, watch, listener } = context;
  const trainable = new TrainableNetwork(context, kind);
  const { fitted, ...training } = await runTraining(kernels, trainable, settings, watch, listener);
  return { fitted, training };
}

class TrainableNetwork implements Trainable {
  readonly tape: Tape;
  readonly parameters: readonly Tensor[];
  readonly stepsPerEpoch: number;
  readonly #kernels: Kernels;
  readonly #adjacency: Csr;
  readonly #nodes: { readonly objects: Ints; readonly tags: Ints };
  readonly #layers: readonly Layer[];
  readonly #feed: Feed;
  readonly #base: Float32Array; // (numTags)

  constructor({ kernels, train, settings }: FitContext<LightGcnSettings>, kind: NetworkKind) {
    const { seed } = settings;
    this.#kernels = kernels;
    this.tape = new Tape(kernels);
    const { numNodes, rowStart, columns, weights } = kind.adjacency(tripartiteGraph(train));
    this.#adjacency = kernels.csr(numNodes, numNodes, { rowStart, columns, values: weights });
    const nodes = nodesOf(train);
    this.#nodes = { objects: intsOf(kernels, nodes.objects), tags: intsOf(kernels, nodes.tags) };
    const network = kind.record({ tape: this.tape, adjacency: this.#adjacency, nodes: this.#nodes, seed });
    this.parameters = network.parameters;
    this.#layers = network.layers;
    initialize(kernels, network.parameters, kind.mostInputs, seed);

    const noise = new Noise(settings.negatives === 'popular' ? tagCounts(train) : new Float64Array(train.tags.size));
    this.#base = Float32Array.from(noise.probabilities, Math.log);
    this.#feed = new Feed(kernels, train, noise, settings);
    this.stepsPerEpoch = this.#feed.stepsPerEpoch;
    this.#minimize(network, kind.loss, settings.l2);
  }

  #minimize({ layers, penalized }: Network, kind: NetworkKind['loss'], l2: number): void {
    const { tape } = this;
    const { triples } = this.#feed;
    const loss = kind === 'bpr' ? bprLoss(tape, layers, triples) : logisticLoss(tape, layers[0], triples);
    const penalty = () => tape.scale(squaredLengths(tape, penalized, triples), l2);
    tape.minimize(l2 === 0 ? loss : tape.add(loss, penalty()));
  }

  prepare(step: number): void {
    this.#feed.fill(step);
  }

  async fitted(): Promise<Embeddings> {
    this.tape.forward();
    const width = this.#layers.reduce((sum, { tags }) => sum + tags.cols, 0);
    const [objects, tags] = [this.#layers.map((layer) => layer.objects), this.#layers.map((layer) => layer.tags)];
    return {
      form: 'embeddings',
      width,
      objects: await sideBySide(this.#kernels, objects, width),
      tags: await sideBySide(this.#kernels, tags, width),
      base: this.#base,
    };
  }

  release(): void {
    this.tape.release();
    this.#feed.release();
    this.#kernels.release(this.#adjacency, this.#nodes.objects, this.#nodes.tags);
  }
}

/** The triples of each step, in the engine's memory. What a step gets depends on the seed and its number alone. */
class Feed {
  readonly stepsPerEpoch: number;
  readonly triples: Triples;
  readonly #kernels: Kernels;
  readonly #batches: Batches;

  constructor(kernels: Kernels, train: KnowledgeGraph, noise: Noise, settings: LightGcnSettings) {
    this.#kernels = kernels;
    this.#batches = new Batches(train.tagged, noise, { ...settings, noisePerPair: 1, noiseFrom: 'others' });
    this.stepsPerEpoch = this.#batches.stepsPerEpoch;
    const size = this.#batches.tags.length;
    this.triples = { objects: kernels.ints(size), tags: kernels.ints(size), lacking: kernels.ints(size) };
  }

  fill(step: number): void {
    const { objects, tags, noise: lacking } = this.#batches;
    this.#batches.fill(step);
    this.#kernels.writeInts(this.triples.objects, objects);
    this.#kernels.writeInts(this.triples.tags, tags);
    this.#kernels.writeInts(this.triples.lacking, lacking);
  }

  release(): void {
    const { objects, tags, lacking } = this.triples;
    this.#kernels.release(objects, tags, lacking);
  }
}

/** The rows of several tensors joined, row by row. */
async function sideBySide(kernels: Kernels, parts: readonly Tensor[], width: number): Promise<Float32Array> {
  const joined = new Float32Array(parts[0].rows * width);
  let first = 0;
  for (const { rows, cols, value } of parts) {
    const numbers = await kernels.read(value);
    for (let r = 0; r < rows; r++) joined.set(numbers.subarray(r * cols, (r + 1) * cols), r * width + first);
    first += cols;
  }
  return joined;
}

/** Glorot's uniform start (AISTATS 2010), the same for a seed on any backend. */
function initialize(kernels: Kernels, parameters: readonly Tensor[], mostInputs: number, seed: number): void {
  for (const { value, operation } of parameters) {
    const random = new Random(seed, operation);
    const limit = Math.sqrt(6 / (Math.min(value.rows, mostInputs) + value.cols));
    const draw = () => limit * (2 * random.float() - 1);
    kernels.write(value, Float32Array.from({ length: value.rows * value.cols }, draw));
  }
}

function intsOf(kernels: Kernels, values: Int32Array): Ints {
  const made = kernels.ints(values.length);
  kernels.writeInts(made, values);
  return made;
}
