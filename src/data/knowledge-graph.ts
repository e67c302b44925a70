// The knowledge graph of the paper: users, objects and tags, and the two relations between them, all in typed arrays.
// Ids are ranks of names in byte order and pairs are sorted and distinct, so the same facts give the same graph in
// whatever order they were read. Strings end here: everything above works with ids.

import { basename, sha256 } from '#platform';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { PairList, type Relation } from './relation.ts';
import { fieldText, type Row, readRows } from './table/row.ts';
import { TextStore } from './text-store.ts';
import { type NameTable, type TextTable, type Vocabulary, VocabularyBuilder } from './vocabulary.ts';

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
  /** What is written about objects: any number of columns, none where nothing is. */
  readonly texts: readonly TextColumn[];
  /** By object id, the address to look it up at; blank where it has none. */
  readonly links?: TextTable;
  /** By object id, the address of a picture; blank where it has none. */
  readonly images?: TextTable;
  /** (user, object): who interacted with what. No pairs where nobody knows. */
  readonly interact: Relation;
  /** (object, tag): what carries which tag. */
  readonly tagged: Relation;
}

/** One text of every object: its description, for instance. */
export interface TextColumn {
  /** As the data calls it. */
  readonly name: string;
  /** By object id; blank where an object has none. */
  readonly texts: TextTable;
}

/** Collects facts in any order. Names must be clean (see name.ts); the table readers deliver them so. */
export class GraphBuilder {
  readonly users = new VocabularyBuilder();
  readonly objects = new VocabularyBuilder();
  readonly tags = new VocabularyBuilder();
  readonly interact = new PairList(); // arrival ids of (user, object)
  readonly tagged = new PairList(); // arrival ids of (object, tag)
  readonly titles = new TextStore(); // by arrival id of the object, like all below
  readonly links = new TextStore();
  readonly images = new TextStore();
  readonly #texts = new Map<string, TextStore>();

  /** A row of (user, object); the arrival id of the object. */
  addInteract({ bytes, start, end }: Row): number {
    const object = this.objects.addBytes(bytes, start[1], end[1]);
    this.interact.add(this.users.addBytes(bytes, start[0], end[0]), object);
    return object;
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

  /** Of two different titles, the first in byte order stays. */
  setTitle(objectArrival: number, title: string): void {
    this.titles.put(objectArrival, title, 'least');
  }

  /** The texts of a column, by its name; a new one is empty. Columns keep the order in which they were asked for. */
  textsOf(column: string): TextStore {
    const known = this.#texts.get(column);
    if (known !== undefined) return known;
    const store = new TextStore();
    this.#texts.set(column, store);
    return store;
  }

  finish(): KnowledgeGraph {
    const users = this.users.finish();
    const objects = this.objects.finish();
    const tags = this.tags.finish();
    const names = objects.vocabulary.names;
    const { rank } = objects;
    const filled = (store: TextStore) => (store.numTexts === 0 ? undefined : store.finish(rank));
    const [links, images] = [filled(this.links), filled(this.images)];
    const texts = [...this.#texts].filter(([, store]) => store.numTexts > 0);
    return {
      users: users.vocabulary,
      objects: objects.vocabulary,
      tags: tags.vocabulary,
      titles: this.titles.numTexts === 0 ? names : this.titles.finish(rank, names),
      texts: texts.map(([name, store]) => ({ name, texts: store.finish(rank) })),
      ...(links && { links }),
      ...(images && { images }),
      interact: this.interact.toRelation(users.rank, rank),
      tagged: this.tagged.toRelation(rank, tags.rank),
    };
  }
}

/** What a relation was read from, and what to change when nothing came of it. */
export interface PairsOrigin {
  readonly file: string;
  readonly cure: string;
}

/** Refuses a data set without tags: there is nothing to learn. */
export function requireTags(builder: GraphBuilder, origin: PairsOrigin): void {
  if (builder.tagged.size > 0) return;
  throw new InputError({ ...origin, got: 'no tags', expected: 'at least one object with a tag' });
}

/** The same for sources that always have users: a release without them is not the release. */
export function requirePairs(builder: GraphBuilder, interact: PairsOrigin, tagged: PairsOrigin): void {
  if (builder.interact.size === 0) {
    throw new InputError({ ...interact, got: 'no interactions', expected: 'at least one user with an object' });
  }
  requireTags(builder, tagged);
}

/** Says once, after the objects are read, how many titles were replaced by another. */
export function warnTitleConflicts(path: string, builder: GraphBuilder, options: Listener): void {
  const conflicts = builder.titles.numConflicts;
  if (conflicts === 0) return;
  const rows = conflicts === 1 ? '1 row gives' : `${conflicts} rows give`;
  options.warn?.(`${basename(path)}: ${rows} an object another title; the first in alphabetical order is kept.`);
}

/** What `graphFrom` makes a graph of: rows of names, in any order, repeats allowed. */
export interface GraphFacts {
  /** Who interacted with what, where that is known. */
  readonly interact?: Iterable<readonly [user: string, object: string]>;
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
  readRows('tagged', ['object', 'tag'], facts.tagged, listener, (row) => builder.addTagged(row));
  const options = { ...listener, mayBeBlank: ['title'] };
  readRows('objects', ['object', 'title'], facts.objects ?? [], options, (row) => builder.addTitle(row));
  warnTitleConflicts('objects', builder, listener);
  readRows('interact', ['user', 'object'], facts.interact ?? [], listener, (row) => builder.addInteract(row));
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
  const known = fingerprints.get(graph);
  if (known !== undefined) return known;
  const hash = sha256();
  for (const table of [graph.users.names, graph.objects.names, graph.tags.names, graph.titles]) {
    hash.update(`${table.size}/${table.bytes.length}:`).update(table.offsets).update(table.bytes);
  }
  for (const { heads, tails } of [graph.interact, graph.tagged])
    hash.update(`${heads.length}:`).update(heads).update(tails);
  for (const { name, texts } of shownColumns(graph)) {
    hash.update(`${name}/${texts.offsets[texts.size]}:`).update(texts.offsets);
    for (const piece of texts.pieces()) hash.update(piece);
  }
  return hash.hex().slice(0, 32);
}

const fingerprints = new WeakMap<KnowledgeGraph, string>(); // of graphs that are not all in memory

/** The graph, with a fingerprint that was computed when it was written: nothing is read for it again. */
export function withFingerprint(graph: KnowledgeGraph, known: string): KnowledgeGraph {
  fingerprints.set(graph, known);
  return graph;
}

/** Texts, links and pictures: what there is beside titles. */
function shownColumns({ texts, links, images }: KnowledgeGraph): TextColumn[] {
  return [
    ...texts.map(({ name, texts: column }) => ({ name: `text ${name}`, texts: column })),
    ...(links ? [{ name: 'links', texts: links }] : []),
    ...(images ? [{ name: 'images', texts: images }] : []),
  ];
}

export function allObjects({ objects }: KnowledgeGraph): Int32Array {
  return Int32Array.from({ length: objects.size }, (_, object) => object);
}

/** Those with at least one tag, ascending. */
export function taggedObjects(graph: KnowledgeGraph): Int32Array {
  return allObjects(graph).filter((object) => graph.tagged.rowLength(object) > 0);
}
