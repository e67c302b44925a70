// What a service and the process that trains for it tell each other, and what a training leaves. Only shapes: the process itself
// is in src/retraining/.

import type { InputProblem } from '../../errors.ts';
import type { Decision } from '../reviews/review-store.ts';

/** A review as training counts it: the last word on a pair. */
export interface CountedReview {
  readonly object: string;
  readonly tag: string;
  readonly decision: Decision;
  readonly isUndone: boolean;
}

/** What is to be trained. */
export interface TrainingJob {
  /** The model file that serves. */
  readonly path: string;
  /** The fingerprint of the model that serves: another one in the file is refused. */
  readonly base: string;
  readonly threads: number;
}

/** To the process that trains. Reviews come in parts, then the job. */
export type ToTraining =
  | { readonly kind: 'reviews'; readonly reviews: readonly CountedReview[] }
  | { readonly kind: 'begin'; readonly job: TrainingJob }
  | { readonly kind: 'stop' };

/** From the process that trains. It ends with one of the last four. */
export type FromTraining =
  | { readonly kind: 'begun' }
  | { readonly kind: 'progress'; readonly progress: TrainingProgress }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'done'; readonly retrained: Retrained }
  | { readonly kind: 'problem'; readonly problem: InputProblem }
  | { readonly kind: 'bug'; readonly stack: string }
  | { readonly kind: 'stopped' };

/** How far a training is: the same steps as on the command line. */
export interface TrainingProgress {
  readonly stage: TrainingStage;
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly detail?: string;
}

export type TrainingStage = 'training' | 'comparing';

/** A model that was trained and is not in use yet: what is written beside it. */
export interface Retrained {
  /** The fingerprint of the model it was compared with: the one that served. */
  readonly base: string;
  readonly fingerprint: string;
  readonly finishedAt: string; // ISO 8601, UTC
  /** Decisions it learnt that the model before did not know. */
  readonly numLearnt: number;
  readonly comparison: ModelComparison;
}

/**
 * better and worse: more than chance explains. mixed: better at one thing, worse at the other. noDifference: none can be seen with
 * so many decisions. tooFew: so few were held back that nothing could be seen.
 */
export type ComparisonVerdict = 'better' | 'worse' | 'mixed' | 'noDifference' | 'tooFew';

/** The old and the new model on decisions that neither learnt. */
export interface ModelComparison {
  readonly verdict: ComparisonVerdict;
  /** For people: a sentence or two, with numbers. */
  readonly statement: string;
  readonly accepted: AcceptedComparison;
  readonly rejected: RejectedComparison;
  /** Absent where nothing was accepted, or nothing rejected. */
  readonly separation?: SeparationComparison;
}

/**
 * How well accepted tags are told from rejected ones: decisions are mostly about the first suggestion of an object, so that both are
 * found by any model, and what differs is how sure it is of them.
 */
export interface SeparationComparison {
  /** Of all pairs of an accepted and a rejected tag: in how many the model is surer of the accepted one. */
  readonly share: OldAndNew<number>;
  /** Object by object; absent where there are too few to say. */
  readonly difference?: Difference;
}

/** Of both models. */
export interface OldAndNew<Value> {
  readonly old: Value;
  readonly new: Value;
}

/** How well accepted tags are found. */
export interface AcceptedComparison {
  readonly numPairs: number;
  readonly numObjects: number;
  /** Pairs among the first three suggestions of their object. */
  readonly numFound: OldAndNew<number>;
  /** The mean over objects. */
  readonly recallAt3: OldAndNew<number>;
  /** The mean over pairs of 1 / rank; 0 beyond the first 100. */
  readonly reciprocalRank: OldAndNew<number>;
  /** Of Recall@3, object by object; absent where there are too few to say. */
  readonly difference?: Difference;
}

/** How often rejected tags are suggested all the same. */
export interface RejectedComparison {
  readonly numPairs: number;
  readonly numObjects: number;
  /** Pairs among the first five suggestions of their object: fewer are better. */
  readonly numSuggested: OldAndNew<number>;
  /** Of the share that is suggested, object by object; absent where there are too few to say. */
  readonly difference?: Difference;
}

/** New less old. */
export interface Difference {
  readonly mean: number;
  /** A 95 % bootstrap interval. */
  readonly low: number;
  readonly high: number;
  /** Of a sign-flip permutation test, two-sided. */
  readonly pValue: number;
}
