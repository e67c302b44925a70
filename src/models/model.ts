// What a model is to the rest. Fitting leaves a Fitted: plain arrays that are saved as they are, in one of a few forms;
// the form says how they become scores (scorer.ts). A Model is that together with all it takes to use it elsewhere.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import type { Confidence } from './confidence.ts';
import type { Embeddings } from './embeddings.ts';
import type { Linear } from './linear.ts';
import type { Loom } from './loom.ts';
import type { Neighbours } from './neighbours.ts';
import type { SparseScores } from './sparse-scores.ts';

export type Fitted = Embeddings | Neighbours | Linear | SparseScores | Loom;

export type SettingValue = number | string;
export type Settings = Readonly<Record<string, SettingValue>>;

export interface Model {
  /** As in the list of models: "dge", "itemknn", … */
  readonly name: string;
  readonly settings: Settings;
  /** What it was trained on. An object's tags here are never suggested to it. */
  readonly graph: KnowledgeGraph;
  /** (object, tag): what reviews rejected before it was trained. Never suggested. */
  readonly rejected?: Relation;
  readonly fitted: Fitted;
  /** What was measured in training, on validation pairs. */
  readonly metrics: Readonly<Record<string, number>>;
  /** How likely a score is right, where that was learnt. */
  readonly confidence?: Confidence;
}
