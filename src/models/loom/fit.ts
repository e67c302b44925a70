// How loom is fitted: the strengths of its views are chosen in a rehearsal, the views of every tagged object become one row of
// features, a ridge regression is solved over them, and of its weights the largest are kept. Where the exact solve is too
// large, a sparse one takes its place.

import { type Csr, numRowsOf } from '../../csr.ts';
import { asHalves } from '../../data/half.ts';
import { allObjects, taggedObjects } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Listener } from '../../listener.ts';
import { permutation, Random } from '../../random.ts';
import { confidenceFrom, type Outcome } from '../confidence.ts';
import { type Fit, type FitContext, modelKind } from '../model-kind.ts';
import { solveRidge } from '../ridge/ridge.ts';
import { largestWeights, type SelectedWeights } from '../ridge/selection.ts';
import { solveSparseRidge } from '../ridge/sparse.ts';
import { outcomesOfFit, outcomesOfHeld } from './confidence.ts';
import { viewContent } from './content.ts';
import type { Loom } from './loom.ts';
import { featureScales, rarityFactors, ridgeProblem } from './problem.ts';
import { viewUsers } from './profile.ts';
import { rehearse } from './rehearsal.ts';
import { LOOM_SETTINGS, type LoomSettings } from './settings.ts';
import { type Views, viewObjects } from './views.ts';

export const LOOM = modelKind(
  'a ridge regression on all that is known of an object, in closed form',
  LOOM_SETTINGS,
  fitLoom,
  { takesFeatures: true, rehearses: true },
);

async function fitLoom(context: FitContext<LoomSettings>): Promise<Fit> {
  const { kernels, train, features, rehearsal, listener } = context;
  const users = await viewUsers(kernels, train, context.settings, listener);
  const content = features && (await viewContent(kernels, features, context.settings));
  const isOpen = rehearsal !== undefined && context.settings.search === 'on';
  const rehearsed = isOpen
    ? await rehearse(kernels, rehearsal, { users, content }, context.settings, listener)
    : undefined;
  const settings = rehearsed?.settings ?? context.settings;
  const views = { ...(await viewObjects(train, users, allObjects(train), settings, listener)), content };
  const { loom, outcomes } = await solveLoom(kernels, views, settings, listener);
  return {
    fitted: loom,
    settings,
    confidence: confidenceFrom(outcomes),
    ...(rehearsed?.value !== undefined && { rehearsed: rehearsed.value }),
  };
}

interface Solved {
  readonly loom: Loom;
  /** What became of its suggestions where it did not know the answer. */
  readonly outcomes: Outcome[];
}

const MAX_SIZE = 16_000; // of the matrix to invert: a gigabyte, and some minutes on two cores

/** `views` are those of all objects: their rows go by ids. */
export async function solveLoom(
  kernels: Kernels,
  views: Views,
  settings: LoomSettings,
  listener: Listener,
): Promise<Solved> {
  const tagged = taggedObjects(views.train);
  const numFeatures = 2 * views.train.tags.size + views.vocabulary.size; // but for a few hundred dense ones
  const isSmall = Math.min(tagged.length, numFeatures) <= MAX_SIZE;
  const isExact = settings.solve === 'exact' || (settings.solve === 'auto' && isSmall);
  return isExact
    ? solveExactly(kernels, views, tagged, settings, listener)
    : solveSparsely(kernels, views, tagged, settings, listener);
}

async function solveExactly(
  kernels: Kernels,
  views: Views,
  tagged: Int32Array,
  settings: LoomSettings,
  listener: Listener,
): Promise<Solved> {
  const problem = ridgeProblem(views, tagged, settings);
  const ridge = await solveRidge(kernels, problem, listener);
  try {
    const selected = await largestWeights(ridge, problem, { perTarget: settings.weightsPerTag, listener });
    const loom = loomOf(views, settings, selected);
    const judging = { seed: settings.seed, factors: rarityFactors(views.train, settings) };
    return { loom, outcomes: await outcomesOfFit(ridge, loom, views.train, tagged, judging, listener) };
  } finally {
    ridge.release();
  }
}

const MAX_FEATURES = 128; // of a tag: more cost time with their cube and gain next to nothing
const MAX_HELD = 2000; // objects not learnt from, to know how sure to be

async function solveSparsely(
  kernels: Kernels,
  views: Views,
  tagged: Int32Array,
  settings: LoomSettings,
  listener: Listener,
): Promise<Solved> {
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

function scaled(graph: Csr, rowScales: Float32Array, columnScales: Float64Array): Csr {
  const values = new Float32Array(graph.values.length);
  for (let row = 0; row < numRowsOf(graph); row++) {
    for (let e = graph.rowStart[row]; e < graph.rowStart[row + 1]; e++) {
      values[e] = graph.values[e] * rowScales[row] * columnScales[graph.columns[e]];
    }
  }
  return { ...graph, values: asHalves(values) };
}
