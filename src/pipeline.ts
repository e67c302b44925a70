// The whole flow; read this file first. A data set is loaded (data/), a model is fitted to it (models/), measured on pairs that
// were hidden from it (evaluation/) and saved as one file. What is done with the file afterwards is in serving/.

import type { KnowledgeGraph } from './data/knowledge-graph.ts';
import type { Split } from './data/split.ts';
import type { Kernels } from './engine/kernels.ts';
import { type EngineOptions, withKernels } from './engine/open.ts';
import { type Evaluation, evaluate } from './evaluation/evaluate.ts';
import { hideFor, recallOf } from './evaluation/hidden-pairs.ts';
import type { Listener } from './listener.ts';
import { findModel } from './models/catalogue.ts';
import { openScorer, type Scorable } from './models/fitted.ts';
import type { Model } from './models/model.ts';
import { saveModel } from './models/model-file.ts';
import { metricsOf } from './models/model-kind.ts';
import { resolveSettings, type Settings } from './settings.ts';
import type { FitOptions, TrainingData, TrainOptions } from './train-options.ts';
import { openCheckpoint, removeCheckpoint } from './training/checkpoint.ts';
import type { Watch } from './training/trainer.ts';

/** The flow of `tagloom train`: what is loaded becomes a model, and the model a file. */
export async function trainFile(
  load: () => Promise<TrainingData>,
  path: string,
  options: TrainOptions = {},
  listener: Listener = {},
): Promise<Model> {
  const { graph, features, rejected, counted } = await load();
  const trained = await train(graph, { ...options, features, counted }, listener);
  const model: Model = { ...trained, ...(rejected && rejected.size > 0 && { rejected }) };
  await saveModel(path, model, listener);
  if (options.checkpoint) await removeCheckpoint(options.checkpoint);
  return model;
}

/**
 * Trains a model on a data set: loom by default.
 *
 * @example
 * import { graphFrom, train } from 'tagloom';
 *
 * const graph = graphFrom({
 *   interact: [['ann', 'alien'], ['ann', 'solaris'], ['bob', 'heat']],
 *   tagged: [['alien', 'space'], ['alien', 'horror'], ['solaris', 'space'], ['heat', 'crime']],
 * });
 * const model = await train(graph, { model: 'itemknn' });
 * console.log(model.name, model.graph.tags.size); // itemknn 3
 */
export function train(graph: KnowledgeGraph, options: TrainOptions = {}, listener: Listener = {}): Promise<Model> {
  return withKernels(options, listener, (kernels) => fitModel(kernels, graph, options, listener));
}

/** Fits a model to a data set. Some pairs are hidden from it: to stop in time, or to choose strengths by. */
export async function fitModel(
  kernels: Kernels,
  graph: KnowledgeGraph,
  options: FitOptions = {},
  listener: Listener = {},
): Promise<Model> {
  const { model: name = 'loom', features, counted, onEpoch, checkpoint } = options;
  const kind = findModel(name);
  const settings: Settings = resolveSettings(kind.settings, options.settings);
  const { validation, rehearsal } = hideFor(kind, settings, graph, options.onAttempt, listener);
  const watch: Watch = {
    ...(validation && { validate: (fitted) => recallOf(kernels, { fitted }, validation, listener) }),
    ...(onEpoch && { onEpoch }),
    ...(checkpoint && { checkpoint: await openCheckpoint(checkpoint, { model: name, settings, graph, features }) }),
  };
  const context = { kernels, settings, features, watch, listener, rehearsal, counted };
  const found = await kind.fit({ ...context, train: validation?.train ?? graph });
  const { fitted, confidence, settings: chosen = settings } = found;
  return { name, settings: chosen, graph, fitted, metrics: metricsOf(found), ...(confidence && { confidence }) };
}

/**
 * How well a model finds the hidden pairs of a split: every tag is ranked for every object that has one.
 *
 * @example
 * import { evaluateModel, graphFrom, meanOf, split, train } from 'tagloom';
 *
 * const films = ['alien', 'solaris', 'moon', 'arrival'];
 * const tagged = films.flatMap((film) => [[film, 'space'], [film, 'drama']]);
 * const parts = split(graphFrom({ interact: [], tagged }), { trainFraction: 0.5, seed: 1 });
 * const model = await train(parts.train, { model: 'popularity' });
 * console.log(meanOf(await evaluateModel(model, parts, { ks: [2] }), 'recall@2')); // 1
 */
export function evaluateModel(
  model: Scorable,
  parts: Split,
  { ks = [1, 3, 5], ...engine }: EngineOptions & { readonly ks?: readonly number[] } = {},
  listener: Listener = {},
): Promise<Evaluation> {
  return withKernels(engine, listener, async (kernels) => {
    const scorer = openScorer(kernels, model, parts.train);
    return evaluate(scorer.score, parts, ks, listener).finally(() => scorer.release());
  });
}
