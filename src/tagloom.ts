// The library's public surface: one line for each thing a program may use.

export { type Features, featuresFrom, readFeatures } from './data/features.ts';
export { readFolder, writeFolder } from './data/folder.ts';
export { fingerprint, graphFrom, type KnowledgeGraph } from './data/knowledge-graph.ts';
export { mergeTags, readTagMapping, type TagMapping } from './data/merge-tags.ts';
export { Relation } from './data/relation.ts';
export { type Split, type SplitOptions, type SplitUnit, split } from './data/split.ts';
export { stageFolder } from './data/staging.ts';
export { type Statistics, statistics } from './data/statistics.ts';
export { NameTable, Vocabulary } from './data/vocabulary.ts';
export { CancelledError, InputError, type Problem } from './errors.ts';
export { type Evaluation, evaluate, type MetricAt, meanOf } from './evaluation/evaluate.ts';
export type { CellResult, ModelSummary } from './evaluation/experiment.ts';
export { comparePaired, type PairedComparison } from './evaluation/paired.ts';
export type { Listener } from './listener.ts';
export { type Confidence, confidenceOf } from './models/confidence.ts';
export type { Fitted, Model, Settings } from './models/model.ts';
export type { ScoreTags } from './models/score-tags.ts';
export {
  CellStore,
  type CompareOptions,
  compare,
  load,
  loadModel,
  MODELS,
  Recommender,
  type Suggestion,
  saveModel,
  summarize,
  type TrainOptions,
  type TuneOptions,
  train,
  tune,
} from './pipeline.ts';
export { createService, type Service, type ServiceOptions } from './serving/service.ts';
