// What Node and browsers do in different ways, beneath the readers: files by their paths, SHA-256, UTF-8. This is Node's way; a
// page is built with web/src/train/worker/platform.ts in its place (web/train/vite.config.ts).

import { createHash } from 'node:crypto';

export { isUtf8 } from 'node:buffer';
export { basename } from 'node:path';
export { readFileChunks } from './file-bytes.ts';

export interface Hash {
  update(part: string | NodeJS.ArrayBufferView): Hash;
  /** What it comes to, as hexadecimal digits; the last call. */
  hex(): string;
}

export function sha256(): Hash {
  const hash = createHash('sha256');
  return {
    update(part) {
      hash.update(part);
      return this;
    },
    hex: () => hash.digest('hex'),
  };
}

/** The text of bytes[start, end). */
export function utf8Text({ buffer, byteOffset, length }: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8', start, end);
}
