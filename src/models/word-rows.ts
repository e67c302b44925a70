// The words of names that a model knows, by id.

import type { NameTable, Vocabulary } from '../data/vocabulary.ts';
import { wordsOf } from '../data/words.ts';

/** By object, the known words of its title. */
export interface WordRows {
  readonly rowStart: Int32Array; // (numObjects + 1)
  readonly ids: Int32Array;
}

export function wordRows(words: Vocabulary, titles: NameTable): WordRows {
  const rowStart = new Int32Array(titles.size + 1);
  const ids: number[] = [];
  for (let object = 0; object < titles.size; object++) {
    if (words.size > 0) ids.push(...knownWords(words, titles.at(object)));
    rowStart[object + 1] = ids.length;
  }
  return { rowStart, ids: Int32Array.from(ids) };
}

/** Ids, ascending. */
export function knownWords(words: Vocabulary, title: string): number[] {
  if (words.size === 0) return [];
  const ids = wordsOf(title).map((word) => words.idOf(word));
  return ids.filter((id) => id >= 0).sort((a, b) => a - b);
}
