// Writes a data set as a folder of tables, the form `load` reads: `interact` (user, object), `tagged` (object, tag) and `objects`
// (object, title).

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CancelledError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import type { KnowledgeGraph } from './knowledge-graph.ts';
import type { Relation } from './relation.ts';
import type { NameTable } from './vocabulary.ts';

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
  const objects = graph.objects.names;
  const objectIds = Int32Array.from({ length: objects.size }, (_, id) => id);
  await writeTable(
    join(folder, 'interact.tsv'),
    ['user', 'object'],
    [graph.users.names, objects],
    graph.interact,
    options,
  );
  await writeTagged(folder, graph, graph.tagged, options);
  await writeTable(
    join(folder, 'objects.tsv'),
    ['object', 'title'],
    [objects, graph.titles],
    { heads: objectIds, tails: objectIds },
    options,
  );
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

async function writeTable(
  path: string,
  header: readonly [string, string],
  tables: readonly [NameTable, NameTable],
  pairs: { heads: Int32Array; tails: Int32Array },
  options: WriteOptions,
): Promise<void> {
  const file = createWriteStream(options.gzip ? `${path}.gz` : path);
  const gzip = options.gzip ? createGzip() : undefined;
  const failed = finished(gzip ? gzip.pipe(file) : file);
  failed.catch(() => {}); // awaited below, after the last write
  const sink = gzip ?? file;
  const write = async (chunk: Uint8Array) => {
    if (options.signal?.aborted) throw new CancelledError();
    if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), failed]);
  };
  try {
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
    sink.end();
    await failed;
  } finally {
    file.destroy();
  }
}

function byteLength({ offsets }: NameTable, id: number): number {
  return offsets[id + 1] - offsets[id];
}

function copyName(out: Uint8Array, at: number, { bytes, offsets }: NameTable, id: number): number {
  for (let i = offsets[id]; i < offsets[id + 1]; i++) out[at++] = bytes[i];
  return at;
}
