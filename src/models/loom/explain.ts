// What a score of loom is made of, view by view: the amounts add up to the score.

import { entryOf } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { SimilarObjects } from '../../graph/similarity.ts';
import type { Facts, ScoreParts } from '../scorer.ts';
import type { Loom } from './loom.ts';
import { knownWords } from './words.ts';

/** What loom sees of an object, as its scorer has it. */
interface SeenFacts {
  neighboursOf(facts: Facts): SimilarObjects;
  profileOf(users: ArrayLike<number>): Promise<Float32Array>;
  contentOf(facts: Facts): Float32Array;
}

export async function explainScore(
  { base, weights, words, profile, content }: Loom,
  train: KnowledgeGraph,
  seen: SeenFacts,
  facts: Facts,
  tag: number,
): Promise<ScoreParts> {
  const numTags = base.length;
  const { objects, cosines } = seen.neighboursOf(facts);
  const total = cosines.reduce((sum, cosine) => sum + cosine, 0);
  const neighbours = Array.from(objects, (object, i) => {
    const tags = Array.from(train.tagged.row(object), (own) => ({
      tag: own,
      amount: (cosines[i] / total) * entryOf(weights, numTags + own, tag),
    })).filter(({ amount }) => amount !== 0);
    return { object, cosine: cosines[i], tags, amount: tags.reduce((sum, { amount }) => sum + amount, 0) };
  });
  return {
    base: base[tag],
    own: Array.from(facts.tags, (own) => ({ tag: own, amount: entryOf(weights, own, tag) })),
    neighbours,
    words: knownWords(words, facts.title ?? '').map((word) => ({
      word: words.name(word),
      amount: entryOf(weights, 2 * numTags + word, tag),
    })),
    profile: productWith(profile.weights, numTags, tag, await seen.profileOf(facts.users)),
    ...(content && { content: productWith(content.weights, numTags, tag, seen.contentOf(facts)) }),
  };
}

/** A row times the column of a tag in (width, numTags). */
function productWith(weights: Float32Array, numTags: number, tag: number, row: Float32Array): number {
  return row.reduce((sum, value, k) => sum + value * weights[k * numTags + tag], 0);
}
