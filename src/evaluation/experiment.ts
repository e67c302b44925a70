// Models compared on the same splits. A cell is one model fitted to one split; its result is small and plain, so that it
// can be kept on disk and a stopped comparison goes on where it was. Means are taken over the seeds, and each model is
// held against the best one object by object. How a model is fitted is the caller's affair.

import type { Reliability } from './calibration.ts';
import { type Evaluation, type MetricAt, meanOf } from './evaluate.ts';
import type { Glimpse } from './glimpse.ts';
import { comparePaired, type PairedComparison } from './paired.ts';

/** One fit of a comparison: a model on a split. */
export interface Cell {
  /** What the data set is called. */
  readonly data: string;
  readonly model: string;
  readonly seed: number;
  readonly trainFraction: number;
}

/** What was measured of one fit. */
export interface CellResult extends Cell {
  /** By metric: the mean over all objects with a test pair; coverage, too. */
  readonly metrics: Readonly<Record<string, number>>;
  /** The same over objects by their number of training tags. Groups without an object are left out. */
  readonly groups: readonly GroupResult[];
  /** By object, the metric that decides; the same objects in the same order for every model of a split. */
  readonly values: readonly number[];
  /** To fit it. */
  readonly seconds: number;
  /** Of models that say how sure they are. */
  readonly reliability?: Reliability;
  /** For a report, of one cell of each model. */
  readonly glimpse?: Glimpse;
}

/** What was measured over objects with about as many training tags. */
export interface GroupResult {
  readonly group: string;
  readonly numObjects: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Numbers of training tags, from the first up to the next one's. The paper's figure has "cold" and five others. */
const GROUPS = [
  { group: 'cold', from: 0, below: 1 },
  { group: '1–9', from: 1, below: 10 },
  { group: '10–19', from: 10, below: 20 },
  { group: '20–29', from: 20, below: 30 },
  { group: '30–39', from: 30, below: 40 },
  { group: '40+', from: 40, below: Number.POSITIVE_INFINITY },
] as const;

/** The share of training pairs that a comparison is told by where it has several: the paper's, or the largest. */
export function mainFraction(trainFractions: readonly number[]): number {
  return trainFractions.find((fraction) => fraction >= 0.8) ?? Math.max(...trainFractions);
}

/** The plain result of a cell. `decides`: the metric kept object by object. */
export function cellResult(cell: Cell, evaluation: Evaluation, decides: MetricAt, seconds: number): CellResult {
  const groups = GROUPS.map(({ group, from, below }) => {
    const isIn = (numTrainTags: number) => numTrainTags >= from && numTrainTags < below;
    return { group, numObjects: evaluation.numTrainTags.filter(isIn).length, metrics: means(evaluation, isIn) };
  });
  const coverage = [...evaluation.coverage].map(([k, share]) => [`coverage@${k}`, share]);
  return {
    ...cell,
    metrics: { ...means(evaluation, () => true), ...Object.fromEntries(coverage) },
    groups: groups.filter(({ numObjects }) => numObjects > 0),
    values: Array.from(evaluation.values.get(decides) as Float64Array),
    seconds,
  };
}

function means(evaluation: Evaluation, isIn: (numTrainTags: number) => boolean): Record<string, number> {
  const metrics = [...evaluation.values.keys()];
  return Object.fromEntries(metrics.map((metric) => [metric, meanOf(evaluation, metric, isIn)]));
}

/** The mean of a metric over seeds, and how far seeds differ. */
export interface MetricSpread {
  readonly mean: number;
  /** Between seeds; 0 for one. */
  readonly deviation: number;
}

/** The same over objects with about as many training tags. */
export interface GroupSummary {
  readonly group: string;
  /** Mean over the seeds. */
  readonly numObjects: number;
  readonly metrics: Readonly<Record<string, MetricSpread>>;
}

/** A model on a data set, over all seeds. */
export interface ModelSummary {
  readonly data: string;
  readonly trainFraction: number;
  readonly model: string;
  readonly numSeeds: number;
  readonly metrics: Readonly<Record<string, MetricSpread>>;
  readonly groups: readonly GroupSummary[];
  /** Median over the seeds. */
  readonly seconds: number;
  /** This model against the best one, over the objects of all seeds; undefined for the best itself. */
  readonly againstBest: PairedComparison | undefined;
}

/**
 * One line for each data set, fraction and model, in the order they came. `decides`: the metric models are compared by.
 *
 * @example
 * import { compare, graphFrom, summarize } from 'tagloom';
 *
 * const films = Array.from({ length: 20 }, (_, i) => `film ${i}`);
 * const tagged = films.flatMap((film, i) => [[film, i % 2 ? 'crime' : 'space'], [film, 'drama']]);
 * const graph = graphFrom({ interact: [], tagged });
 * const cells = await compare(graph, { models: ['popularity'], seeds: [1, 2], trainFractions: [0.8], ks: [3] });
 * const [summary] = summarize(cells, 'recall@3');
 * console.log(summary.model, summary.numSeeds, summary.metrics['recall@3'].mean); // popularity 2 1
 */
export function summarize(results: readonly CellResult[], decides: MetricAt): ModelSummary[] {
  const panels = grouped(results, ({ data, trainFraction }) => `${data} ${trainFraction}`);
  return panels.flatMap((panel) => {
    const byModel = grouped(panel, ({ model }) => model).map((cells) => cells.sort((a, b) => a.seed - b.seed));
    const meanOfSeeds = (cells: readonly CellResult[]) => spread(cells.map(({ metrics }) => metrics[decides])).mean;
    const best = byModel.reduce((a, b) => (meanOfSeeds(b) > meanOfSeeds(a) ? b : a));
    return byModel.map((cells) => ({
      data: cells[0].data,
      trainFraction: cells[0].trainFraction,
      model: cells[0].model,
      numSeeds: cells.length,
      metrics: spreads(cells.map(({ metrics }) => metrics)),
      groups: groupSummaries(cells),
      seconds: median(cells.map(({ seconds }) => seconds)),
      againstBest: cells === best ? undefined : pairedWith(best, cells),
    }));
  });
}

/** Groups that no seed has an object in are left out. */
function groupSummaries(cells: readonly CellResult[]): GroupSummary[] {
  return GROUPS.flatMap(({ group }) => {
    const found = cells.flatMap(({ groups }) => groups.filter((one) => one.group === group));
    if (found.length === 0) return [];
    const numObjects = found.reduce((sum, one) => sum + one.numObjects, 0) / cells.length;
    return [{ group, numObjects, metrics: spreads(found.map(({ metrics }) => metrics)) }];
  });
}

/** Over the seeds both have: splits are the same for every model, so their objects pair up. */
function pairedWith(best: readonly CellResult[], cells: readonly CellResult[]): PairedComparison | undefined {
  const shared = cells.filter(({ seed }) => best.some((other) => other.seed === seed));
  if (shared.length === 0) return undefined;
  const theirs = shared.flatMap(({ seed }) => best.find((other) => other.seed === seed)?.values ?? []);
  return comparePaired(Float64Array.from(shared.flatMap(({ values }) => values)), Float64Array.from(theirs), 1);
}

function spreads(bySeed: readonly Readonly<Record<string, number>>[]): Record<string, MetricSpread> {
  const names = [...new Set(bySeed.flatMap((metrics) => Object.keys(metrics)))];
  return Object.fromEntries(names.map((name) => [name, spread(bySeed.map((metrics) => metrics[name]))]));
}

function spread(values: readonly number[]): MetricSpread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)) };
}

function grouped(results: readonly CellResult[], keyOf: (result: CellResult) => string): CellResult[][] {
  const groups = new Map<string, CellResult[]>();
  for (const result of results) {
    const key = keyOf(result);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return [...groups.values()];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
