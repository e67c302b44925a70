// Which tags are named in what is written about an object: the share of a tag's own words that stand there. A word that most tags
// have says little about any of them, so words weigh by how few tags have them.

import type { Vocabulary } from '../../data/vocabulary.ts';
import { wordsIn } from '../../data/words.ts';
import type { TextSpace, Written } from './text-space.ts';

interface TagShare {
  readonly tag: number;
  readonly share: number;
}

export class Mentions {
  readonly #tagsOf = new Map<string, TagShare[]>(); // by word

  constructor(tags: Vocabulary) {
    const wordsOf = Array.from({ length: tags.size }, (_, tag) => [
      ...new Set(Array.from(wordsIn(tags.name(tag)), ({ word }) => word)),
    ]);
    const numTags = new Map<string, number>(); // by word
    for (const words of wordsOf) for (const word of words) numTags.set(word, (numTags.get(word) ?? 0) + 1);
    const weightOf = (word: string) => Math.log((1 + tags.size) / (numTags.get(word) as number));
    for (const [tag, words] of wordsOf.entries()) {
      const total = words.reduce((sum, word) => sum + weightOf(word), 0);
      for (const word of words) {
        const others = this.#tagsOf.get(word) ?? [];
        others.push({ tag, share: weightOf(word) / total });
        this.#tagsOf.set(word, others);
      }
    }
  }

  /** By tag the share of its words that stand in what is written. */
  in({ words, features }: Written, { parts }: TextSpace): Map<number, number> {
    const names = parts.find(({ kind }) => kind === 'features')?.names;
    const all = new Set(words.flatMap((column) => [...column.keys()]));
    for (const id of names ? features.keys() : []) for (const { word } of wordsIn(names?.name(id) ?? '')) all.add(word);
    const shares = new Map<number, number>();
    for (const word of all) {
      for (const { tag, share } of this.#tagsOf.get(word) ?? []) shares.set(tag, (shares.get(tag) ?? 0) + share);
    }
    return shares;
  }
}
