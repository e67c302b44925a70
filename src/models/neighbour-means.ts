// What the neighbours of an object say: the means of their tags, weighted by how like they are.

import type { Relation } from '../data/relation.ts';
import type { Alike } from '../graph/resemblance.ts';

/** The tags of neighbours, each with the share of the neighbours' cosines that stand behind it. */
export function neighbourMeans(neighbours: Alike, tagged: Relation): Map<number, number> {
  const means = new Float64Array(tagged.numTails);
  return new Map(addNeighbourMeans(means, neighbours, tagged).map((tag) => [tag, means[tag]]));
}

/** The same in an array that held zeros; which ones are none any more. */
export function addNeighbourMeans(
  means: Float64Array,
  { objects, cosines }: Alike,
  { rowStart, tails }: Relation,
): number[] {
  const met: number[] = [];
  let total = 0;
  for (const cosine of cosines) total += cosine;
  for (let i = 0; i < objects.length; i++) {
    const share = cosines[i] / total;
    for (let e = rowStart[objects[i]]; e < rowStart[objects[i] + 1]; e++) {
      if (means[tails[e]] === 0) met.push(tails[e]);
      means[tails[e]] += share;
    }
  }
  return met;
}
