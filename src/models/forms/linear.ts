// What a linear model over tags leaves: how much each tag of an object counts for each other tag, and a base score for each tag.
// score(o, t) = base_t + Σ weight(s, t) over the training tags s of o. Only the largest weights are kept.

import type { Csr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { rowByRow, type Scorer } from '../scorer.ts';
import { csrToTensors, type TensorEntry, type TensorReader, vector } from '../tensors.ts';

/** What a linear model over tags leaves. */
export interface Linear {
  readonly form: 'linear';
  /** From an own tag to the tag it counts for; not symmetric. */
  readonly weights: Csr; // (numTags, numTags)
  readonly base: Float32Array; // (numTags)
}

/** `train`: whose tags count. */
export function linearScorer({ weights: graph, base }: Linear, train: KnowledgeGraph): Scorer {
  const { rowStart: tagStart, tails: tags } = train.tagged;
  const { rowStart, columns, values } = graph;
  return {
    floor: Number.NEGATIVE_INFINITY,
    score: rowByRow(train.tags.size, (object, row) => {
      row.set(base);
      for (let i = tagStart[object]; i < tagStart[object + 1]; i++) {
        for (let e = rowStart[tags[i]]; e < rowStart[tags[i] + 1]; e++) row[columns[e]] += values[e];
      }
    }),
    release() {},
  };
}

export function linearToTensors({ weights, base }: Linear): TensorEntry[] {
  return [...csrToTensors('linear', weights), ['linear.base', vector(base)]];
}

export function linearFromTensors(tensors: TensorReader, { tags }: KnowledgeGraph): Linear {
  const base = tensors.array('linear.base', Float32Array, tags.size);
  return { form: 'linear', weights: tensors.csr('linear', tags.size, tags.size), base };
}
