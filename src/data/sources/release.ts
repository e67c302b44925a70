// What published releases have in common: files found in a folder by their names, tables whose columns have one of several
// names, and a list of objects that is the last word.

import { basename, join } from 'node:path';
import { InputError } from '../../errors.ts';
import { listFolder } from '../../files.ts';
import type { Listener } from '../../listener.ts';
import type { GraphBuilder } from '../knowledge-graph.ts';
import { readDelimited, readDelimitedHeader, TSV } from '../table/delimited.ts';
import { readTable, readTableHeader } from '../table/read-table.ts';
import type { Row, TableOptions } from '../table/row.ts';
import { VocabularyBuilder } from '../vocabulary.ts';
import { titleText } from './tag-text.ts';

/** One file of a release: `pattern` matches its name without .gz, `called` is how a person calls it. */
export interface ReleaseFile {
  readonly called: string;
  readonly pattern: RegExp;
}

const MAX_SHOWN = 12;

/** The file's path, plain or with .gz behind; refuses where two files could be meant. */
export async function findFile(folder: string, file: ReleaseFile): Promise<string | undefined> {
  const names = await listFolder(folder);
  const found = names.filter((name) => file.pattern.test(name.replace(/\.gz$/, ''))).sort();
  if (found.length > 1) {
    const cure = 'Remove or rename all but the one to read.';
    throw new InputError({ file: folder, got: found.join(' and '), expected: `one ${file.called}`, cure });
  }
  return found.length === 1 ? join(folder, found[0]) : undefined;
}

export async function requireFile(folder: string, file: ReleaseFile): Promise<string> {
  const path = await findFile(folder, file);
  if (path !== undefined) return path;
  const names = (await listFolder(folder)).sort();
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
  throw new InputError({
    file: folder,
    got: names.length === 0 ? 'an empty folder' : `a folder with ${names.slice(0, MAX_SHOWN).join(', ')}${more}`,
    expected: `${file.called} (or the same with .gz)`,
    cure: 'Give the folder of the unpacked release, with its files named as published.',
  });
}

/** The names of a table's columns, as written. A file that is no table of read-table.ts (.dat, .inter) is tab-separated. */
export async function readReleaseHeader(path: string): Promise<string[]> {
  const isTable = /\.(tsv|csv|parquet)(\.gz)?$/.test(path);
  const header = await (isTable ? readTableHeader(path) : readDelimitedHeader(path, { format: TSV }));
  if (header.length > 0) return header;
  const cure = 'Write a header row and the rows below it.';
  throw new InputError({ file: path, got: 'an empty file', expected: 'a table with named columns', cure });
}

/** Reads a table of read-table.ts, or a .dat file, which is tab-separated. */
export async function readReleaseTable(
  path: string,
  columns: readonly string[],
  options: TableOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  if (/\.dat(\.gz)?$/.test(path)) return readDelimited(path, columns, { ...options, format: TSV }, onRow);
  return readTable(path, columns, options, onRow);
}

/** The first column that has one of the names; case, spaces, "_" and "-" do not count. */
export function pickColumn(header: readonly string[], names: readonly string[]): string | undefined {
  const plain = header.map((name) => name.toLowerCase().replace(/[\s_-]/g, ''));
  const found = plain.findIndex((name) => names.includes(name));
  return found < 0 ? undefined : header[found];
}

export function shownHeader(header: readonly string[]): string {
  return `the columns ${header.map((name) => JSON.stringify(name.slice(0, 60))).join(', ')}`;
}

const encoder = new TextEncoder();

/**
 * The objects a release lists. Rows about any other object are left out and counted: looking a name up never adds it to the
 * graph.
 */
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
    const bytes = encoder.encode(name);
    return this.find(bytes, 0, bytes.length);
  }

  warnUnlisted(path: string, numRows: number, options: Listener): void {
    if (numRows === 0) return;
    const rows = numRows === 1 ? '1 row whose object is' : `${numRows} rows whose objects are`;
    options.warn?.(`${basename(path)}: left out ${rows} not in ${basename(this.#path)}.`);
  }
}
