// What the graph networks over the tripartite graph have in common (lightgcn.ts, ngcf.ts, gcmc.ts). Each is a function
// that records its formula on a tape: from a vector for each node to vectors for objects and tags, which meet in dot
// products. Vectors of several layers stand side by side, and a dot product of such is the sum of those of the layers.
// The loss is over (object, tag) pairs and tags the objects lack: NGCF and LightGCN rank pairs before such tags (BPR); GCMC
// tells the two apart (logistic loss), which is its softmax over ratings where there are two of them. Either loss learns
// log p(t | o) / p_n(t) where tags are drawn from p_n, so log p_n is added back to the scores.

import { type Csr, numRowsOf } from '../csr.ts';
import { tagCounts } from '../data/statistics.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Dense, Ints, Sparse } from '../engine/matrix.ts';
import { Tape, type Tensor } from '../engine/tape/tape.ts';
import { nodesOf, tripartiteGraph } from '../graph/tripartite.ts';
import { linearScale, logScale, type SettingList, type SettingsOf } from '../settings.ts';
import { glorotLimit, initialize } from '../training/initialize.ts';
import { Noise } from '../training/noise.ts';
import { PairFeed } from '../training/pair-feed.ts';
import { type Embeddings, TRAINING, type Trainable } from '../training/trainer.ts';
import { type Fit, type FitContext, fitInEpochs } from './model-kind.ts';

/**
 * Widths and layers are the paper's for Last.fm, {64, 64, 64, 64}; for the others it has {128, 128, 128}, which is width 128
 * and 2 layers. The rest was chosen on validation pairs.
 */
export const SHAPE = {
  width: {
    default: 64,
    min: 1,
    max: 4096,
    whole: true,
    tune: logScale(16, 256),
    help: 'of the vectors of nodes, in every layer',
  },
  layers: {
    default: 3,
    min: 1,
    max: 16,
    whole: true,
    tune: linearScale(1, 4),
    help: 'how many times vectors are passed on to neighbours',
  },
} as const satisfies SettingList;

export const NODE_DROPOUT = {
  default: 0.5,
  min: 0,
  max: 0.99,
  tune: linearScale(0, 0.8),
  help: 'share of the nodes that send nothing in a step',
} as const;
export const L2 = {
  default: 0.02,
  min: 0,
  max: 1000,
  tune: logScale(1e-4, 1),
  help: 'weight of the squared lengths of vectors in the loss',
} as const;

export const COMPARED = {
  negatives: {
    default: 'popular',
    choices: ['popular', 'uniform'],
    tune: ['popular', 'uniform'],
    help: 'how tags an object lacks are drawn: as often as they are used, or evenly',
  },
  ...TRAINING,
  epochs: { ...TRAINING.epochs, default: 30 },
} as const satisfies SettingList;

type NetworkSettings = SettingsOf<typeof SHAPE & typeof COMPARED> & { readonly l2: number };

/** What a network is recorded on. Nodes are those of graph/tripartite.ts. */
export interface NetworkInputs {
  readonly tape: Tape;
  /** Normalised and symmetric. */
  readonly adjacency: Sparse; // (numNodes, numNodes)
  /** Which nodes are the objects, and which the tags. */
  readonly nodes: { readonly objects: Ints; readonly tags: Ints };
  /** Of dropout. */
  readonly seed: number;
}

/** Objects and tags of one layer; their widths are equal. */
export interface Layer {
  readonly objects: Tensor; // (numObjects, d)
  readonly tags: Tensor; // (numTags, d)
}

export interface Network {
  readonly parameters: readonly Tensor[];
  /** score(o, t) = Σ over layers of objects[o] · tags[t] */
  readonly layers: readonly Layer[];
  /** Whose vectors are to be kept short. */
  readonly penalized: readonly Layer[];
}

/** Objects and tags among all nodes. */
export function layerOf({ tape, nodes }: NetworkInputs, x: Tensor): Layer {
  return { objects: tape.gather(x, nodes.objects), tags: tape.gather(x, nodes.tags) };
}

/** Sets all numbers of some nodes to zero, at random and others each step, and scales up the rest. */
export function dropNodes(tape: Tape, x: Tensor, rate: number, key: number): Tensor {
  if (rate === 0) return x;
  const ones = tape.exp(tape.constant(1, x.rows));
  return tape.scaleRows(x, tape.dropout(ones, rate, key));
}

/** Pairs of objects and tags, and to each pair a tag its object lacks. */
export interface Triples {
  readonly objects: Ints; // (B)
  readonly tags: Ints; // (B)
  readonly lacking: Ints; // (B)
}

/** Bayesian personalised ranking (Rendle et al., UAI 2009): the mean of − log σ(score(o, tag) − score(o, lacking)). */
export function bprLoss(tape: Tape, layers: readonly Layer[], { objects, tags, lacking }: Triples): Tensor {
  const margins = layers.map((layer) => {
    const behind = tape.sub(tape.gather(layer.tags, lacking), tape.gather(layer.tags, tags));
    return tape.rowDot(tape.gather(layer.objects, objects), behind);
  });
  return tape.mean(tape.softplus(margins.reduce((sum, margin) => tape.add(sum, margin))));
}

/** The mean of − log σ(score(o, tag)) − log σ(− score(o, lacking)), over one layer. */
export function logisticLoss(tape: Tape, layer: Layer, { objects, tags, lacking }: Triples): Tensor {
  const offsets = tape.constant(1, layer.tags.rows).value; // zeros
  const embeddings = { objectEmbeddings: layer.objects, tagEmbeddings: layer.tags };
  return tape.nce({ ...embeddings, objects, tags, noise: lacking, offsets });
}

/** Half the sum of squared lengths of all vectors in a triple, in the mean. */
export function squaredLengths(tape: Tape, layers: readonly Layer[], { objects, tags, lacking }: Triples): Tensor {
  const taken = layers.flatMap((layer) => [
    tape.gather(layer.objects, objects),
    tape.gather(layer.tags, tags),
    tape.gather(layer.tags, lacking),
  ]);
  const sums = taken.map((x) => tape.sum(tape.mul(x, x)));
  return tape.scale(
    sums.reduce((total, sum) => tape.add(total, sum)),
    0.5 / objects.length,
  );
}

/** What sets the networks apart. */
export interface NetworkKind {
  adjacency(graph: Csr): Csr;
  record(inputs: NetworkInputs): Network;
  readonly loss: 'bpr' | 'logistic';
  /** How many rows of a matrix count for the size of its first numbers. */
  readonly mostInputs: number;
}

export function fitNetwork(context: FitContext<NetworkSettings>, kind: NetworkKind): Promise<Fit> {
  return fitInEpochs(context, new TrainableNetwork(context, kind));
}

class TrainableNetwork implements Trainable {
  readonly tape: Tape;
  readonly parameters: readonly Tensor[];
  readonly stepsPerEpoch: number;
  readonly #kernels: Kernels;
  readonly #adjacency: Sparse;
  readonly #nodes: { readonly objects: Ints; readonly tags: Ints };
  readonly #layers: readonly Layer[];
  readonly #feed: PairFeed;
  readonly #base: Float32Array; // (numTags)

  constructor({ kernels, train, settings }: FitContext<NetworkSettings>, kind: NetworkKind) {
    const { seed } = settings;
    this.#kernels = kernels;
    this.tape = new Tape(kernels);
    const adjacency = kind.adjacency(tripartiteGraph(train));
    const numNodes = numRowsOf(adjacency);
    this.#adjacency = kernels.sparse(numNodes, numNodes, adjacency);
    const nodes = nodesOf(train);
    this.#nodes = { objects: intsOf(kernels, nodes.objects), tags: intsOf(kernels, nodes.tags) };
    const network = kind.record({ tape: this.tape, adjacency: this.#adjacency, nodes: this.#nodes, seed });
    this.parameters = network.parameters;
    this.#layers = network.layers;
    const limitOf = ({ rows, cols }: Dense) => glorotLimit(Math.min(rows, kind.mostInputs), cols);
    initialize(kernels, network.parameters, limitOf, seed);

    const noise = new Noise(settings.negatives === 'popular' ? tagCounts(train) : new Float64Array(train.tags.size));
    this.#base = Float32Array.from(noise.probabilities, Math.log);
    const drawn = { from: noise, perPair: 1, sparesOwn: true };
    this.#feed = new PairFeed(kernels, train.tagged, { ...settings, noise: drawn });
    this.stepsPerEpoch = this.#feed.stepsPerEpoch;
    this.#minimize(network, kind.loss, settings.l2);
  }

  #minimize({ layers, penalized }: Network, kind: NetworkKind['loss'], l2: number): void {
    const { tape } = this;
    const { heads: objects, tails: tags, noise: lacking } = this.#feed;
    const triples = { objects, tags, lacking };
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

function intsOf(kernels: Kernels, values: Int32Array): Ints {
  const made = kernels.ints(values.length);
  kernels.writeInts(made, values);
  return made;
}
