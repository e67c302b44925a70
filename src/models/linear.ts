// What a linear model over tags leaves: how much each tag an object has speaks for each other tag, and a base score for
// each tag. score(o, t) = base_t + Σ weight(s, t) over the training tags s of o. Only the strongest weights are kept.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import { rowByRow, type Scorer } from './score-tags.ts';

export interface Linear {
  readonly form: 'linear';
  /** From the tag that speaks to the tag spoken for; not symmetric. */
  readonly weights: WeightedGraph; // over tags
  readonly base: Float32Array; // (numTags)
}

/** `train`: whose tags count. */
export function linearScorer({ weights: graph, base }: Linear, train: KnowledgeGraph): Scorer {
  const { rowStart: tagStart, tails: tags } = train.tagged;
  const { rowStart, columns, weights } = graph;
  return {
    floor: Number.NEGATIVE_INFINITY,
    score: rowByRow(train.tags.size, (object, row) => {
      row.set(base);
      for (let i = tagStart[object]; i < tagStart[object + 1]; i++) {
        for (let e = rowStart[tags[i]]; e < rowStart[tags[i] + 1]; e++) row[columns[e]] += weights[e];
      }
    }),
    release() {},
  };
}
