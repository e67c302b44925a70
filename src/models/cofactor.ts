// CoFactor (Liang, Altosaar, Charlin and Blei, RecSys 2016): MF whose tag factors also explain which tags occur together.
// Each edge of the tag graph, with its SPPMI weight m_ij > 0, adds (m_ij − y_i · z_j − v_i − c_j)² to the loss: y_i is the
// factor MF uses, z_j one of the tag as context, v and c are biases. Pairs of tags without an edge say nothing.

import { type Csr, numRowsOf } from '../csr.ts';
import { Relation } from '../data/relation.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import type { Tape, Tensor } from '../engine/tape/tape.ts';
import { cappedMiddles, warnOfCapped } from '../graph/capped-middles.ts';
import { countPaths } from '../graph/path-counts.ts';
import { sppmi } from '../graph/weighting.ts';
import { logScale, type SettingList, type SettingsOf } from '../settings.ts';
import { PairFeed } from '../training/pair-feed.ts';
import {
  ALL_PAIRS,
  type FactorShape,
  type Pairs,
  type StepInputs,
  shapeOf,
  startFactors,
  sumOfSquares,
  trainableFactors,
  WIDTH,
} from './factors.ts';
import { fitMf, gatherNumbers, Mf, type MfWeights } from './mf.ts';
import { type Fit, type FitContext, fitInEpochs, modelKind } from './model-kind.ts';

/** The paper has k = 2 and d = 64 for LastFM, as here, k = 1 and d = 16 for the others. */
export const COFACTOR_SETTINGS = {
  width: { ...WIDTH, default: 64 },
  tagShift: { default: 2, min: 1e-6, max: 1e6, tune: logScale(0.3, 10), help: 'k of SPPMI in the tag graph' },
  graphWeight: {
    default: 0.1,
    min: 0,
    max: 1e6,
    tune: logScale(0.01, 1),
    help: "weight of the tag graph's mean squared error",
  },
  ...ALL_PAIRS,
} as const satisfies SettingList;

export const COFACTOR = modelKind(
  'matrix factorisation, tags factorised with their neighbours as well',
  COFACTOR_SETTINGS,
  fitCoFactor,
);

export async function fitCoFactor(context: FitContext<SettingsOf<typeof COFACTOR_SETTINGS>>): Promise<Fit> {
  const { kernels, train, settings, listener } = context;
  warnOfCapped(train.tagged, { middle: 'object', node: 'tag' }, listener);
  const graph = sppmi(await countPaths(cappedMiddles(train.tagged), listener), settings.tagShift);
  if (graph.columns.length === 0) return fitMf(context); // no edge, nothing to add
  const model = new CoFactor(kernels, shapeOf(train, settings.width), settings.seed);
  const pairs = new PairFeed(kernels, train.tagged, settings);
  const edges = edgeFeed(kernels, model.tape, graph, settings);
  model.tape.minimize(model.loss(pairs, edges, { ...settings, numPairs: train.tagged.size }));
  return fitInEpochs(
    context,
    trainableFactors(kernels, model, [pairs, edges], () => kernels.read(model.biases.value)),
  );
}

/** Edges of one step. */
export interface Edges {
  readonly heads: Ints; // (E), tags
  readonly tails: Ints; // (E), tags as context
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
    startFactors(kernels, [this.contexts], seed);
  }

  /** To be minimised: MF's loss and, `graphWeight` times, the mean over edges of theirs; the contexts count as factors. */
  loss(pairs: Pairs, edges: Edges, weights: MfWeights & { readonly graphWeight: number }): Tensor {
    const { tape } = this;
    const error = tape.sub(edges.weights, this.#expectedWeights(edges));
    const ofEdges = tape.scale(tape.mean(tape.mul(error, error)), weights.graphWeight);
    const lengths = tape.scale(sumOfSquares(tape, this.contexts), weights.regularization / weights.numPairs);
    return tape.add(this.#mf.loss(pairs, weights), tape.add(ofEdges, lengths));
  }

  #expectedWeights({ heads, tails }: Edges): Tensor {
    const { tape } = this;
    const products = tape.rowDot(tape.gather(this.tags, heads), tape.gather(this.contexts, tails));
    const ofTags = gatherNumbers(this.#kernels, tape, this.tagBiases, heads);
    const ofContexts = gatherNumbers(this.#kernels, tape, this.contextBiases, tails);
    return tape.add(products, tape.add(ofTags, ofContexts));
  }
}

/** The edges of a graph in random order, with their weights. */
function edgeFeed(
  kernels: Kernels,
  tape: Tape,
  graph: Csr,
  settings: { readonly batchSize: number; readonly seed: number },
): StepInputs & Edges {
  const { rowStart, columns, values } = graph;
  const numNodes = numRowsOf(graph);
  const nodes = new Int32Array(columns.length); // by edge, where it starts
  for (let node = 0; node < numNodes; node++) nodes.fill(node, rowStart[node], rowStart[node + 1]);
  const feed = new PairFeed(kernels, new Relation(numNodes, numNodes, nodes, columns), settings);
  const weights = tape.constant(1, feed.numbers.length);
  return {
    heads: feed.heads,
    tails: feed.tails,
    weights,
    stepsPerEpoch: feed.stepsPerEpoch,
    fill(step) {
      feed.fill(step);
      kernels.write(
        weights.value,
        Float32Array.from(feed.numbers, (edge) => values[edge]),
      );
    },
    release: () => feed.release(),
  };
}
