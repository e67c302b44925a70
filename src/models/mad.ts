// MAD, modified adsorption (Talukdar and Crammer, "New regularized algorithms for transductive learning", ECML PKDD
// 2009): objects pass labels to their neighbours in the object graph. At each object v a walk takes up the object's own
// tags (injection), goes on to a neighbour (continuation) or gives up (abandonment), with probabilities from the entropy
// H of its edges: a hub is rather abandoned, an object with tags and several neighbours injects.
//
//   c = log β / log(β + e^H), β = 2;  d = (1 − c) √H if v has tags, else 0;  z = max(c + d, 1)
//   p_cont = c / z, p_inj = d / z, p_abnd = 1 − p_cont − p_inj
//   Ŷ_v = (μ1 p_inj_v Y_v + μ2 Σ_u (p_cont_v W_vu + p_cont_u W_uv) Ŷ_u + μ3 p_abnd_v R_v) / M_v, again and again
//   M_v = μ1 p_inj_v + μ2 Σ_u (p_cont_v W_vu + p_cont_u W_uv) + μ3
//
// Y_v has a 1 for each tag of v. R_v is the dummy label, "none of these": a column of its own, on which the tags' do not
// depend and which is never suggested, so it is left out.

import { type Csr, numRowsOf } from '../csr.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Dense } from '../engine/matrix.ts';
import { buildGraph } from '../graph/dual-graphs.ts';
import type { Listener } from '../listener.ts';
import { linearScale, logScale, MANY, SEED, type SettingList, type SettingsOf } from '../settings.ts';
import type { SparseScores } from './forms/sparse-scores.ts';
import { modelKind } from './model-kind.ts';
import { KEPT_TAGS, propagateTags } from './propagate.ts';

export const MAD_SETTINGS = {
  injection: { default: 1, min: 0, max: MANY, help: 'μ1: how closely objects keep to their own tags' },
  continuation: {
    default: 1e-4,
    min: 0,
    max: MANY,
    tune: logScale(1e-6, 1),
    help: 'μ2: how similar neighbours become',
  },
  abandonment: {
    default: 1,
    min: 1e-6,
    max: MANY,
    tune: logScale(0.01, 100),
    help: 'μ3: pull towards no tag at all',
  },
  rounds: {
    default: 4,
    min: 1,
    max: 1000,
    whole: true,
    tune: linearScale(2, 8),
    help: 'times labels are passed on, with the own ones',
  },
  objectShift: {
    default: 1,
    min: 1e-6,
    max: MANY,
    tune: logScale(0.1, 10),
    help: 'k of SPPMI in the object graph; smaller is denser',
  },
  neighbours: {
    default: 100,
    min: 0,
    max: MANY,
    whole: true,
    tune: logScale(10, 500),
    help: 'heaviest edges kept for each object; 0: all',
  },
  minCount: { default: 1, min: 1, max: MANY, whole: true, help: 'users two objects must share to be neighbours' },
  maxPerMiddle: { default: 5000, min: 2, max: 1e9, whole: true, help: 'objects of one user that count for paths' },
  keep: KEPT_TAGS,
  seed: SEED,
} as const satisfies SettingList;

export type MadSettings = SettingsOf<typeof MAD_SETTINGS>;

export const MAD = modelKind(
  'modified adsorption: tags passed on along the object graph',
  MAD_SETTINGS,
  async ({ kernels, train, settings, listener }) => ({ fitted: await fitMad(kernels, train, settings, listener) }),
);

const BETA = 2; // as published

export async function fitMad(
  kernels: Kernels,
  train: KnowledgeGraph,
  settings: MadSettings,
  listener: Listener = {},
): Promise<SparseScores> {
  const { rounds, keep, objectShift } = settings;
  const graph = await buildGraph(train.interact, { ...settings, shift: objectShift }, listener);
  const { injected, values } = adsorption(graph, train, settings);
  const numNodes = numRowsOf(graph);
  const spread = kernels.sparse(numNodes, numNodes, { ...graph, values });
  const step = (next: Dense, current: Dense) => kernels.spmm(next, spread, current, true);
  try {
    return await propagateTags(kernels, train, { injected, step, rounds, keep }, listener);
  } finally {
    kernels.release(spread);
  }
}

/** What is multiplied by, M and all: own tags by `injected` (numNodes), neighbours' labels by `values` (numEdges). */
function adsorption(graph: Csr, { tagged }: KnowledgeGraph, settings: MadSettings) {
  const { rowStart, columns, values: weights } = graph;
  const numNodes = numRowsOf(graph);
  const { injection: mu1, continuation: mu2, abandonment: mu3 } = settings;
  const [injects, continues] = [new Float64Array(numNodes), new Float64Array(numNodes)]; // p_inj, p_cont
  for (let v = 0; v < numNodes; v++) {
    const h = entropy(weights.subarray(rowStart[v], rowStart[v + 1]));
    const c = Math.log(BETA) / Math.log(BETA + Math.exp(h));
    const d = tagged.rowLength(v) > 0 ? (1 - c) * Math.sqrt(h) : 0;
    continues[v] = c / Math.max(c + d, 1);
    injects[v] = d / Math.max(c + d, 1);
  }
  const [injected, values] = [new Float32Array(numNodes), new Float32Array(weights.length)];
  for (let v = 0; v < numNodes; v++) {
    let m = mu1 * injects[v] + mu3;
    for (let e = rowStart[v]; e < rowStart[v + 1]; e++) {
      values[e] = mu2 * (continues[v] + continues[columns[e]]) * weights[e]; // W is symmetric
      m += values[e];
    }
    for (let e = rowStart[v]; e < rowStart[v + 1]; e++) values[e] /= m;
    injected[v] = (mu1 * injects[v]) / m;
  }
  return { injected, values };
}

/** Of the neighbour a walk goes to, each with a probability in proportion to its weight. */
function entropy(weights: Float32Array): number {
  let total = 0;
  for (const weight of weights) total += weight;
  let sum = 0;
  for (const weight of weights) sum -= (weight / total) * Math.log(weight / total);
  return sum;
}
