// What fitting leaves, in one of a few forms: plain arrays that are saved as they are. Here is what every form must offer: a
// scorer, and a way into a file and back. A new form is one more case in each of the three.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Embeddings } from '../training/trainer.ts';
import { type Confidence, confidenceOf } from './confidence.ts';
import { embeddingScorer, embeddingsFromTensors, embeddingsToTensors } from './forms/embeddings.ts';
import { type Linear, linearFromTensors, linearScorer, linearToTensors } from './forms/linear.ts';
import { type Neighbours, neighbourScorer, neighboursFromTensors, neighboursToTensors } from './forms/neighbours.ts';
import {
  type SparseScores,
  sparseScorer,
  sparseScoresFromTensors,
  sparseScoresToTensors,
} from './forms/sparse-scores.ts';
import { type Loom, loomFromTensors, loomToTensors, type UserCounts } from './loom/loom.ts';
import { LoomScorer } from './loom/score.ts';
import type { Scorer } from './scorer.ts';
import { FormatError } from './tensor-checks.ts';
import type { TensorEntry, TensorReader } from './tensors.ts';

/** What fitting a model leaves, in one of a few forms. */
export type Fitted = Embeddings | Neighbours | Linear | SparseScores | Loom;

/** What a scorer is made from: a Model has it. */
export interface Scorable {
  readonly fitted: Fitted;
  readonly confidence?: Confidence;
}

/** What a model knows of users whose names and pairs with objects it does not have; undefined where it has them, or no users. */
export function userCountsOf({ fitted }: Scorable): UserCounts | undefined {
  return fitted.form === 'loom' ? fitted.users : undefined;
}

/** `train`: whose tags count where a form asks for them. Release the scorer before the kernels are closed. */
export function openScorer(kernels: Kernels, { fitted, confidence }: Scorable, train: KnowledgeGraph): Scorer {
  const scorer = scorerOf(kernels, fitted, train);
  if (confidence !== undefined) scorer.confidence = (score, hasTags) => confidenceOf(confidence, score, hasTags);
  return scorer;
}

function scorerOf(kernels: Kernels, fitted: Fitted, train: KnowledgeGraph): Scorer {
  switch (fitted.form) {
    case 'embeddings':
      return embeddingScorer(kernels, fitted);
    case 'neighbours':
      return neighbourScorer(fitted, train);
    case 'linear':
      return linearScorer(fitted, train);
    case 'scores':
      return sparseScorer(fitted, train);
    case 'loom':
      return new LoomScorer(kernels, fitted, train);
    default:
      return fitted satisfies never;
  }
}

export function fittedToTensors(fitted: Fitted): TensorEntry[] {
  switch (fitted.form) {
    case 'embeddings':
      return embeddingsToTensors(fitted);
    case 'neighbours':
      return neighboursToTensors(fitted);
    case 'linear':
      return linearToTensors(fitted);
    case 'scores':
      return sparseScoresToTensors(fitted);
    case 'loom':
      return loomToTensors(fitted);
    default:
      return fitted satisfies never;
  }
}

export function fittedFromTensors(tensors: TensorReader, form = '', graph: KnowledgeGraph): Fitted {
  switch (form as Fitted['form']) {
    case 'embeddings':
      return embeddingsFromTensors(tensors, graph);
    case 'neighbours':
      return neighboursFromTensors(tensors, graph);
    case 'linear':
      return linearFromTensors(tensors, graph);
    case 'scores':
      return sparseScoresFromTensors(tensors, graph);
    case 'loom':
      return loomFromTensors(tensors, graph);
    default:
      throw new FormatError(`a model of the form "${form.slice(0, 100)}"`, 'one that this version of tagloom knows');
  }
}
