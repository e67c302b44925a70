// loom from what is known of objects: the views of every tagged object become one row of features, a ridge regression is solved
// over them, and of its weights the strongest are kept. Where the exact solve is too large, a sparse one takes its place.

import { asHalves } from '../data/half.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { tagCounts } from '../data/statistics.ts';
import type { Kernels } from '../engine/kernels.ts';
import { GraphRows, type WeightedGraph } from '../graph/weighted-graph.ts';
import type { Listener } from '../listener.ts';
import type { Outcome } from '../models/confidence.ts';
import type { Loom } from '../models/loom.ts';
import { permutation, Random } from '../random.ts';
import type { LoomSettings } from './config-loom.ts';
import { outcomesOfFit, outcomesOfHeld } from './loom-outcomes.ts';
import { taggedObjects, type Views } from './loom-views.ts';
import { solveRidge } from './ridge.ts';
import type { RidgeProblem } from './ridge-problem.ts';
import { solveSparseRidge } from './sparse-ridge.ts';
import { type SelectedWeights, strongestWeights } from './strongest-weights.ts';

export interface Woven {
  readonly loom: Loom;
  readonly outcomes: Outcome[];
}

const MAX_SIZE = 16_000; // of the matrix to invert: a gigabyte, and some minutes on two cores

/** `views` are those of all objects: their rows go by ids. */
export async function weave(
  kernels: Kernels,
  views: Views,
  settings: LoomSettings,
  listener: Listener,
): Promise<Woven> {
  const tagged = taggedObjects(views.train);
  const numFeatures = 2 * views.train.tags.size + views.vocabulary.size; // but for a few hundred dense ones
  const isSmall = Math.min(tagged.length, numFeatures) <= MAX_SIZE;
  const isExact = settings.solve === 'exact' || (settings.solve === 'auto' && isSmall);
  return isExact
    ? weaveExactly(kernels, views, tagged, settings, listener)
    : weaveSparsely(kernels, views, tagged, settings, listener);
}

async function weaveExactly(
  kernels: Kernels,
  views: Views,
  tagged: Int32Array,
  settings: LoomSettings,
  listener: Listener,
): Promise<Woven> {
  const problem = ridgeProblem(views, tagged, settings);
  const ridge = await solveRidge(kernels, problem, listener);
  try {
    const selected = await strongestWeights(ridge, problem, { perTarget: settings.weightsPerTag, listener });
    const loom = loomOf(views, settings, selected);
    const judging = { seed: settings.seed, factors: rarityFactors(views.train, settings) };
    return { loom, outcomes: await outcomesOfFit(ridge, loom, views.train, tagged, judging, listener) };
  } finally {
    ridge.release();
  }
}

const MAX_FEATURES = 128; // of a tag: more cost time with their cube and gain next to nothing
const MAX_HELD = 2000; // objects not learnt from, to know how sure to be

async function weaveSparsely(
  kernels: Kernels,
  views: Views,
  tagged: Int32Array,
  settings: LoomSettings,
  listener: Listener,
): Promise<Woven> {
  const order = permutation(tagged.length, new Random(settings.seed, 'objects to find tags for'));
  const numHeld = Math.min(MAX_HELD, Math.floor(tagged.length / 20));
  const held = order.slice(0, numHeld).map((i) => tagged[i]);
  const learnt = order
    .slice(numHeld)
    .map((i) => tagged[i])
    .sort();
  const problem = ridgeProblem(views, learnt, settings);
  const perTarget = Math.min(MAX_FEATURES, settings.weightsPerTag);
  const loom = loomOf(views, settings, await solveSparseRidge(kernels, problem, { perTarget, listener }));
  return { loom, outcomes: await outcomesOfHeld(kernels, loom, views.train, held, settings.seed, listener) };
}

/** Weights as the file keeps them, in halves: a model says the same before and after it was saved. */
function loomOf(views: Views, settings: LoomSettings, { weights, rest }: SelectedWeights): Loom {
  const { train, users, neighbours, vocabulary, content } = views;
  const { width } = users.profile;
  const numTags = train.tags.size;
  const factors = rarityFactors(train, settings);
  const denseWeights = (first: number, end: number, strength: number) =>
    asHalves(
      rest.subarray(first * numTags, end * numTags).map((one, i) => one * Math.sqrt(strength) * factors[i % numTags]),
    );
  const last = width + (content?.width ?? 0);
  return {
    form: 'loom',
    damping: settings.userDamping,
    numNeighbours: settings.neighbours,
    neighbours,
    words: vocabulary,
    weights: scaled(weights, featureScales(views, settings), factors),
    profile: { ...users.profile, weights: denseWeights(0, width, settings.profileStrength) },
    ...(content && { content: { ...content, weights: denseWeights(width, last, settings.contentStrength) } }),
    base: rest.subarray(last * numTags, (last + 1) * numTags).map((one, tag) => one * factors[tag]),
  };
}

/** By tag what its scores are multiplied by: a little less for common tags, which a curator would not miss. */
export function rarityFactors(train: KnowledgeGraph, { rarity }: LoomSettings): Float64Array {
  return Float64Array.from(tagCounts(train), (count) => Math.max(1, count) ** -rarity);
}

/** Sparse columns: own tags, neighbours' tags, words; dense ones: profile, content, a constant. Rows: some objects. */
function ridgeProblem(views: Views, objects: Int32Array, settings: LoomSettings): RidgeProblem {
  const { train, users, means, words } = views;
  const { tagged, tags } = train;
  const scales = featureScales(views, settings);
  const rows = new GraphRows(objects.length);
  for (const object of objects) {
    for (const tag of tagged.row(object)) rows.add(tag, scales[tag]);
    for (let e = means.rowStart[object]; e < means.rowStart[object + 1]; e++) {
      const feature = tags.size + means.columns[e];
      rows.add(feature, means.values[e] * scales[feature]);
    }
    for (let e = words.rowStart[object]; e < words.rowStart[object + 1]; e++) {
      const feature = 2 * tags.size + words.columns[e];
      rows.add(feature, scales[feature]);
    }
    rows.endRow();
  }
  const { rowStart, columns, weights: values } = rows.finish();
  return {
    numRows: objects.length,
    numSparse: scales.length,
    sparse: { rowStart, columns, values },
    numDense: users.profile.width + (views.content?.width ?? 0) + 1,
    dense: denseRows(views, objects, settings),
    numTargets: tags.size,
    targetScales: scales.subarray(0, tags.size),
  };
}

/** Profile and content, times their scales, and a one. */
function denseRows({ users, content }: Views, objects: Int32Array, settings: LoomSettings): Float32Array {
  const parts = [
    { rows: users.profiles, width: users.profile.width, scale: Math.sqrt(settings.profileStrength) },
    ...(content ? [{ ...content, scale: Math.sqrt(settings.contentStrength) }] : []),
  ];
  const numDense = parts.reduce((sum, { width }) => sum + width, 1);
  const dense = new Float32Array(objects.length * numDense);
  for (const [i, object] of objects.entries()) {
    let at = i * numDense;
    for (const { rows, width, scale } of parts) {
      for (let k = 0; k < width; k++) dense[at++] = rows[object * width + k] * scale;
    }
    dense[at] = 1;
  }
  return dense;
}

/** By which own tags, neighbours' tags and words are multiplied so that their penalty is 1. */
function featureScales({ train, vocabulary }: Views, settings: LoomSettings): Float32Array {
  const numTags = train.tags.size;
  const scales = new Float32Array(2 * numTags + vocabulary.size);
  scales.set(tagScales(train, settings));
  scales.fill(Math.sqrt(settings.neighbourStrength), numTags, 2 * numTags);
  scales.fill(Math.sqrt(settings.wordStrength), 2 * numTags);
  return scales;
}

/** Those of own tags, s_t. */
export function tagScales(train: KnowledgeGraph, { ownPenalty, countPenalty }: LoomSettings): Float32Array {
  return Float32Array.from(tagCounts(train), (count) => 1 / Math.sqrt(ownPenalty + countPenalty * count));
}

function scaled(graph: WeightedGraph, rowScales: Float32Array, columnScales: Float64Array): WeightedGraph {
  const weights = new Float32Array(graph.weights.length);
  for (let row = 0; row < graph.numNodes; row++) {
    for (let e = graph.rowStart[row]; e < graph.rowStart[row + 1]; e++) {
      weights[e] = graph.weights[e] * rowScales[row] * columnScales[graph.columns[e]];
    }
  }
  return { ...graph, weights: asHalves(weights) };
}
