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
const LARGEST = 2 ** 50;
const CARRY = 0x80000000 - ((127 + 50) << 23); // what LARGEST lacks, as bits, to reach the bit of the sign

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Neither infinite nor NaN nor huge. */
export function checkFinite(name: string, values: Float32Array): void {
  // an OR over all bits, without a branch: such numbers are most of a file
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  let carried = 0;
  for (let i = 0; i < bits.length; i++) carried |= (bits[i] & 0x7fffffff) + CARRY;
  if (carried < 0) checkNumbers(name, values, { low: -LARGEST, high: LARGEST });
}

export function checkNumbers(name: string, values: Float32Array | Float64Array, { low, high }: Bounds): void {
  for (let i = 0; i < values.length; i++) {
    if (values[i] >= low && values[i] <= high) continue;
    throw new FormatError(`${values[i]} at ${i} in ${name}`, `numbers from ${low} to ${high}`);
  }
}

const HALF_EXPONENT = 0x7c00; // all ones: infinite or NaN

export function checkHalves(name: string, halves: Uint16Array): void {
  // two at a time: an exponent of all ones and one more carries into the bit of the sign
  const pairs = new Uint32Array(halves.buffer, halves.byteOffset, halves.length >>> 1);
  let carried = halves.length % 2 === 0 ? 0 : (halves[halves.length - 1] & 0x7fff) + 0x400;
  for (let i = 0; i < pairs.length; i++) carried |= (pairs[i] & 0x7fff7fff) + 0x04000400;
  if ((carried & 0x80008000) === 0) return;
  const at = halves.findIndex((half) => (half & HALF_EXPONENT) === HALF_EXPONENT);
  throw new FormatError(`no number at ${at} in ${name}`, 'numbers');
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
  let wrong = 0; // below 0 once a difference is: millions of ids without a branch
  for (let row = 0; row + 1 < rowStart.length; row++) {
    let last = -1;
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      wrong |= (ids[e] - last - 1) | (numIds - 1 - ids[e]);
      last = ids[e];
    }
  }
  if (wrong < 0) throw wrongRow(name, rowStart, ids, numIds);
}

function wrongRow(name: string, rowStart: Int32Array, ids: Int32Array, numIds: number): FormatError {
  const starts = new Set(rowStart);
  const at = ids.findIndex((id, e) => id < 0 || id >= numIds || (!starts.has(e) && id <= ids[e - 1]));
  return new FormatError(`${ids[at]} at ${at} in ${name}`, `ascending ids from 0 to ${numIds - 1} in each row`);
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

/** Each name after the one before it in the order of bytes: sorted, none twice, and none blank. */
export function checkSorted(name: string, bytes: Uint8Array, offsets: Uint32Array): void {
  if (offsets.length > 1 && offsets[1] === 0) throw new FormatError(`a blank name in ${name}`, 'names');
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

/** No control characters: names are cleaned when data is read (data/name.ts), and every way out relies on it. */
export function checkClean(name: string, bytes: Uint8Array): void {
  const at = bytes.findIndex((byte) => byte < 0x20 || byte === 0x7f);
  if (at >= 0) throw new FormatError(`a control character at ${at} in ${name}.bytes`, 'names');
}
