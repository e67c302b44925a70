// What loom knows of objects, view by view: profiles of their users, similar objects by these users and the mean of their tags,
// what is written about them and which tags it names, their content. Nothing here depends on how strong a view is to be.

import { type Csr, CsrBuilder, selectedRows } from '../../csr.ts';
import { allObjects, type KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import type { ContentView } from './content.ts';
import { Mentions } from './mentions.ts';
import { meansOf, similarTagged, stillTagged } from './neighbours.ts';
import type { UserView } from './profile.ts';
import type { LoomSettings } from './settings.ts';
import type { TextSpace } from './text-space.ts';

const EVERY = 256; // objects between two reports of progress
const BREATH = 16; // objects between two breaths: texts may be long

/** What is known whatever objects are asked about. */
export interface Sights {
  readonly users: UserView;
  readonly space: TextSpace;
  /** Where objects have dense features. */
  readonly content?: ContentView | undefined;
  /** The neighbours of all objects, where an engine counted them. */
  readonly counted?: Csr | undefined;
}

/** What is known of some objects, before any strength is chosen. */
export interface Views extends Sights {
  readonly train: KnowledgeGraph;
  readonly objects: Int32Array;
  /** How many objects each of them stands for, if not for itself alone. */
  readonly weights?: Float64Array | undefined;
  // a row for each of them
  readonly means: Csr; // by tags: of similar objects
  readonly text: Csr; // by features of the space
  readonly mentions: Csr; // by tags: the share of their words that is written
}

/** `neighbours`: of all objects, where they are known. */
export async function viewObjects(
  train: KnowledgeGraph,
  sights: Sights,
  objects: Int32Array,
  settings: LoomSettings,
  listener: Listener,
  neighbours?: Csr,
): Promise<Views> {
  const similar = neighbours
    ? selectedRows(neighbours, objects)
    : await neighboursOf(train, sights, objects, settings, listener);
  return {
    ...sights,
    train,
    objects,
    means: meansOf(similar, train),
    ...(await readTexts(sights.space, new Mentions(train.tags), train, objects, listener)),
  };
}

/** A row for each of the objects: what is written about it, and which tags that names. */
export async function readTexts(
  space: TextSpace,
  mentions: Mentions,
  graph: KnowledgeGraph,
  objects: Int32Array,
  listener: Listener,
  breathe = makeBreather(listener),
): Promise<{ readonly text: Csr; readonly mentions: Csr }> {
  const [rows, named] = [new CsrBuilder(objects.length), new CsrBuilder(objects.length)];
  for (const [i, object] of objects.entries()) {
    if (i % EVERY === 0) listener.progress?.('reading texts', i, objects.length);
    if (i % BREATH === 0) await breathe();
    const written = space.writtenAbout(graph, object);
    const { features, values } = space.rowOf(written);
    for (let k = 0; k < features.length; k++) rows.add(features[k], values[k]);
    const shares = mentions.in(written, space);
    for (const tag of Int32Array.from(shares.keys()).sort()) named.add(tag, shares.get(tag) as number);
    rows.endRow();
    named.endRow();
  }
  return { text: rows.finish(), mentions: named.finish() };
}

/** The most similar objects, a row for each object. */
export function neighboursOf(
  train: KnowledgeGraph,
  { users, counted }: Sights,
  objects: Int32Array = allObjects(train),
  { neighbours: most }: LoomSettings,
  listener: Listener,
): Promise<Csr> {
  if (users.similarity) return similarTagged(users.similarity, train, { objects, most }, listener);
  if (counted === undefined) throw new Error('Got neither users nor neighbours when expected one of them.');
  return Promise.resolve(stillTagged(selectedRows(counted, objects), train));
}
