// Decisions of a curator who knows the right answer: on a checkerboard, what is missing is accepted and the other colour rejected.

import type { KnowledgeGraph } from '../../src/data/knowledge-graph.ts';

export interface Decided {
  readonly object: string;
  readonly tag: string;
  readonly decision: 'accept' | 'reject';
}

/** Of each object the pairs of its colour that the data lacks, and as many of the other. */
export function checkerboardDecisions({ objects, tags, tagged }: KnowledgeGraph): Decided[] {
  const decisions: Decided[] = [];
  for (let object = 0; object < objects.size; object++) {
    const name = objects.name(object);
    const own = new Set(Array.from(tagged.row(object)));
    const colours = new Map<number, number>(); // how many of its tags each tag goes with
    for (const tag of own) {
      for (let other = 0; other < objects.size; other++) {
        if (!tagged.has(other, tag)) continue;
        for (const near of tagged.row(other)) colours.set(near, (colours.get(near) ?? 0) + 1);
      }
    }
    const missing = Array.from({ length: tags.size }, (_, tag) => tag).filter((tag) => !own.has(tag));
    const right = missing.filter((tag) => colours.has(tag));
    const wrong = missing.filter((tag) => !colours.has(tag)).slice(0, right.length);
    decisions.push(...right.map((tag) => ({ object: name, tag: tags.name(tag), decision: 'accept' as const })));
    decisions.push(...wrong.map((tag) => ({ object: name, tag: tags.name(tag), decision: 'reject' as const })));
  }
  return decisions;
}
