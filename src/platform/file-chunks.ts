// A file on disk as a stream of byte chunks: plain or gzipped (told by its first bytes, not its name). What is wrong with a file
// as a whole (missing, unreadable, broken gzip) is said before its first chunk. Who reads only once may read a pipe as well, and
// standard input under the name "-".

import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CancelledError, InputError } from '../errors.ts';
import { readFailure } from '../file-failures.ts';
import type { ChunkOptions } from '../listener.ts';
import { brokenGzip, isGzip, notGzip } from './gzip.ts';

const CHUNK_BYTES = 1 << 20; // large enough that awaiting a chunk costs nothing, small enough to stay in cache
const STANDARD_INPUT = 0;

export async function* readFileChunks(path: string, options: ChunkOptions): AsyncGenerator<Uint8Array> {
  if (options.mayBePipe && (path === '-' || (await isPipe(path)))) {
    yield* readPipe(path, options);
    return;
  }
  const { gzipped, sizeBytes } = await inspect(path);
  options.onOpen?.({ gzipped });
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const source = gzipped ? gunzipped(file) : file;
  const step = `reading ${basename(path)}`;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      if (options.signal?.aborted) throw new CancelledError();
      options.progress?.(step, file.bytesRead, sizeBytes);
      yield chunk;
    }
  } catch (error) {
    throw explained(error, path);
  } finally {
    file.destroy();
  }
}

async function isPipe(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFIFO() || found.isCharacterDevice() || found.isSocket(),
    () => false,
  );
}

/** Its first chunk says whether it is gzipped; how much will come, nobody knows. */
async function* readPipe(path: string, options: ChunkOptions): AsyncGenerator<Uint8Array> {
  const settings = { highWaterMark: CHUNK_BYTES };
  const file =
    path === '-' ? createReadStream('', { ...settings, fd: STANDARD_INPUT }) : createReadStream(path, settings);
  try {
    const chunks = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = await chunks.next();
    const gzipped = !first.done && isGzip(first.value);
    options.onOpen?.({ gzipped });
    const all = async function* () {
      for (let next = first; !next.done; next = await chunks.next()) yield next.value;
    };
    for await (const chunk of (gzipped
      ? pipeline(all, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
      : all()) as AsyncIterable<Buffer>) {
      if (options.signal?.aborted) throw new CancelledError();
      yield chunk;
    }
  } catch (error) {
    throw explained(error, path);
  } finally {
    file.destroy();
  }
}

async function inspect(path: string): Promise<{ gzipped: boolean; sizeBytes: number }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const found = await file.stat();
    if (!found.isFile() && !found.isDirectory()) {
      const cure = 'Write what it gives to a file first: some files are read twice.';
      throw new InputError({ file: path, got: 'a pipe or a device', expected: 'a file', cure });
    }
    const magic = new Uint8Array(2);
    const { bytesRead } = await file.read(magic, 0, 2, 0);
    const gzipped = bytesRead === 2 && isGzip(magic);
    if (path.endsWith('.gz') && !gzipped) throw notGzip(path, found.size);
    return { gzipped, sizeBytes: found.size };
  } catch (error) {
    throw explained(error, path);
  } finally {
    await file?.close();
  }
}

function gunzipped(file: ReadStream): Readable {
  // pipeline, not pipe: an error of the file reaches whoever reads the decompressed stream
  return pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
}

function explained(error: unknown, path: string): unknown {
  const isGzipError = (error as NodeJS.ErrnoException).code?.startsWith('Z_') ?? false;
  return isGzipError ? brokenGzip(path, (error as Error).message, error) : readFailure(error, path);
}
