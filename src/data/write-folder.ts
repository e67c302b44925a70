// Writes a data set as a folder of tables, the form `load` reads: `tagged` (object, tag), `objects` (object, title, and texts, url
// and image where there are any) and, where there are users, `interact` (user, object).

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CancelledError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import type { KnowledgeGraph } from './knowledge-graph.ts';
import { TEXT_MARK } from './objects-table.ts';
import type { Relation } from './relation.ts';
import type { NameTable, TextTable } from './vocabulary.ts';

/** How `writeFolder` writes. */
export interface WriteOptions extends Listener {
  /** Writes .tsv.gz instead of .tsv. */
  readonly gzip?: boolean;
}

/**
 * Writes a data set as the tables that `load` reads, into a folder that exists. `stageFolder` puts a whole folder in place at
 * once.
 *
 * @example
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { fingerprint, graphFrom, load, writeFolder } from 'tagloom';
 *
 * const graph = graphFrom({ interact: [['ann', 'alien']], tagged: [['alien', 'space']] });
 * const folder = await mkdtemp(join(tmpdir(), 'tagloom-'));
 * await writeFolder(folder, graph, { gzip: true });
 * console.log(fingerprint(await load(folder)) === fingerprint(graph)); // true
 */
export async function writeFolder(folder: string, graph: KnowledgeGraph, options: WriteOptions = {}): Promise<void> {
  const { interact, users, objects } = graph;
  if (interact.size > 0) {
    const tables = [users.names, objects.names] as const;
    await writeTable(join(folder, 'interact.tsv'), ['user', 'object'], tables, interact, options);
  }
  await writeTagged(folder, graph, graph.tagged, options);
  await writeObjects(folder, graph, options);
}

/** Texts have line breaks, so objects that have any are written as CSV. */
async function writeObjects(folder: string, graph: KnowledgeGraph, options: WriteOptions): Promise<void> {
  const { texts, links, images } = graph;
  const names = graph.objects.names;
  const ids = Int32Array.from({ length: names.size }, (_, id) => id);
  const columns: (readonly [string, TextTable])[] = [
    ['object', names],
    ['title', graph.titles],
    ...(links === undefined ? [] : [['url', links] as const]),
    ...(images === undefined ? [] : [['image', images] as const]),
    ...texts.map((column) => [TEXT_MARK + column.name, column.texts] as const),
  ];
  if (columns.length === 2) {
    const pairs = { heads: ids, tails: ids };
    return writeTable(join(folder, 'objects.tsv'), ['object', 'title'], [names, graph.titles], pairs, options);
  }
  const row = (cells: readonly string[]) => `${cells.map(csvField).join(',')}\n`;
  await writeRows(join(folder, 'objects.csv'), ids.length, options, (id) =>
    id < 0 ? row(columns.map(([name]) => name)) : row(columns.map(([, table]) => table.at(id))),
  );
}

function csvField(text: string): string {
  return /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes only a `tagged` table: the test side of a split. */
export async function writeTagged(
  folder: string,
  graph: KnowledgeGraph,
  tagged: Relation,
  options: WriteOptions = {},
): Promise<void> {
  await writeTable(
    join(folder, 'tagged.tsv'),
    ['object', 'tag'],
    [graph.objects.names, graph.tags.names],
    tagged,
    options,
  );
}

const WRITE_BYTES = 1 << 20;

/** Writes the header (row −1) and the rows as text. */
async function writeRows(path: string, numRows: number, options: WriteOptions, rowAt: (row: number) => string) {
  await writeStream(path, options, async (write) => {
    let text = '';
    for (let row = -1; row < numRows; row++) {
      text += rowAt(row);
      if (text.length < WRITE_BYTES) continue;
      await write(Buffer.from(text));
      options.progress?.(`writing ${basename(path)}`, row, numRows);
      text = '';
    }
    await write(Buffer.from(text));
  });
}

/** Opens a file, plain or gzipped, and lets `produce` write to it. */
async function writeStream(
  path: string,
  options: WriteOptions,
  produce: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const file = createWriteStream(options.gzip ? `${path}.gz` : path);
  const gzip = options.gzip ? createGzip() : undefined;
  const failed = finished(gzip ? gzip.pipe(file) : file);
  failed.catch(() => {}); // awaited below, after the last write
  const sink = gzip ?? file;
  try {
    await produce(async (chunk) => {
      if (options.signal?.aborted) throw new CancelledError();
      if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), failed]);
    });
    sink.end();
    await failed;
  } finally {
    file.destroy();
  }
}

async function writeTable(
  path: string,
  header: readonly [string, string],
  tables: readonly [NameTable, NameTable],
  pairs: { heads: Int32Array; tails: Int32Array },
  options: WriteOptions,
): Promise<void> {
  await writeStream(path, options, async (write) => {
    let chunk = Buffer.allocUnsafe(WRITE_BYTES);
    let size = chunk.write(`${header[0]}\t${header[1]}\n`);
    for (let i = 0; i < pairs.heads.length; i++) {
      const needed = byteLength(tables[0], pairs.heads[i]) + byteLength(tables[1], pairs.tails[i]) + 2;
      if (size + needed > chunk.length) {
        await write(chunk.subarray(0, size));
        options.progress?.(`writing ${basename(path)}`, i, pairs.heads.length);
        chunk = Buffer.allocUnsafe(Math.max(WRITE_BYTES, needed));
        size = 0;
      }
      size = copyName(chunk, size, tables[0], pairs.heads[i]);
      chunk[size++] = 0x09;
      size = copyName(chunk, size, tables[1], pairs.tails[i]);
      chunk[size++] = 0x0a;
    }
    await write(chunk.subarray(0, size));
  });
}

function byteLength({ offsets }: NameTable, id: number): number {
  return offsets[id + 1] - offsets[id];
}

function copyName(out: Uint8Array, at: number, { bytes, offsets }: NameTable, id: number): number {
  for (let i = offsets[id]; i < offsets[id + 1]; i++) out[at++] = bytes[i];
  return at;
}
