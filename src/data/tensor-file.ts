// A file of named arrays in the safetensors format (tensor-bytes.ts). Other tools read it as it is.
//
// A file is whole or not there (files.ts). One that fails its checksum, is cut short or is something else is an InputError.

import { type OpenFile, openFile, readFailure, sha256, utf8Text, writeFile } from '#platform';
import { CancelledError, InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
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
const CHECKSUM = /^[0-9a-f]{64}$/;

export async function writeTensorFile(path: string, file: TensorFile, listener: Listener = {}): Promise<void> {
  await writeFile(path, encodeTensors(file), { signal: listener.signal });
}

const HOW_TO_MAKE = '"tagloom train DATA -o FILE" writes one.';

export async function readTensorFile(path: string, listener: Listener = {}): Promise<TensorFile> {
  const file = await openFile(path).catch((error) => {
    throw readFailure(error, path, 'a model file', HOW_TO_MAKE);
  });
  try {
    return await readTensors(file, path, listener);
  } catch (error) {
    throw readFailure(error, path, 'a model file', HOW_TO_MAKE);
  } finally {
    await file.close();
  }
}

/** The same from bytes; `path`: what errors call them. */
export function decodeTensors(bytes: Uint8Array, path: string): Promise<TensorFile> {
  const read = async (out: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + out.length);
    out.set(part);
    return part.length;
  };
  return readTensors({ size: bytes.length, read, close: async () => {} }, path, {});
}

/** Where an array lies in a file. */
export interface TensorPlace {
  readonly path: string;
  readonly start: number;
  readonly numBytes: number;
}

/** The header of a file alone: its texts, and where its arrays of bytes are. Their contents are not checked. */
export async function readTensorPlaces(
  path: string,
): Promise<{ readonly metadata: TensorFile['metadata']; readonly places: ReadonlyMap<string, TensorPlace> }> {
  const file = await openFile(path);
  try {
    const { bytes, header } = await readTensorHeader(file, path);
    const { __metadata__: metadata = {}, ...entries } = header;
    const places = Object.entries(entries).map(
      ([
        name,
        {
          data_offsets: [begin, end],
        },
      ]): [string, TensorPlace] => [name, { path, start: bytes.length + begin, numBytes: end - begin }],
    );
    const size = places.reduce((most, [, { start, numBytes }]) => Math.max(most, start + numBytes), bytes.length);
    if (size !== file.size) throw damaged(path, `${file.size} bytes`, `${size} bytes`);
    return { metadata, places: new Map(places) };
  } finally {
    await file.close();
  }
}

async function readTensors(file: OpenFile, path: string, listener: Listener): Promise<TensorFile> {
  const { size } = file;
  const { bytes, header } = await readTensorHeader(file, path);
  const { __metadata__: metadata = {}, ...entries } = header;
  if (!CHECKSUM.test(metadata.checksum ?? '')) throw foreign(path);
  const hash = sha256().update(withoutChecksum(bytes, metadata.checksum));
  const tensors = new Map<string, NamedTensor>();
  let end = 0;
  for (const [name, entry] of Object.entries(entries).sort(([, a], [, b]) => a.data_offsets[0] - b.data_offsets[0])) {
    const data = allocate(name, entry, { last: end, numBytes: size - bytes.length }, path);
    await readInto(file, bytesOf(data), bytes.length + end, path, listener);
    hash.update(bytesOf(data));
    tensors.set(name, { shape: entry.shape, data, ...(entry.dtype === 'F16' && { isHalf: true }) });
    end = entry.data_offsets[1];
  }
  if (bytes.length + end !== size) throw damaged(path, `${size} bytes`, `${bytes.length + end} bytes`);
  if (metadata.checksum !== hash.hex()) {
    throw damaged(path, 'contents that differ from their checksum', 'what was once written');
  }
  return { metadata, tensors };
}

type Header = { readonly __metadata__?: Record<string, string> } & Record<string, HeaderEntry>;

async function readTensorHeader(file: OpenFile, path: string): Promise<{ bytes: Uint8Array; header: Header }> {
  const { size } = file;
  const start = new Uint8Array(8);
  await file.read(start, 0);
  const length = Number(new DataView(start.buffer).getBigUint64(0, true));
  if (size < 8 || length < 2 || length > MAX_HEADER_BYTES) throw foreign(path);
  if (8 + length > size) throw damaged(path, `${size} bytes`, `a header of ${length} bytes and more`);
  const bytes = new Uint8Array(8 + length);
  await file.read(bytes, 0);
  let header: unknown;
  try {
    header = JSON.parse(utf8Text(bytes, 8, bytes.length));
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

/** An empty array for an entry that begins where the last one ended and ends within the bytes that there are. */
function allocate(
  name: string,
  { dtype, shape, data_offsets: [begin, end] }: HeaderEntry,
  { last, numBytes }: { last: number; numBytes: number },
  path: string,
) {
  if (!Object.hasOwn(TYPES, dtype)) {
    const expected = `one of ${Object.keys(TYPES).join(', ')}`;
    throw new InputError({ file: path, got: `${name} of type ${dtype}`, expected, cure: 'Name a file tagloom wrote.' });
  }
  const type = TYPES[dtype as TypeName];
  const count = shape.reduce((product, length) => product * length, 1);
  if (begin !== last || end - begin !== count * type.BYTES_PER_ELEMENT) {
    throw damaged(path, `${name} at ${begin} to ${end}`, `${count} numbers from ${last}`);
  }
  if (end > numBytes) throw damaged(path, `${numBytes} bytes of tensors`, `${end} and more`);
  try {
    return new type(count);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const cure = 'Use a machine with more memory, or train a smaller model.';
    throw new InputError({ file: path, got: `${end - begin} bytes of ${name}`, expected: 'fewer', cure });
  }
}

async function readInto(file: OpenFile, out: Uint8Array, position: number, path: string, listener: Listener) {
  for (let at = 0; at < out.length; ) {
    if (listener.signal?.aborted) throw new CancelledError();
    const bytesRead = await file.read(out.subarray(at, at + CHUNK_BYTES), position + at);
    if (bytesRead === 0)
      throw damaged(path, `an end after ${position + at} bytes`, `${position + out.length} and more`);
    at += bytesRead;
  }
}

/** The header as it was when the checksum was taken. */
function withoutChecksum(header: Uint8Array, checksum: string): Uint8Array {
  const [mark, none] = [`"checksum":"${checksum}"`, `"checksum":"${NO_CHECKSUM}"`].map((text) =>
    new TextEncoder().encode(text),
  );
  for (let at = 0; at + mark.length <= header.length; at++) {
    if (!mark.every((byte, i) => header[at + i] === byte)) continue;
    const blank = header.slice();
    blank.set(none, at);
    return blank;
  }
  return header;
}

function foreign(path: string): InputError {
  const cure = 'Name a file that "tagloom train" wrote.';
  return new InputError({ file: path, got: 'a file of another kind', expected: 'a tagloom model', cure });
}

function damaged(path: string, got: string, expected: string): InputError {
  return new InputError({ file: path, got, expected, cure: 'The file is damaged: copy it again, or train it again.' });
}
