// LightGCN (He et al., SIGIR 2020) on the tripartite graph: vectors of nodes are passed on to neighbours, layer by
// layer, with no weights and nothing nonlinear in between, and a node's embedding is the mean over the layers, E = (E0
// + Â E0 + … + Â^L E0) / (L + 1). All that is learnt is E0.

import { normalizedWithoutLoops } from '../graph/weighting.ts';
import type { SettingList } from '../settings.ts';
import { modelKind } from './model-kind.ts';
import { COMPARED, fitNetwork, L2, layerOf, type Network, type NetworkInputs, SHAPE } from './tripartite-network.ts';

export const LIGHT_GCN_SETTINGS = {
  ...SHAPE,
  l2: L2,
  ...COMPARED,
} as const satisfies SettingList;

export const LIGHT_GCN = modelKind(
  'the same graph, embeddings averaged over neighbours and nothing else',
  LIGHT_GCN_SETTINGS,
  (context) =>
    fitNetwork(context, {
      adjacency: normalizedWithoutLoops,
      record: (inputs) => recordLightGcn(inputs, context.settings),
      loss: 'bpr',
      mostInputs: Number.POSITIVE_INFINITY,
    }),
);

export function recordLightGcn(inputs: NetworkInputs, shape: { width: number; layers: number }): Network {
  const { tape, adjacency } = inputs;
  const start = tape.parameter(adjacency.rows, shape.width, 'E0');
  let sum = start; // by Horner's rule: E0 + Â (E0 + Â (…))
  for (let layer = 0; layer < shape.layers; layer++) {
    sum = tape.add(start, tape.spmm(adjacency, sum, { symmetric: true }));
  }
  const layers = [layerOf(inputs, tape.scale(sum, 1 / (shape.layers + 1)))];
  return { parameters: [start], layers, penalized: [layerOf(inputs, start)] };
}
