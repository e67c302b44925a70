// A data set whose right answer is known: even objects carry even tags and odd ones odd tags, and users keep to one
// colour, too. A few pairs are missing at random; every model worth the name finds them.

import { graphFrom, type KnowledgeGraph } from '../src/data/knowledge-graph.ts';

export function checkerboard(numObjects = 60, numTags = 20, numUsers = 40): KnowledgeGraph {
  const name = (prefix: string, i: number) => `${prefix}${String(i).padStart(3, '0')}`;
  const interact: [string, string][] = [];
  const tagged: [string, string][] = [];
  for (let o = 0; o < numObjects; o++) {
    for (let u = o % 2; u < numUsers; u += 2) if ((o * 7 + u * 3) % 5 < 2) interact.push([name('u', u), name('o', o)]);
    for (let t = o % 2; t < numTags; t += 2) tagged.push([name('o', o), name('t', t)]);
  }
  return graphFrom({ interact, tagged });
}
