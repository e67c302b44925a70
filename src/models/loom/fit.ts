// How loom is fitted: the strengths of its views are chosen in a rehearsal, the views of every tagged object become one row of
// features, and ridge regressions are solved over them, with own tags and without; of their weights the largest are kept. Then the
// second stage learns from what the fits would have said. Of very many tagged objects, a sample is learnt from, each of which counts
// for those left out (graph/row-sample.ts). Where an exact solve over all features is too large, the one with own tags is solved in
// parts (ridge/best-of-two.ts), and there is no second stage.

import { type Csr, numRowsOf } from '../../csr.ts';
import { asHalves } from '../../data/half.ts';
import { type KnowledgeGraph, taggedObjects } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { CountedUsers } from '../../graph/counted-users.ts';
import { type RowSample, sampleRows } from '../../graph/row-sample.ts';
import type { Listener } from '../../listener.ts';
import { permutation, Random } from '../../random.ts';
import { type Confidence, confidenceFrom, confidenceInUse } from '../confidence.ts';
import { type Fit, type FitContext, modelKind } from '../model-kind.ts';
import { withFeatures } from '../ridge/kept-features.ts';
import type { RidgeProblem } from '../ridge/problem.ts';
import { solveDual, solveRidge } from '../ridge/ridge.ts';
import { addMeansOfDropped, largestWeights, type SelectedWeights } from '../ridge/selection.ts';
import type { Ridge } from '../ridge/solution.ts';
import { outcomesOfHeld, suggestedScores } from './confidence.ts';
import { viewContent } from './content.ts';
import type * as CountedProfiles from './counted-profiles.ts';
import { Hindsight } from './hindsight.ts';
import { learningRates } from './learning-rates.ts';
import { lookBack } from './look-back.ts';
import type { Loom, LoomWeights, Squares, UserCounts } from './loom.ts';
import { featureScales, isTooLarge, keptFeatures, MAX_KEPT, rarityFactors, ridgeProblem } from './problem.ts';
import { type UserView, viewUsers } from './profile.ts';
import { type Rehearsed, rehearse } from './rehearsal.ts';
import { LOOM_SETTINGS, type LoomSettings } from './settings.ts';
import { givenStrengths, type Strengths, withoutSilentParts } from './strengths.ts';
import { learnTextSpace } from './text-space.ts';
import { neighboursOf, type Sights, type Views, viewObjects } from './views.ts';

export const LOOM = modelKind(
  'a ridge regression on all that is known of an object, in closed form',
  LOOM_SETTINGS,
  fitLoom,
  { takesFeatures: true, rehearses: true },
);

type Chosen = Pick<Rehearsed, 'tagged' | 'untagged' | 'mixing'> & Partial<Pick<Rehearsed, 'isBetterWith'>>;

async function fitLoom(context: FitContext<LoomSettings>): Promise<Fit> {
  const { kernels, train, rehearsal, settings, listener } = context;
  const { sampleRows: numRows, rareCount } = settings;
  const sample = context.counted?.sample ?? sampleRows(train.tagged, { rows: numRows, rareCount });
  const sights = await look(context, sample);
  const isOpen = rehearsal !== undefined && settings.search === 'on';
  const rehearsed = isOpen ? await rehearse(kernels, train, rehearsal, sights, settings, listener) : undefined;
  const chosen = rehearsed ?? {
    tagged: givenStrengths(settings, sights.space, true),
    untagged: givenStrengths(settings, sights.space, false),
    mixing: [0, 1],
  };
  const { space, sides } = withoutSilentParts(sights.space, chosen);
  const { loom, confidence } = await solveLoom(kernels, train, { ...sights, space }, sides, settings, listener, sample);
  const users = context.counted?.users && userCountsOf(context.counted.users);
  return {
    fitted: { ...loom, ...(users && { users }) },
    settings: { ...settings, ...chosenSettings(chosen.tagged) },
    confidence,
    ...(rehearsed?.value !== undefined && { rehearsed: rehearsed.value }),
  };
}

/** Of the strengths those that are settings. */
function chosenSettings({ ownPenalty = 1, neighbours, profile, content }: Strengths): Partial<LoomSettings> {
  return { ownPenalty, neighbourStrength: neighbours, profileStrength: profile, contentStrength: content };
}

const MAX_SPARSE = 0.2; // of a table's numbers other than zero: fuller ones go by their leading directions

async function look(
  { kernels, train, features, settings, listener, counted }: FitContext<LoomSettings>,
  sample: RowSample,
): Promise<Sights> {
  const users = counted?.users
    ? await viewFile(kernels, counted.users, sample, settings, listener)
    : await viewUsers(kernels, train, settings, listener, sample);
  const isSparse = features && features.columns.length <= MAX_SPARSE * train.objects.size * features.numFeatures;
  const space = await learnTextSpace(train, isSparse ? features : undefined, settings, listener);
  const content = features && !isSparse ? await viewContent(kernels, features, settings) : undefined;
  return { users, space, content, ...(counted?.neighbours && { counted: counted.neighbours }) };
}

/** Loaded where it is asked for: pages have no files of pairs. */
async function viewFile(...args: Parameters<typeof CountedProfiles.viewCountedUsers>): Promise<UserView> {
  const { viewCountedUsers } = await import('./counted-profiles.ts');
  return viewCountedUsers(...args);
}

/** What the model keeps of users whose pairs with objects it does not have. */
function userCountsOf({ numObjectsOf, numUsersOf }: CountedUsers): UserCounts {
  const numInteractions = numUsersOf.reduce((sum, count) => sum + count, 0);
  return { numUsers: numObjectsOf.length, numInteractions, ofObjects: numUsersOf };
}

interface Solved {
  readonly loom: Loom;
  readonly confidence: Confidence | undefined;
}

/** `sample`: what is learnt from, if not all tagged objects. */
export async function solveLoom(
  kernels: Kernels,
  train: KnowledgeGraph,
  sights: Sights,
  chosen: Chosen,
  settings: LoomSettings,
  listener: Listener,
  sample: RowSample = { objects: taggedObjects(train) },
): Promise<Solved> {
  const neighbours = sights.counted ?? (await neighboursOf(train, sights, undefined, settings, listener));
  const kept = { damping: settings.userDamping, numNeighbours: settings.neighbours, neighbours };
  const { users, content, space } = sights;
  const text = { parts: space.parts, ...(space.features && { features: space.features }) };
  const finish = (sides: Pick<Loom, 'tagged' | 'untagged'>): Loom => ({
    ...{ form: 'loom', ...kept, text, profile: users.profile, mixing: Float32Array.from(chosen.mixing) },
    rarity: settings.rarity,
    ...(content && { content }),
    ...sides,
  });
  const viewSample = async ({ objects, weights }: RowSample): Promise<Views> => ({
    ...(await viewObjects(train, sights, objects, settings, listener, neighbours)),
    ...(weights && { weights: ofMeanOne(weights) }),
  });
  const rows = { numRows: sample.objects.length, hasUsers: users.numUsers.some((count) => count > 0) };
  if (!isTooLarge(train, rows, settings)) {
    const views = await viewSample(sample);
    return solveExactly(kernels, views, chosen, settings, finish, listener);
  }
  const { learnt, held } = heldBack(taggedObjects(train), sample, settings.seed);
  const solve = async (objects: RowSample): Promise<Loom> => {
    const views = await viewSample(objects);
    const untagged = await solveSide(kernels, views, chosen.untagged, settings, listener);
    untagged.ridge.release();
    return finish({
      untagged: untagged.weights,
      tagged: await solveInParts(kernels, views, chosen.tagged, settings, listener),
    });
  };
  const judged = await solve(learnt);
  const confidence = confidenceFrom(await outcomesOfHeld(kernels, judged, train, held, settings.seed, listener));
  const numUnlearnt = sample.objects.length - learnt.objects.length;
  return { loom: numUnlearnt > MAX_UNLEARNT * sample.objects.length ? await solve(sample) : judged, confidence };
}

const FEW_EXAMPLES = 5000; // objects with something hidden: enough to know how sure to be

/** To learn a second stage from: one of each object on average. More gain next to nothing, and its time stays a share of the fit's. */
function numExamplesFor(numObjects: number): number {
  return Math.max(FEW_EXAMPLES, Math.min(20_000, numObjects));
}

async function solveExactly(
  kernels: Kernels,
  views: Views,
  chosen: Chosen,
  settings: LoomSettings,
  finish: (sides: Pick<Loom, 'tagged' | 'untagged'>) => Loom,
  listener: Listener,
): Promise<Solved> {
  const untagged = await solveSide(kernels, views, chosen.untagged, settings, listener);
  try {
    const tagged = await solveSide(kernels, views, chosen.tagged, settings, listener);
    try {
      const ridges = { tagged: tagged.ridge, untagged: untagged.ridge };
      const hindsight = new Hindsight(views, ridges, rarityFactors(views.train, settings), settings.seed);
      const isWanted = settings.second === 'on';
      const options = {
        mixing: chosen.mixing,
        maxExamples: isWanted ? numExamplesFor(views.objects.length) : FEW_EXAMPLES,
        isForStage: isWanted,
      };
      const { judged, numObjects, unknown } = await lookBack(hindsight, views, options, listener);
      const { learnSecondStage } = await import('./learn-second-stage.ts'); // so that pages load it where they train
      const learnt = await learnSecondStage(judged, chosen.isBetterWith, isWanted, listener);
      const sides = { tagged: tagged.weights, untagged: untagged.weights };
      const loom = { ...finish(sides), ...(learnt.stage && { second: learnt.stage }) };
      const objects = Int32Array.from(hindsight.rounds[0], ({ object }) => object);
      const inUse = await suggestedScores(kernels, loom, views.train, objects, listener);
      const missingPerFound = (hindsight.missingPerHidden * inUse.numObjects) / Math.max(1, numObjects);
      const finds = { suggested: inUse.scores, found: learnt.found, missingPerFound };
      return { loom, confidence: confidenceInUse(finds, unknown) };
    } finally {
      tagged.ridge.release();
    }
  } finally {
    untagged.ridge.release();
  }
}

interface SolvedSide {
  readonly weights: LoomWeights;
  /** The caller releases it. */
  readonly ridge: Ridge;
}

/** One set of weights: exactly, over the features that count. */
async function solveSide(
  kernels: Kernels,
  views: Views,
  strengths: Strengths,
  settings: LoomSettings,
  listener: Listener,
): Promise<SolvedSide> {
  const whole = ridgeProblem(views, strengths, settings);
  const kept = keptFeatures(whole, views, strengths, settings);
  const { problem, restored } = withFeatures(whole, kept);
  const { ridge, squares } = await solveWithSquares(kernels, problem, strengths, views, listener);
  try {
    const perTarget = numKeptPerTag(settings, views.train.tags.size);
    const selected = await largestWeights(ridge, problem, { perTarget, listener });
    // products of words are kept, all of them
    if (problem.squares === undefined) addMeansOfDropped(problem, selected);
    const all = { ...selected, weights: restored(selected.weights) };
    const weights = weightsOf(views, strengths, settings, all, squares && (await squares()));
    return { weights: { ...weights, rates: learningRates(problem, views, strengths, settings, kept) }, ridge };
  } catch (error) {
    ridge.release();
    throw error;
  }
}

/** Where tags are few, pruning would cost more than the room it saves. */
function numKeptPerTag({ weightsPerTag, minWeights }: LoomSettings, numTags: number): number {
  return Math.max(weightsPerTag, Math.ceil(minWeights / Math.max(1, numTags)));
}

/** With products of words, what the fit leaves of each row has to be kept: it is asked for by `squares`. */
async function solveWithSquares(
  kernels: Kernels,
  problem: RidgeProblem,
  { squares: strengths }: Strengths,
  { train, objects }: Views,
  listener: Listener,
): Promise<{ readonly ridge: Ridge; readonly squares?: () => Promise<Squares> }> {
  if (problem.squares === undefined) return { ridge: await solveRidge(kernels, problem, listener) };
  const ridge = await solveDual(kernels, problem, listener);
  const squares = async (): Promise<Squares> => {
    const answers = await ridge.answersOf(Int32Array.from({ length: train.tags.size }, (_, t) => t));
    const numbers = await kernels.read(answers);
    kernels.release(answers);
    return { strengths: Float32Array.from(strengths), answers: ofAllTagged(numbers, problem, train, objects) };
  };
  return { ridge, squares };
}

/** What the fit leaves of all tagged objects: nothing of those it did not learn from; of the others as often as they count. */
function ofAllTagged(
  answers: Float32Array,
  { roots, numTargets }: RidgeProblem,
  train: KnowledgeGraph,
  objects: Int32Array,
): Float32Array {
  const tagged = taggedObjects(train);
  if (roots === undefined) return answers;
  const all = new Float32Array(tagged.length * numTargets);
  for (let i = 0, place = 0; i < objects.length; i++, place++) {
    while (tagged[place] !== objects[i]) place++;
    for (let t = 0; t < numTargets; t++) all[place * numTargets + t] = roots[i] * answers[i * numTargets + t];
  }
  return all;
}

/**
 * Penalties are for as many observations as there are rows. Weights that add up to all objects would trust a sample as if nothing
 * had been left out (half of the npm data, seed 1: Recall@3 .564, so .569).
 */
function ofMeanOne(weights: Float64Array): Float64Array {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.length);
  return weights.map((weight) => weight / mean);
}

const MAX_HELD = 2000; // objects not learnt from, to know how sure to be
/** Of all objects: a twentieth less to learn from costs 1 % of Recall@3 (Last.fm), so that of more another fit learns from all. */
const MAX_UNLEARNT = 0.02;

/** The objects held back are any tagged ones, so that they stand for all. */
function heldBack(
  tagged: Int32Array,
  { objects, weights }: RowSample,
  seed: number,
): { readonly learnt: RowSample; readonly held: Int32Array } {
  const order = permutation(tagged.length, new Random(seed, 'objects to find tags for'));
  const held = order.slice(0, Math.min(MAX_HELD, Math.floor(tagged.length / 20))).map((i) => tagged[i]);
  const isHeld = new Set(held);
  return {
    learnt: {
      objects: objects.filter((object) => !isHeld.has(object)),
      ...(weights && { weights: weights.filter((_, i) => !isHeld.has(objects[i])) }),
    },
    held,
  };
}

const MAX_FEATURES = 128; // of a tag in its sparse solve: tags that need more are mostly better solved by the strongest

/** The weights for objects with tags where an exact solve over all features is too large. */
async function solveInParts(
  kernels: Kernels,
  views: Views,
  strengths: Strengths,
  settings: LoomSettings,
  listener: Listener,
): Promise<LoomWeights> {
  const { solveBestOfTwo } = await import('../ridge/best-of-two.ts'); // large data alone need it: pages load it on demand
  const problem = ridgeProblem(views, { ...strengths, squares: [] }, settings);
  const selected = await solveBestOfTwo(kernels, problem, {
    perTarget: Math.min(MAX_FEATURES, settings.weightsPerTag),
    numStrongest: MAX_KEPT,
    numKept: numKeptPerTag(settings, views.train.tags.size),
    listener,
  });
  const weights = weightsOf(views, strengths, settings, selected);
  return { ...weights, rates: learningRates(problem, views, strengths, settings) };
}

/** LoomWeights as the file keeps them, in halves: a model says the same before and after it was saved. */
function weightsOf(
  views: Views,
  strengths: Strengths,
  settings: LoomSettings,
  { weights, rest }: SelectedWeights,
  squares?: Squares,
): LoomWeights {
  const { train, users, content } = views;
  const { width } = users.profile;
  const numTags = train.tags.size;
  const factors = rarityFactors(train, settings);
  const times = (numbers: Float32Array, factor: number) => numbers.map((one, i) => one * factor * factors[i % numTags]);
  const last = width + (content?.width ?? 0);
  const denseWeights = (first: number, end: number, strength: number) =>
    asHalves(times(rest.subarray(first * numTags, end * numTags), Math.sqrt(strength)));
  return {
    sparse: scaled(weights, featureScales(views, strengths, settings), factors),
    profile: denseWeights(0, width, strengths.profile),
    content: denseWeights(width, last, strengths.content),
    base: times(rest.subarray(last * numTags, (last + 1) * numTags), 1),
    mention: Float32Array.from(factors, (factor) => factor * strengths.mention),
    ...(squares && { squares: { ...squares, answers: asHalves(times(squares.answers, 1)) } }),
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
