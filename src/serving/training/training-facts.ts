// What there is to tell about training a served model again.

import type { Model } from '../../models/model.ts';
import type { Curation } from '../curation/curation.ts';
import type { TrainingProblem } from './training-conflict.ts';
import type { Retrained, TrainingProgress } from './training-messages.ts';

export type TrainingState = 'idle' | 'training' | 'comparing' | 'ready' | 'failed' | 'stopped';

export interface TrainingFacts {
  readonly state: TrainingState;
  /** While it trains, as far as it is known. */
  readonly progress?: TrainingProgress;
  /** Why it failed. */
  readonly problem?: TrainingProblem;
  /** Why this model cannot be trained here. */
  readonly obstacle?: TrainingProblem;
  /** Decisions since the model was trained, those it has not learnt. */
  readonly numDecisions: number;
  /** A training is offered from so many decisions on. */
  readonly offeredFrom: number;
  readonly isOffered: boolean;
  /** The new model that waits to be used. */
  readonly retrained?: Retrained;
  readonly canRestore: boolean;
  /** Of the model that serves. */
  readonly fingerprint: string;
}

/** The models of a service, as much of them as is needed here. */
export interface ServedModels {
  use<Result>(work: (loaded: ServedModel) => Result | Promise<Result>): Promise<Result>;
  reload(): Promise<void>;
}

export interface ServedModel {
  readonly model: Model;
  readonly trainedFingerprint: string;
  readonly curation: Pick<Curation, 'numUnlearnt'>;
}
