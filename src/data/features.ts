// Content of the objects, X (numObjects, numFeatures), sparse by rows. A table of it has one of two layouts, recognised by
// its header: sparse (object, feature and perhaps value: one row for each number other than zero) or dense (object and a
// column for each feature, or for a list of features). Entries are collected as they come and sorted at the end.

import { basename, sha256 } from '#platform';
import type { Csr } from '../csr.ts';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { checkedSize } from '../size-limits.ts';
import { fieldNumber, readTable, readTableHeader } from './table/read-table.ts';
import { fieldText, type Row, readRows } from './table/row.ts';
import { type Vocabulary, VocabularyBuilder } from './vocabulary.ts';

/** Content of the objects: X (numObjects, numFeatures) by rows. An object without features has an empty row. */
export interface Features extends Csr {
  /** Of the features, by column. */
  readonly names: readonly string[];
  readonly numFeatures: number;
}

/**
 * Reads the content of objects from a table (.tsv, .csv or .parquet, optionally .gz): either `object`, `feature` and perhaps
 * `value`, one row for each number, or `object` and a column for each feature.
 *
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { readFeatures, Vocabulary } from 'tagloom';
 *
 * const file = join(await mkdtemp(join(tmpdir(), 'tagloom-')), 'features.tsv');
 * await writeFile(file, 'object\tyear\tminutes\nalien\t1979\t117\nheat\t1995\t170\n');
 * const features = await readFeatures(file, Vocabulary.from(['alien', 'heat']));
 * console.log(features.names, features.values[0]); // [ 'year', 'minutes' ] 1979
 */
export async function readFeatures(path: string, objects: Vocabulary, listener: Listener = {}): Promise<Features> {
  const header = await readTableHeader(path, { ...listener, lists: true });
  const names = header.filter((name) => name.toLowerCase() !== 'object');
  if (names.length === header.length || names.length === 0 || names.includes('')) throw badHeader(path, header);
  const layout = names.map((name) => name.toLowerCase()).sort();
  const isSparse = layout[0] === 'feature' && layout.every((name) => name === 'feature' || name === 'value');
  const rows = new ObjectRows(path, objects, listener);
  const entries = new EntryList(objects, { file: path });
  return isSparse ? readSparse(rows, entries, layout.length > 1) : readDense(rows, entries, names);
}

/**
 * Makes features from data in memory. Values of the same object and feature add up. Names are cleaned as in tables that are read
 * from files, and entries with a blank name are left out, with a warning.
 *
 * @example
 * import { featuresFrom, Vocabulary } from 'tagloom';
 *
 * const features = featuresFrom(Vocabulary.from(['alien', 'heat']), [
 *   ['alien', 'director: scott', 1],
 *   ['heat', 'director: mann', 1],
 * ]);
 * console.log(features.numFeatures, Array.from(features.rowStart)); // 2 [ 0, 1, 2 ]
 */
export function featuresFrom(
  objects: Vocabulary,
  entries: Iterable<readonly [object: string, feature: string, value: number]>,
  listener: Listener = {},
): Features {
  const list = new EntryList(objects);
  const features = new VocabularyBuilder();
  readRows('features', ['object', 'feature'], entries, listener, (row, [, , value]) => {
    const { bytes, start, end } = row;
    const object = objects.idOfBytes(bytes, start[0], end[0]);
    if (object < 0) {
      const got = `features of ${shown(fieldText(row, 0))}`;
      throw new InputError({ got, expected: 'an object of the data set', cure: 'Leave its features out.' });
    }
    list.add(object, features.addBytes(bytes, start[1], end[1]), value);
  });
  const { vocabulary, rank } = features.finish();
  return list.toFeatures(vocabulary.names.toArray(), rank);
}

async function readSparse(rows: ObjectRows, entries: EntryList, hasValue: boolean): Promise<Features> {
  const { path, listener } = rows;
  const features = new VocabularyBuilder();
  const columns = hasValue ? ['object', 'feature', 'value'] : ['object', 'feature'];
  await readTable(path, columns, { ...listener, mayBeBlank: ['value'] }, (row) => {
    const { bytes, start, end } = row;
    const value = hasValue && start[2] < end[2] ? numberIn(row, 2, path, 'value') : 1;
    const object = rows.find(row);
    if (object >= 0) entries.add(object, features.addBytes(bytes, start[1], end[1]), value);
  });
  rows.check();
  const { vocabulary, rank } = features.finish();
  return entries.toFeatures(vocabulary.names.toArray(), rank);
}

async function readDense(rows: ObjectRows, entries: EntryList, names: readonly string[]): Promise<Features> {
  const { path, listener } = rows;
  const options = { ...listener, mayBeBlank: names, lists: true };
  await readTable(path, ['object', ...names], options, (row) => {
    const object = rows.find(row);
    if (rows.isRepeated) {
      const [got, cure] = [`object ${shown(fieldText(row, 0))} a second time`, 'Make one row of its rows.'];
      throw new InputError({ file: path, line: row.line, got, expected: 'one row for each object', cure });
    }
    for (let c = 0; c < names.length; c++) {
      if (row.start[c + 1] < row.end[c + 1]) entries.add(object, c, numberIn(row, c + 1, path, names[c]));
    }
  });
  rows.check();
  const inOrder = names.map((_, c) => c);
  return entries.toFeatures(names, inOrder);
}

/** Tells which object a row is about, and keeps count. */
class ObjectRows {
  readonly path: string;
  readonly listener: Listener;
  isRepeated = false; // the object found last had been found before
  readonly #ids = new VocabularyBuilder(); // the objects in their order, then names that are none: to be counted
  readonly #seen: Uint8Array; // (numObjects)
  #firstUnknown = '';

  constructor(path: string, objects: Vocabulary, listener: Listener) {
    this.path = path;
    this.listener = listener;
    this.#seen = new Uint8Array(objects.size);
    const { bytes, offsets } = objects.names;
    for (let id = 0; id < objects.size; id++) this.#ids.addBytes(bytes, offsets[id], offsets[id + 1]);
  }

  /** The id of the object in the first column, or −1. */
  find(row: Row): number {
    const [seen, numKnown] = [this.#seen, this.#ids.size];
    const id = this.#ids.addBytes(row.bytes, row.start[0], row.end[0]);
    this.isRepeated = id < seen.length ? seen[id] !== 0 : id < numKnown;
    if (id === seen.length && !this.isRepeated) this.#firstUnknown = `${shown(fieldText(row, 0))} on line ${row.line}`;
    if (id >= seen.length) return -1;
    seen[id] = 1;
    return id;
  }

  /** At the end of the file: fails if it is about none of the objects, and warns of the rest. */
  check(): void {
    const [numObjects, numUnknown] = [this.#seen.length, this.#ids.size - this.#seen.length];
    const numSeen = this.#seen.reduce((sum, seen) => sum + seen, 0);
    const first = `the first is ${this.#firstUnknown}`;
    if (numSeen === 0) {
      const got = numUnknown === 0 ? 'no rows' : `no object of the data set (${first})`;
      const cure = 'Call objects what the data set calls them.';
      throw new InputError({ file: this.path, got, expected: 'features of objects of the data set', cure });
    }
    const [file, unknown] = [basename(this.path), numUnknown === 1 ? '1 object' : `${numUnknown} objects`];
    if (numUnknown > 0) this.listener.warn?.(`${file}: left out ${unknown} that the data set does not have; ${first}.`);
    if (numSeen < numObjects)
      this.listener.warn?.(`${file}: ${numObjects - numSeen} of ${numObjects} objects have no features.`);
  }
}

const FEATURES = 'features of objects';
const BLOCK_BITS = 18;
const BLOCK = 1 << BLOCK_BITS; // entries; blocks, not one doubling array, so that growing never needs a second copy

/** Entries as they come, repeats and all. */
class EntryList {
  readonly #objects: Vocabulary;
  readonly #file: { file?: string };
  #ids: Int32Array[] = []; // blocks of object, feature, object, feature, …
  #values: Float32Array[] = []; // blocks
  #size = 0;

  constructor(objects: Vocabulary, file: { file?: string } = {}) {
    this.#objects = objects;
    this.#file = file;
  }

  /** An object that is none (−1) and a zero leave no entry. */
  add(object: number, feature: number, value: number): void {
    if (object < 0 || Math.fround(value) === 0) return;
    const at = this.#size++ & (BLOCK - 1);
    if (at === 0) {
      checkedSize('entries', this.#size, FEATURES);
      this.#ids.push(new Int32Array(2 * BLOCK));
      this.#values.push(new Float32Array(BLOCK));
    }
    const ids = this.#ids[this.#ids.length - 1];
    ids[2 * at] = object;
    ids[2 * at + 1] = feature;
    this.#values[this.#values.length - 1][at] = value;
  }

  /** The matrix, features by their rank; repeats add up. Empties the list: at fifty million entries, keeping both would cost a gigabyte. */
  toFeatures(names: readonly string[], rank: ArrayLike<number>): Features {
    const [size, numObjects, ids, blocks] = [this.#size, this.#objects.size, this.#ids, this.#values];
    checkedSize('entries', size, FEATURES);
    const rowStart = new Int32Array(numObjects + 1);
    for (let i = 0; i < size; i++) rowStart[ids[i >> BLOCK_BITS][2 * (i & (BLOCK - 1))] + 1]++;
    for (let r = 0; r < numObjects; r++) rowStart[r + 1] += rowStart[r];

    // sort by object, reading from the blocks and dropping each one behind
    const next = rowStart.slice();
    const columns = new Int32Array(size);
    const values = new Float32Array(size);
    for (let b = 0; b < blocks.length; b++) {
      const numEntries = Math.min(BLOCK, size - b * BLOCK);
      for (let i = 0; i < numEntries; i++) {
        const at = next[ids[b][2 * i]]++;
        columns[at] = rank[ids[b][2 * i + 1]];
        values[at] = blocks[b][i];
      }
      ids[b] = new Int32Array(0);
      blocks[b] = new Float32Array(0);
    }
    this.#size = ids.length = blocks.length = 0;
    return this.#merged({ names, numFeatures: names.length, rowStart, columns, values });
  }

  /** Sorts each row and closes up its repeats, in place. A sum in float64 hardly depends on the order of the rows. */
  #merged(features: Features): Features {
    const { names, rowStart, columns, values } = features;
    let size = 0;
    for (let object = 0, i = 0; object + 1 < rowStart.length; object++) {
      const end = rowStart[object + 1];
      sortRow(columns, values, i, end);
      while (i < end) {
        const column = columns[i];
        let sum = 0;
        while (i < end && columns[i] === column) sum += values[i++];
        if (!Number.isFinite(Math.fround(sum))) throw this.#badSum(sum, names[column], object);
        if (Math.fround(sum) === 0) continue;
        columns[size] = column;
        values[size++] = sum;
      }
      rowStart[object + 1] = size;
    }
    if (size === columns.length) return features;
    return { ...features, columns: columns.slice(0, size), values: values.slice(0, size) };
  }

  #badSum(sum: number, feature: string, object: number): InputError {
    const got = `${sum.toPrecision(3)} for feature ${shown(feature)} of object ${shown(this.#objects.name(object))}`;
    const cure = 'Scale the feature down, or leave it out.';
    return new InputError({ ...this.#file, got, expected: 'a finite number of at most 3.4e38', cure });
  }
}

/** Sorts the entries start to end by column, unless they are sorted: rows of most files are. */
function sortRow(columns: Int32Array, values: Float32Array, start: number, end: number): void {
  let sorted = start + 1;
  while (sorted < end && columns[sorted - 1] <= columns[sorted]) sorted++;
  if (sorted >= end) return;
  // column and place in one exact number (both together far below 2^53): arrays of numbers are sorted natively
  const length = end - start;
  const keys = new Float64Array(length);
  for (let k = 0; k < length; k++) keys[k] = columns[start + k] * length + k;
  keys.sort();
  const unsorted = values.slice(start, end);
  for (let k = 0; k < length; k++) {
    const from = keys[k] % length;
    columns[start + k] = (keys[k] - from) / length;
    values[start + k] = unsorted[from];
  }
}

/** A short text that two sets of features share only if all their names and numbers are the same. */
export function featuresFingerprint({ names, rowStart, columns, values }: Features): string {
  const hash = sha256().update(JSON.stringify(names));
  return hash.update(rowStart).update(columns).update(values).hex().slice(0, 32);
}

function numberIn(row: Row, field: number, path: string, column: string): number {
  const value = fieldNumber(row, field);
  if (Number.isFinite(value)) return value;
  const got = `${shown(fieldText(row, field))} in column ${shown(column)}`;
  const cure = 'Write a decimal number, such as 0.5 or 1e-3.';
  throw new InputError({ file: path, line: row.line, got, expected: 'a finite number', cure });
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

function badHeader(path: string, header: readonly string[]): InputError {
  const columns = `the columns ${header.slice(0, 8).map(shown).join(', ')}${header.length > 8 ? ', …' : ''}`;
  const expected = 'a column "object" and at least one other, all of them with a name';
  const cure = 'Write object, feature and value, one row for each number, or object and a column for each feature.';
  return new InputError({ file: path, line: 1, got: header.length === 0 ? 'an empty file' : columns, expected, cure });
}
