// What the fit needs of a run's tables, in typed arrays: names, pairs and neighbours. Rows come sorted and their number is known,
// so nothing is held twice. What is written about objects is read from its files as it is without an engine.

import type { Csr } from '../csr.ts';
import type { UnderstoodColumn } from '../data/catalogue/columns.ts';
import type { LoadedCatalogue } from '../data/catalogue/read-catalogue.ts';
import { GraphBuilder, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { type ObjectsOptions, readObjects } from '../data/objects-table.ts';
import { Relation } from '../data/relation.ts';
import { NameTable, Vocabulary } from '../data/vocabulary.ts';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { checkedSize } from '../size-limits.ts';
import type { FoundFiles } from './data-files.ts';
import type { TableEngine } from './engine.ts';
import { numberIn, optionsOf } from './run-stages.ts';

/** The tables that `loadTables` reads. */
export const LOADED_TABLES = ['object_names', 'user_names', 'tag_names', 'tagged', 'interact', 'neighbours'];

export interface LoadedTables extends LoadedCatalogue {
  /** From each object to the most similar tagged objects; values are cosines. */
  readonly neighbours: Csr;
}

/** After `runStages`, on the same engine. */
export async function loadTables(
  engine: TableEngine,
  data: FoundFiles,
  source: string,
  options: ObjectsOptions,
): Promise<LoadedTables> {
  const tags = await readNames(engine, 'tag_names', options);
  if (tags.size === 0) {
    const cure = 'Add rows with an object and a tag: there is nothing to learn from without them.';
    throw new InputError({ file: source, got: 'no tags', expected: 'at least one object with a tag', cure });
  }
  const [objects, users] = [
    await readNames(engine, 'object_names', options),
    await readNames(engine, 'user_names', options),
  ];
  const interact = await readPairs(engine, 'interact', ['user_id', 'object_id'], [users.size, objects.size], options);
  const tagged = await readPairs(engine, 'tagged', ['object_id', 'tag_id'], [objects.size, tags.size], options);
  const neighbours = await readNeighbours(engine, objects.size, options);
  const { about, columns } = await readAbout(objects, data, options);
  const graph = { users, objects, tags, ...about, interact, tagged };
  const counts = { numRows: objects.size, numTags: tags.size };
  const format = 'a folder of tables';
  const understood = { source, format, encoding: '', ...counts, columns, tagStyle: '', hasRowNumbers: false };
  return { graph, understood, neighbours };
}

async function readNames(engine: TableEngine, table: string, listener: Listener): Promise<Vocabulary> {
  const size = await countOf(engine, table, listener);
  const offsets = new Uint32Array(size + 1);
  const encoder = new TextEncoder();
  const blocks: Uint8Array[] = [];
  let [next, numBytes] = [0, 0];
  for await (const { columns } of engine.query(`SELECT name FROM ${table} ORDER BY id`, optionsOf(listener))) {
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
  const sql = `SELECT ${head}, ${tail} FROM ${table} ORDER BY ${head}, ${tail}`;
  let at = 0;
  for await (const { numRows, columns } of engine.query(sql, optionsOf(listener))) {
    heads.set(columns.get(head) as Int32Array, at);
    tails.set(columns.get(tail) as Int32Array, at);
    at += numRows;
    listener.progress?.(`reading ${table}`, at, size);
  }
  return new Relation(numHeads, numTails, heads, tails);
}

async function readNeighbours(engine: TableEngine, numObjects: number, listener: Listener): Promise<Csr> {
  const size = await countOf(engine, 'neighbours', listener);
  const rowStart = new Int32Array(numObjects + 1);
  const [columns, values] = [new Int32Array(size), new Float32Array(size)];
  const sql = 'SELECT object_id, neighbour_id, cosine FROM neighbours ORDER BY object_id, neighbour_id';
  let at = 0;
  for await (const { numRows, columns: read } of engine.query(sql, optionsOf(listener))) {
    for (const object of read.get('object_id') as Int32Array) rowStart[object + 1]++;
    columns.set(read.get('neighbour_id') as Int32Array, at);
    values.set(read.get('cosine') as Float64Array, at);
    at += numRows;
    listener.progress?.('reading neighbours', at, size);
  }
  for (let object = 0; object < numObjects; object++) rowStart[object + 1] += rowStart[object];
  return { rowStart, columns, values };
}

type About = Pick<KnowledgeGraph, 'titles' | 'texts' | 'links' | 'images'>;

/** What files say about objects. */
async function readAbout(
  objects: Vocabulary,
  data: FoundFiles,
  options: ObjectsOptions,
): Promise<{ readonly about: About; readonly columns: UnderstoodColumn[] }> {
  const paths = data.objects.flatMap((files) => files.paths);
  if (paths.length === 0) return { about: { titles: objects.names, texts: [] }, columns: [] };
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
  const about = { titles, texts, ...(links && { links }), ...(images && { images }) };
  return { about, columns: [...columns.values()] };
}
