// The contents of a source as a stream of byte chunks, decompressed; Latin-1 turned into UTF-8 where it is that. What is wrong with
// a line is said by the reader of lines.

import type { Listener } from '../listener.ts';
import { readBlobChunks } from './blob-bytes.ts';
import { isUtf8, readFileChunks } from './platform.ts';
import type { Source } from './source.ts';

/** The contents of a source, decompressed, in order. Each chunk is the reader's own: it may be written to. */
export function readChunks(source: Source, options: Listener = {}): AsyncGenerator<Uint8Array> {
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

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
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
