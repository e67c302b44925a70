// Tables about objects in a folder: `objects` (object, title) and whatever it says besides, and tables of texts such as
// descriptions.tsv (object, text). Every further column that is plainly text is a text of the objects; addresses and pictures are
// found as in a catalogue, and what is neither is left out and said so.

import { basename } from '#platform';
import type { Listener } from '../listener.ts';
import { openCatalogue } from './catalogue/catalogue-rows.ts';
import { plainName } from './catalogue/column-names.ts';
import { type ColumnChoice, type ColumnRoles, type UnderstoodColumn, understandColumns } from './catalogue/columns.ts';
import { addressIn, textOf } from './catalogue/read-catalogue.ts';
import { type GraphBuilder, warnTitleConflicts } from './knowledge-graph.ts';
import { cleanName } from './name.ts';
import { CSV, TSV } from './table/delimited.ts';
import { isTableOf, readTable, readTableHeader } from './table/read-table.ts';
import { pickColumns } from './table/row.ts';
import { nameOf, type Source } from './table/source.ts';

/** Before the name of a column that is text whatever it looks like, as `writeFolder` writes it. */
export const TEXT_MARK = 'text:';
const TEXT_TABLES =
  'descriptions?|abstracts?|summar(?:y|ies)|texts?|contents?|bod(?:y|ies)|overviews?|plots?|documents?';

/** Whether a file of a folder holds texts, by its name. */
export function isTextTable(file: string): boolean {
  return isTableOf(TEXT_TABLES, file);
}

export interface ObjectsOptions extends Listener, Pick<ColumnChoice, 'title' | 'text'> {}

/** Adds what a table says about objects; what its columns are, besides object and title. */
export async function readObjects(
  builder: GraphBuilder,
  table: Source,
  options: ObjectsOptions,
): Promise<UnderstoodColumn[]> {
  const path = nameOf(table);
  const format = /\.csv(\.gz)?$/.test(path) ? CSV : TSV;
  if (/\.parquet(\.gz)?$/.test(path)) await readTableHeader(table); // says so where it is none
  const opened = await openCatalogue(table, { ...options, format });
  const { names, sample } = opened;
  const isCalled = (called: string) => names.some((name) => name.toLowerCase() === called);
  if (isCalled('object') && isCalled('title') && names.length === 2) {
    await opened.close();
    const titles = { ...options, mayBeBlank: ['title'] };
    await readTable(table, ['object', 'title'], titles, (row) => builder.addTitle(row));
    warnTitleConflicts(path, builder, options);
    return [];
  }
  const [object] = pickColumns(path, ['object'], names);
  const roles = rolesOf(path, names, sample, names[object], options);
  const reader = new ObjectsReader(builder, path, names, roles);
  await opened.read((row) => {
    reader.add(cleanName(textOf(row.cell(object))), (column) => textOf(row.cell(column)));
  });
  reader.warn(options);
  const isTold = ({ role }: UnderstoodColumn) => role !== 'id' && role !== 'title';
  return roles.columns
    .map((column, c) => ({ ...column, name: column.role === 'text' ? textName(path, names[c]) : column.name }))
    .filter(isTold);
}

function rolesOf(
  path: string,
  names: readonly string[],
  sample: Parameters<typeof understandColumns>[2],
  id: string,
  { title, text }: ObjectsOptions,
): ColumnRoles {
  const called = (name: string) => names.find((one) => one.toLowerCase() === name);
  // what the user names may stand in another table of the folder
  const ownTitle = title === undefined ? called('title') : present([title], names)[0];
  const marked = names.filter((name) => name.startsWith(TEXT_MARK));
  const texts = text === undefined ? undefined : present(text, names);
  const [url, image] = [called('url'), called('image')];
  const choice: ColumnChoice = {
    id,
    tags: [],
    ...(ownTitle !== undefined && { title: ownTitle }),
    ...(url !== undefined && { url }),
    ...(image !== undefined && { image }),
    ...(texts !== undefined ? { text: texts } : marked.length > 0 && { text: marked }),
  };
  return understandColumns(path, names, sample, choice);
}

function present(wanted: readonly string[], names: readonly string[]): string[] {
  return wanted.flatMap((name) => names.find((one) => plainName(textName('', one)) === plainName(name)) ?? []);
}

/** A column called "text" says less than the table it is in. */
function textName(path: string, column: string): string {
  if (column.startsWith(TEXT_MARK)) return column.slice(TEXT_MARK.length);
  const table = basename(path).replace(/\..*$/, '');
  return plainName(column) === 'text' && !['objects', ''].includes(table) ? table : column;
}

class ObjectsReader {
  readonly #builder: GraphBuilder;
  readonly #path: string;
  readonly #names: readonly string[];
  readonly #roles: ColumnRoles;
  #numBlank = 0;

  constructor(builder: GraphBuilder, path: string, names: readonly string[], roles: ColumnRoles) {
    this.#builder = builder;
    this.#path = path;
    this.#names = names;
    this.#roles = roles;
  }

  add(name: string, cell: (column: number) => string): void {
    if (name === '') {
      this.#numBlank++;
      return;
    }
    const { title, texts, url, image } = this.#roles;
    const builder = this.#builder;
    const object = builder.objects.add(name);
    // of two texts, the first in byte order: the order of rows in a folder means nothing
    if (title >= 0) builder.setTitle(object, cleanName(cell(title)));
    for (const column of texts) {
      builder.textsOf(textName(this.#path, this.#names[column])).put(object, cell(column).trim(), 'least');
    }
    if (url >= 0) builder.links.put(object, addressIn(cell(url)), 'least');
    if (image >= 0) builder.images.put(object, addressIn(cell(image)), 'least');
  }

  warn(options: Listener): void {
    warnTitleConflicts(this.#path, this.#builder, options);
    if (this.#numBlank === 0) return;
    const rows = this.#numBlank === 1 ? '1 row' : `${this.#numBlank} rows`;
    options.warn?.(`${basename(this.#path)}: left out ${rows} with a blank object.`);
  }
}
