// What training is told: the data, the model and its settings, and who wants to hear how it goes.

import type { Features } from './data/features.ts';
import type { KnowledgeGraph } from './data/knowledge-graph.ts';
import type { Relation } from './data/relation.ts';
import type { EngineOptions } from './engine/open.ts';
import type { CountedData } from './graph/counted-users.ts';
import type { ModelName } from './models/catalogue.ts';
import type { Settings } from './settings.ts';
import type { CheckpointFile } from './training/checkpoint.ts';
import type { EpochReport } from './training/trainer.ts';

/** What a model is trained on. */
export interface TrainingData {
  readonly graph: KnowledgeGraph;
  /** Content of the objects, for models that take it. */
  readonly features?: Features | undefined;
  /** (object, tag) pairs that are never to be suggested. */
  readonly rejected?: Relation | undefined;
  /** What a table engine counted, where one did: loom takes it as it is. */
  readonly counted?: CountedData | undefined;
}

/** Which model, with which settings. */
export interface FitOptions {
  /** "loom" by default. */
  readonly model?: ModelName;
  readonly settings?: Settings;
  readonly features?: Features | undefined;
  /** What a table engine counted, where one did. */
  readonly counted?: CountedData | undefined;
  /** A file that a stopped run goes on from; kept up to date meanwhile. The caller removes it. */
  readonly checkpoint?: CheckpointFile | undefined;
  /** Called after each epoch, of models that learn in epochs. */
  readonly onEpoch?: (report: EpochReport) => void;
  /** Recall@3 on hidden pairs of one more choice of strengths, of a model that rehearses. */
  readonly onAttempt?: (recall: number) => void;
}

/** How to train, and on what. */
export interface TrainOptions extends EngineOptions, FitOptions {}
