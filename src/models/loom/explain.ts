// What a score of loom is made of, view by view: the amounts add up to the score.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { SimilarObjects } from '../../graph/shared-users.ts';
import type { NeighbourAmount, ScoreParts, TagAmount, WordAmount } from '../scorer.ts';
import type { FeatureWeights } from './feature-weights.ts';
import type { Layout, Loom, LoomWeights } from './loom.ts';
import type { Seen } from './seen.ts';
import type { SharedWords } from './shared-words.ts';
import { FEATURES, type TextRow, type TextSpace, type WordFeature, type Written } from './text-space.ts';

/** What loom sees of an object, and what that comes from. */
interface SeenFrom extends Seen {
  readonly neighbours: SimilarObjects;
  readonly written: Written;
}

/** A set of weights and its share in the score. */
interface SideShare {
  readonly weights: LoomWeights;
  readonly features: FeatureWeights;
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

/** The parts of the score of any tag for one object: what does not depend on the tag is computed once. */
export function scoreExplainer(explained: Explained, seen: SeenFrom): (tag: number) => ScoreParts {
  const readable = readableText(explained, seen);
  return (tag) => explainScore(explained, seen, readable, tag);
}

function explainScore(
  { loom, train, sides }: Explained,
  seen: SeenFrom,
  readable: ReadableText,
  tag: number,
): ScoreParts {
  const numTags = train.tags.size;
  const total = (amountOf: (side: SideShare) => number) =>
    sides.reduce((sum, side) => sum + side.share * amountOf(side), 0);
  const has = ({ layout }: SideShare) => layout.neighbours > 0;
  const product = (row: Float32Array, weights: Float32Array) =>
    row.reduce((sum, value, k) => sum + value * weights[k * numTags + tag], 0);
  return {
    base: total(({ weights }) => weights.base[tag]),
    own: Array.from(seen.tags, (own) => ({
      tag: own,
      amount: total((side) => (has(side) ? side.features.of(own, tag) : 0)),
    })),
    neighbours: neighbourAmounts(seen.neighbours, train, (own) =>
      total(({ features, layout }) => features.of(layout.neighbours + own, tag)),
    ),
    words: wordAmounts(readable, train, featureAmounts(readable, sides, tag)),
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
  const known = new Map<number, number>(); // by tag: neighbours have many in common
  return Array.from(objects, (object, i) => {
    const tags: TagAmount[] = [];
    for (const own of tagged.row(object)) {
      const ofTag = known.get(own) ?? amountOf(own);
      known.set(own, ofTag);
      const amount = (cosines[i] / total) * ofTag;
      if (amount !== 0) tags.push({ tag: own, amount });
    }
    return { object, cosine: cosines[i], tags, amount: tags.reduce((sum, { amount }) => sum + amount, 0) };
  });
}

/** What is written, ready to be split up by word for any tag. */
interface ReadableText {
  readonly text: TextRow;
  readonly features: readonly WordFeature[];
  readonly counts: ReadonlyMap<number, number>; // by feature, over all words it comes from
  readonly shared: SharedWords | undefined;
  readonly products: readonly Float64Array[]; // by part, where products of words count: by tagged object
}

function readableText({ space, shared, sides }: Explained, { text, written }: SeenFrom): ReadableText {
  const features = [...space.featuresByWord(written)];
  const counts = new Map<number, number>();
  for (const { feature, count } of features) counts.set(feature, (counts.get(feature) ?? 0) + count);
  const products: Float64Array[] = [];
  for (const { weights } of sides) {
    for (const [part, strength] of weights.squares?.strengths.entries() ?? []) {
      if (shared !== undefined && strength !== 0) products[part] ??= shared.products(text, part);
    }
  }
  return { text, features, counts, shared, products };
}

/** By feature of the text what it adds. A product of two words counts half for either. */
function featureAmounts(
  { text, shared, products }: ReadableText,
  sides: readonly SideShare[],
  tag: number,
): Map<number, number> {
  const amounts = new Map<number, number>(text.features.map((feature) => [feature, 0]));
  for (const { weights, features, layout, share } of sides) {
    const { squares } = weights;
    const numTags = weights.base.length;
    for (const [i, feature] of text.features.entries()) {
      const amount = text.values[i] * features.of(layout.text + feature, tag);
      amounts.set(feature, (amounts.get(feature) ?? 0) + share * amount);
    }
    for (const [part, strength] of squares?.strengths.entries() ?? []) {
      if (squares === undefined || shared === undefined || strength === 0) continue;
      // Σ_j α_j s (Σ_f x_f y_jf)² = Σ_f x_f Σ_j y_jf · (α_j s · product_j)
      const pulls = products[part].map((one, j) => one * strength * squares.answers[j * numTags + tag]);
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
  { features, counts }: ReadableText,
  { texts }: KnowledgeGraph,
  amounts: ReadonlyMap<number, number>,
): WordAmount[] {
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
