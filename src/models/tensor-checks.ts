// What must hold between the arrays of a model before anything is computed from them. A checksum only says that a file is what was
// written; a file that was written by mistake or on purpose may still hold ids that nothing has, rows that overlap or numbers that
// are none. Every check is one pass over an array.

import { isUtf8 } from '#platform';

/** The tensors are whole (the checksum holds) but are not those of a model. */
export class FormatError extends Error {
  /** What belongs there; follows the word "expected". */
  readonly expected: string;

  constructor(got: string, expected = 'the tensors of a model') {
    super(got);
    this.expected = expected;
  }
}

/** Products of two such numbers, ten million of them added up, are finite in float32 (3.4e38). No model that was trained comes near. */
const LARGEST = 1e15;

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Neither infinite nor NaN, and within the bounds. */
export function checkNumbers(
  name: string,
  values: Float32Array | Float64Array,
  { low, high }: Bounds = { low: -LARGEST, high: LARGEST },
): void {
  for (let i = 0; i < values.length; i++) {
    if (values[i] >= low && values[i] <= high) continue;
    throw new FormatError(`${values[i]} at ${i} in ${name}`, `numbers from ${low} to ${high}`);
  }
}

const HALF_EXPONENT = 0x7c00; // all ones: infinite or NaN

export function checkHalves(name: string, halves: Uint16Array): void {
  for (let i = 0; i < halves.length; i++) {
    if ((halves[i] & HALF_EXPONENT) === HALF_EXPONENT) throw new FormatError(`no number at ${i} in ${name}`, 'numbers');
  }
}

/** From the first to the last, none smaller than the one before it. */
export function checkAscending(name: string, values: Float32Array): void {
  for (let i = 1; i < values.length; i++) {
    if (values[i] < values[i - 1]) throw new FormatError(`${name} that fall at ${i}`, 'ascending numbers');
  }
}

/** Where rows begin: from 0 on, never falling, up to the number of entries. */
export function checkStarts(name: string, starts: Int32Array | Uint32Array, numEntries: number): void {
  const last = starts.length - 1;
  if (last < 0) throw new FormatError(`no numbers in ${name}`, 'at least one');
  if (starts[0] !== 0) throw new FormatError(`${name} that begin with ${starts[0]}`, '0');
  for (let i = 0; i < last; i++) {
    if (starts[i + 1] < starts[i]) throw new FormatError(`${name} that fall at ${i + 1}`, 'ascending numbers');
  }
  if (starts[last] !== numEntries) throw new FormatError(`${name} that end with ${starts[last]}`, String(numEntries));
}

/** The ids of each row ascend, none twice, and there is something with each of them. `rowStart` was checked. */
export function checkRows(name: string, rowStart: Int32Array, ids: Int32Array, numIds: number): void {
  for (let row = 0; row + 1 < rowStart.length; row++) {
    let last = -1;
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      if (ids[e] <= last || ids[e] >= numIds) {
        throw new FormatError(`${ids[e]} at ${e} in ${name}`, `ascending ids from 0 to ${numIds - 1} in each row`);
      }
      last = ids[e];
    }
  }
}

/** Names end to end, each of them UTF-8. */
export function checkNames(name: string, bytes: Uint8Array, offsets: Uint32Array): void {
  checkStarts(`${name}.offsets`, offsets, bytes.length);
  if (!isUtf8(bytes)) throw new FormatError(`${name}.bytes that are not UTF-8`, 'UTF-8 text');
  for (let i = 0; i < offsets.length; i++) {
    // the whole is UTF-8: so is each part that does not begin inside a character
    if ((bytes[offsets[i]] & 0xc0) === 0x80)
      throw new FormatError(`${name}.offsets inside a character at ${i}`, 'names');
  }
}

/** Each name after the one before it in the order of bytes: sorted, and none twice. */
export function checkSorted(name: string, bytes: Uint8Array, offsets: Uint32Array): void {
  for (let id = 1; id + 1 < offsets.length; id++) {
    const end = offsets[id + 1];
    let [before, at] = [offsets[id - 1], offsets[id]];
    const middle = at;
    while (before < middle && at < end && bytes[before] === bytes[at]) {
      before++;
      at++;
    }
    const isAfter = before === middle ? at < end : at < end && bytes[before] < bytes[at];
    if (!isAfter) throw new FormatError(`names out of order at ${id} in ${name}`, 'sorted names, none twice');
  }
}
