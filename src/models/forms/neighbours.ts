// What a neighbour model leaves: for each object a few others, with weights. An object gets the tags of its neighbours, each with
// the neighbour's weight. An object that nothing comes to from neighbours gets popular tags (fallback.ts).

import type { Csr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { rowByRow, type Scorer } from '../scorer.ts';
import { csrToTensors, type TensorEntry, type TensorReader } from '../tensors.ts';
import { popularityShares } from './fallback.ts';

/** What a neighbour model leaves. */
export interface Neighbours {
  readonly form: 'neighbours';
  readonly graph: Csr; // (numObjects, numObjects); need not be symmetric
}

/** `train`: whose tags count. */
export function neighbourScorer({ graph }: Neighbours, train: KnowledgeGraph): Scorer {
  const { rowStart: tagStart, tails: tags } = train.tagged;
  const { rowStart, columns, values } = graph;
  const popular = popularityShares(train);
  return {
    floor: 0,
    score: rowByRow(train.tags.size, (object, row) => {
      row.fill(0);
      let numFound = 0;
      for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
        for (let i = tagStart[columns[e]]; i < tagStart[columns[e] + 1]; i++) row[tags[i]] += values[e];
        numFound += tagStart[columns[e] + 1] - tagStart[columns[e]];
      }
      if (numFound === 0) row.set(popular);
    }),
    // without the fallback: a popular tag is not missing from every object
    async scoreObjects(tag) {
      const column = new Float32Array(train.objects.size);
      for (let object = 0; object < column.length; object++) {
        for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
          if (train.tagged.has(columns[e], tag)) column[object] += values[e];
        }
      }
      return column;
    },
    release() {},
  };
}

export function neighboursToTensors({ graph }: Neighbours): TensorEntry[] {
  return csrToTensors('neighbours', graph);
}

export function neighboursFromTensors(tensors: TensorReader, { objects }: KnowledgeGraph): Neighbours {
  return { form: 'neighbours', graph: tensors.csr('neighbours', objects.size, objects.size) };
}
