// The whole flow in one short file; read it first. A data set is loaded (data/), becomes graphs (graph/), a model is
// fitted to it (models/, training/), measured (evaluation/) and saved, and suggests tags (serving/).

import { type Features, featuresFingerprint } from './data/features.ts';
import { fingerprint, type KnowledgeGraph } from './data/knowledge-graph.ts';
import { type Split, split } from './data/split.ts';
import type { Kernels } from './engine/kernels.ts';
import { type EngineOptions, openKernels } from './engine/open.ts';
import { type Evaluation, evaluate, meanOf } from './evaluation/evaluate.ts';
import type { CellResult } from './evaluation/experiment.ts';
import { type Experiment, runCells } from './evaluation/run-cells.ts';
import type { Listener } from './listener.ts';
import type { Fitted, Model, Settings } from './models/model.ts';
import { openScorer } from './models/scorer.ts';
import { loadCheckpoint, saveCheckpoint } from './training/checkpoint.ts';
import { resolveSettings } from './training/config.ts';
import { modelKind } from './training/models.ts';
import type { Checkpointing, EpochReport } from './training/trainer.ts';

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
  const started = { kernels, train: parts?.train ?? graph, settings, features, watch, listener };
  const { fitted, training } = await kind.fit(started);
  const metrics = {
    ...(training === undefined ? {} : { epochs: training.epochs }),
    ...(training?.best === undefined
      ? {}
      : { 'validation recall@3': training.best.value, 'best epoch': training.best.epoch }),
  };
  return { name, settings, graph, fitted, metrics };
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
    const fit: Experiment['fit'] = async (model, settings, data, inner) =>
      (await trainOn(kernels, data, { model, settings }, inner)).fitted;
    return runCells(kernels, graph, { data: 'data', ...options, settingsOf, fit }, listener);
  });
}

const VALIDATION_SEED = 2 ** 32; // so that no split into training and test pairs is repeated inside its training pairs

function validationSplit(graph: KnowledgeGraph, share: number, seed: number) {
  return split(graph, { trainFraction: 1 - share, seed: seed + VALIDATION_SEED });
}

async function validationRecall(kernels: Kernels, fitted: Fitted, parts: Split, listener: Listener): Promise<number> {
  const quiet = { ...listener, progress: () => {} }; // the epochs are the progress to show
  return meanOf(await measure(kernels, fitted, parts, [3], quiet), 'recall@3');
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
  const { backend, threads, fused } = options;
  const kernels = await openKernels({
    ...(backend === undefined ? {} : { backend }),
    ...(threads === undefined ? {} : { threads }),
    ...(fused === undefined ? {} : { fused }),
    ...(listener.warn === undefined ? {} : { warn: listener.warn }),
  });
  try {
    return await use(kernels);
  } finally {
    kernels.close();
  }
}
