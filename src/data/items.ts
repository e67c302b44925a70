// Items that a program holds in memory become a graph, as the rows of a catalogue would.

import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { addressIn } from './catalogue/read-catalogue.ts';
import { GraphBuilder, type KnowledgeGraph } from './knowledge-graph.ts';
import { cleanName } from './name.ts';

/** One object of a catalogue. */
export interface Item {
  /** What identifies it; its place in the list, from 1, by default. Items with the same id are one object. */
  readonly id?: string;
  readonly title?: string;
  /** What is written about it: one text, or several by name. */
  readonly text?: string | Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  /** The address to look it up at. */
  readonly url?: string;
  /** The address of a picture. */
  readonly image?: string;
}

/**
 * Makes a knowledge graph of items in memory. Names are cleaned as in files that are read: white space around a name is dropped,
 * and blank tags are left out.
 *
 * @example
 * import { graphFromItems } from 'tagloom';
 *
 * const graph = graphFromItems([
 *   { id: 'tt0078748', title: 'Alien', text: 'A crew meets a monster.', tags: ['space', 'horror'] },
 *   { id: 'tt0113277', title: 'Heat', text: { plot: 'A crew meets the police.' }, tags: ['crime'] },
 * ]);
 * console.log(graph.tags.names.toArray()); // [ 'crime', 'horror', 'space' ]
 * console.log(graph.texts.map(({ name }) => name)); // [ 'text', 'plot' ]
 */
export function graphFromItems(items: Iterable<Item>, listener: Listener = {}): KnowledgeGraph {
  const builder = new GraphBuilder();
  let [number, numBlank] = [0, 0];
  for (const item of items) {
    number++;
    const id = item.id === undefined ? String(number) : cleanName(textIn(item, 'id', number));
    if (id === '') {
      numBlank++;
      continue;
    }
    const object = builder.objects.add(id);
    builder.titles.put(object, cleanName(textIn(item, 'title', number)), 'first');
    const texts = typeof item.text === 'object' ? item.text : { text: textIn(item, 'text', number) };
    for (const [name, text] of Object.entries(texts))
      builder.textsOf(cleanName(name)).put(object, text.trim(), 'first');
    builder.links.put(object, addressIn(textIn(item, 'url', number)), 'first');
    builder.images.put(object, addressIn(textIn(item, 'image', number)), 'first');
    for (const tag of item.tags ?? []) {
      const name = cleanName(tag);
      if (name !== '') builder.tagged.add(object, builder.tags.add(name));
    }
  }
  if (numBlank > 0) listener.warn?.(`items: left out ${numBlank} with a blank id.`);
  return builder.finish();
}

function textIn(item: Item, property: 'id' | 'title' | 'text' | 'url' | 'image', number: number): string {
  const value: unknown = item[property];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const got = `a ${typeof value} (${String(value)}) as the ${property} of item ${number}`;
  throw new InputError({ file: 'items', got, expected: 'a string', cure: 'Convert it: String(value).' });
}
