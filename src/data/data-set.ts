// A data set, whatever it lies in: one file (catalogue/), or a folder of tables, `tagged` (object, tag) and, optionally, `interact`
// (user, object), `objects` (object, title and more) and tables of texts. Which file of a folder is which is told by their names.

import { absolutePath, basename, join, kindOfPath, listFolder } from '#platform';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import type { UnderstoodColumn } from './catalogue/columns.ts';
import { type CatalogueOptions, type LoadedCatalogue, readCatalogue } from './catalogue/read-catalogue.ts';
import { detectTagStyle, parseTags, styleName, type TagStyle } from './catalogue/tag-lists.ts';
import { GraphBuilder, type KnowledgeGraph, requireTags } from './knowledge-graph.ts';
import { isTextTable, readObjects } from './objects-table.ts';
import { tagCounts } from './statistics.ts';
import { isTableOf, readTable } from './table/read-table.ts';
import { fieldText } from './table/row.ts';
import { nameOf, type Source } from './table/source.ts';

export interface Tables {
  readonly tagged: Source;
  readonly interact: Source | undefined;
  readonly objects: Source | undefined;
  /** More tables about objects, with texts: descriptions.tsv, for instance. */
  readonly texts: readonly Source[];
}

/** What a user says about the data: which columns to take, and who listens. */
export interface LoadOptions extends CatalogueOptions {}

/** Where tables are looked for. */
export interface Place {
  /** What it is, as it follows "got": of nothing, and of some names. */
  readonly called: { readonly none: string; readonly some: string };
  /** What errors say it is about. */
  readonly file?: string;
  readonly names: readonly string[];
  open(name: string): Source;
}

/** Files that a person gave to a page. */
export function placeOf(files: readonly File[]): Place {
  const names = files.map(({ name }) => name);
  const open = (name: string) => files[names.indexOf(name)];
  return { called: { none: 'no files', some: 'the files' }, names, open };
}

/** The tables among other files; refuses where there are no tags, or a table is there twice. */
export function findTables(place: Place): Tables {
  return {
    tagged: requireTagged(place),
    interact: findTable(place, 'interact'),
    objects: findTable(place, 'objects'),
    texts: place.names.filter(isTextTable).sort().map(place.open),
  };
}

export async function readTables(tables: Tables, options: LoadOptions): Promise<KnowledgeGraph> {
  return (await readFolder(tables, '', options)).graph;
}

async function readFolder(tables: Tables, source: string, options: LoadOptions): Promise<LoadedCatalogue> {
  const builder = new GraphBuilder();
  await readTagged(builder, tables.tagged, options);
  const file = nameOf(tables.tagged);
  const cure = 'Add rows with an object and a tag: there is nothing to learn from without them.';
  requireTags(builder, { file, cure });
  const columns: UnderstoodColumn[] = [];
  const numTagged = builder.objects.size;
  for (const table of [...(tables.objects === undefined ? [] : [tables.objects]), ...tables.texts]) {
    columns.push(...(await readObjects(builder, table, options)));
  }
  const hasOthers = builder.objects.size > numTagged;
  if (tables.interact !== undefined) await readInteract(builder, tables.interact, tables, options);
  const graph = builder.finish();
  if (options.separator === undefined) warnTagLists(graph, file, options);
  if (tables.objects !== undefined && hasOthers && isAboutOthers(graph)) {
    const cure = 'Write the ids of objects as the other tables do.';
    options.warn?.(
      `${basename(nameOf(tables.objects))}: the objects it describes are not in ${basename(file)}. ${cure}`,
    );
  }
  const format = 'a folder of tables';
  const counts = { numRows: graph.objects.size, numTags: graph.tags.size };
  return {
    graph,
    understood: { source, format, encoding: '', ...counts, columns, tagStyle: '', hasRowNumbers: false },
  };
}

async function readTagged(builder: GraphBuilder, table: Source, options: LoadOptions): Promise<void> {
  const { separator } = options;
  if (separator === undefined) return readTable(table, ['object', 'tag'], options, (row) => builder.addTagged(row));
  const style: TagStyle = { form: 'separated', separator, hash: false };
  return readTable(table, ['object', 'tag'], options, (row) => {
    const object = builder.objects.addBytes(row.bytes, row.start[0], row.end[0]);
    for (const tag of parseTags(fieldText(row, 1), style)) builder.tagged.add(object, builder.tags.add(tag));
  });
}

/** Whether titles and texts are only of objects without tags. An object without a title is called by its id. */
function isAboutOthers({ objects, tagged, titles, texts }: KnowledgeGraph): boolean {
  const isTold = (object: number) =>
    titles.at(object) !== objects.name(object) || texts.some((column) => column.texts.at(object) !== '');
  let isSome = false;
  for (let object = 0; object < objects.size; object++) {
    if (!isTold(object)) continue;
    if (tagged.rowLength(object) > 0) return false;
    isSome = true;
  }
  return isSome;
}

/** Reads who interacted with what, and says where that is about other objects than the rest. */
async function readInteract(builder: GraphBuilder, table: Source, tables: Tables, options: Listener): Promise<void> {
  const file = nameOf(table);
  const numKnown = builder.objects.size;
  let [numRows, numMatching] = [0, 0];
  let strange = '';
  await readTable(table, ['user', 'object'], options, (row) => {
    numRows++;
    if (builder.addInteract(row) < numKnown) numMatching++;
    else if (strange === '') strange = fieldText(row, 1);
  });
  const others = [tables.tagged, ...(tables.objects === undefined ? [] : [tables.objects])].map((one) =>
    basename(nameOf(one)),
  );
  if (numRows === 0) options.warn?.(`${basename(file)}: no rows, so nothing is known about users.`);
  else if (numMatching === 0) {
    throw new InputError({
      file,
      got: `objects such as "${strange}", none of which is in ${others.join(' or ')}`,
      expected: 'the same ids in all tables',
      cure: 'Write the ids of objects as the other tables do, or remove this table to train without users.',
    });
  }
  const [numStrange, numObjects] = [builder.objects.size - numKnown, builder.objects.size];
  if (numStrange === 0 || (tables.objects === undefined && numStrange < numObjects / 2)) return;
  const objects = numStrange === 1 ? '1 object is' : `${numStrange.toLocaleString('en')} objects are`;
  options.warn?.(
    `${basename(file)}: ${objects} not in ${others.join(' or ')}: "${strange}"${numStrange > 1 ? ', …' : ''}.`,
  );
}

/** A tag that holds a separator, again and again, is a list that nobody split. */
function warnTagLists({ tags }: KnowledgeGraph, file: string, { warn }: Listener): void {
  const names = Array.from({ length: Math.min(tags.size, 2000) }, (_, tag) => tags.name(tag));
  const style = detectTagStyle(names);
  if (style.form === 'single') return;
  const lists = names.map((name) => parseTags(name, style)).filter(({ length }) => length > 1);
  const parts = lists.flat();
  if (lists.length < Math.max(2, names.length / 2) || new Set(parts).size > 0.7 * parts.length) return;
  const example = names.find((name) => parseTags(name, style).length > 1);
  const cure = style.form === 'separated' ? `: pass --separator "${style.separator.trim() || style.separator}"` : '';
  warn?.(`${basename(file)}: tags such as "${example}" look like lists (${styleName(style)}). Split them${cure}.`);
}

function requireTagged(place: Place): Source {
  const found = findTable(place, 'tagged');
  if (found !== undefined) return found;
  const { names, called } = place;
  const got = names.length === 0 ? called.none : `${called.some} ${[...names].sort().slice(0, 6).join(', ')}`;
  const files = names.filter((name) => CATALOGUE_FILE.test(name) && !/^(interact|objects)\./.test(name));
  const cure =
    files.length === 1
      ? `If ${files[0]} holds tags as well, pass that file instead of the folder.`
      : 'Add tagged.tsv (or .csv, .parquet, each optionally .gz), or pass one file that has a column of tags.';
  throw new InputError({ ...whereOf(place), got, expected: 'a table called tagged', cure });
}

/** The one table called `name`, whatever its kind; undefined where there is none. */
function findTable(place: Place, name: string): Source | undefined {
  const found = place.names.filter((file) => isTableOf(name, file));
  if (found.length > 1) {
    const got = found.sort().join(' and ');
    throw new InputError({
      ...whereOf(place),
      got,
      expected: `one ${name} table`,
      cure: 'Remove or rename all but one.',
    });
  }
  return found.length === 1 ? place.open(found[0]) : undefined;
}

function whereOf({ file }: Place): { file?: string } {
  return file === undefined ? {} : { file };
}

/** What a data set is called: as its folder or file is, without the ending. */
export function dataName(path: string): string {
  return basename(absolutePath(path)).replace(CATALOGUE_FILE, '');
}

const CATALOGUE_FILE = /\.(csv|tsv|tab|txt|json|jsonl|ndjson|parquet)(\.gz)?$/i;

/**
 * Reads a data set. From one file (CSV, TSV, JSON Lines, a JSON array or Parquet, optionally gzipped): a row for each object, with
 * columns found by their names and contents, or given as `id`, `title`, `text` and `tags`. From a folder: the tables `tagged`
 * (object, tag) and, optionally, `interact` (user, object) and `objects` (object, title, any texts, url, image), each .tsv, .csv or
 * .parquet, optionally .gz. In a browser, from files that a person chose. On Node, "-" is standard input.
 *
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { load } from 'tagloom';
 *
 * const file = join(await mkdtemp(join(tmpdir(), 'tagloom-')), 'films.csv');
 * await writeFile(file, 'id,name,plot,keywords\n1,Alien,A crew meets a monster,space; horror\n');
 * const graph = await load(file, { warn: console.warn });
 * console.log(graph.titles.at(0), graph.tags.names.toArray()); // Alien [ 'horror', 'space' ]
 * console.log(graph.texts[0].name, graph.texts[0].texts.at(0)); // plot A crew meets a monster
 */
export async function load(source: string | readonly File[], options: LoadOptions = {}): Promise<KnowledgeGraph> {
  return (await loadCatalogue(source, options)).graph;
}

/**
 * The same as `load`, with what the data were found to hold: the format, what each column is and why.
 *
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { loadCatalogue } from 'tagloom';
 *
 * const file = join(await mkdtemp(join(tmpdir(), 'tagloom-')), 'films.csv');
 * await writeFile(file, 'id;name;plot;keywords\n1;Alien;A crew meets a monster;space, horror\n');
 * const { understood } = await loadCatalogue(file);
 * console.log(understood.format, understood.tagStyle); // CSV with semicolons separated by ,
 * console.log(understood.columns.map(({ role }) => role)); // [ 'id', 'title', 'text', 'tags' ]
 */
export async function loadCatalogue(
  source: string | readonly File[],
  options: LoadOptions = {},
): Promise<LoadedCatalogue> {
  const loaded = await loadAny(source, options);
  warnRareTags(loaded, options);
  return loaded;
}

async function loadAny(source: string | readonly File[], options: LoadOptions): Promise<LoadedCatalogue> {
  if (typeof source !== 'string') {
    const isCatalogue = source.length === 1 && !isTableOf('interact|tagged|objects', source[0].name);
    return isCatalogue ? readCatalogue(source[0], options) : readFolder(findTables(placeOf(source)), 'files', options);
  }
  const kind = source === '-' ? 'file' : await kindOfPath(source);
  // where nothing is, the name says what was meant to be there
  if (kind === 'file' || (kind === 'nothing' && CATALOGUE_FILE.test(source))) return readCatalogue(source, options);
  refuseColumns(source, options);
  return readFolder(findTables(await folderAt(source)), basename(absolutePath(source)), options);
}

/** The tables of a folder have fixed columns. */
function refuseColumns(file: string, { id, tags }: LoadOptions): void {
  if (id === undefined && tags === undefined) return;
  const got = `${id === undefined ? '--tags' : '--id'} for a folder`;
  const cure = 'The tables of a folder have the columns object and tag. Leave the option out, or pass one file.';
  throw new InputError({ file, got, expected: 'a single file', cure });
}

/** Tags that no two objects share teach nothing; mostly they were not split. */
function warnRareTags({ graph, understood }: LoadedCatalogue, { warn }: Listener): void {
  const counts = tagCounts(graph);
  const numOnce = counts.reduce((sum, count) => sum + (count === 1 ? 1 : 0), 0);
  if (graph.tags.size < 10 || numOnce <= graph.tagged.size / 2) return;
  const once = `${numOnce.toLocaleString('en')} of ${graph.tags.size.toLocaleString('en')}`;
  warn?.(
    `${understood.source}: most tags occur once (${once}). Check that tags are separated as they should be (--separator).`,
  );
}

async function folderAt(folder: string): Promise<Place> {
  const called = { none: 'an empty folder', some: 'a folder with' };
  return { called, file: folder, names: await listFolder(folder), open: (name) => join(folder, name) };
}
