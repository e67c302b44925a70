// A small catalogue with texts, links and pictures, and nobody's clicks.

import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { NameTable } from '../../../src/data/vocabulary.ts';

export const KINDS = ['coffee', 'tea', 'water'];
export const LONG = `Ceramic mug for coffee. ${'It keeps warm. '.repeat(40)}`.trim();

/** 30 objects, named after what their tags say, the last without tags. */
export function catalogue(): KnowledgeGraph {
  const names = Array.from({ length: 30 }, (_, i) => `p${String(i).padStart(2, '0')}`);
  const kind = (i: number) => KINDS[i % KINDS.length];
  const graph = graphFrom({
    interact: [],
    tagged: names
      .slice(0, -3)
      .flatMap((name, i) => [[name, kind(i)] as const, [name, i % 2 === 0 ? 'kitchen' : 'garden'] as const]),
    objects: names.map((name, i) => [name, `Mug for ${kind(i)}`]),
  });
  return {
    ...graph,
    texts: [
      {
        name: 'description',
        texts: NameTable.from(names.map((_, i) => (i === 0 ? LONG : i === 1 ? '' : `For ${kind(i)}`))),
      },
      { name: '__proto__', texts: NameTable.from(names.map((_, i) => (i === 2 ? 'notes' : ''))) },
    ],
    links: NameTable.from(names.map((name, i) => (i === 1 ? '' : `https://shop.example/${name}`))),
    images: NameTable.from(names.map((_, i) => (i === 0 ? 'javascript:alert(1)' : ''))),
  };
}
