// What loom knows of objects, view by view: profiles of their users, similar objects by these users and the mean of their tags,
// the words of their names, their content. Nothing here depends on how strong a view is to be.

import type { Csr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Vocabulary } from '../../data/vocabulary.ts';
import type { Listener } from '../../listener.ts';
import type { ContentView } from './content.ts';
import { meansOf, similarTagged } from './neighbours.ts';
import type { UserView } from './profile.ts';
import type { LoomSettings } from './settings.ts';
import { commonWords, wordRows } from './words.ts';

/** What is known of some objects, before any strength is chosen. */
export interface Views {
  readonly train: KnowledgeGraph;
  readonly users: UserView;
  readonly objects: Int32Array;
  // a row for each of them
  readonly neighbours: Csr; // by objects: the most similar ones
  readonly means: Csr; // by tags: of these neighbours
  readonly words: Csr; // by words: ones
  readonly vocabulary: Vocabulary; // of the words
  /** Where objects have features. */
  readonly content?: ContentView | undefined;
}

export async function viewObjects(
  train: KnowledgeGraph,
  users: UserView,
  objects: Int32Array,
  { neighbours: most, wordCount }: LoomSettings,
  listener: Listener,
): Promise<Views> {
  const neighbours = await similarTagged(users.similarity, train, { objects, most }, listener);
  const vocabulary = commonWords(train, wordCount);
  const words = wordRows(vocabulary, train, objects);
  return { train, users, objects, neighbours, means: meansOf(neighbours, train), words, vocabulary };
}
