// Where a table is read from (a path, or a file that a person gave to a page) and its contents as a stream of byte chunks,
// decompressed, with Latin-1 turned into UTF-8. It needs nothing that only Node has, or only a browser.

import { isUtf8, readFileChunks } from '#platform';
import { CancelledError, InputError } from '../../errors.ts';
import type { ChunkOptions, Listener } from '../../listener.ts';
import { brokenGzip, isGzip, notGzip } from '../../platform/gzip.ts';
import { checkedSize } from '../../size-limits.ts';

/** A path, or a file that came without one. */
export type Source = string | File;

/** What errors and warnings call it. */
export function nameOf(source: Source): string {
  return typeof source === 'string' ? source : source.name;
}

/** The contents of a source, decompressed, in order. Each chunk is the reader's own: it may be written to. */
export function readChunks(source: Source, options: ChunkOptions = {}): AsyncGenerator<Uint8Array> {
  return typeof source === 'string' ? readFileChunks(source, options) : readBlobChunks(source, options);
}

/** The same as UTF-8 where the source is Latin-1 (ISO 8859-1): every byte is one character. */
export async function* readLatin1Chunks(source: Source, options: Listener = {}): AsyncGenerator<Uint8Array> {
  for await (const chunk of readChunks(source, options)) yield isAscii(chunk) ? chunk : fromLatin1(chunk);
}

/** Whether the whole file is valid UTF-8: some releases are Latin-1 and do not say so. */
export async function isUtf8File(source: Source): Promise<boolean> {
  let tail: Uint8Array = new Uint8Array(0); // an unfinished character at the end of the last chunk
  for await (const chunk of readChunks(source)) {
    const bytes = tail.length === 0 ? chunk : joined([tail, chunk]);
    const end = lastCharacterStart(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    tail = bytes.subarray(end);
  }
  return isUtf8(tail);
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const numBytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(checkedSize('fileBytes', numBytes, 'bytes in one piece'));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Where the last character of a UTF-8 text begins, if it has several bytes; else the length. */
function lastCharacterStart(bytes: Uint8Array): number {
  for (let i = bytes.length - 1; i >= Math.max(0, bytes.length - 4); i--) {
    if (bytes[i] < 0x80) return bytes.length;
    if (bytes[i] >= 0xc0) return i;
  }
  return bytes.length;
}

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] >= 0x80) return false;
  return true;
}

function fromLatin1(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(2 * bytes.length);
  let size = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] >= 0x80) out[size++] = 0xc0 | (bytes[i] >> 6);
    out[size++] = bytes[i] < 0x80 ? bytes[i] : 0x80 | (bytes[i] & 0x3f);
  }
  return out.subarray(0, size);
}

/** The error for a line that is no UTF-8. */
export function notUtf8(file: string, line: number): InputError {
  const cure = 'Save the file as UTF-8 (for a Latin-1 file: iconv -f latin1 -t utf-8).';
  return new InputError({ file, line, got: 'bytes that are not UTF-8', expected: 'UTF-8 text', cure });
}

/** The contents of a file that a person gave to a page, with the errors of a file on disk. */
async function* readBlobChunks(file: File, options: ChunkOptions): AsyncGenerator<Uint8Array> {
  const magic = new Uint8Array(await readable(file, file.slice(0, 2).arrayBuffer()));
  const gzipped = isGzip(magic);
  if (file.name.endsWith('.gz') && !gzipped) throw notGzip(file.name, file.size);
  options.onOpen?.({ gzipped });
  let numRead = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      numRead += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const counted = file.stream().pipeThrough(counting);
  const reader = (gzipped ? counted.pipeThrough(new DecompressionStream('gzip')) : counted).getReader();
  try {
    for (;;) {
      const next = reader.read();
      const { done, value } = await (gzipped ? whole(file, next) : readable(file, next));
      if (done) return;
      if (options.signal?.aborted) throw new CancelledError();
      options.progress?.(`reading ${file.name}`, numRead, file.size);
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {}); // it may have failed, which was told
  }
}

/** A file may be changed or taken away between the choice and the reading. */
async function readable<Value>({ name }: File, reading: Promise<Value>): Promise<Value> {
  return reading.catch((error) => {
    const cure = 'Choose it again: it was moved or changed, or is a folder.';
    throw new InputError({ file: name, got: 'no such file', expected: 'a readable file', cure }, { cause: error });
  });
}

/** Browsers say what is wrong with gzip each in its own words; here they are zlib's. */
async function whole<Value>(file: File, reading: Promise<Value>): Promise<Value> {
  return reading.catch((error) => {
    if ((error as Error).name === 'NotReadableError') return readable(file, Promise.reject(error));
    const { message, cause } = error as Error; // from Node 22 on, the words are in the cause
    const said = message || String((cause as Error | undefined)?.message ?? '');
    if (/junk|trailing/i.test(said)) {
      const cure = 'It may be several put together: unpack it, and compress it again.';
      const got = 'a gzip file with something behind its end';
      throw new InputError({ file: file.name, got, expected: 'one whole gzip file', cure }, { cause: error });
    }
    const why = /incorrect \w+ check|invalid [a-z/ ]+/.exec(said)?.[0].trim();
    throw brokenGzip(file.name, why ?? (/truncat|end of/i.test(said) ? 'unexpected end of file' : said), error);
  });
}
