// A knowledge graph as reviews leave it: accepted pairs are in it, rejected ones are not, and are known as such.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { PairList, type Relation } from '../../data/relation.ts';
import { VocabularyBuilder } from '../../data/vocabulary.ts';
import { InputError } from '../../errors.ts';
import type { Review } from './review-store.ts';

export interface ReviewedGraph {
  readonly graph: KnowledgeGraph;
  /** (object, tag), of tags that the graph has. */
  readonly rejected: Relation;
  readonly counts: ReviewCounts;
}

/** Pairs. */
export interface ReviewCounts {
  /** Accepted, and not in the data before. */
  readonly added: number;
  /** Rejected, and in the data before. */
  readonly removed: number;
  readonly rejected: number;
  /** Of objects that the data does not have. */
  readonly leftOut: number;
}

type Reviews = AsyncIterable<Pick<Review, 'object' | 'tag'>> | Iterable<Pick<Review, 'object' | 'tag'>>;

/** `merged`: by tag, what it is to be read as ('': nothing), as the graph's own tags were. */
export async function reviewedGraph(
  graph: KnowledgeGraph,
  { accepted, rejected }: { readonly accepted: Reviews; readonly rejected: Reviews },
  merged: ReadonlyMap<string, string> = new Map(),
): Promise<ReviewedGraph> {
  let leftOut = 0;
  const collect = async (reviews: Reviews) => {
    const pairs = new Map<number, Set<string>>(); // tags by object
    for await (const { object: name, tag: given } of reviews) {
      const object = graph.objects.idOf(name);
      const tag = merged.get(given) ?? given;
      if (object < 0) leftOut++;
      else if (tag !== '') pairs.set(object, (pairs.get(object) ?? new Set()).add(tag));
    }
    return pairs;
  };
  const out = await collect(rejected);
  const changed = amended(graph, await collect(accepted), out);
  const relation = toRelation(changed.graph, out);
  return { ...changed, rejected: relation, counts: { ...changed.counts, rejected: sizeOf(out), leftOut } };
}

/** Tags that lose their last pair are no more: nothing could be learnt of them. */
function amended(graph: KnowledgeGraph, accepted: PairsByObject, rejected: PairsByObject) {
  const builder = new VocabularyBuilder();
  const pairs = new PairList();
  let [added, removed] = [0, 0];
  for (let object = 0; object < graph.objects.size; object++) {
    const out = rejected.get(object);
    for (const tag of graph.tagged.row(object)) {
      const name = graph.tags.name(tag);
      if (out?.has(name)) removed++;
      else pairs.add(object, builder.add(name));
    }
    for (const name of accepted.get(object) ?? []) {
      const tag = graph.tags.idOf(name);
      if (out?.has(name) || (tag >= 0 && graph.tagged.has(object, tag))) continue; // who rejects is believed
      pairs.add(object, builder.add(name));
      added++;
    }
  }
  if (pairs.size === 0) {
    const cure = 'Undo some reviews, or train without them.';
    throw new InputError({ got: 'reviews that reject every pair', expected: 'at least one object with a tag', cure });
  }
  const { vocabulary, rank } = builder.finish();
  const sameObjects = Int32Array.from({ length: graph.objects.size }, (_, object) => object);
  return {
    graph: { ...graph, tags: vocabulary, tagged: pairs.toRelation(sameObjects, rank) },
    counts: { added, removed },
  };
}

type PairsByObject = ReadonlyMap<number, ReadonlySet<string>>;

function toRelation({ objects, tags }: KnowledgeGraph, pairsByObject: PairsByObject): Relation {
  const pairs = new PairList();
  for (const [object, names] of pairsByObject) {
    for (const name of names) {
      const tag = tags.idOf(name);
      if (tag >= 0) pairs.add(object, tag);
    }
  }
  const same = (size: number) => Int32Array.from({ length: size }, (_, id) => id);
  return pairs.toRelation(same(objects.size), same(tags.size));
}

function sizeOf(pairs: PairsByObject): number {
  let size = 0;
  for (const names of pairs.values()) size += names.size;
  return size;
}
