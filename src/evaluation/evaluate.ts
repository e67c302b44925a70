// How good a scoring function is: every tag is ranked for every object with a test pair, training tags are masked, ties
// go to the smaller tag id (names in byte order), and each metric is the mean over these objects. The values of single
// objects are kept: models are compared on the same objects (paired.ts), and cold objects apart from others.

import type { Relation } from '../data/relation.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { type ScoreTags, topTags } from '../models/scorer.ts';
import { METRICS, type Metric } from './metrics.ts';

/** The part of a split that is looked at. */
export interface Judged {
  readonly train: { readonly tagged: Relation };
  readonly test: Relation;
}

/** A metric at a length of list, such as 'recall@3'. */
export type MetricAt = `${Metric}@${number}`;

/** How well hidden pairs were found, object by object. */
export interface Evaluation {
  /** The objects with a test pair, ascending. */
  readonly objects: Int32Array;
  /** By these objects: how many training tags they have; 0 is a cold object. */
  readonly numTrainTags: Int32Array;
  /** By metric, a value for each of these objects. */
  readonly values: ReadonlyMap<MetricAt, Float64Array>;
  /** By k: share of all tags that are among anybody's first k. */
  readonly coverage: ReadonlyMap<number, number>;
}

const BLOCK_OBJECTS = 256;

/**
 * How well a scoring function finds the hidden pairs of a split; `ks`: lengths of lists to measure at.
 *
 * @example
 * import { evaluate, graphFrom, meanOf, split } from 'tagloom';
 *
 * const films = ['alien', 'solaris', 'moon', 'arrival'];
 * const tagged = films.flatMap((film) => [[film, 'space'], [film, 'drama']]);
 * const parts = split(graphFrom({ interact: [], tagged }), { trainFraction: 0.5, seed: 1 });
 * const evaluation = await evaluate((objects, scores) => void scores.fill(1), parts, [2]);
 * console.log(meanOf(evaluation, 'recall@2')); // 1
 */
export async function evaluate(
  score: ScoreTags,
  split: Judged,
  ks: readonly number[],
  listener: Listener = {},
): Promise<Evaluation> {
  const { train, test } = split;
  const objects = Int32Array.from({ length: test.numHeads }, (_, object) => object).filter(
    (object) => test.rowLength(object) > 0,
  );
  const values = new Map<MetricAt, Float64Array>();
  for (const k of ks)
    for (const metric of metricNames()) values.set(`${metric}@${k}`, new Float64Array(objects.length));
  const seen = new Map(ks.map((k) => [k, new Uint8Array(test.numTails)]));
  const scores = new Float32Array(BLOCK_OBJECTS * test.numTails);
  const breathe = makeBreather(listener);

  for (let first = 0; first < objects.length; first += BLOCK_OBJECTS) {
    listener.progress?.('evaluating', first, objects.length);
    await breathe();
    const block = objects.subarray(first, first + BLOCK_OBJECTS);
    await score(block, scores.subarray(0, block.length * test.numTails));
    for (let i = 0; i < block.length; i++) {
      const row = scores.subarray(i * test.numTails, (i + 1) * test.numTails);
      const ranked = topTags(row, train.tagged.row(block[i]), Math.max(...ks));
      const list = {
        ranked,
        isRelevant: (tag: number) => test.has(block[i], tag),
        numRelevant: test.rowLength(block[i]),
      };
      for (const k of ks) {
        for (const metric of metricNames())
          (values.get(`${metric}@${k}`) as Float64Array)[first + i] = METRICS[metric](list, k);
        for (const tag of ranked.slice(0, k)) (seen.get(k) as Uint8Array)[tag] = 1;
      }
    }
  }
  const numTrainTags = objects.map((object) => train.tagged.rowLength(object));
  const coverage = new Map(ks.map((k) => [k, mean(seen.get(k) as Uint8Array)]));
  return { objects, numTrainTags, values, coverage };
}

/**
 * The mean of a metric over all objects, or over those whose number of training tags `picks` accepts; NaN over none.
 *
 * @example
 * import { evaluate, graphFrom, meanOf, split } from 'tagloom';
 *
 * const tagged = ['alien', 'solaris', 'moon', 'arrival'].map((film) => [film, 'space']);
 * const parts = split(graphFrom({ interact: [], tagged }), { trainFraction: 0.5, seed: 1 });
 * const evaluation = await evaluate((objects, scores) => void scores.fill(1), parts, [1]);
 * console.log(meanOf(evaluation, 'recall@1', (numTrainTags) => numTrainTags === 0)); // 1
 */
export function meanOf(
  evaluation: Evaluation,
  metric: MetricAt,
  picks: (numTrainTags: number) => boolean = () => true,
): number {
  const values = evaluation.values.get(metric);
  if (values === undefined)
    throw new RangeError(`Got the metric ${metric} when expected one of ${[...evaluation.values.keys()].join(', ')}.`);
  return mean(values.filter((_, i) => picks(evaluation.numTrainTags[i])));
}

function metricNames(): Metric[] {
  return Object.keys(METRICS) as Metric[];
}

function mean(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total / values.length;
}
