// The export of a WordPress site (WXR): posts are objects, their tags and categories are tags. Who wrote a post, or commented on it
// with an account, is a user of it. Drafts are left out unless asked for.

import type { Listener } from '../../listener.ts';
import type { KnowledgeGraph } from '../knowledge-graph.ts';
import { ExportedObjects } from './exported-objects.ts';
import { loadHtmlText, type ToText } from './html-text.ts';
import { readXml, type XmlReader } from './xml.ts';

export interface WordPressOptions extends Listener {
  /** What counts as an object; posts alone by default. */
  readonly types?: readonly string[];
  /** Whether drafts, scheduled and private posts count; false by default. */
  readonly drafts?: boolean;
  /** Whether categories count as tags; true by default. */
  readonly categories?: boolean;
}

const TAG_DOMAINS = ['post_tag', 'product_tag'];
const CATEGORY_DOMAINS = ['category', 'product_cat'];
const DRAFTS = ['draft', 'pending', 'future', 'private'];
const CURE = 'Export it in WordPress: Tools, Export, All content. The file is called NAME.WordPress.DATE.xml.';

/** One <item>, as it is read. */
interface Item {
  /** The text of its elements, by name; the first of each. */
  readonly fields: Map<string, string>;
  readonly tags: string[];
  /** Accounts that commented. */
  readonly commenters: string[];
  thumbnail: string;
}

export async function readWordPress(path: string, options: WordPressOptions = {}): Promise<KnowledgeGraph> {
  const reader = new WxrReader(path, await loadHtmlText(), options);
  await readXml(path, reader, { ...options, root: 'rss', cure: CURE });
  return reader.finish();
}

class WxrReader implements XmlReader {
  readonly #toText: ToText;
  readonly #options: WordPressOptions;
  readonly #types: readonly string[];
  readonly #objects: ExportedObjects;
  readonly #logins = new Map<string, string>(); // by the number of the account
  readonly #pictures = new Map<string, string>(); // addresses of attachments, by their numbers
  readonly #thumbnails: (readonly [object: number, attachment: string])[] = [];
  #item: Item | undefined;
  #group = new Map<string, string>(); // the fields of an author, a comment or a setting
  #domain = '';

  constructor(path: string, toText: ToText, options: WordPressOptions) {
    this.#toText = toText;
    this.#options = options;
    this.#types = options.types ?? ['post'];
    this.#objects = new ExportedObjects(path, options);
  }

  /** rss, channel, item, what describes it, what describes that: depths 0 to 4. */
  open(name: string, attributes: Readonly<Record<string, string>>, { depth }: { depth: number }): void {
    if (depth === 2 && name === 'item') this.#item = { fields: new Map(), tags: [], commenters: [], thumbnail: '' };
    if ((depth === 2 && name === 'wp:author') || (depth === 3 && this.#item !== undefined)) this.#group = new Map();
    if (depth === 3) this.#domain = name === 'category' ? (attributes.domain ?? '') : '';
  }

  close(name: string, text: string, depth: number): void {
    if (depth === 4 || (depth === 3 && this.#item === undefined)) this.#group.set(name, text.trim());
    else if (depth === 3) this.#endField(name, text.trim());
    else if (depth === 2 && name === 'wp:author') {
      this.#logins.set(this.#group.get('wp:author_id') ?? '', this.#group.get('wp:author_login') ?? '');
    } else if (depth === 2 && name === 'item') {
      if (this.#item !== undefined) this.#endItem(this.#item);
      this.#item = undefined;
    }
  }

  finish(): KnowledgeGraph {
    const { builder } = this.#objects;
    for (const [object, attachment] of this.#thumbnails) {
      builder.images.put(object, this.#pictures.get(attachment) ?? '', 'first');
    }
    const types = this.#types.join(', ');
    return this.#objects.finish(
      { one: '1 post', many: 'posts' },
      `Read were items of the type ${types}; name others with --types, or add drafts with --drafts.`,
    );
  }

  #endField(name: string, text: string): void {
    const item = this.#item as Item;
    const group = this.#group;
    if (name === 'category') this.#addTag(item, text);
    else if (name === 'wp:postmeta') {
      if (group.get('wp:meta_key') === '_thumbnail_id') item.thumbnail = group.get('wp:meta_value') ?? '';
    } else if (name === 'wp:comment') {
      const account = group.get('wp:comment_user_id') ?? '0';
      if (group.get('wp:comment_approved') === '1' && account !== '0' && account !== '') item.commenters.push(account);
    } else if (!item.fields.has(name)) item.fields.set(name, text);
  }

  #addTag(item: Item, text: string): void {
    const isCategory = CATEGORY_DOMAINS.includes(this.#domain) && this.#options.categories !== false;
    // what WordPress files under when nobody chose
    const isNone = isCategory && /^uncategori[sz]ed$/i.test(text);
    if ((TAG_DOMAINS.includes(this.#domain) || isCategory) && !isNone) item.tags.push(this.#toText(text));
  }

  #endItem({ fields, tags, commenters, thumbnail }: Item): void {
    const [type, status, id] = ['wp:post_type', 'wp:status', 'wp:post_id'].map((name) => fields.get(name) ?? '');
    if (type === 'attachment') this.#pictures.set(id, fields.get('wp:attachment_url') ?? '');
    if (!this.#types.includes(type)) return;
    const counts = status === 'publish' || status === '' || (this.#options.drafts === true && DRAFTS.includes(status));
    if (!counts) {
      this.#objects.leaveOut(`whose status is ${status}`);
      return;
    }
    const object = this.#objects.add({
      id,
      title: this.#toText(fields.get('title') ?? ''),
      texts: {
        content: this.#toText(withoutShortcodes(fields.get('content:encoded') ?? '')),
        excerpt: this.#toText(fields.get('excerpt:encoded') ?? ''),
      },
      url: fields.get('link') ?? '',
      tags,
    });
    if (object < 0) return;
    if (thumbnail !== '') this.#thumbnails.push([object, thumbnail]);
    const { builder } = this.#objects;
    const author = fields.get('dc:creator') ?? '';
    if (author !== '') builder.interact.add(builder.users.add(author), object);
    for (const account of commenters) {
      const user = this.#logins.get(account) || `account ${account}`;
      builder.interact.add(builder.users.add(user), object);
    }
  }
}

/** [gallery ids="1,2"], [/caption]: instructions to WordPress, not to readers. */
function withoutShortcodes(html: string): string {
  return html.replace(/\[\/?[a-z][\w-]*(?:\s[^[\]<>]*)?\/?\]/gi, ' ');
}
