// What the fit needs of a run's tables, in typed arrays: names, pairs and neighbours. Rows come sorted and their number is known,
// so nothing is held twice. Pairs of users and objects are left where they are too many (pair-file.ts). What is written about objects is read from its files as it is without an engine.

import type { Csr } from '../csr.ts';
import type { UnderstoodColumn } from '../data/catalogue/columns.ts';
import type { LoadedCatalogue } from '../data/catalogue/read-catalogue.ts';
import { GraphBuilder, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { type ObjectsOptions, readObjects } from '../data/objects-table.ts';
import { Relation } from '../data/relation.ts';
import { NameTable, Vocabulary } from '../data/vocabulary.ts';
import { InputError } from '../errors.ts';
import type { CountedData } from '../graph/counted-users.ts';
import type { RowSample } from '../graph/row-sample.ts';
import type { Listener } from '../listener.ts';
import { checkedSize } from '../size-limits.ts';
import type { ColumnBatch, TableEngine } from './engine.ts';
import { numberIn, optionsOf } from './run-stages.ts';

/** The tables that `loadGraph` reads. */
export const GRAPH_TABLES = ['object_names', 'user_names', 'tag_names', 'tagged', 'interact'];

export interface LoadedTables extends LoadedCatalogue {
  readonly counted: CountedData;
}

/** After `runStages`, on the same engine. `about`: files that say something about objects. */
export async function loadGraph(
  engine: TableEngine,
  about: readonly string[],
  source: string,
  { holdsUsers = true, ...options }: ObjectsOptions & { readonly holdsUsers?: boolean },
): Promise<LoadedCatalogue> {
  const tags = await readNames(engine, 'tag_names', options);
  if (tags.size === 0) {
    const cure = 'Add rows with an object and a tag: there is nothing to learn from without them.';
    throw new InputError({ file: source, got: 'no tags', expected: 'at least one object with a tag', cure });
  }
  const objects = await readNames(engine, 'object_names', options);
  const users = holdsUsers ? await readNames(engine, 'user_names', options) : Vocabulary.from([]);
  const sides = [users.size, objects.size] as const;
  const interact = holdsUsers
    ? await readPairs(engine, 'interact', ['user_id', 'object_id'], sides, options)
    : new Relation(...sides, new Int32Array(0), new Int32Array(0));
  const tagged = await readPairs(engine, 'tagged', ['object_id', 'tag_id'], [objects.size, tags.size], options);
  const { said, columns } = await readAbout(objects, about, options);
  const graph = { users, objects, tags, ...said, interact, tagged };
  const counts = { numRows: objects.size, numTags: tags.size };
  const format = 'a folder of tables';
  const understood = { source, format, encoding: '', ...counts, columns, tagStyle: '', hasRowNumbers: false };
  return { graph, understood };
}

async function readNames(engine: TableEngine, table: string, listener: Listener): Promise<Vocabulary> {
  const size = await countOf(engine, table, listener);
  const offsets = new Uint32Array(size + 1);
  const encoder = new TextEncoder();
  const blocks: Uint8Array[] = [];
  let [next, numBytes] = [0, 0];
  for await (const { columns } of inOrder(
    engine,
    { table, columns: ['name'], by: ['id'], size, numIds: size },
    listener,
  )) {
    const names = columns.get('name') as readonly string[];
    const block = encoder.encode(names.join(''));
    for (const name of names) {
      numBytes += Buffer.byteLength(name);
      offsets[++next] = numBytes;
    }
    blocks.push(block);
    checkedSize('nameBytes', numBytes, `bytes of names in the table ${table}`);
  }
  const bytes = new Uint8Array(numBytes);
  for (let b = 0, at = 0; b < blocks.length; at += blocks[b++].length) bytes.set(blocks[b], at);
  return Vocabulary.fromSorted(new NameTable(bytes, offsets));
}

async function countOf(engine: TableEngine, table: string, listener: Listener): Promise<number> {
  const numRows = await numberIn(engine, `SELECT count(*) AS n FROM ${table}`, listener);
  return checkedSize('rows', numRows, `rows in the table ${table}`);
}

async function readPairs(
  engine: TableEngine,
  table: string,
  [head, tail]: readonly [string, string],
  [numHeads, numTails]: readonly [number, number],
  listener: Listener,
): Promise<Relation> {
  const size = await countOf(engine, table, listener);
  const [heads, tails] = [new Int32Array(size), new Int32Array(size)];
  const by = [head, tail];
  let at = 0;
  for await (const { numRows, columns } of inOrder(
    engine,
    { table, columns: by, by, size, numIds: numHeads },
    listener,
  )) {
    heads.set(columns.get(head) as Int32Array, at);
    tails.set(columns.get(tail) as Int32Array, at);
    at += numRows;
    listener.progress?.(`reading ${table}`, at, size);
  }
  return new Relation(numHeads, numTails, heads, tails);
}

/** After `runStages` with the table neighbours. */
export async function loadNeighbours(engine: TableEngine, numObjects: number, listener: Listener): Promise<Csr> {
  const size = await countOf(engine, 'neighbours', listener);
  const rowStart = new Int32Array(numObjects + 1);
  const [columns, values] = [new Int32Array(size), new Float32Array(size)];
  const by = ['object_id', 'neighbour_id'];
  const answer = { table: 'neighbours', columns: [...by, 'cosine'], by, size, numIds: numObjects };
  let at = 0;
  for await (const { numRows, columns: read } of inOrder(engine, answer, listener)) {
    for (const object of read.get('object_id') as Int32Array) rowStart[object + 1]++;
    columns.set(read.get('neighbour_id') as Int32Array, at);
    values.set(read.get('cosine') as Float64Array, at);
    at += numRows;
    listener.progress?.('reading neighbours', at, size);
  }
  for (let object = 0; object < numObjects; object++) rowStart[object + 1] += rowStart[object];
  return { rowStart, columns, values };
}

/** After `runStages` with the table sample. */
export async function loadSample(engine: TableEngine, listener: Listener): Promise<RowSample> {
  const size = await countOf(engine, 'sample', listener);
  const numTagged = await numberIn(engine, 'SELECT count(DISTINCT object_id) AS n FROM tagged', listener);
  const [objects, weights] = [new Int32Array(size), new Float64Array(size)];
  const by = ['object_id'];
  const answer = { table: 'sample', columns: [...by, 'weight'], by, size, numIds: size };
  let at = 0;
  for await (const { numRows, columns } of inOrder(engine, answer, listener)) {
    objects.set(columns.get('object_id') as Int32Array, at);
    weights.set(columns.get('weight') as Float64Array, at);
    at += numRows;
  }
  return size === numTagged ? { objects } : { objects, weights };
}

/** Rows of a table, sorted. */
export interface Answer {
  readonly table: string;
  readonly columns: readonly string[];
  /** Sorted by these; the first is an id. */
  readonly by: readonly string[];
  readonly size: number;
  /** Of the first column. */
  readonly numIds: number;
}

// a few hundred megabytes to sort, while what came before is already here; and Spark's server refuses to send more than a gigabyte
// (spark.driver.maxResultSize)
const ROWS_PER_ANSWER = 2e7;

/** A large table comes in several answers, by ranges of ids. */
export async function* inOrder(engine: TableEngine, answer: Answer, listener: Listener): AsyncGenerator<ColumnBatch> {
  const { table, columns, by, size, numIds } = answer;
  const numAnswers = Math.max(1, Math.min(numIds, Math.ceil(size / ROWS_PER_ANSWER)));
  for (let a = 0; a < numAnswers; a++) {
    const [first, end] = [a, a + 1].map((i) => Math.round((i * numIds) / numAnswers));
    const range = numAnswers === 1 ? '' : ` WHERE ${by[0]} >= ${first} AND ${by[0]} < ${end}`;
    const sql = `SELECT ${columns.join(', ')} FROM ${table}${range} ORDER BY ${by.join(', ')}`;
    yield* engine.query(sql, optionsOf(listener));
  }
}

type About = Pick<KnowledgeGraph, 'titles' | 'texts' | 'links' | 'images'>;

/** What files say about objects. */
async function readAbout(
  objects: Vocabulary,
  paths: readonly string[],
  options: ObjectsOptions,
): Promise<{ readonly said: About; readonly columns: UnderstoodColumn[] }> {
  if (paths.length === 0) return { said: { titles: objects.names, texts: [] }, columns: [] };
  const builder = new GraphBuilder();
  // in the order of ids, so that each keeps its own
  for (let id = 0; id < objects.size; id++) {
    builder.objects.addBytes(objects.names.bytes, objects.names.offsets[id], objects.names.offsets[id + 1]);
  }
  const columns = new Map<string, UnderstoodColumn>();
  for (const path of paths) {
    for (const column of await readObjects(builder, path, options)) columns.set(column.name, column);
  }
  const { objects: found, titles, texts, links, images } = builder.finish();
  if (found.size !== objects.size) {
    const got = `${found.size - objects.size} objects that the engine did not find`;
    const cure = 'Start over without --resume: the files have changed since they were counted.';
    throw new InputError({ file: paths[0], got, expected: 'the same objects', cure });
  }
  const said = { titles, texts, ...(links && { links }), ...(images && { images }) };
  return { said, columns: [...columns.values()] };
}
