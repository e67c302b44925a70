// What Node and browsers do in different ways: files by their paths, SHA-256, UTF-8, threads, the GPU. This is Node's way;
// browser.ts has the same names for browsers. Both are imported as '#platform' (package.json, "imports").

import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';

export { isUtf8 } from 'node:buffer';
export { basename, join, resolve as absolutePath } from 'node:path';
export { readFailure } from '../file-failures.ts';
export { listFolder, writeFile } from '../files.ts';
export { readFileChunks } from './file-chunks.ts';

/** A file opened to be read from any place. */
export interface OpenFile {
  readonly size: number;
  /** Fills an array, or what is left of the file, from a position on; how many bytes that is. */
  read(out: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

export async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    size,
    read: async (out, position) => (await handle.read(out, 0, out.length, position)).bytesRead,
    close: () => handle.close(),
  };
}

/** A file that is read without waiting for others. */
export interface SyncReader {
  /** Fills an array, or what is left of the file, from a position on; how many bytes that is. */
  read(out: Uint8Array, position: number): number;
}

const readers = new FinalizationRegistry<number>((file) => closeSync(file));

/** Open until nobody holds the reader any more. */
export function openForever(path: string): SyncReader {
  const file = openSync(path, 'r');
  const reader: SyncReader = { read: (out, position) => readSync(file, out, 0, out.length, position) };
  readers.register(reader, file);
  return reader;
}

/** Whether a path is a folder, something to read from, or nothing that can be seen. */
export async function kindOfPath(path: string): Promise<'folder' | 'file' | 'nothing'> {
  return stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => 'nothing',
  );
}

/** Removes a file, if it is there. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

export interface Hash {
  update(part: string | NodeJS.ArrayBufferView): Hash;
  /** What it comes to, as hexadecimal digits; the last call. */
  hex(): string;
}

const PIECE_BYTES = 2 ** 30; // Node hashes no more than 2^31 − 1 bytes at once

export function sha256(pieceBytes = PIECE_BYTES): Hash {
  const hash = createHash('sha256');
  return {
    update(part) {
      for (const piece of piecesOf(part, pieceBytes)) hash.update(piece);
      return this;
    },
    hex: () => hash.digest('hex'),
  };
}

function* piecesOf(part: string | NodeJS.ArrayBufferView, size: number): Generator<string | NodeJS.ArrayBufferView> {
  if (typeof part === 'string' || part.byteLength <= size) yield part;
  else {
    for (let at = 0; at < part.byteLength; at += size) {
      yield new Uint8Array(part.buffer, part.byteOffset + at, Math.min(size, part.byteLength - at));
    }
  }
}

/** The text of bytes[start, end). */
export function utf8Text({ buffer, byteOffset, length }: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8', start, end);
}

// The engine is not needed by most commands, so what only it uses is loaded when it is asked for.

export interface Thread {
  terminate(): unknown;
}

/** Starts a thread that runs the function `(setup, ready) => …` given as text; resolves once it has called `ready`. */
export async function startThread(source: string, setup: unknown): Promise<Thread> {
  const { Worker } = await import('node:worker_threads');
  const text = `const { parentPort } = require('node:worker_threads');
parentPort.once('message', (setup) => (${source})(setup, () => parentPort.postMessage('ready')));`;
  const worker = new Worker(text, { eval: true });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread ended with code ${code} before it was ready.`)));
    worker.postMessage(setup);
  });
  worker.unref(); // a program may end while threads sleep
  return worker;
}

export async function numCores(): Promise<number> {
  return (await import('node:os')).availableParallelism();
}

/** Node 20 has relaxed SIMD behind a flag. Later versions have it anyway, and print an error where the flag is set. */
export async function enableFusedMultiplyAdd(): Promise<void> {
  if (!process.versions.node.startsWith('20.')) return;
  (await import('node:v8')).setFlagsFromString('--experimental-wasm-relaxed-simd');
}

/** A `GPU` from the optional package `webgpu`, or why there is none, as a clause. */
export async function loadWebGpu(): Promise<object | string> {
  const name: string = 'webgpu'; // a variable, so that bundlers do not look for the package
  try {
    return (await import(/* @vite-ignore */ name)).create([]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return 'the package webgpu is not installed';
    throw error;
  }
}
