// What exports have in common: objects that come one by one, each with a title, texts, an address, a picture and tags. They become a
// graph; an object that comes twice is one, with the tags of both.

import { basename } from '#platform';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { checkedSize } from '../../size-limits.ts';
import { addressIn } from '../catalogue/read-catalogue.ts';
import { GraphBuilder, type KnowledgeGraph } from '../knowledge-graph.ts';
import { cleanName } from '../name.ts';
import { titleText } from './tag-text.ts';

export interface ExportedObject {
  readonly id: string;
  readonly title?: string;
  /** By the name of the column. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly image?: string;
  readonly tags?: readonly string[];
}

/** What a person calls the objects: "1 post", "posts". */
export interface Called {
  readonly one: string;
  readonly many: string;
}

export class ExportedObjects {
  readonly builder = new GraphBuilder();
  readonly #path: string;
  readonly #options: Listener;
  readonly #leftOut = new Map<string, number>(); // by reason
  #numRepeated = 0;
  #numCharacters = 0;

  constructor(path: string, options: Listener) {
    this.#path = path;
    this.#options = options;
  }

  /** Adds an object; its arrival id, or −1 where its id is blank. */
  add({ id, title = '', texts = {}, url = '', image = '', tags = [] }: ExportedObject): number {
    const { builder } = this;
    const name = cleanName(id);
    if (name === '') {
      this.leaveOut('without an id');
      return -1;
    }
    const before = builder.objects.size;
    const object = builder.objects.add(name);
    if (object < before) this.#numRepeated++;
    builder.titles.put(object, titleText(title), 'first');
    for (const [column, text] of Object.entries(texts)) {
      this.#numCharacters += text.length;
      builder.textsOf(column).put(object, text.trim(), 'first');
    }
    checkedSize('textBytes', this.#numCharacters, 'characters of text');
    builder.links.put(object, cleanName(addressIn(url)), 'first');
    builder.images.put(object, cleanName(addressIn(image)), 'first');
    for (const tag of tags) {
      const text = titleText(tag);
      if (text !== '') builder.tagged.add(object, builder.tags.add(text));
    }
    return object;
  }

  /** Counts what is not an object here; `reason` follows what it is: "without an id". */
  leaveOut(reason: string): void {
    this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + 1);
  }

  /** The graph. Warns of what was left out and put together; `cure` says what to do where there are no tags. */
  finish(what: Called, cure: string): KnowledgeGraph {
    const { builder } = this;
    const file = basename(this.#path);
    for (const [reason, count] of this.#leftOut) {
      const counted = count === 1 ? what.one : `${count.toLocaleString('en')} ${what.many}`;
      this.#options.warn?.(`${file}: left out ${counted} ${reason}.`);
    }
    if (this.#numRepeated > 0) {
      const times = this.#numRepeated === 1 ? 'once' : `${this.#numRepeated.toLocaleString('en')} times`;
      this.#options.warn?.(`${file}: the id of another object is repeated ${times}; their tags are added up.`);
    }
    const [got, expected] =
      builder.objects.size === 0
        ? [`no ${what.many}`, 'at least one']
        : ['no tags', `at least one of the ${what.many} with a tag`];
    if (builder.tagged.size === 0) throw new InputError({ file: this.#path, got, expected, cure });
    return builder.finish();
  }
}
