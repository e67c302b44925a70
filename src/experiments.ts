// Many fits instead of one: models compared on the same hidden pairs, and settings tuned on pairs kept back for that.

import type { Features } from './data/features.ts';
import { fingerprint, type KnowledgeGraph } from './data/knowledge-graph.ts';
import { type Split, sampleObjects, split } from './data/split.ts';
import { type EngineOptions, withKernels } from './engine/open.ts';
import type { CellResult } from './evaluation/experiment.ts';
import { recallOf } from './evaluation/hidden-pairs.ts';
import { type Experiment, runCells } from './evaluation/run-cells.ts';
import type { Listener } from './listener.ts';
import { findModel, type ModelName } from './models/catalogue.ts';
import { fitModel } from './pipeline.ts';
import { resolveSettings, type Settings } from './settings.ts';
import { drawTrials } from './training/search-space.ts';
import { TrialStore } from './training/trial-store.ts';
import { type SearchResult, searchTrials } from './training/tune.ts';

/** Which models to compare, on which splits. */
export interface CompareOptions extends EngineOptions {
  readonly models: readonly ModelName[];
  /** A split, and a fit of each model, for every seed. */
  readonly seeds: readonly number[];
  /** Shares of the pairs to train on. */
  readonly trainFractions: readonly number[];
  /** Whether pairs are hidden one by one ("pair", the default) or all tags of some objects ("object"). */
  readonly by?: 'pair' | 'object' | undefined;
  /** Lengths of lists to measure at. */
  readonly ks: readonly number[];
  /** By model. */
  readonly settings?: Readonly<Record<string, Settings>>;
  /** Content features of the objects, for the models that take them. */
  readonly features?: Features | undefined;
  /** What the data set is called. */
  readonly data?: string;
}

/**
 * Fits each model to the training side of each split and measures it on the other.
 *
 * @example
 * import { compare, graphFrom } from 'tagloom';
 *
 * const films = Array.from({ length: 20 }, (_, i) => `film ${i}`);
 * const tagged = films.flatMap((film, i) => [[film, i % 2 ? 'crime' : 'space'], [film, 'drama']]);
 * const graph = graphFrom({ interact: [], tagged });
 * const options = { models: ['popularity', 'ease'], seeds: [1], trainFractions: [0.8], ks: [3] };
 * const cells = await compare(graph, options);
 * console.log(cells.map(({ model }) => model)); // [ 'popularity', 'ease' ]
 */
export function compare(
  graph: KnowledgeGraph,
  options: CompareOptions,
  listener: Listener = {},
): Promise<CellResult[]> {
  return compareInto(graph, options, listener);
}

/** The same, with a store for finished cells and a look at each model for a report. */
export function compareInto(
  graph: KnowledgeGraph,
  options: CompareOptions & Pick<Experiment, 'store' | 'glimpse'>,
  listener: Listener = {},
): Promise<CellResult[]> {
  const settingsOf = (model: string, seed: number) => {
    const list = findModel(model).settings;
    return resolveSettings(list, { ...('seed' in list ? { seed } : {}), ...options.settings?.[model] });
  };
  return withKernels(options, listener, (kernels) => {
    const fitCell: Experiment['fit'] = (model, settings, data, inner) => {
      const features = findModel(model).takesFeatures ? options.features : undefined;
      return fitModel(kernels, data, { model, settings, features }, inner);
    };
    return runCells(kernels, graph, { data: 'data', ...options, settingsOf, fit: fitCell }, listener);
  });
}

/** What to tune, and for how long. */
export interface TuneOptions extends EngineOptions {
  readonly model: ModelName;
  /** Time to spend, in milliseconds. */
  readonly budgetMs: number;
  /** Configurations to try, at most; 50 by default. */
  readonly trials?: number;
  /** Of what is drawn and which pairs are kept back; 1 by default. */
  readonly seed?: number;
  /** These are not tuned. */
  readonly settings?: Settings;
  /** A file that a stopped search goes on from. */
  readonly store?: { readonly path: string; readonly resume: boolean };
}

const TUNING_SEED = 2 ** 33; // so that these are neither test pairs nor those a fit keeps back
const TUNING_SHARE = 0.1;
const MIN_SAMPLED = 400; // pairs; a quarter of fewer says nothing

/**
 * Searches the settings of a model for the best Recall@3 on a share of the pairs, kept back from every fit.
 *
 * @example
 * import { graphFrom, tune } from 'tagloom';
 *
 * const films = Array.from({ length: 20 }, (_, i) => `film ${i}`);
 * const tagged = films.flatMap((film, i) => [[film, i % 2 ? 'crime' : 'space'], [film, 'drama']]);
 * const graph = graphFrom({ interact: [], tagged });
 * const { best } = await tune(graph, { model: 'ease', budgetMs: 60_000, trials: 3 });
 * console.log(Object.keys(best.settings)); // [ 'lambda', 'intercept' ]
 */
export async function tune(
  graph: KnowledgeGraph,
  options: TuneOptions,
  listener: Listener = {},
): Promise<SearchResult> {
  const { model, budgetMs, seed = 1 } = options;
  const { settings: list } = findModel(model);
  const given = options.settings ?? {};
  const drawn = drawTrials(list, given, options.trials ?? 50, seed);
  // the defaults as they are; where a model would search by itself, drawn settings stay as they were drawn
  const isFixed = 'search' in list && given.search === undefined;
  const trials = drawn.map((trial, i) =>
    isFixed && i > 0 ? { ...trial, settings: { ...trial.settings, search: 'off' } } : trial,
  );
  const inEpochs = 'epochs' in list;
  const shares = inEpochs || graph.tagged.size >= MIN_SAMPLED ? [1 / 4, 1 / 2, 1] : [1];
  const parts = shares.map((share) => tuningSplit(sampleObjects(graph, inEpochs ? 1 : share, seed), seed));
  const evaluate = (trial: Settings, rung: number, inner: Listener) =>
    // kernels of its own: what a failed trial leaves behind goes with them
    withKernels(options, inner, async (kernels) => {
      const epochs = Math.ceil(shares[rung] * Number(resolveSettings(list, trial).epochs));
      const settings = inEpochs ? { ...trial, epochs } : trial;
      const fitted = await fitModel(kernels, parts[rung].train, { model, settings }, inner);
      return recallOf(kernels, fitted, parts[rung], inner);
    });
  const identity = { model, settings: given, seed, data: fingerprint(graph) };
  const store = options.store && (await TrialStore.open(options.store.path, identity, options.store.resume));
  return searchTrials(trials, { shares, budgetMs, evaluate, ...(store && { store }) }, listener);
}

function tuningSplit(graph: KnowledgeGraph, seed: number): Split {
  return split(graph, { trainFraction: 1 - TUNING_SHARE, seed: seed + TUNING_SEED });
}
