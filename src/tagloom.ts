// The entry tagloom: the whole library on Node, which is what a browser has (browser.ts) and what takes files or many fits.

export * from './browser.ts';
export { mergeTags, readTagMapping, type TagMapping } from './data/merge-tags.ts';
export { type WriteOptions, writeFolder } from './data/write-folder.ts';
export type { Reliability, ReliabilityBin } from './evaluation/calibration.ts';
export {
  type Cell,
  type CellResult,
  type GroupResult,
  type GroupSummary,
  type MetricSpread,
  type ModelSummary,
  summarize,
} from './evaluation/experiment.ts';
export type { Example, Glimpse } from './evaluation/glimpse.ts';
export { comparePaired, type PairedComparison } from './evaluation/paired.ts';
export type { TagMap, TagPoint } from './evaluation/tag-map.ts';
export { type CompareOptions, compare, type TuneOptions, tune } from './experiments.ts';
export { loadModel, saveModel } from './models/model-file.ts';
export type { Measured, SearchResult } from './training/tune.ts';
