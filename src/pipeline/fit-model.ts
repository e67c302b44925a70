// The part of the flow that is the same on any platform: a data set in memory becomes a model. pipeline.ts puts files around it, a
// page what it has instead.

import { type Features, featuresFingerprint } from '../data/features.ts';
import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { type Split, split } from '../data/split.ts';
import type { Kernels } from '../engine/kernels.ts';
import { type EngineOptions, openKernels } from '../engine/open.ts';
import { allowingForMissing, confidenceFrom } from '../evaluation/calibration.ts';
import { type Evaluation, evaluate, meanOf } from '../evaluation/evaluate.ts';
import type { Listener } from '../listener.ts';
import { MISSING_SHARE } from '../models/confidence.ts';
import type { Fitted, Model, Settings } from '../models/model.ts';
import { fitPopularity } from '../models/popularity.ts';
import type { ScoreTags } from '../models/score-tags.ts';
import { openScorer } from '../models/scorer.ts';
import { permutation, Random } from '../random.ts';
import type { RunIdentity } from '../training/checkpoint.ts';
import { resolveSettings } from '../training/config.ts';
import type { Rehearsal } from '../training/model-kind.ts';
import { modelKind } from '../training/models.ts';
import type { Checkpointing, EpochReport } from '../training/trainer.ts';

export interface FitOptions {
  /** One of MODELS. */
  readonly model: string;
  readonly settings?: Settings;
  /** Content of the objects, for models that take it. */
  readonly features?: Features | undefined;
  readonly onEpoch?: (report: EpochReport) => void;
  /** Recall@3 on hidden pairs of one more choice of strengths, of a model that rehearses. */
  readonly onAttempt?: (recall: number) => void;
  /** What suggesting the most common tags comes to on the same pairs; measured only where it is asked for. */
  readonly onPopularity?: (recall: number) => void;
  readonly startCheckpoint?: ((identity: RunIdentity) => Promise<Checkpointing>) | undefined;
}

/** Fits a model to a data set. A share of its pairs is kept back for validation where the model learns in epochs. */
export async function fitModel(
  kernels: Kernels,
  graph: KnowledgeGraph,
  options: FitOptions,
  listener: Listener = {},
): Promise<Model> {
  const { model: name, features, onEpoch, onAttempt } = options;
  const kind = modelKind(name);
  const settings: Settings = resolveSettings(kind.settings, options.settings);
  const share = Number(settings.validation ?? 0);
  const parts = share > 0 && graph.tagged.size > 1 ? validationSplit(graph, share, Number(settings.seed)) : undefined;
  const checkpoint = await options.startCheckpoint?.({ model: name, settings, data: identityOf(graph, features) });
  const watch = {
    ...(parts === undefined
      ? {}
      : { validate: (fitted: Fitted) => validationRecall(kernels, fitted, parts, listener) }),
    ...(onEpoch === undefined ? {} : { onEpoch }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
  const rehearsal =
    kind.rehearses && graph.tagged.size > 1
      ? rehearsalOf(graph, Number(settings.seed), { onAttempt, listener })
      : undefined;
  const hidden = parts ?? rehearsal;
  if (hidden !== undefined && options.onPopularity !== undefined) {
    options.onPopularity(await validationRecall(kernels, fitPopularity(hidden.train), hidden, listener));
  }
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

const VALIDATION_SEED = 2 ** 32; // so that no split into training and test pairs is repeated inside its training pairs

function validationSplit(graph: KnowledgeGraph, share: number, seed: number) {
  return split(graph, { trainFraction: 1 - share, seed: seed + VALIDATION_SEED });
}

const MIN_OUTCOMES = 100; // from fewer nobody can tell how sure to be
const MAX_JUDGED = 1500; // objects that strengths are chosen on

/** Part of the pairs hidden, to be found again: Recall@3 of a sample of the objects. */
function rehearsalOf(
  graph: KnowledgeGraph,
  seed: number,
  { onAttempt, listener }: { readonly onAttempt: FitOptions['onAttempt']; readonly listener: Listener },
): Rehearsal & Split {
  const { train, test } = split(graph, { trainFraction: 1 - MISSING_SHARE, seed: seed + VALIDATION_SEED });
  const order = permutation(test.numHeads, new Random(1, 'objects to judge on'));
  const judged = order.filter((object) => test.rowLength(object) > 0).subarray(0, MAX_JUDGED);
  const isJudged = new Set(judged);
  const hidden = test.select(Uint8Array.from(test.heads, (object) => (isJudged.has(object) ? 1 : 0)));
  const judge = async (score: ScoreTags) => {
    const recall = meanOf(await evaluate(score, { train, test: hidden }, [3], quiet(listener)), 'recall@3');
    onAttempt?.(recall);
    return recall;
  };
  return { train, test: hidden, judged, judge };
}

/** Recall@3 on the pairs kept back. */
export async function validationRecall(
  kernels: Kernels,
  fitted: Fitted,
  parts: Split,
  listener: Listener,
): Promise<number> {
  return meanOf(await measure(kernels, fitted, parts, [3], quiet(listener)), 'recall@3');
}

/** Where steps of the fit are the progress to show. */
function quiet(listener: Listener): Listener {
  return { ...listener, progress: () => {} };
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
