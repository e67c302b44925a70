// A catalogue drawn by chance in which it is known which tags mean the same: each topic has concepts, each object some concepts of one
// topic, and each concept a tag or, where it has two, one of them or both.

import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { Random } from '../../../src/random.ts';

export interface CatalogueShape {
  /** By topic, its concepts: each the tags that mean it. */
  readonly topics: readonly (readonly (readonly string[])[])[];
  readonly objectsPerTopic: number;
  readonly seed: number;
  /** How often an object with a concept of two tags carries both. */
  readonly both?: number;
}

export function catalogueOf({ topics, objectsPerTopic, seed, both = 0.4 }: CatalogueShape): KnowledgeGraph {
  const chance = new Random(seed, 'catalogue of synonyms');
  const random = () => chance.float();
  const tagged: [string, string][] = [];
  const interact: [string, string][] = [];
  topics.forEach((concepts, topic) => {
    for (let i = 0; i < objectsPerTopic; i++) {
      const object = `o${topic}-${i}`;
      for (const tags of concepts) {
        if (random() < 0.5) continue;
        const first = random() < 0.7 ? 0 : tags.length - 1;
        tagged.push([object, tags[first]]);
        if (tags.length > 1 && random() < both) tagged.push([object, tags[tags.length - 1 - first]]);
      }
      for (let u = 0; u < 3; u++) interact.push([`u${topic}-${Math.floor(random() * 10)}`, object]);
    }
  });
  return graphFrom({ tagged, interact });
}

/** Names of nothing, no two of which are similar. */
export function wordsWithoutMeaning(count: number, seed: number): string[] {
  const chance = new Random(seed, 'catalogue of synonyms');
  const random = () => chance.float();
  const syllables = [
    'ba',
    'ke',
    'lo',
    'mi',
    'nu',
    'ra',
    'se',
    'ti',
    'vo',
    'za',
    'dro',
    'pli',
    'gru',
    'sko',
    'fle',
    'whu',
  ];
  const words = new Set<string>();
  while (words.size < count) {
    words.add(Array.from({ length: 5 }, () => syllables[Math.floor(random() * syllables.length)]).join(''));
  }
  return [...words];
}
