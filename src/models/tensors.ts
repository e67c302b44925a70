// Named arrays as a model file has them, written from and read back into what models are made of: names, relations, sparse rows.

import type { Csr } from '../csr.ts';
import { fromHalves, toHalves } from '../data/half.ts';
import { Relation } from '../data/relation.ts';
import type { NamedTensor, TensorData, TensorFile } from '../data/tensor-bytes.ts';
import { NameTable, Vocabulary } from '../data/vocabulary.ts';

export type TensorEntry = [name: string, tensor: NamedTensor];

export function vector(data: TensorData): NamedTensor {
  return { shape: [data.length], data };
}

/** Rows of so many numbers. */
export function matrix(data: Float32Array, width: number): NamedTensor {
  return { shape: [width === 0 ? 0 : data.length / width, width], data };
}

/** The same in half the room; nothing is lost where the numbers were rounded to halves before. */
export function halves(data: Float32Array, width: number): NamedTensor {
  return { ...matrix(data, width), data: toHalves(data), isHalf: true };
}

export function namesToTensors(name: string, { bytes, offsets }: NameTable): TensorEntry[] {
  return [
    [`${name}.bytes`, vector(bytes)],
    [`${name}.offsets`, vector(offsets)],
  ];
}

export function relationToTensors(name: string, { rowStart, tails }: Relation): TensorEntry[] {
  return [
    [`${name}.rowStart`, vector(rowStart)],
    [`${name}.tails`, vector(tails)],
  ];
}

export function csrToTensors(name: string, { rowStart, columns, values }: Csr): TensorEntry[] {
  return [
    [`${name}.rowStart`, vector(rowStart)],
    [`${name}.columns`, vector(columns)],
    [`${name}.weights`, vector(values)],
  ];
}

/** The tensors are whole (the checksum holds) but are not those of a model. */
export class FormatError extends Error {}

export class TensorReader {
  readonly #file: TensorFile;

  constructor(file: TensorFile) {
    this.#file = file;
  }

  has(name: string): boolean {
    return this.#file.tensors.has(name);
  }

  /** The numbers of a tensor, checked for type and, where given, length. */
  array<Type extends TensorData>(name: string, type: abstract new (...args: never[]) => Type, length?: number): Type {
    const data = this.#file.tensors.get(name)?.data;
    if (!(data instanceof type)) throw new FormatError(`no ${name} of the right type`);
    if (length !== undefined && data.length !== length) {
      throw new FormatError(`${data.length} numbers in ${name} where ${length} belong`);
    }
    return data;
  }

  /** Numbers that may have been written as halves. */
  floats(name: string, length: number): Float32Array {
    if (!this.#file.tensors.get(name)?.isHalf) return this.array(name, Float32Array, length);
    return fromHalves(this.array(name, Uint16Array, length));
  }

  /** Ids that may have been written as 16 bits. */
  ids(name: string, length: number): Int32Array {
    const { data } = this.#file.tensors.get(name) ?? {};
    return data instanceof Uint16Array
      ? Int32Array.from(this.array(name, Uint16Array, length))
      : this.array(name, Int32Array, length);
  }

  names(name: string): NameTable {
    return new NameTable(this.array(`${name}.bytes`, Uint8Array), this.array(`${name}.offsets`, Uint32Array));
  }

  vocabulary(name: string): Vocabulary {
    return Vocabulary.fromSorted(this.names(name));
  }

  csr(name: string, numRows: number): Csr {
    const rowStart = this.array(`${name}.rowStart`, Int32Array, numRows + 1);
    const columns = this.ids(`${name}.columns`, rowStart[numRows]);
    return { rowStart, columns, values: this.floats(`${name}.weights`, columns.length) };
  }

  relation(name: string, numHeads: number, numTails: number): Relation {
    const rowStart = this.array(`${name}.rowStart`, Int32Array, numHeads + 1);
    const tails = this.array(`${name}.tails`, Int32Array, rowStart[numHeads]);
    const heads = new Int32Array(tails.length);
    for (let head = 0; head < numHeads; head++) heads.fill(head, rowStart[head], rowStart[head + 1]);
    return new Relation(numHeads, numTails, heads, tails);
  }
}
