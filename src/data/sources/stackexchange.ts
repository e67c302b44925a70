// A dump of a Stack Exchange site: questions are objects, with their tags and what is asked as text. Who asked, answered, commented
// or bookmarked is a user of the question. The files are read row by row, in one pass each; only what is kept is held in memory.

import { kindOfPath } from '#platform';
import { InputError } from '../../errors.ts';
import { listFolder } from '../../files.ts';
import type { Listener } from '../../listener.ts';
import type { KnowledgeGraph } from '../knowledge-graph.ts';
import { ExportedObjects } from './exported-objects.ts';
import { loadHtmlText, type ToText } from './html-text.ts';
import { findFile, requireFile } from './release.ts';
import { readXml } from './xml.ts';

export interface StackExchangeOptions extends Listener {
  /** The site's host, such as cooking.stackexchange.com: questions get addresses. */
  readonly site?: string;
  /** Whether the bodies of questions are read; true by default. */
  readonly body?: boolean;
  /** Characters kept of a body; all by default. */
  readonly maxText?: number;
}

type Row = Readonly<Record<string, string>>;

const POSTS = { called: 'Posts.xml', pattern: /^posts\.xml$/i };
const MORE = [
  { called: 'Comments.xml', pattern: /^comments\.xml$/i, root: 'comments' },
  { called: 'Votes.xml', pattern: /^votes\.xml$/i, root: 'votes' },
];
const [QUESTION, ANSWER] = ['1', '2'];
const MAX_ID = 2 ** 40;

export async function readStackExchange(path: string, options: StackExchangeOptions = {}): Promise<KnowledgeGraph> {
  const { posts, more } = await findFiles(path);
  const reader = new PostReader(posts, siteOf(options.site), await loadHtmlText(), options);
  await readRows(posts, 'posts', options, (row, line) => reader.addPost(row, line));
  for (const { file, root } of more)
    await readRows(file, root, options, (row, line) => reader.addUser(row, file, line));
  return reader.finish();
}

async function findFiles(path: string): Promise<{ posts: string; more: { file: string; root: string }[] }> {
  if ((await kindOfPath(path)) !== 'folder') return { posts: path, more: [] };
  const names = await listFolder(path);
  const archive = names.find((name) => /\.7z$/i.test(name));
  if (archive !== undefined && !names.some((name) => POSTS.pattern.test(name.replace(/\.gz$/, '')))) {
    const cure = `Unpack it first (7z x ${archive}) and give the folder with Posts.xml.`;
    throw new InputError({ file: path, got: `the archive ${archive}`, expected: 'Posts.xml', cure });
  }
  const posts = await requireFile(path, POSTS);
  const more: { file: string; root: string }[] = [];
  for (const { root, ...known } of MORE) {
    const file = await findFile(path, known);
    if (file !== undefined) more.push({ file, root });
  }
  return { posts, more };
}

async function readRows(
  path: string,
  root: string,
  options: Listener,
  onRow: (row: Row, line: number) => void,
): Promise<void> {
  const cure = `Give the folder of the unpacked dump, or its Posts.xml. Its files are called Posts.xml, Comments.xml and so on.`;
  const open = (name: string, row: Row, { line, depth }: { line: number; depth: number }) => {
    if (name === 'row' && depth === 1) onRow(row, line);
  };
  await readXml(path, { open }, { ...options, root, cure });
}

function siteOf(site: string | undefined): string | undefined {
  const host = site?.replace(/^https?:\/\//i, '').replace(/\/+$/, '');
  if (host === undefined || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host)) return host;
  const cure = 'Write it as --site cooking.stackexchange.com.';
  throw new InputError({ got: `the site ${JSON.stringify(site)}`, expected: 'the host of a site', cure });
}

/** What posts, comments and votes say about questions. */
class PostReader {
  readonly #path: string;
  readonly #site: string | undefined;
  readonly #toText: ToText;
  readonly #options: StackExchangeOptions;
  readonly #objects: ExportedObjects;
  readonly #questionOf = new PostTable();
  #numUnknown = 0;

  constructor(path: string, site: string | undefined, toText: ToText, options: StackExchangeOptions) {
    this.#path = path;
    this.#site = site;
    this.#toText = toText;
    this.#options = options;
    this.#objects = new ExportedObjects(path, options);
  }

  /** Answers come after their questions: a dump is sorted by id. */
  addPost(row: Row, line: number): void {
    const id = idIn(row, 'Id', this.#path, line);
    if (row.PostTypeId === QUESTION) this.#addQuestion(id, row);
    else if (row.PostTypeId === ANSWER) {
      const question = this.#questionOf.get(idIn(row, 'ParentId', this.#path, line));
      if (question < 0) this.#numUnknown++;
      else {
        this.#questionOf.set(id, question);
        this.#addInteract(row.OwnerUserId, question);
      }
    }
  }

  /** A comment, or a vote that says whose it is: bookmarks do. */
  addUser(row: Row, file: string, line: number): void {
    if (row.UserId === undefined) return;
    const question = this.#questionOf.get(idIn(row, 'PostId', file, line));
    if (question >= 0) this.#addInteract(row.UserId, question);
  }

  finish(): KnowledgeGraph {
    if (this.#numUnknown > 0) {
      const answers =
        this.#numUnknown === 1 ? '1 answer whose question is' : `${this.#numUnknown} answers whose questions are`;
      this.#options.warn?.(`Posts.xml: left out ${answers} not in the file.`);
    }
    return this.#objects.finish(
      { one: '1 question', many: 'questions' },
      'Check that this is the Posts.xml of a whole dump.',
    );
  }

  #addQuestion(id: number, row: Row): void {
    const { body = true, maxText = Number.POSITIVE_INFINITY } = this.#options;
    const text = body ? this.#toText(row.Body ?? '') : '';
    const question = this.#objects.add({
      id: String(id),
      title: row.Title ?? '',
      texts: { body: shortened(text, maxText) },
      tags: tagsIn(row.Tags ?? ''),
      url: this.#site === undefined ? '' : `https://${this.#site}/questions/${id}`,
    });
    this.#questionOf.set(id, question);
    this.#addInteract(row.OwnerUserId, question);
  }

  /** Users without a number have left; −1 is the site itself. */
  #addInteract(user: string | undefined, question: number): void {
    if (user === undefined || !/^\d+$/.test(user)) return;
    const { builder } = this.#objects;
    builder.interact.add(builder.users.add(user), question);
  }
}

/** "<a><b>", as dumps had it until 2023, or "|a|b|". */
export function tagsIn(cell: string): string[] {
  return cell.split(cell.startsWith('<') ? /[<>]+/ : '|').filter((tag) => tag !== '');
}

/** At most so many characters, never half of one. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

function idIn(row: Row, attribute: string, file: string, line: number): number {
  const text = row[attribute];
  const id = Number(text);
  if (text !== undefined && /^\d+$/.test(text) && id <= MAX_ID) return id;
  const got = text === undefined ? `a row without ${attribute}` : `${attribute}=${JSON.stringify(text.slice(0, 60))}`;
  throw new InputError({
    file,
    line,
    got,
    expected: 'a whole number',
    cure: 'Take the file as published in the dump.',
  });
}

const PAGE = 256; // small: an attacker's scattered ids cost a kilobyte each

/** Which question each post belongs to, by the numbers of posts, of which there are tens of millions. */
class PostTable {
  readonly #pages = new Map<number, Int32Array>(); // 1 + arrival id of the question; 0: not known

  get(post: number): number {
    return (this.#pages.get(Math.floor(post / PAGE))?.[post % PAGE] ?? 0) - 1;
  }

  set(post: number, question: number): void {
    const at = Math.floor(post / PAGE);
    const page = this.#pages.get(at) ?? new Int32Array(PAGE);
    this.#pages.set(at, page);
    page[post % PAGE] = question + 1;
  }
}
