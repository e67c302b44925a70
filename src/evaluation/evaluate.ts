// How good a scoring function is: every tag is ranked for every object with a test pair, training tags are masked,
// and each metric is the mean over these objects.

import type { Relation } from '../data/relation.ts';
import type { Split } from '../data/split.ts';
import { ndcgAt, paperNdcgAt, recallAt } from './metrics.ts';
import { topTags } from './top-tags.ts';

export interface Quality {
  readonly numObjects: number;
  readonly recall: number;
  readonly ndcg: number;
  readonly paperNdcg: number;
}

export function evaluate(
  score: (object: number, scores: Float32Array) => void,
  { train, test }: Split,
  k: number,
): Quality {
  const scores = new Float32Array(train.tags.size);
  const sums = { recall: 0, ndcg: 0, paperNdcg: 0 };
  let numObjects = 0;
  for (let object = 0; object < test.numHeads; object++) {
    const numRelevant = test.rowLength(object);
    if (numRelevant === 0) continue;
    score(object, scores);
    const ranked = topTags(scores, train.tagged.row(object), k);
    const isRelevant = relevance(test, object);
    sums.recall += recallAt(k, ranked, isRelevant, numRelevant);
    sums.ndcg += ndcgAt(k, ranked, isRelevant, numRelevant);
    sums.paperNdcg += paperNdcgAt(k, ranked, isRelevant);
    numObjects++;
  }
  const mean = (sum: number) => (numObjects === 0 ? 0 : sum / numObjects);
  return { numObjects, recall: mean(sums.recall), ndcg: mean(sums.ndcg), paperNdcg: mean(sums.paperNdcg) };
}

function relevance(test: Relation, object: number): (tag: number) => boolean {
  return (tag) => test.has(object, tag);
}
