// The whole flow in one short file; read it first. A data set is loaded (data/), becomes graphs (graph/), a model is
// fitted to it (models/, training/), measured (evaluation/) and saved, and suggests tags (serving/).

import { type Features, featuresFingerprint } from './data/features.ts';
import { fingerprint, type KnowledgeGraph } from './data/knowledge-graph.ts';
import { sampleObjects } from './data/sample.ts';
import { type Split, split } from './data/split.ts';
import type { Kernels } from './engine/kernels.ts';
import { type EngineOptions, openKernels } from './engine/open.ts';
import { allowingForMissing, confidenceFrom } from './evaluation/calibration.ts';
import { type Evaluation, evaluate, meanOf } from './evaluation/evaluate.ts';
import type { CellResult } from './evaluation/experiment.ts';
import { type Experiment, runCells } from './evaluation/run-cells.ts';
import type { Listener } from './listener.ts';
import { MISSING_SHARE } from './models/confidence.ts';
import type { Fitted, Model, Settings } from './models/model.ts';
import { openScorer } from './models/scorer.ts';
import { permutation, Random } from './random.ts';
import { loadCheckpoint, saveCheckpoint } from './training/checkpoint.ts';
import { resolveSettings } from './training/config.ts';
import type { Rehearsal } from './training/model-kind.ts';
import { modelKind } from './training/models.ts';
import { drawTrials } from './training/search-space.ts';
import type { Checkpointing, EpochReport } from './training/trainer.ts';
import { TrialStore } from './training/trial-store.ts';
import { type Clock, type SearchResult, searchTrials } from './training/tune.ts';

export { readFolder as load } from './data/folder.ts';
export { CellStore } from './evaluation/cell-store.ts';
export { summarize } from './evaluation/experiment.ts';
export { loadModel, saveModel } from './models/model-file.ts';
export { Recommender, type Suggestion } from './serving/recommender.ts';
export { MODELS } from './training/models.ts';

export interface TrainOptions extends EngineOptions {
  /** One of MODELS. */
  readonly model: string;
  readonly settings?: Settings;
  /** Content of the objects, for models that take it. */
  readonly features?: Features | undefined;
  readonly onEpoch?: (report: EpochReport) => void;
  /** A file that a stopped run goes on from; kept up to date meanwhile. The caller removes it. */
  readonly checkpoint?: { readonly path: string; readonly resume: boolean; readonly everyMs?: number };
}

const CHECKPOINT_MS = 30_000;

/** Fits a model to a data set. A share of its pairs is kept back for validation where the model learns in epochs. */
export async function train(graph: KnowledgeGraph, options: TrainOptions, listener: Listener = {}): Promise<Model> {
  return withKernels(options, listener, (kernels) => trainOn(kernels, graph, options, listener));
}

async function trainOn(kernels: Kernels, graph: KnowledgeGraph, options: TrainOptions, listener: Listener) {
  const { model: name, features, onEpoch } = options;
  const kind = modelKind(name);
  const settings: Settings = resolveSettings(kind.settings, options.settings);
  const share = Number(settings.validation ?? 0);
  const parts = share > 0 && graph.tagged.size > 1 ? validationSplit(graph, share, Number(settings.seed)) : undefined;
  const checkpoint =
    options.checkpoint &&
    (await checkpointing(options.checkpoint, { model: name, settings, data: identityOf(graph, features) }));
  const watch = {
    ...(parts === undefined
      ? {}
      : { validate: (fitted: Fitted) => validationRecall(kernels, fitted, parts, listener) }),
    ...(onEpoch === undefined ? {} : { onEpoch }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
  const rehearsal =
    kind.rehearses && graph.tagged.size > 1 ? rehearsalOf(graph, Number(settings.seed), listener) : undefined;
  const started = { kernels, train: parts?.train ?? graph, settings, features, watch, listener, rehearsal };
  const { fitted, training, rehearsed, outcomes, settings: chosen = settings } = await kind.fit(started);
  const isKnown = outcomes !== undefined && outcomes.length >= MIN_OUTCOMES;
  const confidence = isKnown ? allowingForMissing(confidenceFrom(outcomes)) : undefined;
  const metrics = {
    ...(rehearsed === undefined ? {} : { 'validation recall@3': rehearsed }),
    ...(training === undefined ? {} : { epochs: training.epochs }),
    ...(training?.best === undefined
      ? {}
      : { 'validation recall@3': training.best.value, 'best epoch': training.best.epoch }),
  };
  return { name, settings: chosen, graph, fitted, metrics, ...(confidence && { confidence }) };
}

export interface CompareOptions extends EngineOptions, Omit<Experiment, 'data' | 'settingsOf' | 'fit'> {
  /** By model. */
  readonly settings?: Readonly<Record<string, Settings>>;
  /** What the data set is called. */
  readonly data?: string;
}

/** Fits each model to the training side of each split and measures it on the other. */
export async function compare(
  graph: KnowledgeGraph,
  options: CompareOptions,
  listener: Listener = {},
): Promise<CellResult[]> {
  const settingsOf = (model: string, seed: number) => {
    const list = modelKind(model).settings;
    return resolveSettings(list, { ...('seed' in list ? { seed } : {}), ...options.settings?.[model] });
  };
  return withKernels(options, listener, (kernels) => {
    const fit: Experiment['fit'] = (model, settings, data, inner) => trainOn(kernels, data, { model, settings }, inner);
    return runCells(kernels, graph, { data: 'data', ...options, settingsOf, fit }, listener);
  });
}

export interface TuneOptions extends EngineOptions {
  /** One of MODELS. */
  readonly model: string;
  readonly budgetMs: number;
  /** Configurations, at most; 50 unless told. */
  readonly trials?: number;
  /** What is drawn, and which pairs are kept back; 1 unless told. */
  readonly seed?: number;
  /** These are not searched. */
  readonly settings?: Settings;
  /** A file that a stopped search goes on from. */
  readonly store?: { readonly path: string; readonly resume: boolean };
  readonly clock?: Clock;
}

/** Searches the settings of a model for the best Recall@3 on a share of the pairs, kept back from every fit. */
export async function tune(
  graph: KnowledgeGraph,
  options: TuneOptions,
  listener: Listener = {},
): Promise<SearchResult> {
  const { model, budgetMs, seed = 1, clock } = options;
  const { settings: list } = modelKind(model);
  const given = options.settings ?? {};
  const drawn = drawTrials(list, given, options.trials ?? 50, seed);
  // the defaults as they are; where a model would search by itself, drawn settings stay as they were drawn
  const isFixed = 'search' in list && given.search === undefined;
  const trials = drawn.map((settings, i) => (isFixed && i > 0 ? { ...settings, search: 'off' } : settings));
  const inEpochs = 'epochs' in list;
  const shares = inEpochs || graph.tagged.size >= MIN_SAMPLED ? [1 / 4, 1 / 2, 1] : [1];
  const parts = shares.map((share) => tuningSplit(sampleObjects(graph, inEpochs ? 1 : share, seed), seed));
  const evaluate = (drawn: Settings, rung: number, inner: Listener) =>
    // kernels of its own: what a failed trial leaves behind goes with them
    withKernels(options, inner, async (kernels) => {
      const epochs = Math.ceil(shares[rung] * Number(resolveSettings(list, drawn).epochs));
      const settings = inEpochs ? { ...drawn, epochs } : drawn;
      const { fitted } = await trainOn(kernels, parts[rung].train, { model, settings }, inner);
      return validationRecall(kernels, fitted, parts[rung], inner);
    });
  const identity = { model, settings: given, seed, data: fingerprint(graph) };
  const store = options.store && (await TrialStore.open(options.store.path, identity, options.store.resume));
  const search = { shares, budgetMs, evaluate, ...(store && { store }), ...(clock && { clock }) };
  return searchTrials(trials, search, listener);
}

const TUNING_SEED = 2 ** 33; // so that these are neither test pairs nor those a fit keeps back
const TUNING_SHARE = 0.1;
const MIN_SAMPLED = 400; // pairs; a quarter of fewer says nothing

function tuningSplit(graph: KnowledgeGraph, seed: number): Split {
  return split(graph, { trainFraction: 1 - TUNING_SHARE, seed: seed + TUNING_SEED });
}

const VALIDATION_SEED = 2 ** 32; // so that no split into training and test pairs is repeated inside its training pairs

function validationSplit(graph: KnowledgeGraph, share: number, seed: number) {
  return split(graph, { trainFraction: 1 - share, seed: seed + VALIDATION_SEED });
}

const MIN_OUTCOMES = 100; // from fewer nobody can tell how sure to be
const MAX_JUDGED = 1500; // objects that strengths are chosen on

/** Part of the pairs hidden, to be found again: Recall@3 of a sample of the objects. */
function rehearsalOf(graph: KnowledgeGraph, seed: number, listener: Listener): Rehearsal {
  const { train, test } = split(graph, { trainFraction: 1 - MISSING_SHARE, seed: seed + VALIDATION_SEED });
  const order = permutation(test.numHeads, new Random(1, 'objects to judge on'));
  const judged = order.filter((object) => test.rowLength(object) > 0).subarray(0, MAX_JUDGED);
  const isJudged = new Set(judged);
  const hidden = test.select(Uint8Array.from(test.heads, (object) => (isJudged.has(object) ? 1 : 0)));
  return {
    train,
    judged,
    judge: async (score) => meanOf(await evaluate(score, { train, test: hidden }, [3], quiet(listener)), 'recall@3'),
  };
}

async function validationRecall(kernels: Kernels, fitted: Fitted, parts: Split, listener: Listener): Promise<number> {
  return meanOf(await measure(kernels, fitted, parts, [3], quiet(listener)), 'recall@3');
}

/** Where steps of the fit are the progress to show. */
function quiet(listener: Listener): Listener {
  return { ...listener, progress: () => {} };
}

async function checkpointing(
  { path, resume, everyMs = CHECKPOINT_MS }: NonNullable<TrainOptions['checkpoint']>,
  identity: { model: string; settings: Settings; data: string },
): Promise<Checkpointing> {
  return {
    everyMs,
    resume: resume ? await loadCheckpoint(path, identity) : undefined,
    save: (state) => saveCheckpoint(path, identity, state),
  };
}

/** A checkpoint is of no use with other data or other features. */
function identityOf(graph: KnowledgeGraph, features: Features | undefined): string {
  return features === undefined ? fingerprint(graph) : `${fingerprint(graph)} ${featuresFingerprint(features)}`;
}

/** Ranks all tags for all objects with a test pair. */
export async function measure(
  kernels: Kernels,
  fitted: Fitted,
  parts: Split,
  ks: readonly number[],
  listener: Listener = {},
): Promise<Evaluation> {
  const scorer = openScorer(kernels, fitted, parts.train);
  try {
    return await evaluate(scorer.score, parts, ks, listener);
  } finally {
    scorer.release();
  }
}

export async function withKernels<Result>(
  options: EngineOptions,
  listener: Listener,
  use: (kernels: Kernels) => Promise<Result>,
): Promise<Result> {
  const { backend, threads, fused, gpu } = options;
  const kernels = await openKernels({
    ...(backend === undefined ? {} : { backend }),
    ...(threads === undefined ? {} : { threads }),
    ...(fused === undefined ? {} : { fused }),
    ...(gpu === undefined ? {} : { gpu }),
    ...(listener.warn === undefined ? {} : { warn: listener.warn }),
  });
  try {
    return await use(kernels);
  } finally {
    kernels.close();
  }
}
