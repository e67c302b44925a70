// How well a model tells accepted tags from rejected ones: the share of all pairs of an accepted and a rejected tag in which it is surer
// of the accepted one (the area under its ROC curve); ties count half, and what is not suggested at all is the least sure.

import { comparePaired } from '../evaluation/paired.ts';
import type { OldAndNew, SeparationComparison } from '../serving/training/training-messages.ts';
import { MIN_HELD_BACK, type Pair, type Verdicts } from './held-back.ts';
import type { Ranks } from './ranks.ts';

export function compareSeparation(
  ranks: OldAndNew<Ranks>,
  heldBack: Verdicts,
  seed: number,
): SeparationComparison | undefined {
  const { accepted, rejected } = heldBack;
  if (accepted.length === 0 || rejected.length === 0) return undefined;
  const [old, next] = [standings(ranks.old, heldBack), standings(ranks.new, heldBack)];
  const share = { old: meanOf(old.subarray(0, accepted.length)), new: meanOf(next.subarray(0, accepted.length)) };
  if (Math.min(accepted.length, rejected.length) < MIN_HELD_BACK) return { share };
  const objects = [...accepted, ...rejected].map(({ object }) => object);
  const { difference: mean, interval, pValue } = comparePaired(byObject(next, objects), byObject(old, objects), seed);
  return { share, difference: { mean, low: interval[0], high: interval[1], pValue } };
}

/** Of each accepted tag the share of the rejected ones it is above, then of each rejected tag the share of the accepted ones above it. */
export function standings(ranks: Ranks, { accepted, rejected }: Verdicts): Float64Array {
  const sureness = ({ object, tag }: Pair) => ranks.get(object)?.get(tag)?.sureness ?? Number.NEGATIVE_INFINITY;
  const [up, down] = [Float64Array.from(accepted, sureness), Float64Array.from(rejected, sureness)];
  const [sortedUp, sortedDown] = [up.slice().sort(), down.slice().sort()];
  return Float64Array.from([
    ...Array.from(up, (one) => shareBelow(sortedDown, one)),
    ...Array.from(down, (one) => 1 - shareBelow(sortedUp, one)),
  ]);
}

/** Equal ones count half. `sorted`: ascending. */
function shareBelow(sorted: Float64Array, value: number): number {
  return (numBelow(sorted, (one) => one < value) + numBelow(sorted, (one) => one <= value)) / (2 * sorted.length);
}

/** How many from the start on `isBelow` is true of. */
function numBelow(sorted: Float64Array, isBelow: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(sorted[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Decisions about one object are no independent ones: they count as one, by their mean. */
function byObject(values: Float64Array, objects: readonly string[]): Float64Array {
  const found = new Map<string, number[]>();
  for (const [i, object] of objects.entries()) found.set(object, [...(found.get(object) ?? []), values[i]]);
  return Float64Array.from(found.values(), (own) => meanOf(own));
}

function meanOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}
