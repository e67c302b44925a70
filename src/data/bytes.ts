// A file as a stream of byte chunks: plain or gzipped (told by its first bytes, not its name), UTF-8 or Latin-1.
// What is wrong with a file as a whole (missing, unreadable, broken gzip) is said here; what is wrong with a line is
// said by the reader of lines.

import { isUtf8 } from 'node:buffer';
import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CancelledError, InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';

const CHUNK_BYTES = 1 << 20; // large enough that awaiting a chunk costs nothing, small enough to stay in cache

/** The contents of a file, decompressed, in order. Each chunk is the reader's own: it may be written to. */
export async function* readChunks(path: string, options: Listener = {}): AsyncGenerator<Uint8Array> {
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

/** The same as UTF-8 where the file is Latin-1 (ISO 8859-1): every byte is one character. */
export async function* readLatin1Chunks(path: string, options: Listener = {}): AsyncGenerator<Uint8Array> {
  for await (const chunk of readChunks(path, options)) {
    yield isAscii(chunk)
      ? chunk
      : Buffer.from(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1'), 'utf8');
  }
}

/** Whether the whole file is valid UTF-8: some releases are Latin-1 and do not say so. */
export async function isUtf8File(path: string): Promise<boolean> {
  let tail: Uint8Array = new Uint8Array(0); // an unfinished character at the end of the last chunk
  for await (const chunk of readChunks(path)) {
    const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
    const end = lastCharacterStart(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    tail = bytes.slice(end);
  }
  return isUtf8(tail);
}

/** Where the last character of a UTF-8 text begins, if it has several bytes; else the length. */
function lastCharacterStart(bytes: Uint8Array): number {
  for (let i = bytes.length - 1; i >= Math.max(0, bytes.length - 4); i--) {
    if (bytes[i] < 0x80) return bytes.length;
    if (bytes[i] >= 0xc0) return i;
  }
  return bytes.length;
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
    const gzipped = bytesRead === 2 && magic[0] === 0x1f && magic[1] === 0x8b;
    if (path.endsWith('.gz') && !gzipped) {
      throw new InputError({
        file: path,
        got: stat.size === 0 ? 'an empty file' : 'a file that does not begin like gzip',
        expected: 'a gzip file, as its name says',
        cure: 'Compress it again, or drop .gz from its name if it is plain text.',
      });
    }
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
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') {
    return new InputError({ file: path, got: 'no such file', expected: 'a readable file', cure: 'Check the path.' });
  }
  if (code === 'EACCES' || code === 'EISDIR' || code === 'EPERM') {
    const got = code === 'EISDIR' ? 'a folder' : 'no permission to read it';
    return new InputError({
      file: path,
      got,
      expected: 'a readable file',
      cure: 'Check the path and its permissions.',
    });
  }
  if (code?.startsWith('Z_')) {
    const got = `a broken gzip file (${(error as Error).message})`;
    const cure = 'It was cut short or damaged: fetch or compress it again.';
    return new InputError({ file: path, got, expected: 'a whole one', cure }, { cause: error });
  }
  return error;
}

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] >= 0x80) return false;
  return true;
}
