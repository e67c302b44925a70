// The objects a release lists, for releases whose list is the last word: rows about any other object are left out
// and counted. Looking a name up never adds it to the graph.

import { basename } from 'node:path';
import type { Listener } from '../../listener.ts';
import type { GraphBuilder } from '../knowledge-graph.ts';
import { VocabularyBuilder } from '../vocabulary.ts';
import { titleText } from './tag-text.ts';

export class ObjectList {
  readonly #builder: GraphBuilder;
  readonly #path: string;
  readonly #names = new VocabularyBuilder(); // listed objects first, in the builder's order; then what was asked for
  #isComplete = false;

  /** The list is read from `path`, into a builder that has no objects yet. */
  constructor(builder: GraphBuilder, path: string) {
    this.#builder = builder;
    this.#path = path;
  }

  add(name: string, rawTitle: string): number {
    if (this.#isComplete) throw new Error('Got a new object after the first lookup, expected the whole list before.');
    const object = this.#builder.objects.add(name);
    this.#names.add(name);
    const title = titleText(rawTitle);
    if (title !== '') this.#builder.setTitle(object, title);
    return object;
  }

  /** The arrival id of the object named at bytes[start, end), or −1 if it is not listed. */
  find(bytes: Uint8Array, start: number, end: number): number {
    this.#isComplete = true;
    const found = this.#names.addBytes(bytes, start, end);
    return found < this.#builder.objects.size ? found : -1;
  }

  findName(name: string): number {
    const bytes = Buffer.from(name);
    return this.find(bytes, 0, bytes.length);
  }

  warnUnlisted(path: string, numRows: number, options: Listener): void {
    if (numRows === 0) return;
    const rows = numRows === 1 ? '1 row whose object is' : `${numRows} rows whose objects are`;
    options.warn?.(`${basename(path)}: left out ${rows} not in ${basename(this.#path)}.`);
  }
}
