// The words of an object's title and of the beginnings of its texts, as numbers.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { wordsIn } from '../../data/words.ts';

const MAX_LENGTH = 400; // characters of a text: its beginning says what the object is

/** Distinct hashes below `size`, ascending. */
export function wordsOf({ titles, texts }: KnowledgeGraph, object: number, size: number): Int32Array {
  const found = new Set<number>();
  const add = (text: string) => {
    for (const { word } of wordsIn(text.slice(0, MAX_LENGTH))) found.add(hashOf(word) % size);
  };
  add(titles.at(object));
  for (const column of texts) add(column.texts.at(object));
  return Int32Array.from(found).sort();
}

/** FNV-1a, 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
