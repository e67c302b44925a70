// What a score of loom is made of, view by view: the amounts add up to the score.

import { entryOf } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { SimilarObjects } from '../../graph/similarity.ts';
import type { Facts, NeighbourAmount, ScoreParts, WordAmount } from '../scorer.ts';
import type { Layout, Loom, LoomWeights } from './loom.ts';
import type { SharedWords } from './shared-words.ts';
import type { Seen } from './side.ts';
import { FEATURES, type TextSpace, type Written } from './text-space.ts';

/** What loom sees of an object, as its scorer has it. */
interface SeenFacts {
  neighboursOf(facts: Facts): SimilarObjects;
  writtenOf(facts: Facts): Written;
}

/** A set of weights and its share in the score. */
interface SideShare {
  readonly weights: LoomWeights;
  readonly layout: Layout;
  readonly share: number;
}

interface Explained {
  readonly loom: Loom;
  readonly space: TextSpace;
  readonly train: KnowledgeGraph;
  readonly shared: SharedWords | undefined;
  readonly sides: readonly SideShare[];
}

export async function explainScore(
  { loom, space, train, shared, sides }: Explained,
  facing: SeenFacts,
  seen: Seen,
  facts: Facts,
  tag: number,
): Promise<ScoreParts> {
  const numTags = train.tags.size;
  const total = (amountOf: (side: SideShare) => number) =>
    sides.reduce((sum, side) => sum + side.share * amountOf(side), 0);
  const has = ({ layout }: SideShare) => layout.neighbours > 0;
  const product = (row: Float32Array, weights: Float32Array) =>
    row.reduce((sum, value, k) => sum + value * weights[k * numTags + tag], 0);
  return {
    base: total(({ weights }) => weights.base[tag]),
    own: Array.from(facts.tags, (own) => ({
      tag: own,
      amount: total((side) => (has(side) ? entryOf(side.weights.sparse, own, tag) : 0)),
    })),
    neighbours: neighbourAmounts(facing.neighboursOf(facts), train, (own) =>
      total(({ weights, layout }) => entryOf(weights.sparse, layout.neighbours + own, tag)),
    ),
    words: wordAmounts(space, train, facing.writtenOf(facts), featureAmounts(seen, shared, sides, tag)),
    mention: total(({ weights }) => (seen.mentions.get(tag) ?? 0) * weights.mention[tag]),
    profile: total(({ weights }) => product(seen.profile, weights.profile)),
    ...(loom.content && { content: total(({ weights }) => product(seen.content, weights.content)) }),
  };
}

function neighbourAmounts(
  { objects, cosines }: SimilarObjects,
  { tagged }: KnowledgeGraph,
  amountOf: (tag: number) => number,
): NeighbourAmount[] {
  const total = cosines.reduce((sum, cosine) => sum + cosine, 0);
  return Array.from(objects, (object, i) => {
    const tags = Array.from(tagged.row(object), (own) => ({
      tag: own,
      amount: (cosines[i] / total) * amountOf(own),
    })).filter(({ amount }) => amount !== 0);
    return { object, cosine: cosines[i], tags, amount: tags.reduce((sum, { amount }) => sum + amount, 0) };
  });
}

/** By feature of the text what it adds. A product of two words counts half for either. */
function featureAmounts(
  { text }: Seen,
  shared: SharedWords | undefined,
  sides: readonly SideShare[],
  tag: number,
): Map<number, number> {
  const amounts = new Map<number, number>(text.features.map((feature) => [feature, 0]));
  for (const { weights, layout, share } of sides) {
    const { squares } = weights;
    const numTags = weights.base.length;
    for (const [i, feature] of text.features.entries()) {
      const amount = text.values[i] * entryOf(weights.sparse, layout.text + feature, tag);
      amounts.set(feature, (amounts.get(feature) ?? 0) + share * amount);
    }
    for (const [part, strength] of squares?.strengths.entries() ?? []) {
      if (squares === undefined || shared === undefined || strength === 0) continue;
      // Σ_j α_j s (Σ_f x_f y_jf)² = Σ_f x_f Σ_j y_jf · (α_j s · product_j)
      const pulls = shared.products(text, part).map((one, j) => one * strength * squares.answers[j * numTags + tag]);
      for (const [i, feature] of text.features.entries()) {
        if (!shared.isIn(feature, part)) continue;
        amounts.set(feature, (amounts.get(feature) ?? 0) + share * text.values[i] * shared.sum(feature, pulls));
      }
    }
  }
  return amounts;
}

/** The same by word: a group of letters belongs to the words it is in, by how often they occur. */
function wordAmounts(
  space: TextSpace,
  { texts }: KnowledgeGraph,
  written: Written,
  amounts: ReadonlyMap<number, number>,
): WordAmount[] {
  const features = [...space.featuresByWord(written)];
  const counts = new Map<number, number>();
  for (const { feature, count } of features) counts.set(feature, (counts.get(feature) ?? 0) + count);
  const words = new Map<string, { word: string; column: number; amount: number }>();
  for (const { column, word, feature, count } of features) {
    const amount = ((amounts.get(feature) ?? 0) * count) / (counts.get(feature) as number);
    const known = words.get(`${column} ${word}`) ?? { word, column, amount: 0 };
    known.amount += amount;
    words.set(`${column} ${word}`, known);
  }
  const nameOf = (column: number) => (column === FEATURES ? 'features' : texts[column]?.name);
  return Array.from(words.values(), ({ word, column, amount }) => ({
    word,
    ...(column !== -1 && { column: nameOf(column) }),
    amount,
  })).filter(({ amount }) => amount !== 0);
}
