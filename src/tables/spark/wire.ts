// Protocol Buffers: messages as bytes and back. A message is described by its fields (message({ name: text(1) })); fields that a
// description leaves out are skipped when read. Absent fields are undefined, repeated ones an empty array.

/** Of a tag on the wire: what follows it. */
const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5];

/** How a field is written and read. */
export interface Field<Value> {
  readonly id: number;
  readonly wireType: number;
  readonly isRepeated?: boolean;
  write(out: ByteList, value: Value): void;
  read(source: ByteSource): Value;
}
export interface RepeatedField<Value> extends Field<Value> {
  readonly isRepeated: true;
}
// biome-ignore lint/suspicious/noExplicitAny: fields of all types stand side by side, and writing and reading pull in opposite directions
export type Fields = Record<string, Field<any>>;

type ValueOf<F> = F extends Field<infer Value> ? Value : never;
/** What reading gives. */
export type Read<F extends Fields> = {
  [Name in keyof F]: F[Name] extends RepeatedField<infer Value> ? readonly Value[] : ValueOf<F[Name]> | undefined;
};
/** What writing takes: fields may be left out. */
export type Written<F extends Fields> = {
  readonly [Name in keyof F]?:
    | (F[Name] extends RepeatedField<infer Value> ? readonly Value[] : ValueOf<F[Name]>)
    | undefined;
};

/** A kind of message. */
export interface Message<F extends Fields> {
  encode(value: Written<F>): Uint8Array;
  decode(bytes: Uint8Array): Read<F>;
}

export function message<F extends Fields>(fields: F): Message<F> {
  const byId = new Map(Object.entries(fields).map(([name, field]) => [field.id, { name, field }]));
  return {
    encode(value) {
      const out: ByteList = [];
      for (const { name, field } of byId.values()) {
        const given = value[name];
        if (given === undefined) continue;
        for (const one of field.isRepeated ? (given as readonly unknown[]) : [given]) {
          writeVarint(out, BigInt(field.id * 8 + field.wireType));
          field.write(out, one);
        }
      }
      return joined(out);
    },
    decode(bytes) {
      const value: Record<string, unknown> = {};
      for (const { name, field } of byId.values()) value[name] = field.isRepeated ? [] : undefined;
      const source = { bytes, at: 0 };
      while (source.at < bytes.length) {
        const tag = Number(readVarint(source));
        const known = byId.get(Math.floor(tag / 8));
        if (known?.field.wireType !== tag % 8) skip(source, tag % 8);
        else if (known.field.isRepeated) (value[known.name] as unknown[]).push(known.field.read(source));
        else value[known.name] = known.field.read(source);
      }
      return value as Read<F>;
    },
  };
}

export function text(id: number): Field<string> {
  return {
    id,
    wireType: BYTES,
    write: (out, value) => writeBytes(out, new TextEncoder().encode(value)),
    read: (source) => new TextDecoder().decode(readBytes(source)),
  };
}

export function bytes(id: number): Field<Uint8Array> {
  return { id, wireType: BYTES, write: writeBytes, read: readBytes };
}

/** int32, int64 and enumerations; numbers that a double holds exactly. */
export function integer(id: number): Field<number> {
  return {
    id,
    wireType: VARINT,
    write: (out, value) => writeVarint(out, BigInt.asUintN(64, BigInt(value))),
    read: (source) => Number(BigInt.asIntN(64, readVarint(source))),
  };
}

export function flag(id: number): Field<boolean> {
  return {
    id,
    wireType: VARINT,
    write: (out, value) => writeVarint(out, value ? 1n : 0n),
    read: (source) => readVarint(source) !== 0n,
  };
}

/** A message inside a message. */
export function nested<F extends Fields>(id: number, kind: Message<F>): Field<Written<F> & Partial<Read<F>>> {
  return {
    id,
    wireType: BYTES,
    write: (out, value) => writeBytes(out, kind.encode(value)),
    read: (source) => kind.decode(readBytes(source)) as Written<F> & Partial<Read<F>>,
  };
}

export function repeated<Value>(field: Field<Value>): RepeatedField<Value> {
  return { ...field, isRepeated: true };
}

/** Single bytes and longer pieces, joined at the end: a query's text is copied once a level. */
export type ByteList = (number | Uint8Array)[];

export interface ByteSource {
  readonly bytes: Uint8Array;
  at: number;
}

function joined(list: ByteList): Uint8Array {
  const length = list.reduce((sum: number, part) => sum + (typeof part === 'number' ? 1 : part.length), 0);
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of list) {
    if (typeof part === 'number') out[at++] = part;
    else {
      out.set(part, at);
      at += part.length;
    }
  }
  return out;
}

function writeVarint(out: ByteList, value: bigint): void {
  let rest = value;
  while (rest > 0x7fn) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
}

function writeBytes(out: ByteList, value: Uint8Array): void {
  writeVarint(out, BigInt(value.length));
  out.push(value);
}

const MAX_VARINT_BITS = 63n; // ten bytes of seven bits hold 64

function readVarint(source: ByteSource): bigint {
  let value = 0n;
  for (let shift = 0n; shift <= MAX_VARINT_BITS; shift += 7n) {
    const byte = source.bytes[source.at++];
    if (byte === undefined) throw cutOff();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, value);
  }
  throw new Error('a Protocol Buffers number longer than ten bytes');
}

function readBytes(source: ByteSource): Uint8Array {
  const length = Number(readVarint(source));
  const start = source.at;
  source.at += length;
  if (source.at > source.bytes.length) throw cutOff();
  return source.bytes.subarray(start, source.at);
}

function skip(source: ByteSource, wireType: number): void {
  if (wireType === VARINT) readVarint(source);
  else if (wireType === BYTES) readBytes(source);
  else if (wireType === FIXED64) source.at += 8;
  else if (wireType === FIXED32) source.at += 4;
  else throw new Error(`a Protocol Buffers field of the unknown type ${wireType}`);
  if (source.at > source.bytes.length) throw cutOff();
}

function cutOff(): Error {
  return new Error('a Protocol Buffers message that is cut off');
}
