// A file of named arrays in the safetensors format (tensor-bytes.ts). Other tools read it as it is.
//
// Written under a temporary name and renamed, so that a file is whole or not there. Whatever fails its checksum, or is cut
// short, or is something else, is an InputError.

import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { CancelledError, InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { sha256 } from './platform.ts';
import {
  bytesOf,
  encodeTensors,
  type NamedTensor,
  NO_CHECKSUM,
  type TensorFile,
  TYPES,
  type TypeName,
} from './tensor-bytes.ts';

export type { NamedTensor, TensorFile } from './tensor-bytes.ts';

interface HeaderEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [begin: number, end: number];
}

const MAX_HEADER_BYTES = 100_000_000; // as other readers of the format have it
const CHUNK_BYTES = 1 << 24;

export async function writeTensorFile(path: string, file: TensorFile, listener: Listener = {}): Promise<void> {
  const parts = encodeTensors(file);
  const partial = `${path}.partial-${process.pid}`;
  try {
    const out = await open(partial, 'w');
    try {
      for (const part of parts) await writeAll(out, part, listener);
      await out.sync();
    } finally {
      await out.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {}); // the first error is the one to tell
    throw unwritable(error, path);
  }
}

export async function readTensorFile(path: string, listener: Listener = {}): Promise<TensorFile> {
  const handle = await open(path, 'r').catch((error) => {
    throw unreadable(error, path);
  });
  try {
    const { size } = await handle.stat();
    const { bytes, header } = await readHeader(handle, size, path);
    const { __metadata__: metadata = {}, ...entries } = header;
    if (metadata.checksum === undefined) throw foreign(path);
    const hash = sha256().update(withoutChecksum(bytes, metadata.checksum));
    const tensors = new Map<string, NamedTensor>();
    let end = 0;
    for (const [name, entry] of Object.entries(entries).sort(([, a], [, b]) => a.data_offsets[0] - b.data_offsets[0])) {
      const data = allocate(name, entry, end, path);
      await readInto(handle, bytesOf(data), bytes.length + end, path, listener);
      hash.update(bytesOf(data));
      tensors.set(name, { shape: entry.shape, data, ...(entry.dtype === 'F16' && { isHalf: true }) });
      end = entry.data_offsets[1];
    }
    if (bytes.length + end !== size) throw damaged(path, `${size} bytes`, `${bytes.length + end} bytes`);
    if (metadata.checksum !== hash.hex()) {
      throw damaged(path, 'contents that differ from their checksum', 'what was once written');
    }
    return { metadata, tensors };
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, path, 'read');
  } finally {
    await handle.close();
  }
}

type Header = { readonly __metadata__?: Record<string, string> } & Record<string, HeaderEntry>;

async function readHeader(handle: FileHandle, size: number, path: string): Promise<{ bytes: Buffer; header: Header }> {
  const start = Buffer.alloc(8);
  await handle.read(start, 0, 8, 0);
  const length = Number(start.readBigUInt64LE(0));
  if (size < 8 || length < 2 || length > MAX_HEADER_BYTES) throw foreign(path);
  if (8 + length > size) throw damaged(path, `${size} bytes`, `a header of ${length} bytes and more`);
  const bytes = Buffer.alloc(8 + length);
  await handle.read(bytes, 0, bytes.length, 0);
  let header: unknown;
  try {
    header = JSON.parse(bytes.subarray(8).toString('utf8'));
  } catch {
    throw foreign(path);
  }
  if (!isHeader(header)) throw foreign(path);
  return { bytes, header };
}

function isHeader(header: unknown): header is Header {
  if (typeof header !== 'object' || header === null) return false;
  return Object.entries(header).every(([name, entry]) => {
    if (typeof entry !== 'object' || entry === null) return false;
    if (name === '__metadata__') return Object.values(entry).every((value) => typeof value === 'string');
    const { dtype, shape, data_offsets: place } = entry as Partial<HeaderEntry>;
    const isList = (list: unknown): list is number[] =>
      Array.isArray(list) && list.every((value) => Number.isSafeInteger(value) && value >= 0);
    return typeof dtype === 'string' && isList(shape) && isList(place) && place.length === 2;
  });
}

/** An empty array for an entry that begins where the last one ended. */
function allocate(name: string, { dtype, shape, data_offsets: [begin, end] }: HeaderEntry, last: number, path: string) {
  if (!(dtype in TYPES)) {
    const expected = `one of ${Object.keys(TYPES).join(', ')}`;
    throw new InputError({ file: path, got: `${name} of type ${dtype}`, expected, cure: 'Name a file tagloom wrote.' });
  }
  const type = TYPES[dtype as TypeName];
  const count = shape.reduce((product, length) => product * length, 1);
  if (begin !== last || end - begin !== count * type.BYTES_PER_ELEMENT) {
    throw damaged(path, `${name} at ${begin} to ${end}`, `${count} numbers from ${last}`);
  }
  return new type(count);
}

async function readInto(handle: FileHandle, out: Uint8Array, position: number, path: string, listener: Listener) {
  for (let at = 0; at < out.length; ) {
    if (listener.signal?.aborted) throw new CancelledError();
    const { bytesRead } = await handle.read(out, at, Math.min(CHUNK_BYTES, out.length - at), position + at);
    if (bytesRead === 0)
      throw damaged(path, `an end after ${position + at} bytes`, `${position + out.length} and more`);
    at += bytesRead;
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, listener: Listener): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    if (listener.signal?.aborted) throw new CancelledError();
    at += (await handle.write(bytes, at, Math.min(CHUNK_BYTES, bytes.length - at))).bytesWritten;
  }
}

/** The header as it was when the checksum was taken. */
function withoutChecksum(header: Buffer, checksum: string): Buffer {
  const at = header.indexOf(`"checksum":"${checksum}"`);
  if (at < 0) return header;
  const blank = Buffer.from(header);
  blank.write(NO_CHECKSUM, at + '"checksum":"'.length);
  return blank;
}

function foreign(path: string): InputError {
  const cure = 'Name a file that "tagloom train" wrote.';
  return new InputError({ file: path, got: 'a file of another kind', expected: 'a tagloom model', cure });
}

function damaged(path: string, got: string, expected: string): InputError {
  return new InputError({ file: path, got, expected, cure: 'The file is damaged: copy it again, or train anew.' });
}

function unreadable(error: NodeJS.ErrnoException, path: string): unknown {
  if (error.code === 'ENOENT') {
    const cure = 'Check the path; "tagloom train DATA -o FILE" makes one.';
    return new InputError({ file: path, got: 'nothing there', expected: 'a model file', cure }, { cause: error });
  }
  return explained(error, path, 'read');
}

function unwritable(error: unknown, path: string): unknown {
  return explained(error as NodeJS.ErrnoException, path, 'write');
}

function explained(error: NodeJS.ErrnoException, path: string, verb: string): unknown {
  if (error.code === undefined || error.syscall === undefined) return error;
  const cure = 'Check the path, its rights and the room on the disk.';
  const expected = `to ${verb} ${basename(path)}`;
  return new InputError({ file: path, got: error.code, expected, cure }, { cause: error });
}
