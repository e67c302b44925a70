// A model as the rest of the program sees it: what was learnt, and all it takes to use it elsewhere.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import type { Settings } from '../settings.ts';
import type { Scorable } from './fitted.ts';

/** A trained model: save it, load it, open a Recommender on it. */
export interface Model extends Scorable {
  /** As in the list of models: "loom", "dge", … */
  readonly name: string;
  readonly settings: Settings;
  /** What it was trained on. An object's tags here are never suggested to it. */
  readonly graph: KnowledgeGraph;
  /** (object, tag): what reviews rejected before it was trained. Never suggested. */
  readonly rejected?: Relation;
  /** What was measured in training, on validation pairs. */
  readonly metrics: Readonly<Record<string, number>>;
}
