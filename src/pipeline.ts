// The whole flow in one short file; read it first. A data set is loaded (data/), becomes graphs (graph/), a model is
// fitted to it (models/, training/), measured (evaluation/) and saved, and suggests tags (serving/).

import { fingerprint, type KnowledgeGraph } from './data/knowledge-graph.ts';
import { sampleObjects } from './data/sample.ts';
import { type Split, split } from './data/split.ts';
import type { EngineOptions } from './engine/open.ts';
import type { CellResult } from './evaluation/experiment.ts';
import { type Experiment, runCells } from './evaluation/run-cells.ts';
import type { Listener } from './listener.ts';
import type { Model, Settings } from './models/model.ts';
import { type FitOptions, fitModel, validationRecall, withKernels } from './pipeline/fit-model.ts';
import { loadCheckpoint, type RunIdentity, saveCheckpoint } from './training/checkpoint.ts';
import { resolveSettings } from './training/config.ts';
import { modelKind } from './training/models.ts';
import { drawTrials } from './training/search-space.ts';
import type { Checkpointing } from './training/trainer.ts';
import { TrialStore } from './training/trial-store.ts';
import { type Clock, type SearchResult, searchTrials } from './training/tune.ts';

export { readFolder as load } from './data/folder.ts';
export { CellStore } from './evaluation/cell-store.ts';
export { summarize } from './evaluation/experiment.ts';
export { loadModel, saveModel } from './models/model-file.ts';
export { measure, withKernels } from './pipeline/fit-model.ts';
export { Recommender, type Suggestion } from './serving/recommender.ts';
export { MODELS } from './training/models.ts';

export interface TrainOptions extends EngineOptions, Omit<FitOptions, 'startCheckpoint'> {
  /** A file that a stopped run goes on from; kept up to date meanwhile. The caller removes it. */
  readonly checkpoint?: { readonly path: string; readonly resume: boolean; readonly everyMs?: number };
}

const CHECKPOINT_MS = 30_000;

/** Fits a model to a data set. A share of its pairs is kept back for validation where the model learns in epochs. */
export async function train(graph: KnowledgeGraph, options: TrainOptions, listener: Listener = {}): Promise<Model> {
  const { checkpoint, ...rest } = options;
  const startCheckpoint = checkpoint && ((identity: RunIdentity) => checkpointing(checkpoint, identity));
  return withKernels(options, listener, (kernels) => fitModel(kernels, graph, { ...rest, startCheckpoint }, listener));
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
    const fit: Experiment['fit'] = (model, settings, data, inner) =>
      fitModel(kernels, data, { model, settings }, inner);
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
      const { fitted } = await fitModel(kernels, parts[rung].train, { model, settings }, inner);
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

async function checkpointing(
  { path, resume, everyMs = CHECKPOINT_MS }: NonNullable<TrainOptions['checkpoint']>,
  identity: RunIdentity,
): Promise<Checkpointing> {
  return {
    everyMs,
    resume: resume ? await loadCheckpoint(path, identity) : undefined,
    save: (state) => saveCheckpoint(path, identity, state),
  };
}
