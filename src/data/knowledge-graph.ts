// The knowledge graph of the paper: users, objects and tags, and the two relations between them, all in typed arrays.
// Ids are ranks of names in byte order and pairs are sorted and distinct, so the same facts give the same graph in
// whatever order they were read. Strings end here: everything above works with ids.

import { basename, sha256 } from '#platform';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { PairList, type Relation } from './relation.ts';
import { fieldText, type Row, readRows } from './table/row.ts';
import { NameTable, type Vocabulary, VocabularyBuilder } from './vocabulary.ts';

/**
 * A data set: users, objects and tags, who interacted with what and what carries which tag. `load` reads one from a folder,
 * `graphFrom` makes one from data in memory.
 *
 * @example
 * import { graphFrom } from 'tagloom';
 *
 * const graph = graphFrom({
 *   interact: [['ann', 'tt0078748']],
 *   tagged: [['tt0078748', 'space']],
 *   objects: [['tt0078748', 'Alien']],
 * });
 * for (let i = 0; i < graph.tagged.size; i++) {
 *   const [object, tag] = [graph.tagged.heads[i], graph.tagged.tails[i]];
 *   console.log(graph.titles.at(object), graph.tags.name(tag)); // Alien space
 * }
 */
export interface KnowledgeGraph {
  readonly users: Vocabulary;
  readonly objects: Vocabulary;
  readonly tags: Vocabulary;
  /** By object id, what to show a person. An object without a title shows its name. */
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

  /** A row of (user, object). */
  addInteract({ bytes, start, end }: Row): void {
    this.interact.add(this.users.addBytes(bytes, start[0], end[0]), this.objects.addBytes(bytes, start[1], end[1]));
  }

  /** A row of (object, tag). */
  addTagged({ bytes, start, end }: Row): void {
    this.tagged.add(this.objects.addBytes(bytes, start[0], end[0]), this.tags.addBytes(bytes, start[1], end[1]));
  }

  /** A row of (object, title). A blank title is none, but the object counts. */
  addTitle(row: Row): void {
    const object = this.objects.addBytes(row.bytes, row.start[0], row.end[0]);
    if (row.end[1] > row.start[1]) this.setTitle(object, fieldText(row, 1));
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

/** What a relation was read from, and what to change when nothing came of it. */
export interface PairsOrigin {
  readonly file: string;
  readonly cure: string;
}

/** Refuses a data set with an empty relation: nothing can be learned from the other alone. */
export function requirePairs(builder: GraphBuilder, interact: PairsOrigin, tagged: PairsOrigin): void {
  if (builder.interact.size === 0) {
    throw new InputError({ ...interact, got: 'no interactions', expected: 'at least one user with an object' });
  }
  if (builder.tagged.size === 0) {
    throw new InputError({ ...tagged, got: 'no tags', expected: 'at least one object with a tag' });
  }
}

/** Says once, after the objects are read, how many titles were replaced by another. */
export function warnTitleConflicts(path: string, builder: GraphBuilder, options: Listener): void {
  const conflicts = builder.numTitleConflicts;
  if (conflicts === 0) return;
  const rows = conflicts === 1 ? '1 row gives' : `${conflicts} rows give`;
  options.warn?.(`${basename(path)}: ${rows} an object another title; the first in alphabetical order is kept.`);
}

/** In the order of their bytes. */
function isBefore(a: string, b: string): boolean {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  const at = left.findIndex((byte, i) => byte !== right[i]);
  return at < 0 ? left.length < right.length : at >= right.length ? false : left[at] < right[at];
}

/** What `graphFrom` makes a graph of: rows of names, in any order, repeats allowed. */
export interface GraphFacts {
  /** Who interacted with what. */
  readonly interact: Iterable<readonly [user: string, object: string]>;
  /** What carries which tag. */
  readonly tagged: Iterable<readonly [object: string, tag: string]>;
  /** Titles of objects. An object that is only listed here is part of the graph as well. */
  readonly objects?: Iterable<readonly [object: string, title: string]>;
}

/**
 * Makes a knowledge graph from data in memory. Names are cleaned as in tables that are read from files: white space around a
 * name is dropped, control characters become spaces, and rows with a blank name are left out, with a warning.
 *
 * @example
 * import { graphFrom } from 'tagloom';
 *
 * const graph = graphFrom(
 *   { interact: [['ann', 'alien'], ['bob', ' alien ']], tagged: [['alien', 'space'], ['alien', '']] },
 *   { warn: console.warn }, // tagged: left out 1 row with a blank name; the first has a blank tag in row 2.
 * );
 * console.log(graph.objects.names.toArray()); // [ 'alien' ]
 */
export function graphFrom(facts: GraphFacts, listener: Listener = {}): KnowledgeGraph {
  const builder = new GraphBuilder();
  readRows('interact', ['user', 'object'], facts.interact, listener, (row) => builder.addInteract(row));
  readRows('tagged', ['object', 'tag'], facts.tagged, listener, (row) => builder.addTagged(row));
  const options = { ...listener, mayBeBlank: ['title'] };
  readRows('objects', ['object', 'title'], facts.objects ?? [], options, (row) => builder.addTitle(row));
  warnTitleConflicts('objects', builder, listener);
  return builder.finish();
}

/**
 * A short text that two graphs share only if all their names, titles and pairs are the same. A model file holds the fingerprint
 * of the graph it was trained on.
 *
 * @example
 * import { fingerprint, graphFrom } from 'tagloom';
 *
 * const interact = [['ann', 'alien']];
 * const one = graphFrom({ interact, tagged: [['alien', 'space'], ['heat', 'crime']] });
 * const two = graphFrom({ interact, tagged: [['heat', 'crime'], ['alien', 'space']] });
 * console.log(fingerprint(one) === fingerprint(two)); // true
 */
export function fingerprint(graph: KnowledgeGraph): string {
  const hash = sha256();
  for (const table of [graph.users.names, graph.objects.names, graph.tags.names, graph.titles]) {
    hash.update(`${table.size}/${table.bytes.length}:`).update(table.offsets).update(table.bytes);
  }
  for (const { heads, tails } of [graph.interact, graph.tagged])
    hash.update(`${heads.length}:`).update(heads).update(tails);
  return hash.hex().slice(0, 32);
}

export function allObjects({ objects }: KnowledgeGraph): Int32Array {
  return Int32Array.from({ length: objects.size }, (_, object) => object);
}

/** Those with at least one tag, ascending. */
export function taggedObjects(graph: KnowledgeGraph): Int32Array {
  return allObjects(graph).filter((object) => graph.tagged.rowLength(object) > 0);
}
