// What browsers have in place of node.ts, under the same names. Files are chosen by the user, never opened by a path. SHA-256
// comes from a library, since the browser's own is asynchronous and exists only on secure pages.

import { sha256 as create } from '@noble/hashes/sha2.js';
import { InputError } from '../errors.ts';
import type * as node from './node.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A file that was given has a name and no folder. */
export const basename: typeof node.basename = (name) => name;

export const join: typeof node.join = (...parts) => parts.join('/');
export const absolutePath: typeof node.absolutePath = (...parts) => parts.join('/');

export const readFileChunks: typeof node.readFileChunks = noFiles;
export const openFile: typeof node.openFile = noFiles;
export const openForever: typeof node.openForever = noFiles;
export const kindOfPath: typeof node.kindOfPath = noFiles;
export const listFolder: typeof node.listFolder = noFiles;
export const writeFile: typeof node.writeFile = noFiles;
export const removeFile: typeof node.removeFile = noFiles;
export const readFailure: typeof node.readFailure = (error) => error;

function noFiles(path: string): never {
  const cure = 'Read a data set from File objects with load, a model from its bytes with decodeModel.';
  throw new InputError({ file: path, got: 'a path', expected: 'no path in a browser, which opens no files', cure });
}

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

export const startThread: typeof node.startThread = async (source, setup) => {
  const text = `onmessage = ({ data }) => (${source})(data, () => postMessage('ready'));`;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(address);
  try {
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = ({ message }) => reject(new Error(message ?? 'the page forbids it'));
      worker.postMessage(setup);
    });
  } finally {
    URL.revokeObjectURL(address);
  }
  return worker;
};

export const numCores: typeof node.numCores = async () => navigator.hardwareConcurrency ?? 1;

export const enableFusedMultiplyAdd: typeof node.enableFusedMultiplyAdd = async () => {};

export const loadWebGpu: typeof node.loadWebGpu = async () => {
  return (navigator as Partial<Navigator>).gpu ?? 'this browser has no WebGPU';
};
