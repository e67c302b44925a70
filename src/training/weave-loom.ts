// loom from what is known of objects: the views of every tagged object become one row of features, a ridge regression is solved
// over them, and of its weights the strongest are kept.

import { tagCounts } from '../data/statistics.ts';
import type { Kernels } from '../engine/kernels.ts';
import { GraphRows, type WeightedGraph } from '../graph/weighted-graph.ts';
import type { Listener } from '../listener.ts';
import type { Outcome } from '../models/confidence.ts';
import { knownWords, type Loom } from '../models/loom.ts';
import type { LoomSettings } from './config-loom.ts';
import { loomOutcomes } from './loom-outcomes.ts';
import type { Views } from './loom-views.ts';
import { type RidgeProblem, solveRidge } from './ridge.ts';
import { strongestWeights } from './strongest-weights.ts';

/** Solves for the weights and keeps the strongest; outcomes if they are asked for. */
export async function weave(
  kernels: Kernels,
  views: Views,
  settings: LoomSettings,
  { judges = false, listener }: { readonly judges?: boolean; readonly listener: Listener },
): Promise<{ loom: Loom; outcomes: Outcome[] }> {
  const { train, objects } = views;
  const problem = ridgeProblem(views, settings);
  const ridge = await solveRidge(kernels, problem, listener);
  try {
    const { weights, rest } = await strongestWeights(ridge, problem, {
      numSparse: 2 * train.tags.size + views.words.size,
      perTarget: settings.weightsPerTag,
      listener,
    });
    const { width } = views.profile;
    const numTags = train.tags.size;
    const loom: Loom = {
      form: 'loom',
      damping: settings.userDamping,
      numNeighbours: settings.neighbours,
      neighbours: views.neighbours,
      words: views.words,
      weights: scaledRows(weights, featureScales(views, settings)),
      profile: {
        ...views.profile,
        weights: rest.subarray(0, width * numTags).map((weight) => weight * Math.sqrt(settings.profileStrength)),
      },
      base: rest.subarray(width * numTags, (width + 1) * numTags).slice(),
    };
    const { seed } = settings;
    return { loom, outcomes: judges ? await loomOutcomes(ridge, loom, train, objects, { seed, listener }) : [] };
  } finally {
    ridge.release();
  }
}

/** Columns: own tags, neighbours' tags, words, the profile, a constant; rows: the tagged objects. */
function ridgeProblem(views: Views, settings: LoomSettings): RidgeProblem {
  const { train, means, words, profile, profiles, objects } = views;
  const { tagged, tags } = train;
  const { width } = profile;
  const scales = featureScales(views, settings);
  const numSparse = scales.length;
  const profileScale = Math.sqrt(settings.profileStrength);
  const rows = new GraphRows(objects.length);
  for (const object of objects) {
    for (const tag of tagged.row(object)) rows.add(tag, scales[tag]);
    for (let e = means.rowStart[object]; e < means.rowStart[object + 1]; e++) {
      const feature = tags.size + means.columns[e];
      rows.add(feature, means.values[e] * scales[feature]);
    }
    for (const word of knownWords(words, train.titles.at(object))) {
      rows.add(2 * tags.size + word, scales[2 * tags.size + word]);
    }
    for (let k = 0; k < width; k++) rows.add(numSparse + k, profiles[object * width + k] * profileScale);
    rows.add(numSparse + width, 1);
    rows.endRow();
  }
  const { rowStart, columns, weights: values } = rows.finish();
  return {
    numRows: objects.length,
    numFeatures: numSparse + width + 1,
    features: { rowStart, columns, values },
    numTargets: tags.size,
    targetScales: scales.subarray(0, tags.size),
  };
}

/** By which own tags, neighbours' tags and words are multiplied so that their penalty is 1. */
function featureScales({ train, words }: Views, settings: LoomSettings): Float32Array {
  const counts = tagCounts(train);
  const scales = new Float32Array(2 * counts.length + words.size);
  for (let tag = 0; tag < counts.length; tag++) {
    scales[tag] = 1 / Math.sqrt(settings.ownPenalty + settings.countPenalty * counts[tag]);
  }
  scales.fill(Math.sqrt(settings.neighbourStrength), counts.length, 2 * counts.length);
  scales.fill(Math.sqrt(settings.wordStrength), 2 * counts.length);
  return scales;
}

function scaledRows(graph: WeightedGraph, scales: Float32Array): WeightedGraph {
  const weights = graph.weights.slice();
  for (let row = 0; row < graph.numNodes; row++) {
    for (let e = graph.rowStart[row]; e < graph.rowStart[row + 1]; e++) weights[e] *= scales[row];
  }
  return { ...graph, weights };
}
