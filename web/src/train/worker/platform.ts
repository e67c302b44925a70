// What a browser has in place of src/data/platform.ts: files come from a person's hand, never by a path. SHA-256 is a library's,
// since the browser's own is asynchronous and not there on every page.

import { sha256 as create } from '@noble/hashes/sha2.js';
import type * as node from '../../../../src/data/platform.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A file that was given has a name and no folder. */
export const basename: typeof node.basename = (name) => name;

export const readFileChunks: typeof node.readFileChunks = (path) => {
  throw new Error(`A page cannot open ${path}.`);
};

export const isUtf8: typeof node.isUtf8 = (bytes) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes as AllowSharedBufferSource);
    return true;
  } catch {
    return false;
  }
};

export const utf8Text: typeof node.utf8Text = (bytes, start, end) => decoder.decode(bytes.subarray(start, end));

export const sha256: typeof node.sha256 = () => {
  const hash = create.create();
  return {
    update(part) {
      const isText = typeof part === 'string';
      hash.update(
        isText ? new TextEncoder().encode(part) : new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
      );
      return this;
    },
    hex: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
};
