// Ranking metrics over one list: `ranked` holds tags from best to worst, `isRelevant` says which are right.

/** Share of the relevant tags that are among the first k. */
export function recallAt(
  k: number,
  ranked: ArrayLike<number>,
  isRelevant: (tag: number) => boolean,
  numRelevant: number,
): number {
  let hits = 0;
  for (let i = 0; i < Math.min(k, ranked.length); i++) if (isRelevant(ranked[i])) hits++;
  return hits / numRelevant;
}

/** Discounted gain of the first k over that of an ideal list, in which min(k, numRelevant) tags are right. */
export function ndcgAt(
  k: number,
  ranked: ArrayLike<number>,
  isRelevant: (tag: number) => boolean,
  numRelevant: number,
): number {
  return gainAt(k, ranked, isRelevant) / idealGain(Math.min(k, numRelevant));
}

/** The paper's variant: its ideal list has k right tags, whatever the object has (design notes in RESULTS.md). */
export function paperNdcgAt(k: number, ranked: ArrayLike<number>, isRelevant: (tag: number) => boolean): number {
  return gainAt(k, ranked, isRelevant) / idealGain(k);
}

function gainAt(k: number, ranked: ArrayLike<number>, isRelevant: (tag: number) => boolean): number {
  let gain = 0;
  for (let i = 0; i < Math.min(k, ranked.length); i++) if (isRelevant(ranked[i])) gain += 1 / Math.log2(i + 2);
  return gain;
}

function idealGain(numRight: number): number {
  let gain = 0;
  for (let i = 0; i < numRight; i++) gain += 1 / Math.log2(i + 2);
  return gain;
}
