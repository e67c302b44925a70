// The entry tagloom/browser: the library as it runs in a browser or a worker, without anything of Node's. Files are chosen by the
// user instead of opened by a path.

export type { Csr } from './csr.ts';
export type { ColumnRole } from './data/catalogue/column-names.ts';
export type { ColumnChoice, UnderstoodColumn } from './data/catalogue/columns.ts';
export type { CatalogueOptions, LoadedCatalogue } from './data/catalogue/read-catalogue.ts';
export type { Understood } from './data/catalogue/understood.ts';
export { type LoadOptions, load, loadCatalogue } from './data/data-set.ts';
export { type Features, featuresFrom, readFeatures } from './data/features.ts';
export { graphFromItems, type Item } from './data/items.ts';
export {
  fingerprint,
  type GraphFacts,
  graphFrom,
  type KnowledgeGraph,
  type TextColumn,
} from './data/knowledge-graph.ts';
export { Relation } from './data/relation.ts';
export { type Split, type SplitOptions, type SplitUnit, split } from './data/split.ts';
export { type Spread, type Statistics, statistics } from './data/statistics.ts';
export { NameTable, type TextTable, Vocabulary } from './data/vocabulary.ts';
export type { BackendName, EngineOptions } from './engine/open.ts';
export { CancelledError, InputError, type InputProblem } from './errors.ts';
export { type Evaluation, evaluate, type Judged, type MetricAt, meanOf } from './evaluation/evaluate.ts';
export type { Metric, RankedList } from './evaluation/metrics.ts';
export type { CountedData, CountedUsers } from './graph/counted-users.ts';
export type { RowSample } from './graph/row-sample.ts';
export type { Listener } from './listener.ts';
export { MODELS, type ModelInfo, type ModelName } from './models/catalogue.ts';
export type { Confidence, Curve } from './models/confidence.ts';
export type { Fitted, Scorable } from './models/fitted.ts';
export type { Linear } from './models/forms/linear.ts';
export type { Neighbours } from './models/forms/neighbours.ts';
export type { SparseScores } from './models/forms/sparse-scores.ts';
export type { Trees } from './models/loom/boosted-trees.ts';
export type { Content, Loom, LoomWeights, Profile, Squares, UserCounts } from './models/loom/loom.ts';
export type { SecondStage } from './models/loom/second-stage.ts';
export type { LoomText, TextPart } from './models/loom/text-space.ts';
export type { Model } from './models/model.ts';
export { decodeModel, modelBytes } from './models/model-file.ts';
export type { ScoreTags, TagsOf, WordAmount } from './models/scorer.ts';
export { evaluateModel, train } from './pipeline.ts';
export type { Amendment, Amendments } from './serving/recommend/amendments.ts';
export type {
  Explanation,
  NamedParts,
  NeighbourPart,
  ShortExplanation,
  TagPath,
  UserPath,
} from './serving/recommend/explanation.ts';
export type { Mark } from './serving/recommend/marks.ts';
export type { RankOptions, TagScore } from './serving/recommend/ranking.ts';
export {
  type ExplainOptions,
  type MissingObject,
  type MissingOptions,
  type NamedFacts,
  type NamedSimilarObject,
  type NamedSimilarTag,
  type ObjectSuggestions,
  Recommender,
  type Suggestion,
  type SuggestOptions,
} from './serving/recommend/recommender.ts';
export type {
  ChoiceSetting,
  NumberSetting,
  Setting,
  SettingList,
  Settings,
  SettingValue,
  TuningRange,
} from './settings.ts';
export type { FitOptions, TrainOptions } from './train-options.ts';
export type { CheckpointFile } from './training/checkpoint.ts';
export type { Embeddings, EpochReport } from './training/trainer.ts';
