// Runs a comparison: every model on every split, each cell fitted once, measured, and kept if there is a store. How a
// model is fitted comes from the caller.

import { type Features, featuresFingerprint } from '../data/features.ts';
import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { type Split, split } from '../data/split.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Listener } from '../listener.ts';
import type { ModelName } from '../models/catalogue.ts';
import { openScorer } from '../models/fitted.ts';
import type { Model } from '../models/model.ts';
import type { Settings } from '../settings.ts';
import { outcomesOf, reliability } from './calibration.ts';
import type { CellInputs, CellStore, ComparedUnit } from './cell-store.ts';
import { evaluate } from './evaluate.ts';
import { type Cell, type CellResult, cellResult, mainFraction } from './experiment.ts';
import { requestGlimpse, takeGlimpse } from './glimpse.ts';

export interface Experiment {
  /** What the data set is called. */
  readonly data: string;
  readonly models: readonly ModelName[];
  /** As many splits as there are seeds, and the models' own seeds, too. */
  readonly seeds: readonly number[];
  readonly trainFractions: readonly number[];
  /** What falls on one side of a split together; "pair" is the default. */
  readonly by?: ComparedUnit | undefined;
  readonly ks: readonly number[];
  /** All settings of a model, for a seed. */
  readonly settingsOf: (model: ModelName, seed: number) => Settings;
  readonly fit: FitModel;
  /** What `fit` knows of the objects besides the data. */
  readonly features?: Features | undefined;
  /** Finished cells are kept here, and found again. */
  readonly store?: CellStore | undefined;
  /** For a report: a look at each model of the first seed and the main fraction. No objects: chosen by rule. */
  readonly glimpse?: { readonly objects: readonly string[] } | undefined;
}

const MAX_CALIBRATED = 10_000; // objects that confidence is judged on

export type FitModel = (
  model: ModelName,
  settings: Settings,
  train: KnowledgeGraph,
  listener: Listener,
) => Promise<Pick<Model, 'fitted' | 'confidence'>>;

/** The results, in the order of fractions, seeds and models. */
export async function runCells(
  kernels: Kernels,
  graph: KnowledgeGraph,
  experiment: Experiment,
  listener: Listener = {},
): Promise<CellResult[]> {
  const { models, seeds, trainFractions, by = 'pair', ks, data, store, features } = experiment;
  const results: CellResult[] = [];
  const hash = [fingerprint(graph), ...(features ? [featuresFingerprint(features)] : [])].join(' ');
  for (const trainFraction of trainFractions) {
    for (const seed of seeds) {
      const parts = split(graph, { trainFraction, seed, by });
      const isShown = seed === seeds[0] && trainFraction === mainFraction(trainFractions);
      const glimpse =
        experiment.glimpse && isShown ? requestGlimpse(parts, experiment.glimpse.objects, seed) : undefined;
      for (const model of models) {
        const cell = { data, model, seed, trainFraction };
        const settings = experiment.settingsOf(model, seed);
        const inputs = {
          ...{ fingerprint: hash, settings, ks },
          ...(by !== 'pair' && { by }),
          ...(glimpse && { glimpse }),
        };
        const kept = await store?.read(cell, inputs);
        const result = kept ?? (await runCell(kernels, experiment.fit, { model, cell, inputs, parts }, listener));
        if (kept === undefined) await store?.write(result, inputs);
        results.push(result);
      }
    }
  }
  return results;
}

async function runCell(
  kernels: Kernels,
  fitModel: FitModel,
  { model: name, cell, inputs, parts }: { model: ModelName; cell: Cell; inputs: CellInputs; parts: Split },
  listener: Listener,
): Promise<CellResult> {
  const { settings, ks, glimpse: wanted } = inputs;
  const named: Listener = {
    ...listener,
    progress: (step, done, total, detail) =>
      listener.progress?.(`${cell.model}, seed ${cell.seed}: ${step}`, done, total, detail),
  };
  const started = performance.now();
  const model = await fitModel(name, settings, parts.train, named);
  const seconds = (performance.now() - started) / 1000;
  const scorer = openScorer(kernels, model, parts.train);
  try {
    const result = cellResult(cell, await evaluate(scorer.score, parts, ks, named), `recall@${ks[0]}`, seconds);
    const { fitted, confidence } = model;
    const sure = confidence && reliability(await outcomesOf(scorer.score, parts, MAX_CALIBRATED, named), confidence);
    const glimpse = wanted && (await takeGlimpse(wanted, { fitted, scorer }, parts, named));
    return {
      ...result,
      ...(sure && { reliability: sure, metrics: { ...result.metrics, calibrationError: sure.error } }),
      ...(glimpse && { glimpse }),
    };
  } finally {
    scorer.release();
  }
}
