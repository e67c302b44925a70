// A file on disk as a stream of byte chunks: plain or gzipped (told by its first bytes, not its name). What is wrong with a file
// as a whole (missing, unreadable, broken gzip) is said before its first chunk.

import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CancelledError, InputError } from '../errors.ts';
import { readFailure } from '../files.ts';
import type { Listener } from '../listener.ts';
import { brokenGzip, isGzip, notGzip } from './gzip.ts';

const CHUNK_BYTES = 1 << 20; // large enough that awaiting a chunk costs nothing, small enough to stay in cache

export async function* readFileChunks(path: string, options: Listener): AsyncGenerator<Uint8Array> {
  const { gzipped, sizeBytes } = await inspect(path);
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

async function inspect(path: string): Promise<{ gzipped: boolean; sizeBytes: number }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const stat = await file.stat();
    if (!stat.isFile() && !stat.isDirectory()) {
      const cure = 'Write what it gives to a file first: some files are read twice.';
      throw new InputError({ file: path, got: 'a pipe or a device', expected: 'a file', cure });
    }
    const magic = new Uint8Array(2);
    const { bytesRead } = await file.read(magic, 0, 2, 0);
    const gzipped = bytesRead === 2 && isGzip(magic);
    if (path.endsWith('.gz') && !gzipped) throw notGzip(path, stat.size);
    return { gzipped, sizeBytes: stat.size };
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
