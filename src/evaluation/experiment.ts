// Models compared on the same splits: every model is fitted and measured once for each seed, means are taken over the
// seeds, and each model is held against the best one object by object. How a model is fitted is the caller's affair.

import { type Evaluation, type MetricAt, meanOf } from './evaluate.ts';
import { comparePaired, type PairedComparison } from './paired.ts';

export interface Cell {
  readonly model: string;
  readonly seed: number;
}

export interface CellResult extends Cell {
  readonly evaluation: Evaluation;
  /** To fit it. */
  readonly seconds: number;
}

export interface ModelSummary {
  readonly model: string;
  /** By metric: mean over the seeds, and standard deviation between them (0 for one). */
  readonly metrics: Readonly<Record<string, { readonly mean: number; readonly deviation: number }>>;
  /** Median over the seeds. */
  readonly seconds: number;
  /** This model against the best one, over the objects of all seeds; undefined for the best itself. */
  readonly againstBest: PairedComparison | undefined;
}

/** `decides`: the metric that says which model is best. */
export function summarize(results: readonly CellResult[], decides: MetricAt): ModelSummary[] {
  const names = [...new Set(results.map(({ model }) => model))];
  const byModel = names.map((model) =>
    results.filter((result) => result.model === model).sort((a, b) => a.seed - b.seed),
  );
  const meanOfSeeds = (cells: readonly CellResult[]) =>
    mean(cells.map(({ evaluation }) => meanOf(evaluation, decides)));
  const best = byModel.reduce((a, b) => (meanOfSeeds(b) > meanOfSeeds(a) ? b : a));
  return byModel.map((cells, i) => ({
    model: names[i],
    metrics: summarizeMetrics(cells),
    seconds: median(cells.map(({ seconds }) => seconds)),
    againstBest: cells === best ? undefined : comparePaired(joined(cells, decides), joined(best, decides), 1),
  }));
}

function summarizeMetrics(cells: readonly CellResult[]): ModelSummary['metrics'] {
  const bySeed = cells.map(({ evaluation }) => allMeans(evaluation));
  return Object.fromEntries(
    Object.keys(bySeed[0]).map((name) => {
      const values = bySeed.map((means) => means[name]);
      return [name, { mean: mean(values), deviation: deviation(values) }];
    }),
  );
}

/** Every metric over all objects and over cold ones, and the coverage. */
function allMeans(evaluation: Evaluation): Record<string, number> {
  const means: Record<string, number> = {};
  for (const metric of evaluation.values.keys()) {
    means[metric] = meanOf(evaluation, metric);
    means[`cold ${metric}`] = meanOf(evaluation, metric, (numTrainTags) => numTrainTags === 0);
  }
  for (const [k, share] of evaluation.coverage) means[`coverage@${k}`] = share;
  return means;
}

/** The values of all seeds end to end: splits are the same for every model, so they pair up. */
function joined(cells: readonly CellResult[], metric: MetricAt): Float64Array {
  const parts = cells.map(({ evaluation }) => evaluation.values.get(metric) as Float64Array);
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
