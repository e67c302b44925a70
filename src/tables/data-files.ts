// Which files hold the tables of a data set: a folder, or a glob. A table is one file (tagged.tsv.gz), several (tagged-1.parquet,
// tagged-2.parquet) or a folder of them (tagged/part-0.parquet).

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { isTextTable } from '../data/objects-table.ts';
import { InputError } from '../errors.ts';
import { readFailure } from '../file-failures.ts';
import { commonFolder, type TableFiles } from './dialect.ts';
import type { DataFiles } from './stages/sources.ts';

const TABLES = ['tagged', 'interact', 'objects'] as const;
type TableName = (typeof TABLES)[number];

const SEPARATOR = sep === '/' ? sep : /[\\/]/;
const GLOB = /[*?{[]/;

/** Whether a path stands for several files. */
export function isGlob(path: string): boolean {
  return GLOB.test(path);
}

export interface FoundFiles extends DataFiles {
  /** All files, with what tells that one has changed. */
  readonly files: readonly FileFacts[];
}

export interface FileFacts {
  readonly path: string;
  /** Of a catalogue's table: rows. */
  readonly numBytes: number;
  /** Milliseconds. Of a catalogue's table: a hash of its rows. */
  readonly changed: number | string;
}

/** The tables in a folder, or among the files that a glob stands for. */
export async function findDataFiles(data: string): Promise<FoundFiles> {
  const paths = isGlob(data) ? await matching(data) : await filesIn(data, data);
  const found = tablesAmong(paths, data, (path) => (isGlob(data) ? path : path.slice(data.length)));
  return { ...found, files: await Promise.all(pathsOf(found).map(factsOf)) };
}

/** Sorts files into tables; `within`: a path without what leads to the data. */
export function tablesAmong(paths: readonly string[], data: string, within: (path: string) => string): DataFiles {
  const tableOf = new Map(paths.map((path) => [path, tableIn(within(path))]));
  const of = (table: TableName) => paths.filter((path) => tableOf.get(path) === table);
  const neighbours = isGlob(data) ? undefined : paths; // a glob may leave out what lies in the same folder
  const files = (table: string, own: readonly string[]) => filesOf(table, own, neighbours);
  const tagged = files('tagged', of('tagged'));
  if (tagged === undefined) {
    const names = paths.slice(0, 6).map((path) => basename(path));
    const got = paths.length === 0 ? 'no files' : `the files ${names.join(', ')}${paths.length > 6 ? ', …' : ''}`;
    const cure =
      'Name files tagged.parquet (or .csv, .tsv), tagged-1.parquet and so on, or put them in a folder tagged.';
    throw new InputError({ file: data, got, expected: 'a table called tagged', cure });
  }
  const interact = files('interact', of('interact'));
  const objects = files('objects', of('objects'));
  const texts = paths.filter((path) => isTextTable(basename(path)) && tableOf.get(path) === undefined);
  const about = [...(objects ? [objects] : []), ...texts.map((path) => files(basename(path), [path]) as TableFiles)];
  return { tagged, interact, objects: about };
}

export function pathsOf({ tagged, interact, objects }: DataFiles): string[] {
  return [tagged, ...(interact ? [interact] : []), ...objects].flatMap(({ paths }) => paths);
}

/** What a file's folder or its own name says it is. */
function tableIn(path: string): TableName | undefined {
  for (const name of path.split(SEPARATOR).reverse()) {
    const found = TABLES.find((table) => new RegExp(`^${table}([-_.].*)?$`, 'i').test(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

const FORMATS = ['tsv', 'csv', 'parquet'] as const;
/** Whether a file may be a table, by its ending. */
export const TABLE_FILE = /\.(tsv|csv|parquet)(\.gz)?$/i;

/** Undefined where there are none. `all`: every file that is there, where that is known. */
function filesOf(table: string, paths: readonly string[], all: readonly string[] = []): TableFiles | undefined {
  if (paths.length === 0) return undefined;
  const formats = new Set(paths.map((path) => TABLE_FILE.exec(path)?.[1].toLowerCase()));
  if (formats.size > 1) {
    const got = `files of several formats for the table ${table} (${[...formats].join(', ')})`;
    throw new InputError({ file: dirname(paths[0]), got, expected: 'one', cure: 'Remove or rename all but one kind.' });
  }
  const format = FORMATS.find((one) => formats.has(one)) as TableFiles['format'];
  const packed = paths.find((path) => format === 'parquet' && /\.gz$/i.test(path));
  if (packed !== undefined) {
    const cure = 'Unpack it: Parquet is compressed already.';
    throw new InputError({ file: packed, got: 'a gzipped Parquet file', expected: 'a Parquet file', cure });
  }
  const folder = commonFolder(paths);
  const isAlone = folder !== '' && all.filter((path) => path.startsWith(folder)).length === paths.length;
  return { format, paths: [...paths].sort(), ...(isAlone && { folder: folder.slice(0, -1) }) };
}

async function factsOf(path: string): Promise<FileFacts> {
  const { size, mtimeMs } = await stat(path);
  return { path, numBytes: size, changed: mtimeMs };
}

/** Files of tables below a folder, by path. What begins with a dot or an underscore is no data (_SUCCESS). */
async function filesIn(folder: string, data: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    throw readFailure(error, data, 'a folder of tables');
  });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (/^[._]/.test(entry.name)) return [];
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await stat(path)).isDirectory());
      if (isFolder) return filesIn(path, data);
      return TABLE_FILE.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

/** `*` and `?` within a name, `**` across folders, `{a,b}` either. */
async function matching(glob: string): Promise<string[]> {
  const fixed = glob.slice(0, glob.search(GLOB));
  const folder = fixed.includes(sep) ? fixed.slice(0, fixed.lastIndexOf(sep)) || sep : '.';
  const pattern = globPattern(glob.startsWith(`.${sep}`) || folder !== '.' ? join(glob) : glob);
  return (await filesIn(folder, glob)).filter((path) => pattern.test(path));
}

function globPattern(glob: string): RegExp {
  let depth = 0;
  const source = glob.replace(/\*\*\/?|[*?{},]|[^*?{},]+/g, (token) => {
    if (token.startsWith('**')) return '(?:.*/)?';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    if (token === '{') return depth++ >= 0 ? '(?:' : '';
    if (token === '}' && depth > 0) return depth-- > 0 ? ')' : '';
    if (token === ',') return depth > 0 ? '|' : ',';
    return token.replace(/[.+^$()|[\]\\}]/g, '\\$&');
  });
  return new RegExp(`^${source}$`);
}
