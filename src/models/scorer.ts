// From what a model left to a function that scores: one case for each form.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import { embeddingScorer } from './embeddings.ts';
import { linearScorer } from './linear.ts';
import { OpenLoom } from './loom.ts';
import type { Fitted } from './model.ts';
import { neighbourScorer } from './neighbours.ts';
import type { Scorer } from './score-tags.ts';
import { sparseScorer } from './sparse-scores.ts';

/** `train`: whose tags count where a form asks for them. Release the scorer before the kernels are closed. */
export function openScorer(kernels: Kernels, fitted: Fitted, train: KnowledgeGraph): Scorer {
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
      return new OpenLoom(kernels, fitted, train);
    default:
      return fitted satisfies never;
  }
}
