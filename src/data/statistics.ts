// The facts of a data set that its table in the paper lists, and those that decide how hard it is: how many tags an
// object has, how many objects have none, how long the tail of rare tags is.

import type { KnowledgeGraph } from './knowledge-graph.ts';
import type { Relation } from './relation.ts';
import type { TextTable } from './vocabulary.ts';

/** How a count is distributed. */
export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly p90: number;
  readonly max: number;
}

/** The sizes of a data set and how hard it is, as `statistics` computes them. */
export interface Statistics {
  readonly numObjects: number;
  readonly numTags: number;
  readonly numUsers: number;
  readonly numInteract: number;
  readonly numTagged: number;
  /** Share of all (user, object) pairs that are in Interact. */
  readonly interactDensity: number;
  /** Share of all (object, tag) pairs that are in TaggedWith. */
  readonly taggedDensity: number;
  /** Over objects with at least one tag; likewise for the spreads below. */
  readonly tagsPerObject: Spread;
  readonly usersPerObject: Spread;
  readonly objectsPerUser: Spread;
  readonly objectsPerTag: Spread;
  readonly numObjectsWithoutTags: number;
  readonly numObjectsWithoutUsers: number;
  /** Tagged, but in no interaction: nothing but their tags is known. */
  readonly numTaggedWithoutUsers: number;
  readonly numObjectsWithNeither: number;
  /** Each column of texts: how many objects have one, and how many words, over those. */
  readonly texts: readonly { readonly column: string; readonly numObjects: number; readonly words: Spread }[];
  /** Objects that share their title with another. */
  readonly numSharedTitles: number;
  readonly numTagsOnOneObject: number;
  readonly numTagsOnFewObjects: number; // 5 or fewer
  /** Share of TaggedWith that the most frequent tenth of the tags holds. */
  readonly topTenthShare: number;
  readonly topTags: readonly { readonly tag: string; readonly numObjects: number }[];
}

const FEW = 5;
const NUM_TOP_TAGS = 10;

/**
 * The facts of a data set: its sizes, how many tags objects have, how many objects have none, how long the tail of rare tags is.
 *
 * @example
 * import { graphFrom, statistics } from 'tagloom';
 *
 * const facts = statistics(
 *   graphFrom({
 *     interact: [['ann', 'alien'], ['ann', 'heat']],
 *     tagged: [['alien', 'space'], ['alien', 'horror']],
 *   }),
 * );
 * console.log(facts.numObjects, facts.numObjectsWithoutTags); // 2 1
 * console.log(facts.tagsPerObject.mean); // 2
 */
export function statistics(graph: KnowledgeGraph): Statistics {
  const { interact, tagged } = graph;
  const usersOf = rowLengths(interact.reversed());
  const objectsOf = rowLengths(interact);
  const tagsOf = rowLengths(tagged);
  const objectsWith = rowLengths(tagged.reversed());
  const count = (test: (object: number) => boolean) =>
    tagsOf.reduce((sum, _, object) => sum + (test(object) ? 1 : 0), 0);
  const byFrequency = Int32Array.from({ length: graph.tags.size }, (_, tag) => tag).sort(
    (a, b) => objectsWith[b] - objectsWith[a] || a - b,
  );
  const topTenth = byFrequency.subarray(0, Math.ceil(graph.tags.size / 10));

  return {
    numObjects: graph.objects.size,
    numTags: graph.tags.size,
    numUsers: graph.users.size,
    numInteract: interact.size,
    numTagged: tagged.size,
    interactDensity: ratio(interact.size, graph.users.size * graph.objects.size),
    taggedDensity: ratio(tagged.size, graph.objects.size * graph.tags.size),
    tagsPerObject: spread(tagsOf),
    usersPerObject: spread(usersOf),
    objectsPerUser: spread(objectsOf),
    objectsPerTag: spread(objectsWith),
    numObjectsWithoutTags: count((object) => tagsOf[object] === 0),
    numObjectsWithoutUsers: count((object) => usersOf[object] === 0),
    numTaggedWithoutUsers: count((object) => tagsOf[object] > 0 && usersOf[object] === 0),
    numObjectsWithNeither: count((object) => tagsOf[object] === 0 && usersOf[object] === 0),
    texts: graph.texts.map((column) => {
      const words = Int32Array.from({ length: column.texts.size }, (_, object) => numWords(column.texts, object));
      return { column: column.name, numObjects: words.filter((n) => n > 0).length, words: spread(words) };
    }),
    numSharedTitles: sharedTitles(graph),
    numTagsOnOneObject: objectsWith.reduce((sum, n) => sum + (n === 1 ? 1 : 0), 0),
    numTagsOnFewObjects: objectsWith.reduce((sum, n) => sum + (n >= 1 && n <= FEW ? 1 : 0), 0),
    topTenthShare: ratio(
      topTenth.reduce((sum, tag) => sum + objectsWith[tag], 0),
      tagged.size,
    ),
    topTags: Array.from(byFrequency.subarray(0, NUM_TOP_TAGS), (tag) => ({
      tag: graph.tags.name(tag),
      numObjects: objectsWith[tag],
    })),
  };
}

function rowLengths(relation: Relation): Int32Array {
  return Int32Array.from({ length: relation.numHeads }, (_, head) => relation.rowLength(head));
}

/** Over the lengths that are not zero. */
function spread(lengths: Int32Array): Spread {
  const sorted = lengths.filter((n) => n > 0).sort();
  if (sorted.length === 0) return { mean: 0, median: 0, p90: 0, max: 0 };
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return {
    mean: sorted.reduce((sum, n) => sum + n, 0) / sorted.length,
    median: at(0.5),
    p90: at(0.9),
    max: sorted[sorted.length - 1],
  };
}

/** Runs of bytes without white space: close enough to count, and quick. At least 1 where there is any text. */
function numWords(texts: TextTable, object: number): number {
  let [count, wasSpace] = [0, true];
  for (const byte of texts.bytesOf(object)) {
    const isSpace = byte <= 0x20;
    if (wasSpace && !isSpace) count++;
    wasSpace = isSpace;
  }
  return count;
}

function sharedTitles({ titles }: KnowledgeGraph): number {
  const uses = new Map<string, number>();
  for (let object = 0; object < titles.size; object++)
    uses.set(titles.at(object), (uses.get(titles.at(object)) ?? 0) + 1);
  let shared = 0;
  for (const n of uses.values()) if (n > 1) shared += n;
  return shared;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** By tag, how many objects carry it. */
export function tagCounts({ tags, tagged }: Pick<KnowledgeGraph, 'tags' | 'tagged'>): Float64Array {
  const counts = new Float64Array(tags.size);
  for (const tag of tagged.tails) counts[tag]++;
  return counts;
}
