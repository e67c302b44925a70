// Ranking metrics over one list: `ranked` holds tags from best to worst, `isRelevant` says which are right, of which
// there are `numRelevant` (at least one). Each is a number from 0 to 1.

/** What can be measured of a ranked list. */
export type Metric = 'recall' | 'ndcg' | 'paperNdcg' | 'precision' | 'hitRate' | 'mrr';

/** A ranked list of tags, and which of them are right. */
export interface RankedList {
  readonly ranked: ArrayLike<number>;
  readonly isRelevant: (tag: number) => boolean;
  readonly numRelevant: number;
}

export const METRICS: Readonly<Record<Metric, (list: RankedList, k: number) => number>> = {
  /** Share of the relevant tags that are among the first k. */
  recall: (list, k) => hits(list, k) / list.numRelevant,
  /** Discounted gain over that of an ideal list, in which min(k, numRelevant) tags are right. */
  ndcg: (list, k) => gain(list, k) / idealGain(Math.min(k, list.numRelevant)),
  /** The paper's variant: its ideal list has k right tags, whatever the object has. */
  paperNdcg: (list, k) => gain(list, k) / idealGain(k),
  /** Share of the first k that are relevant. */
  precision: (list, k) => hits(list, k) / k,
  /** Whether any of the first k is relevant. */
  hitRate: (list, k) => (hits(list, k) > 0 ? 1 : 0),
  /** 1 / place of the first relevant tag among the first k, else 0. */
  mrr: (list, k) => reciprocalRank(list, k),
};

function hits({ ranked, isRelevant }: RankedList, k: number): number {
  let count = 0;
  for (let i = 0; i < Math.min(k, ranked.length); i++) if (isRelevant(ranked[i])) count++;
  return count;
}

function reciprocalRank({ ranked, isRelevant }: RankedList, k: number): number {
  for (let i = 0; i < Math.min(k, ranked.length); i++) if (isRelevant(ranked[i])) return 1 / (i + 1);
  return 0;
}

function gain({ ranked, isRelevant }: RankedList, k: number): number {
  let total = 0;
  for (let i = 0; i < Math.min(k, ranked.length); i++) if (isRelevant(ranked[i])) total += 1 / Math.log2(i + 2);
  return total;
}

function idealGain(numRight: number): number {
  let total = 0;
  for (let i = 0; i < numRight; i++) total += 1 / Math.log2(i + 2);
  return total;
}
