// Data that Spark opens and this machine does not: a prefix of an object store (s3a://bucket/shop), listed by Spark, or a schema
// of its catalogue (table:main.shop). The tables in it have the same names as in a folder.

import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { type FileFacts, type FoundFiles, isGlob, pathsOf, TABLE_FILE, tablesAmong } from '../data-files.ts';
import { DIALECTS, isUri, type TableFiles } from '../dialect.ts';
import type { TableEngine } from '../engine.ts';
import type { DataFiles } from '../stages/sources.ts';
import { SparkError } from './spark-error.ts';

const CATALOGUE = 'table:';
const { spark: dialect } = DIALECTS;

/** Whether only Spark can open the data. */
export function isRemote(data: string): boolean {
  return isUri(data) || data.startsWith(CATALOGUE);
}

/** The tables at an address or in a schema, as Spark sees them. */
export function findRemoteData(engine: TableEngine, data: string, listener: Listener): Promise<FoundFiles> {
  return data.startsWith(CATALOGUE) ? findTables(engine, data, listener) : listFiles(engine, data, listener);
}

/** The same without asking Spark: all three tables, in Parquet, each in a folder of its own. */
export function assumedData(data: string): DataFiles {
  const files = (table: string): TableFiles =>
    data.startsWith(CATALOGUE)
      ? { format: 'table', paths: [tableName(data, table)] }
      : { format: 'parquet', paths: [`${data.replace(/\/+$/, '')}/${table}`] };
  return { tagged: files('tagged'), interact: files('interact'), objects: [files('objects')] };
}

async function listFiles(engine: TableEngine, data: string, listener: Listener): Promise<FoundFiles> {
  const options = listener.signal ? { signal: listener.signal } : {};
  const from = `path ${dialect.literal(data)}, recursiveFileLookup 'true'`;
  await engine.run(`CREATE OR REPLACE TEMPORARY VIEW files_listed USING binaryFile OPTIONS (${from})`, options);
  const listed = 'SELECT path, length, CAST(unix_millis(modificationTime) AS DOUBLE) AS changed FROM files_listed';
  const facts = new Map<string, FileFacts>();
  for await (const { columns } of engine.query(`${listed} ORDER BY path`, options)) {
    const [lengths, times] = ['length', 'changed'].map((name) => columns.get(name) as Float64Array);
    for (const [i, path] of (columns.get('path') as string[]).entries()) {
      if (!TABLE_FILE.test(path)) continue;
      const uri = plainUri(path);
      facts.set(uri, { path: uri, numBytes: Number(lengths[i]), changed: times[i] });
    }
  }
  const lead = fixedPart(plainUri(data));
  const found = tablesAmong([...facts.keys()], data, (path) =>
    path.startsWith(lead) ? path.slice(lead.length) : path,
  );
  return { ...found, files: pathsOf(found).map((path) => facts.get(path) as FileFacts) };
}

/** Spark writes file:/a for file:///a. */
function plainUri(uri: string): string {
  return uri.replace(/^file:\/*/, 'file:///');
}

function fixedPart(data: string): string {
  return isGlob(data) ? data.slice(0, data.slice(0, data.search(/[*?{[]/)).lastIndexOf('/')) : data;
}

const COLUMNS = { tagged: ['object', 'tag'], interact: ['user', 'object'], objects: ['object'] } as const;

async function findTables(engine: TableEngine, data: string, listener: Listener): Promise<FoundFiles> {
  const files: FileFacts[] = [];
  const found: Partial<Record<keyof typeof COLUMNS, TableFiles>> = {};
  for (const table of ['tagged', 'interact', 'objects'] as const) {
    const path = tableName(data, table);
    const facts = await factsOf(engine, path, COLUMNS[table], listener);
    if (facts === undefined) continue;
    files.push(facts);
    found[table] = { format: 'table', paths: [path] };
  }
  const { tagged, interact, objects } = found;
  if (tagged === undefined) {
    const cure = 'Correct the name, or create a view of that name with the columns object and tag.';
    throw new InputError({
      file: data,
      got: `no table ${tableName(data, 'tagged')}`,
      expected: 'one that Spark knows',
      cure,
    });
  }
  return { tagged, interact, objects: objects ? [objects] : [], files };
}

/** A catalogue does not tell when a table changed: a hash of its rows, in any order, does. Undefined where there is no such table. */
async function factsOf(
  engine: TableEngine,
  path: string,
  columns: readonly string[],
  { signal }: Listener,
): Promise<FileFacts | undefined> {
  const names = columns.map((name) => dialect.column(name)).join(', ');
  const hash = `CAST(coalesce(bit_xor(xxhash64(${names})), 0) AS STRING)`;
  try {
    const sql = `SELECT CAST(count(*) AS DOUBLE) AS n, ${hash} AS h FROM ${path}`;
    for await (const { columns: read } of engine.query(sql, signal ? { signal } : {})) {
      return { path, numBytes: Number(read.get('n')?.[0]), changed: String(read.get('h')?.[0]) };
    }
  } catch (error) {
    const { cause } = error as Error;
    if (!(error instanceof InputError && cause instanceof SparkError)) throw error;
    if (cause.errorClass?.startsWith('TABLE_OR_VIEW_NOT_FOUND')) return undefined;
    throw new InputError({ ...error.problem, file: path }, { cause });
  }
  return undefined;
}

/** `main`.`shop`.`tagged` for table:main.shop. */
function tableName(data: string, table: string): string {
  const parts = data.slice(CATALOGUE.length).replace(/\.$/, '').split('.');
  if (parts.some((part) => part === '')) {
    const cure = 'Write table:SCHEMA or table:CATALOG.SCHEMA.';
    throw new InputError({ got: `the address "${data}"`, expected: 'a schema of a catalogue', cure });
  }
  return [...parts, table].map((part) => `\`${part.replaceAll('`', '``')}\``).join('.');
}
