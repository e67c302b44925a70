// loom's view of names: the words in them that enough tagged objects share.

import { type Csr, CsrBuilder } from '../../csr.ts';
import { type KnowledgeGraph, taggedObjects } from '../../data/knowledge-graph.ts';
import { wordsOf } from '../../data/name.ts';
import { Vocabulary } from '../../data/vocabulary.ts';

/** The words in the names of at least `least` tagged objects; none where `least` is 0. */
export function commonWords(train: KnowledgeGraph, least: number): Vocabulary {
  const counts = new Map<string, number>();
  for (const object of least === 0 ? [] : taggedObjects(train)) {
    for (const word of wordsOf(train.titles.at(object))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Vocabulary.from([...counts].filter(([, count]) => count >= least).map(([word]) => word));
}

/** A row for each of the objects, with a 1 for each known word of its name. */
export function wordRows(words: Vocabulary, { titles }: KnowledgeGraph, objects: Int32Array): Csr {
  const rows = new CsrBuilder(objects.length);
  for (const object of objects) {
    for (const word of knownWords(words, titles.at(object))) rows.add(word, 1);
    rows.endRow();
  }
  return rows.finish();
}

/** Ids, ascending. */
export function knownWords(words: Vocabulary, title: string): number[] {
  if (words.size === 0) return [];
  const ids = wordsOf(title).map((word) => words.idOf(word));
  return ids.filter((id) => id >= 0).sort((a, b) => a - b);
}
