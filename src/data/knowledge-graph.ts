// The knowledge graph of the paper: users, objects and tags, and the two relations between them, all in typed arrays.
// Ids are ranks of names in byte order and pairs are sorted and distinct, so the same facts give the same graph in
// whatever order they were read. Strings end here: everything above works with ids.

import { sha256 } from './platform.ts';
import { PairList, type Relation } from './relation.ts';
import { NameTable, type Vocabulary, VocabularyBuilder } from './vocabulary.ts';

export interface KnowledgeGraph {
  readonly users: Vocabulary;
  readonly objects: Vocabulary;
  readonly tags: Vocabulary;
  /** By object: what to show a person. An object without a title shows its name. */
  readonly titles: NameTable;
  /** (user, object): who interacted with what. */
  readonly interact: Relation;
  /** (object, tag): what carries which tag. */
  readonly tagged: Relation;
}

/** Collects facts in any order. Names must be clean (see name.ts); the table readers deliver them so. */
export class GraphBuilder {
  readonly users = new VocabularyBuilder();
  readonly objects = new VocabularyBuilder();
  readonly tags = new VocabularyBuilder();
  readonly interact = new PairList(); // arrival ids of (user, object)
  readonly tagged = new PairList(); // arrival ids of (object, tag)
  readonly #titles = new Map<number, string>(); // by arrival id
  #numTitleConflicts = 0;

  /** Objects that were given two different titles. The first in byte order is kept. */
  get numTitleConflicts(): number {
    return this.#numTitleConflicts;
  }

  setTitle(objectArrival: number, title: string): void {
    const known = this.#titles.get(objectArrival);
    if (known !== undefined && known !== title) this.#numTitleConflicts++;
    if (known === undefined || isBefore(title, known)) this.#titles.set(objectArrival, title);
  }

  finish(): KnowledgeGraph {
    const users = this.users.finish();
    const objects = this.objects.finish();
    const tags = this.tags.finish();
    const names = objects.vocabulary.names;
    return {
      users: users.vocabulary,
      objects: objects.vocabulary,
      tags: tags.vocabulary,
      titles: this.#titles.size === 0 ? names : NameTable.from(this.#titlesById(names, objects.rank)),
      interact: this.interact.toRelation(users.rank, objects.rank),
      tagged: this.tagged.toRelation(objects.rank, tags.rank),
    };
  }

  #titlesById(names: NameTable, rank: Int32Array): string[] {
    const titles = names.toArray();
    for (const [arrival, title] of this.#titles) titles[rank[arrival]] = title;
    return titles;
  }
}

/** In the order of their bytes. */
function isBefore(a: string, b: string): boolean {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  const at = left.findIndex((byte, i) => byte !== right[i]);
  return at < 0 ? left.length < right.length : at >= right.length ? false : left[at] < right[at];
}

/** A graph from lists of names: for small data already in memory. */
export function graphFrom(facts: {
  interact: Iterable<readonly [user: string, object: string]>;
  tagged: Iterable<readonly [object: string, tag: string]>;
  objects?: Iterable<readonly [object: string, title: string]>;
}): KnowledgeGraph {
  const builder = new GraphBuilder();
  for (const [user, object] of facts.interact)
    builder.interact.add(builder.users.add(user), builder.objects.add(object));
  for (const [object, tag] of facts.tagged) builder.tagged.add(builder.objects.add(object), builder.tags.add(tag));
  for (const [object, title] of facts.objects ?? []) builder.setTitle(builder.objects.add(object), title);
  return builder.finish();
}

/** A short text that two graphs share only if all their names, titles and pairs are the same. */
export function fingerprint(graph: KnowledgeGraph): string {
  const hash = sha256();
  for (const table of [graph.users.names, graph.objects.names, graph.tags.names, graph.titles]) {
    hash.update(`${table.size}/${table.bytes.length}:`).update(table.offsets).update(table.bytes);
  }
  for (const { heads, tails } of [graph.interact, graph.tagged])
    hash.update(`${heads.length}:`).update(heads).update(tails);
  return hash.hex().slice(0, 32);
}
