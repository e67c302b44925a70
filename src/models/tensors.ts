// Named arrays as a model file has them, written from and read back into what models are made of: names, relations, sparse rows.

import type { Csr } from '../csr.ts';
import { fromHalves, toHalves } from '../data/half.ts';
import { Relation } from '../data/relation.ts';
import { StoredTexts } from '../data/stored-texts.ts';
import type { NamedTensor, TensorData, TensorFile } from '../data/tensor-bytes.ts';
import type { TensorPlace } from '../data/tensor-file.ts';
import { NameTable, Vocabulary } from '../data/vocabulary.ts';
import {
  type Bounds,
  checkClean,
  checkFinite,
  checkHalves,
  checkNames,
  checkNumbers,
  checkRows,
  checkSorted,
  checkStarts,
  FormatError,
} from './tensor-checks.ts';

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
  return [[`${name}.bytes`, vector(bytes)], offsetsToTensor(name, { offsets })];
}

/** Of strings whose bytes are elsewhere. */
export function offsetsToTensor(name: string, { offsets }: Pick<NameTable, 'offsets'>): TensorEntry {
  return [`${name}.offsets`, vector(offsets)];
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

/** Reads tensors and holds them against each other: what it returns can be computed with. */
export class TensorReader {
  readonly #file: TensorFile;
  readonly #read = new Set<string>();

  constructor(file: TensorFile) {
    this.#file = file;
  }

  has(name: string): boolean {
    return this.#file.tensors.has(name);
  }

  /** The numbers of a tensor, checked for type and, where given, length. Those of 32 bits are finite. */
  array<Type extends TensorData>(name: string, type: abstract new (...args: never[]) => Type, length?: number): Type {
    const data = this.#dataOf(name, type, length);
    if (data instanceof Float32Array) checkFinite(name, data);
    return data;
  }

  /** Numbers within bounds. */
  within(name: string, bounds: Bounds, length?: number): Float32Array {
    const data = this.#dataOf(name, Float32Array, length);
    checkNumbers(name, data, bounds);
    return data;
  }

  /** Numbers that may have been written as halves. */
  floats(name: string, length: number): Float32Array {
    if (!this.#file.tensors.get(name)?.isHalf) return this.array(name, Float32Array, length);
    const halves = this.#dataOf(name, Uint16Array, length);
    checkHalves(name, halves);
    return fromHalves(halves);
  }

  /** A row of this many numbers for each of `numRows`; how many they are is told by the tensor itself. */
  rows(name: string, numRows: number): { readonly width: number; readonly values: Float32Array } {
    const values = this.array(name, Float32Array);
    const width = numRows === 0 ? 0 : values.length / numRows;
    if (Number.isInteger(width) && width * numRows === values.length) return { width, values };
    throw new FormatError(`${values.length} numbers in ${name}`, `as many for each of ${numRows} rows`);
  }

  /** Strings; where given, so many. */
  names(name: string, size?: number): NameTable {
    const bytes = this.#dataOf(`${name}.bytes`, Uint8Array);
    const offsets = this.#dataOf(`${name}.offsets`, Uint32Array, size === undefined ? undefined : size + 1);
    checkNames(name, bytes, offsets);
    return new NameTable(bytes, offsets);
  }

  /** Strings whose bytes are in another file. */
  storedTexts(name: string, size: number, place: TensorPlace | undefined): StoredTexts {
    const offsets = this.#dataOf(`${name}.offsets`, Uint32Array, size + 1);
    if (place === undefined) throw new FormatError(`no ${name}.bytes beside the model`);
    checkStarts(`${name}.offsets`, offsets, place.numBytes);
    return new StoredTexts({ path: place.path, start: place.start }, offsets);
  }

  vocabulary(name: string): Vocabulary {
    const names = this.names(name);
    checkSorted(name, names.bytes, names.offsets);
    return Vocabulary.fromSorted(names);
  }

  /** The names of what data has. */
  cleanVocabulary(name: string): Vocabulary {
    const vocabulary = this.vocabulary(name);
    checkClean(name, vocabulary.names.bytes);
    return vocabulary;
  }

  csr(name: string, numRows: number, numColumns: number): Csr {
    const rowStart = this.#dataOf(`${name}.rowStart`, Int32Array, numRows + 1);
    const columns = this.#ids(`${name}.columns`);
    checkStarts(`${name}.rowStart`, rowStart, columns.length);
    checkRows(`${name}.columns`, rowStart, columns, numColumns);
    return { rowStart, columns, values: this.floats(`${name}.weights`, columns.length) };
  }

  relation(name: string, numHeads: number, numTails: number): Relation {
    const rowStart = this.#dataOf(`${name}.rowStart`, Int32Array, numHeads + 1);
    const tails = this.#dataOf(`${name}.tails`, Int32Array);
    checkStarts(`${name}.rowStart`, rowStart, tails.length);
    checkRows(`${name}.tails`, rowStart, tails, numTails);
    const heads = new Int32Array(tails.length);
    for (let head = 0; head < numHeads; head++) heads.fill(head, rowStart[head], rowStart[head + 1]);
    return new Relation(numHeads, numTails, heads, tails, rowStart);
  }

  /** Refuses tensors that nobody asked for: one that is misnamed would be missed in silence. */
  refuseUnread(): void {
    for (const name of this.#file.tensors.keys()) {
      if (!this.#read.has(name)) throw new FormatError(`a tensor "${name.slice(0, 100)}" that no model has`);
    }
  }

  /** Ids that may have been written as 16 bits. */
  #ids(name: string): Int32Array {
    return this.#file.tensors.get(name)?.data instanceof Uint16Array
      ? new Int32Array(this.#dataOf(name, Uint16Array))
      : this.#dataOf(name, Int32Array);
  }

  #dataOf<Type extends TensorData>(name: string, type: abstract new (...args: never[]) => Type, length?: number): Type {
    const data = this.#file.tensors.get(name)?.data;
    if (!(data instanceof type)) throw new FormatError(`no ${name} of the right type`);
    if (length !== undefined && data.length !== length) {
      throw new FormatError(`${data.length} numbers in ${name}`, String(length));
    }
    this.#read.add(name);
    return data;
  }
}
