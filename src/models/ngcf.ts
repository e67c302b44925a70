// Neural Graph Collaborative Filtering (Wang et al., SIGIR 2019) on the tripartite graph, NGCF+ in the paper. A node
// gets messages of its neighbours and its own, W1 e_i + W2 (e_i ⊙ e_u) from neighbour i to node u (equations 3 to 7):
// E' = LeakyReLU((Â E + E) W1 + (Â E ⊙ E) W2). The layers, E0 among them, stand side by side in a node's embedding.

import type { Tensor } from '../engine/tape/tape.ts';
import { normalizedWithoutLoops } from '../graph/weighting.ts';
import { Random } from '../random.ts';
import { linearScale, type SettingList } from '../settings.ts';
import { TRAINING } from '../training/trainer.ts';
import { modelKind } from './model-kind.ts';
import {
  COMPARED,
  dropNodes,
  fitNetwork,
  L2,
  layerOf,
  type Network,
  type NetworkInputs,
  NODE_DROPOUT,
  SHAPE,
} from './tripartite-network.ts';

export const NGCF_SETTINGS = {
  ...SHAPE,
  nodeDropout: NODE_DROPOUT,
  messageDropout: {
    default: 0,
    min: 0,
    max: 0.99,
    tune: linearScale(0, 0.5),
    help: 'share of the numbers received left out of a step',
  },
  l2: L2,
  ...COMPARED,
  learningRate: { ...TRAINING.learningRate, default: 0.02 },
} as const satisfies SettingList;

export const NGCF = modelKind('the same graph, with messages that multiply neighbours', NGCF_SETTINGS, (context) =>
  fitNetwork(context, {
    adjacency: normalizedWithoutLoops,
    record: (inputs) => recordNgcf(inputs, context.settings),
    loss: 'bpr',
    mostInputs: Number.POSITIVE_INFINITY,
  }),
);

export interface NgcfShape {
  /** Of the start and of every layer. */
  readonly width: number;
  readonly layers: number;
  /** Share of the nodes that send nothing in a step, in each layer. */
  readonly nodeDropout: number;
  /** Share of the numbers received that are left out of a step. */
  readonly messageDropout: number;
}

export function recordNgcf(inputs: NetworkInputs, shape: NgcfShape): Network {
  const { tape, adjacency, seed } = inputs;
  const { width, layers: numLayers, nodeDropout, messageDropout } = shape;
  const start = tape.parameter(adjacency.rows, width, 'E0');
  const parameters = [start];
  const layers = [layerOf(inputs, start)];
  let nodes = start;
  for (let layer = 1; layer <= numLayers; layer++) {
    const w1 = tape.parameter(width, width, `W1 of layer ${layer}`);
    const w2 = tape.parameter(width, width, `W2 of layer ${layer}`);
    parameters.push(w1, w2);
    const receive = (own: Tensor, around: Tensor, side: string) => {
      const linear = tape.matmul(tape.add(around, own), w1);
      const product = tape.matmul(tape.mul(around, own), w2);
      const received = tape.leakyRelu(tape.add(linear, product));
      const key = new Random(seed, `messages to ${side} dropped in layer ${layer}`).next();
      return messageDropout === 0 ? received : tape.dropout(received, messageDropout, key);
    };
    const key = new Random(seed, `nodes dropped in layer ${layer}`).next();
    const around = tape.spmm(adjacency, dropNodes(tape, nodes, nodeDropout, key), { symmetric: true });
    if (layer < numLayers) {
      nodes = receive(nodes, around, 'nodes');
      layers.push(layerOf(inputs, nodes));
    } else {
      // nobody asks for the users of the last layer, who may be most of the nodes
      const [own, received] = [layers[layer - 1], layerOf(inputs, around)];
      const [objects, tags] = [
        receive(own.objects, received.objects, 'objects'),
        receive(own.tags, received.tags, 'tags'),
      ];
      layers.push({ objects, tags });
    }
  }
  return { parameters, layers, penalized: layers };
}
