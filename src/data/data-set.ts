// A data set in its three tables, whatever they lie in: `interact` (user, object), `tagged` (object, tag) and, optionally, `objects`
// (object, title). Which file is which is told by their names.

import { absolutePath, basename, join, listFolder } from '#platform';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { GraphBuilder, type KnowledgeGraph, requirePairs, warnTitleConflicts } from './knowledge-graph.ts';
import { EXTENSIONS, readTable } from './table/read-table.ts';
import { nameOf, type Source } from './table/source.ts';

export interface Tables {
  readonly interact: Source;
  readonly tagged: Source;
  readonly objects: Source | undefined;
}

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

/** The tables among other files; refuses where one is missing or there twice. */
export function findTables(place: Place): Tables {
  return {
    interact: requireTable(place, 'interact'),
    tagged: requireTable(place, 'tagged'),
    objects: findTable(place, 'objects'),
  };
}

export async function readTables(tables: Tables, options: Listener): Promise<KnowledgeGraph> {
  const builder = new GraphBuilder();
  await readTable(tables.interact, ['user', 'object'], options, (row) => builder.addInteract(row));
  await readTable(tables.tagged, ['object', 'tag'], options, (row) => builder.addTagged(row));
  const [interact, tagged] = [nameOf(tables.interact), nameOf(tables.tagged)];
  requirePairs(
    builder,
    { file: interact, cure: 'Add rows with a user and an object: there is nothing to learn from without them.' },
    { file: tagged, cure: 'Add rows with an object and a tag: there is nothing to learn from without them.' },
  );
  if (tables.objects !== undefined) {
    const titles = { ...options, mayBeBlank: ['title'] };
    await readTable(tables.objects, ['object', 'title'], titles, (row) => builder.addTitle(row));
    warnTitleConflicts(nameOf(tables.objects), builder, options);
  }
  return builder.finish();
}

function requireTable(place: Place, name: string): Source {
  const found = findTable(place, name);
  if (found !== undefined) return found;
  const { names, called } = place;
  const got = names.length === 0 ? called.none : `${called.some} ${[...names].sort().slice(0, 6).join(', ')}`;
  const cure = `Add ${name}.tsv (or .csv, .parquet, each optionally .gz), or make the folder with "tagloom import".`;
  throw new InputError({ ...whereOf(place), got, expected: `a table called ${name}`, cure });
}

/** The one table called `name`, whatever its kind; undefined where there is none. */
function findTable(place: Place, name: string): Source | undefined {
  const found = place.names.filter((file) =>
    EXTENSIONS.some((extension) => file === name + extension || file === `${name}${extension}.gz`),
  );
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

/** What a data set is called: as its folder is. */
export function dataName(folder: string): string {
  return basename(absolutePath(folder));
}

/**
 * Reads a data set: the tables `interact` (user, object), `tagged` (object, tag) and, optionally, `objects` (object, title), each
 * .tsv, .csv or .parquet, optionally .gz. They lie in a folder or, in a browser, are files that a person chose.
 *
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { load } from 'tagloom';
 *
 * const folder = await mkdtemp(join(tmpdir(), 'tagloom-'));
 * await writeFile(join(folder, 'interact.csv'), 'user,object\nann,alien\n');
 * await writeFile(join(folder, 'tagged.csv'), 'object,tag\nalien,space\n');
 * const graph = await load(folder, { warn: console.warn });
 * console.log(graph.objects.size, graph.tagged.size); // 1 1
 */
export async function load(source: string | readonly File[], listener: Listener = {}): Promise<KnowledgeGraph> {
  const place = typeof source === 'string' ? await folderAt(source) : placeOf(source);
  return readTables(findTables(place), listener);
}

async function folderAt(folder: string): Promise<Place> {
  const called = { none: 'an empty folder', some: 'a folder with' };
  return { called, file: folder, names: await listFolder(folder), open: (name) => join(folder, name) };
}
