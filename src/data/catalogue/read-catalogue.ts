// A catalogue in one file becomes a graph: each row is an object with a title, texts and tags, and rows that share an id are one
// object. Nothing needs to be said about the file that can be told from it (dialect.ts, columns.ts); what is unusual about it is
// warned of once, with a count, and what cannot be meant is an error that names the cause.

import { basename } from '#platform';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { GraphBuilder, type KnowledgeGraph, requireTags } from '../knowledge-graph.ts';
import { cleanName } from '../name.ts';
import { nameOf, type Source } from '../table/source.ts';
import type { TextStore } from '../text-store.ts';
import { type OpenCatalogue, openCatalogue } from './catalogue-rows.ts';
import { type Cell, textOf } from './column-look.ts';

import {
  type ColumnChoice,
  type ColumnRoles,
  noTagsColumn,
  objectIdOf,
  type TagColumn,
  understandColumns,
} from './columns.ts';
import { encodingName, formatName } from './dialect.ts';
import type { CatalogueRow } from './row-cutter.ts';
import { isOtherStyle, parseTags, styleName, tagsOfArray } from './tag-lists.ts';
import type { Understood } from './understood.ts';

export { textOf } from './column-look.ts';

/** What a user says about a catalogue, and who listens while it is read. */
export interface CatalogueOptions extends Listener, ColumnChoice {}

/** A data set, and what its file or folder was found to hold. */
export interface LoadedCatalogue {
  readonly graph: KnowledgeGraph;
  /** What the file was found to hold. */
  readonly understood: Understood;
}

const MAX_ADDRESS_LENGTH = 4096; // longer is a picture itself, not its address

/** Reads a catalogue: a path, "-" for standard input, or a file that a person gave to a page. */
export async function readCatalogue(source: Source, options: CatalogueOptions = {}): Promise<LoadedCatalogue> {
  const path = source === '-' ? 'standard input' : nameOf(source);
  const opened = await openUnderstood(source, options);
  const { dialect, names, roles } = opened;
  const reader = new CatalogueReader(path, names, roles);
  const numRows = await opened.read((row) => reader.add(row));
  reader.warn(numRows, options);
  warnDialect(path, opened, options);
  requireTags(reader.builder, { file: path, cure: noTagsCure(roles) });
  const understood: Understood = {
    source: basename(path),
    format: formatName(dialect),
    encoding: encodingName(dialect),
    numRows,
    columns: roles.columns,
    tagStyle: [
      ...new Set(roles.tags.map(({ style, indicates }) => (indicates === undefined ? styleName(style) : '0 or 1'))),
    ].join('; '),
    numTags: reader.builder.tags.size,
    hasRowNumbers: roles.id < 0,
  };
  return { graph: reader.builder.finish(), understood };
}

/** A catalogue whose columns are understood. */
export interface UnderstoodCatalogue extends OpenCatalogue {
  readonly roles: ColumnRoles;
}

/** Opens a catalogue and finds out what its columns are; refuses what cannot be one. */
export async function openUnderstood(source: Source, options: CatalogueOptions = {}): Promise<UnderstoodCatalogue> {
  const path = source === '-' ? 'standard input' : nameOf(source);
  const { id, title, text = [], tags = [] } = options;
  const columns = [id, title, ...text, ...tags].filter((name) => name !== undefined);
  const opened = await openCatalogue(source, { ...options, columns });
  const { dialect, names, sample } = opened;
  if (names.length === 0 || sample[0].length === 0) {
    await opened.read(() => {}); // says what is wrong with the rows, where there are any
    const cure = 'Write a header row and the rows below it.';
    throw new InputError({ file: path, got: 'a file without rows', expected: 'a row for each object', cure });
  }
  if (dialect.kind === 'delimited' && names.length === 1 && tags.length === 0) {
    await opened.read(() => {}); // lines above the header are the likelier cause, where there are any
    throw new InputError({
      file: path,
      got: `one column, ${JSON.stringify(names[0].slice(0, 60))}`,
      expected: 'several, separated by commas, tabs, semicolons or |',
      cure: 'Check the delimiter: none of these separates the first row. A catalogue needs a column of tags and one of text.',
    });
  }
  const roles = understandColumns(path, names, sample, options);
  if (roles.tags.length === 0) throw noTagsColumn(path, names, sample);
  return { ...opened, roles };
}

function noTagsCure({ tags, columns }: ColumnRoles): string {
  const [first] = tags.map(({ column }) => columns[column].name);
  return `The column "${first}" is blank in every row. Fill it, or name another column with --tags.`;
}

/** Adds rows to a graph and counts what is unusual about them. */
class CatalogueReader {
  readonly builder = new GraphBuilder();
  readonly #path: string;
  readonly #roles: ColumnRoles;
  readonly #texts: readonly (readonly [column: number, store: TextStore])[];
  #numBlankIds = 0;
  #numRows = 0; // added
  #numOther = 0; // cells whose tags are written in another way than most

  constructor(path: string, names: readonly string[], roles: ColumnRoles) {
    this.#path = path;
    this.#roles = roles;
    this.#texts = roles.texts.map((column) => [column, this.builder.textsOf(cleanName(names[column]))]);
  }

  add(row: CatalogueRow): void {
    const { builder } = this;
    const { id, title, url, image, tags } = this.#roles;
    const own = id < 0 ? undefined : cleanName(textOf(row.cell(id)));
    if (own === '') {
      this.#numBlankIds++;
      return;
    }
    this.#numRows++;
    const object = builder.objects.add(objectIdOf(own, row.number));
    if (title >= 0) builder.titles.put(object, cleanName(textOf(row.cell(title))), 'first');
    for (const [column, store] of this.#texts) row.putText(column, store, object);
    if (url >= 0) builder.links.put(object, addressIn(textOf(row.cell(url))), 'first');
    if (image >= 0) builder.images.put(object, addressIn(textOf(row.cell(image))), 'first');
    for (const column of tags) {
      const cell = row.cell(column.column);
      if (typeof cell === 'string' && column.indicates === undefined && isOtherStyle(cell, column.style))
        this.#numOther++;
      for (const tag of tagsOfCell(cell, column)) builder.tagged.add(object, builder.tags.add(tag));
    }
  }

  warn(numRows: number, { warn }: Listener): void {
    const { builder } = this;
    const say = (count: number, one: string, many: string) => {
      if (count > 0)
        warn?.(`${basename(this.#path)}: ${count === 1 ? one : many.replace('#', count.toLocaleString('en'))}`);
    };
    const cure = 'Fill the column of ids, or pass another with --id.';
    say(this.#numBlankIds, `left out 1 row without an id. ${cure}`, `left out # rows without an id. ${cure}`);
    const repeated = this.#numRows - builder.objects.size;
    // where most ids repeat, a row is one tag of an object
    if (repeated <= numRows / 2) {
      say(
        repeated,
        '1 row repeats the id of another; their tags are added up.',
        '# rows repeat the id of another; their tags are added up.',
      );
    }
    const style = styleName(this.#roles.tags[0].style);
    say(
      this.#numOther,
      `the tags of 1 row are written in another way than the others (${style}) and read in their own.`,
      `the tags of # rows are written in another way than the others (${style}) and read in their own.`,
    );
    const conflicts = [builder.titles, ...this.#texts.map(([, store]) => store)];
    const kept = 'than a row before; the first is kept.';
    say(
      conflicts.reduce((sum, { numConflicts }) => sum + numConflicts, 0),
      `1 cell gives an object another title or text ${kept}`,
      `# cells give an object another title or text ${kept}`,
    );
  }
}

/** The tags of a cell in a column of tags. */
export function tagsOfCell(cell: Cell, { style, indicates }: TagColumn): string[] {
  if (typeof cell !== 'string') {
    return tagsOfArray(cell)
      .map((tag) => cleanName(style.hash ? tag.trim().replace(/^#/, '') : tag))
      .filter((tag) => tag !== '');
  }
  if (indicates !== undefined) return /^(1|true|yes|y|t)$/i.test(cell.trim()) ? [cleanName(indicates)] : [];
  return parseTags(cell, style);
}

/** The first address in a cell: some hold several pictures. */
export function addressIn(cell: string): string {
  const text = cell.trim();
  const address = /^data:/i.test(text) ? text : text.split(/[,;|]?\s+|[,;|](?=https?:|\/\/)/)[0];
  return address.length > MAX_ADDRESS_LENGTH ? '' : address;
}

function warnDialect(path: string, { dialect, roles, names }: UnderstoodCatalogue, { warn }: Listener): void {
  const file = basename(path);
  if (dialect.encoding === 'windows-1252') {
    warn?.(`${file}: not UTF-8, read as Windows-1252 (Latin-1). If letters look wrong, save the file as UTF-8.`);
  }
  if (dialect.kind === 'delimited' && !dialect.hasHeader) {
    warn?.(
      `${file}: the first row looks like data, so the columns are called ${names[0]} and so on. Add a header row.`,
    );
  }
  if (roles.title < 0 && roles.texts.length === 0) {
    warn?.(`${file}: no column of titles or texts was found; only tags are learned from. Name one with --text.`);
  }
}
