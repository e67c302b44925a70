// Tags that are probably one tag written in several ways: hip-hop and hip hop, game and games, javascript and javscript.
// Two tags must be similar in text (data/spelling.ts) and in use: metal and mental differ in one letter, but stand among
// other tags. Text proposes few pairs, so only those are compared by use.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import { forEachSimilarKey, type KeySimilarity, spellingKey } from '../data/spelling.ts';
import { type Listener, makeBreather } from '../listener.ts';

export interface DuplicateTags {
  /** The spelling on the most objects. */
  readonly keep: string;
  readonly numObjects: number;
  /** The most used first. */
  readonly others: readonly DuplicateTag[];
}

export interface DuplicateTag {
  readonly tag: string;
  readonly numObjects: number;
  /** Objects that carry this tag and the one to keep. */
  readonly numTogether: number;
  readonly reason: 'spelling' | KeySimilarity;
  /** Cosine of the tags beside this one and beside the one to keep: from 0, none shared, to 1. */
  readonly similarity: number;
}

/** How similar in use two tags with similar letters must be. Chosen by reading which pairs pass. */
const MIN_SIMILARITY = 0.3;
/** The same letters are proof enough, unless both spellings are used often and in quite different places. */
const OFTEN = 10;
const MIN_OFTEN_SIMILARITY = 0.05;
const MAX_OBJECTS = 2000; // of a tag, sampled

/** Groups of tags, those on the most objects first. */
export async function nearDuplicates(graph: KnowledgeGraph, listener: Listener = {}): Promise<DuplicateTags[]> {
  const contexts = new TagContexts(graph.tagged);
  const spellings = spellingsByKey(graph, contexts);
  const links = await linkedKeys(spellings, contexts, listener);
  const groups: DuplicateTags[] = [];
  for (const group of groupsOf(spellings, links)) if (group.size > 1) groups.push(described(graph, contexts, group));
  const total = ({ numObjects, others }: DuplicateTags) =>
    others.reduce((sum, one) => sum + one.numObjects, numObjects);
  return groups.sort((a, b) => total(b) - total(a));
}

/** By key, the tags spelled so, the most used first. */
type Spellings = ReadonlyMap<string, readonly number[]>;
/** By key, the similar keys, and why. */
type Links = ReadonlyMap<string, ReadonlyMap<string, KeySimilarity>>;
/** By tag, why it belongs to the first, which is the one to keep. */
type Group = ReadonlyMap<number, DuplicateTag['reason']>;

function spellingsByKey({ tags }: KnowledgeGraph, contexts: TagContexts): Spellings {
  const byUse = Int32Array.from({ length: tags.size }, (_, tag) => tag).sort(
    (a, b) => contexts.numObjects(b) - contexts.numObjects(a) || a - b,
  );
  const spellings = new Map<string, number[]>();
  for (const tag of byUse) {
    const key = spellingKey(tags.name(tag));
    if (key === '') continue;
    const known = spellings.get(key);
    if (known === undefined) spellings.set(key, [tag]);
    else if (
      contexts.numObjects(tag) < OFTEN || // the first is used as often or more
      contexts.similarity([known[0]], [tag]) >= MIN_OFTEN_SIMILARITY
    )
      known.push(tag);
  }
  return spellings;
}

async function linkedKeys(spellings: Spellings, contexts: TagContexts, listener: Listener): Promise<Links> {
  const breathe = makeBreather(listener);
  const links = new Map<string, Map<string, KeySimilarity>>();
  const link = (from: string, to: string, similarity: KeySimilarity) =>
    links.set(from, (links.get(from) ?? new Map<string, KeySimilarity>()).set(to, similarity));
  let numDone = 0;
  for (const [key, tags] of spellings) {
    if (numDone++ % 64 === 0) {
      listener.progress?.('comparing tags', numDone, spellings.size);
      await breathe();
    }
    forEachSimilarKey(
      key,
      (other) => spellings.has(other),
      (other, similarity) => {
        if (links.get(key)?.has(other)) return;
        if (contexts.similarity(tags, spellings.get(other) ?? []) < MIN_SIMILARITY) return;
        link(key, other, similarity);
        link(other, key, similarity);
      },
    );
  }
  return links;
}

/** Keys joined by links, directly or through others; each group begins at its most used tag. */
function* groupsOf(spellings: Spellings, links: Links): Iterable<Group> {
  const seen = new Set<string>();
  for (const key of spellings.keys()) {
    // keys come by the use of their first tag, so that a group is met at its most used one
    if (seen.has(key)) continue;
    const group = new Map<number, DuplicateTag['reason']>();
    const queue: [string, DuplicateTag['reason']][] = [[key, 'spelling']];
    seen.add(key);
    for (const [found, reason] of queue) {
      for (const tag of spellings.get(found) ?? []) group.set(tag, reason);
      for (const [next, similarity] of links.get(found) ?? []) {
        if (!seen.has(next)) queue.push([next, similarity]);
        seen.add(next);
      }
    }
    yield group;
  }
}

function described({ tags }: KnowledgeGraph, contexts: TagContexts, group: Group): DuplicateTags {
  const [keep, ...others] = group.keys();
  others.sort((a, b) => contexts.numObjects(b) - contexts.numObjects(a) || a - b);
  return {
    keep: tags.name(keep),
    numObjects: contexts.numObjects(keep),
    others: others.map((tag) => ({
      tag: tags.name(tag),
      numObjects: contexts.numObjects(tag),
      numTogether: contexts.numTogether(keep, tag),
      reason: group.get(tag) ?? 'spelling',
      similarity: contexts.similarity([keep], [tag]),
    })),
  };
}

/** What stands beside tags on their objects. */
class TagContexts {
  readonly #tagsOf: Relation;
  readonly #objectsOf: Relation;
  readonly #weights: Float64Array; // by tag: a tag on many objects says little of those beside it

  constructor(tagged: Relation) {
    this.#tagsOf = tagged;
    this.#objectsOf = tagged.reversed();
    const numTagged = tagged.heads.reduce((sum, object, i) => sum + (object === tagged.heads[i - 1] ? 0 : 1), 0);
    this.#weights = Float64Array.from({ length: tagged.numTails }, (_, tag) =>
      Math.log1p(numTagged / Math.max(1, this.numObjects(tag))),
    );
  }

  numObjects(tag: number): number {
    return this.#objectsOf.rowLength(tag);
  }

  numTogether(a: number, b: number): number {
    return this.#objectsOf.row(b).reduce((sum, object) => sum + (this.#tagsOf.has(object, a) ? 1 : 0), 0);
  }

  /** Cosine of how often other tags stand beside the ones and beside the others. */
  similarity(ones: readonly number[], others: readonly number[]): number {
    const compared = new Set([...ones, ...others]);
    const [a, b] = [this.#beside(ones, compared), this.#beside(others, compared)];
    let dot = 0;
    for (const [tag, weight] of a) dot += weight * (b.get(tag) ?? 0);
    return dot === 0 ? 0 : dot / Math.sqrt(squares(a) * squares(b));
  }

  #beside(tags: readonly number[], except: ReadonlySet<number>): Map<number, number> {
    const weights = new Map<number, number>();
    for (const object of this.#objects(tags)) {
      for (const tag of this.#tagsOf.row(object)) {
        if (!except.has(tag)) weights.set(tag, (weights.get(tag) ?? 0) + this.#weights[tag]);
      }
    }
    return weights;
  }

  /** Each once; of very many, some at even distances. */
  #objects(tags: readonly number[]): Iterable<number> {
    const objects = new Set<number>();
    for (const tag of tags) {
      const row = this.#objectsOf.row(tag);
      const step = Math.max(1, row.length / MAX_OBJECTS);
      for (let i = 0; i < row.length; i += step) objects.add(row[Math.floor(i)]);
    }
    return objects;
  }
}

function squares(weights: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight * weight;
  return sum;
}
