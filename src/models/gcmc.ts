// Graph Convolutional Matrix Completion (van den Berg, Kipf and Welling, 2017) on the tripartite graph, GCMC+ in the
// paper: graph convolutions, a dense layer over all of them, and a bilinear decoder, score(o, t) = z_oᵀ Q z_t. Nodes
// are one-hot, so the weights of the first convolution are a vector for each node:
//
//   H1 = ReLU(Â E0),  H2 = ReLU(Â H1 W2), …      Z = [H1 H2 …] V = H1 V1 + H2 V2 + …
//
// The original has one convolution; where there are more, the last alone would blur what the first one knows. The graph
// has loops, so that a node without edges has a vector, too. With two ratings, "has" and "lacks", the softmax over
// ratings is the logistic function of the difference of two bilinear forms, which is one: hence one Q, counted to the
// objects.

import { normalized } from '../graph/weighting.ts';
import { Random } from '../random.ts';
import type { SettingList } from '../settings.ts';
import { TRAINING } from '../training/trainer.ts';
import { modelKind } from './model-kind.ts';
import {
  COMPARED,
  dropNodes,
  fitNetwork,
  L2,
  type Layer,
  layerOf,
  type Network,
  type NetworkInputs,
  NODE_DROPOUT,
  SHAPE,
} from './tripartite-network.ts';

export const GCMC_SETTINGS = {
  ...SHAPE,
  nodeDropout: NODE_DROPOUT,
  l2: { ...L2, default: 0 },
  ...COMPARED,
  learningRate: { ...TRAINING.learningRate, default: 0.02 },
} as const satisfies SettingList;

export const GCMC = modelKind(
  'graph convolution over users, objects and tags, a bilinear decoder',
  GCMC_SETTINGS,
  (context) =>
    fitNetwork(context, {
      adjacency: normalized,
      record: (inputs) => recordGcmc(inputs, context.settings),
      loss: 'logistic',
      mostInputs: context.settings.width, // a product of many small matrices is slow to leave zero
    }),
);

export interface GcmcShape {
  /** Of every layer. */
  readonly width: number;
  /** Convolutions; at least one. */
  readonly layers: number;
  /** Share of the nodes that send nothing in a step, in each convolution. */
  readonly nodeDropout: number;
}

export function recordGcmc(inputs: NetworkInputs, { width, layers: numLayers, nodeDropout }: GcmcShape): Network {
  const { tape, adjacency, seed } = inputs;
  const start = tape.parameter(adjacency.rows, width, 'E0');
  const parameters = [start];
  const learn = (name: string) => {
    const weights = tape.parameter(width, width, name);
    parameters.push(weights);
    return weights;
  };
  const parts: Layer[] = []; // H V, by convolution
  let nodes = start;
  for (let layer = 1; layer <= numLayers; layer++) {
    const sent = layer === 1 ? nodes : tape.matmul(nodes, learn(`W${layer}`));
    const key = new Random(seed, `nodes dropped in layer ${layer}`).next();
    nodes = tape.relu(tape.spmm(adjacency, dropNodes(tape, sent, nodeDropout, key), { symmetric: true }));
    const [{ objects, tags }, v] = [layerOf(inputs, nodes), learn(`V${layer}`)];
    parts.push({ objects: tape.matmul(objects, v), tags: tape.matmul(tags, v) });
  }
  const z = parts.reduce((sum, { objects, tags }) => {
    return { objects: tape.add(sum.objects, objects), tags: tape.add(sum.tags, tags) };
  });
  const decoded = { objects: tape.matmul(z.objects, learn('Q')), tags: z.tags };
  return { parameters, layers: [decoded], penalized: [decoded] };
}
