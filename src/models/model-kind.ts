// What it takes to be one of the models: a line about it, its settings, and a way to fit it.

import type { Features } from '../data/features.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { CountedData } from '../graph/counted-users.ts';
import type { Listener } from '../listener.ts';
import { resolveSettings, type SettingList, type Settings, type SettingsOf } from '../settings.ts';
import { runTraining, type Trainable, type Trained, type TrainerSettings, type Watch } from '../training/trainer.ts';
import type { Confidence } from './confidence.ts';
import type { Fitted } from './fitted.ts';
import type { ScoreTags } from './scorer.ts';

/** What a fit may use. `settings` are complete. */
export interface FitContext<Values = Settings> {
  readonly kernels: Kernels;
  readonly train: KnowledgeGraph;
  readonly settings: Values;
  readonly features?: Features | undefined;
  readonly watch: Watch;
  readonly listener: Listener;
  /** For models that rehearse. */
  readonly rehearsal?: Rehearsal | undefined;
  /** What a table engine counted, where one did. */
  readonly counted?: CountedData | undefined;
}

/** The same task with part of the pairs hidden, to choose settings by. */
export interface Rehearsal {
  /** The same users and interactions, fewer pairs of objects and tags. */
  readonly train: KnowledgeGraph;
  /** The objects that a score is asked for. */
  readonly judged: Int32Array;
  /** How well the hidden pairs are found; higher is better. */
  judge(score: ScoreTags): Promise<number>;
}

const MAX_SCORES = 2 ** 25; // of a rehearsal at once: each is held several times over
const LEAST_REHEARSED = 300; // objects: fewer tell nothing

/** How many objects a rehearsal may learn from or judge by, where there are so many tags. */
export function numRehearsed(most: number, numTags: number): number {
  return Math.min(most, Math.max(LEAST_REHEARSED, Math.floor(MAX_SCORES / Math.max(1, numTags))));
}

export interface Fit {
  readonly fitted: Fitted;
  /** What was chosen, where the model chooses. */
  readonly settings?: Settings;
  /** How well it did in the rehearsal. */
  readonly rehearsed?: number;
  /** How likely its suggestions are right, of models that can tell. */
  readonly confidence?: Confidence | undefined;
  /** Where it was trained epoch by epoch. */
  readonly training?: Omit<Trained, 'fitted'>;
}

export interface ModelKind {
  /** What it is, in a line. */
  readonly summary: string;
  readonly settings: SettingList;
  /** Whether objects may come with content features. */
  readonly takesFeatures: boolean;
  /** Whether it wants a rehearsal. */
  readonly rehearses: boolean;
  fit(context: FitContext): Promise<Fit>;
}

export function modelKind<List extends SettingList>(
  summary: string,
  settings: List,
  fitTo: (context: FitContext<SettingsOf<List>>) => Promise<Fit>,
  { takesFeatures = false, rehearses = false } = {},
): ModelKind {
  return {
    summary,
    settings,
    takesFeatures,
    rehearses,
    fit: (context) => fitTo({ ...context, settings: resolveSettings(settings, context.settings) }),
  };
}

/** Fits what is recorded on a tape, epoch by epoch, and releases it. */
export async function fitInEpochs(
  { kernels, settings, watch, listener }: FitContext<TrainerSettings>,
  trainable: Trainable,
): Promise<Fit> {
  const { fitted, ...training } = await runTraining(kernels, trainable, settings, watch, listener);
  return { fitted, training };
}

/** What was measured on hidden pairs while fitting. */
export function metricsOf({ rehearsed, training }: Fit): Readonly<Record<string, number>> {
  return {
    ...(rehearsed !== undefined && { 'validation recall@3': rehearsed }),
    ...(training && { epochs: training.epochs }),
    ...(training?.best && { 'validation recall@3': training.best.value, 'best epoch': training.best.epoch }),
  };
}
