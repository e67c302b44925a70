// A file of named arrays in the safetensors format: 8 bytes with the length of a JSON header, the header (by name: type,
// shape, place; and texts under __metadata__), then the arrays end to end. Other tools read it as it is.
//
// Written under a temporary name and renamed, so that a file is whole or not there. A checksum over everything travels
// in the metadata; whatever fails it, or is cut short, or is something else, is an InputError.

import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { CancelledError, InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';

export type TensorData = Float32Array | Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

export interface NamedTensor {
  readonly shape: readonly number[];
  readonly data: TensorData;
  /** Of Uint16Array: whether they are the bits of floats (half.ts). */
  readonly isHalf?: boolean;
}

export interface TensorFile {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: ReadonlyMap<string, NamedTensor>;
}

const TYPES = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  U16: Uint16Array,
  F16: Uint16Array,
  U8: Uint8Array,
} as const;
type TypeName = keyof typeof TYPES;

interface HeaderEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [begin: number, end: number];
}

const ALIGNMENT = 64; // of the first array, so that a reader may map the file
const MAX_HEADER_BYTES = 100_000_000; // as other readers of the format have it
const CHUNK_BYTES = 1 << 24;
const NO_CHECKSUM = '0'.repeat(64);

export async function writeTensorFile(path: string, file: TensorFile, listener: Listener = {}): Promise<void> {
  // wide types first: then every array lies at a multiple of its width
  const ordered = [...file.tensors].sort(
    ([a, { data: x }], [b, { data: y }]) => y.BYTES_PER_ELEMENT - x.BYTES_PER_ELEMENT || (a < b ? -1 : 1),
  );
  const header: Record<string, unknown> = {};
  let end = 0;
  for (const [name, { shape, data, isHalf }] of ordered) {
    const begin = end;
    end += data.byteLength;
    header[name] = { dtype: isHalf ? 'F16' : typeName(data), shape, data_offsets: [begin, end] };
  }
  const encode = (checksum: string) => encodeHeader({ __metadata__: { ...file.metadata, checksum }, ...header });
  const hash = createHash('sha256').update(encode(NO_CHECKSUM));
  for (const [, { data }] of ordered) hash.update(bytesOf(data));

  const partial = `${path}.partial-${process.pid}`;
  try {
    const out = await open(partial, 'w');
    try {
      await writeAll(out, encode(hash.digest('hex')), listener);
      for (const [, { data }] of ordered) await writeAll(out, bytesOf(data), listener);
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
    const hash = createHash('sha256').update(withoutChecksum(bytes, metadata.checksum));
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
    if (metadata.checksum !== hash.digest('hex')) {
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

/** Length and JSON, with blanks up to the alignment. */
function encodeHeader(header: Record<string, unknown>): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const length = Math.ceil((8 + json.length) / ALIGNMENT) * ALIGNMENT - 8;
  const out = Buffer.alloc(8 + length, ' ');
  out.writeBigUInt64LE(BigInt(length), 0);
  json.copy(out, 8);
  return out;
}

/** The header as it was when the checksum was taken. */
function withoutChecksum(header: Buffer, checksum: string): Buffer {
  const at = header.indexOf(`"checksum":"${checksum}"`);
  if (at < 0) return header;
  const blank = Buffer.from(header);
  blank.write(NO_CHECKSUM, at + '"checksum":"'.length);
  return blank;
}

function typeName(data: TensorData): TypeName {
  for (const [name, type] of Object.entries(TYPES)) if (data instanceof type) return name as TypeName;
  throw new TypeError('Got an array of a type that no tensor file can hold.');
}

function bytesOf(data: TensorData): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
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
