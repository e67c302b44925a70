// Named arrays in the safetensors format, in memory: 8 bytes with the length of a JSON header, the header (by name: type, shape, place;
// and texts under __metadata__), then the arrays end to end. A checksum over everything travels in the metadata.

import { sha256 } from '#platform';

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

export const TYPES = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  U16: Uint16Array,
  F16: Uint16Array,
  U8: Uint8Array,
} as const;
export type TypeName = keyof typeof TYPES;

const ALIGNMENT = 64; // of the first array, so that a reader may map the file
export const NO_CHECKSUM = '0'.repeat(64);

/** The file in parts: its header, then the bytes of each array as they lie in memory. */
export function encodeTensors(file: TensorFile): Uint8Array[] {
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
  const hash = sha256().update(encode(NO_CHECKSUM));
  for (const [, { data }] of ordered) hash.update(bytesOf(data));
  return [encode(hash.hex()), ...ordered.map(([, { data }]) => bytesOf(data))];
}

/** Length and JSON, with blanks up to the alignment. */
function encodeHeader(header: Record<string, unknown>): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil((8 + json.length) / ALIGNMENT) * ALIGNMENT - 8;
  const out = new Uint8Array(8 + length).fill(0x20);
  new DataView(out.buffer).setBigUint64(0, BigInt(length), true);
  out.set(json, 8);
  return out;
}

function typeName(data: TensorData): TypeName {
  for (const [name, type] of Object.entries(TYPES)) if (data instanceof type) return name as TypeName;
  throw new TypeError('Got an array of a type that no tensor file can hold.');
}

export function bytesOf(data: TensorData): Uint8Array {
  return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
}
