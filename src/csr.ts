// Sparse rows in plain typed arrays (CSR): the entries of row r stand at rowStart[r] to rowStart[r + 1], columns ascending.
// Graphs, features, weights and kept scores all have this form; the engine's copy of one is a `Sparse` (engine/matrix.ts).

import { checkedSize } from './size-limits.ts';

/** Sparse rows in plain typed arrays: the entries of row r stand at rowStart[r] to rowStart[r + 1]. */
export interface Csr {
  readonly rowStart: Int32Array; // (numRows + 1)
  readonly columns: Int32Array; // (numEntries)
  readonly values: Float32Array; // (numEntries)
}

export function numRowsOf({ rowStart }: Csr): number {
  return rowStart.length - 1;
}

/** The value in a row and column; 0 where there is none. */
export function entryOf({ rowStart, columns, values }: Csr, row: number, column: number): number {
  let [low, high] = [rowStart[row], rowStart[row + 1]];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (columns[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low < rowStart[row + 1] && columns[low] === column ? values[low] : 0;
}

const ENTRIES = 'entries of a sparse matrix';
const BLOCK_BITS = 16;
const BLOCK = 1 << BLOCK_BITS; // entries; blocks, not one doubling array, so that growing never needs a second copy

/** Collects rows in order, entry by entry. */
export class CsrBuilder {
  readonly #rowStart: Int32Array;
  readonly #columns: Int32Array[] = []; // blocks
  readonly #values: Float32Array[] = [];
  #lastColumns = new Int32Array(0); // the block being filled
  #lastValues = new Float32Array(0);
  #numRows = 0;
  #size = 0;

  constructor(numRows: number) {
    this.#rowStart = new Int32Array(numRows + 1);
  }

  add(column: number, value: number): void {
    const at = this.#size++ & (BLOCK - 1);
    if (at === 0) this.#addBlock();
    this.#lastColumns[at] = column;
    this.#lastValues[at] = value;
  }

  endRow(): void {
    this.#rowStart[++this.#numRows] = checkedSize('entries', this.#size, ENTRIES);
  }

  finish(): Csr {
    const columns = new Int32Array(this.#size);
    const values = new Float32Array(this.#size);
    for (let block = 0; block < this.#columns.length; block++) {
      const size = Math.min(BLOCK, this.#size - block * BLOCK);
      columns.set(this.#columns[block].subarray(0, size), block * BLOCK);
      values.set(this.#values[block].subarray(0, size), block * BLOCK);
    }
    return { rowStart: this.#rowStart, columns, values };
  }

  /** The symmetric matrix of which the entries right of the diagonal were added. */
  finishMirrored(): Csr {
    const numRows = this.#numRows;
    const numEntries = checkedSize('entries', 2 * this.#size, ENTRIES);
    const next = new Int32Array(numRows + 1);
    for (let row = 0; row < numRows; row++) next[row + 1] += this.#rowStart[row + 1] - this.#rowStart[row];
    for (let e = 0; e < this.#size; e++) next[this.#columnAt(e) + 1]++;
    for (let row = 0; row < numRows; row++) next[row + 1] += next[row];
    const rowStart = next.slice();
    const columns = new Int32Array(numEntries);
    const values = new Float32Array(numEntries);
    // rows in ascending order fill the part left of the diagonal of later rows first, so that all rows end up sorted
    for (let row = 0; row < numRows; row++) {
      for (let e = this.#rowStart[row]; e < this.#rowStart[row + 1]; e++) {
        const column = this.#columnAt(e);
        const [mine, theirs] = [next[row]++, next[column]++];
        columns[mine] = column;
        columns[theirs] = row;
        values[mine] = values[theirs] = this.#values[e >>> BLOCK_BITS][e & (BLOCK - 1)];
      }
    }
    return { rowStart, columns, values };
  }

  #columnAt(entry: number): number {
    return this.#columns[entry >>> BLOCK_BITS][entry & (BLOCK - 1)];
  }

  #addBlock(): void {
    this.#lastColumns = new Int32Array(BLOCK);
    this.#lastValues = new Float32Array(BLOCK);
    this.#columns.push(this.#lastColumns);
    this.#values.push(this.#lastValues);
  }
}

/** Entries in any order of rows; within a row, columns ascend as they are added. */
export class TripleList {
  readonly #rows: Int32Array[] = []; // blocks
  readonly #columns: Int32Array[] = [];
  readonly #values: Float32Array[] = [];
  #lastRows = new Int32Array(0); // the block being filled
  #lastColumns = new Int32Array(0);
  #lastValues = new Float32Array(0);
  #size = 0;

  add(row: number, column: number, value: number): void {
    const at = this.#size++ & (BLOCK - 1);
    if (at === 0) this.#addBlock();
    this.#lastRows[at] = row;
    this.#lastColumns[at] = column;
    this.#lastValues[at] = value;
  }

  /** Empties the list: of tens of millions of weights, holding both would be the peak of a fit's memory. */
  toCsr(numRows: number): Csr {
    const rowStart = new Int32Array(numRows + 1);
    for (let i = 0; i < this.#size; i++) rowStart[this.#rows[i >>> BLOCK_BITS][i & (BLOCK - 1)] + 1]++;
    for (let r = 0; r < numRows; r++) rowStart[r + 1] += rowStart[r];
    const next = rowStart.slice();
    const [columns, values] = [new Int32Array(this.#size), new Float32Array(this.#size)];
    for (let block = 0, i = 0; block < this.#rows.length; block++) {
      const [rowsOf, columnsOf, valuesOf] = [this.#rows[block], this.#columns[block], this.#values[block]];
      for (let k = 0; k < BLOCK && i < this.#size; k++, i++) {
        const at = next[rowsOf[k]]++;
        columns[at] = columnsOf[k];
        values[at] = valuesOf[k];
      }
      this.#rows[block] = this.#columns[block] = new Int32Array(0);
      this.#values[block] = new Float32Array(0);
    }
    for (const blocks of [this.#rows, this.#columns, this.#values]) blocks.length = 0;
    this.#size = 0;
    return { rowStart, columns, values };
  }

  #addBlock(): void {
    checkedSize('entries', this.#size, ENTRIES);
    this.#lastRows = new Int32Array(BLOCK);
    this.#lastColumns = new Int32Array(BLOCK);
    this.#lastValues = new Float32Array(BLOCK);
    this.#rows.push(this.#lastRows);
    this.#columns.push(this.#lastColumns);
    this.#values.push(this.#lastValues);
  }
}

export function transposedCsr(rows: Csr, numColumns: number): Csr {
  const steps = transposing(rows, numColumns);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same little by little: `breathe` lets others work in between. */
export async function transposedSlowly(
  rows: Csr,
  numColumns: number,
  breathe: () => Promise<void> | undefined,
): Promise<Csr> {
  const steps = transposing(rows, numColumns);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}

function* transposing({ rowStart, columns, values }: Csr, numColumns: number): Generator<undefined, Csr> {
  const starts = new Int32Array(numColumns + 1);
  for (let e = 0; e < columns.length; e++) {
    if (e % BLOCK === 0) yield;
    starts[columns[e] + 1]++;
  }
  for (let c = 0; c < numColumns; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const out = { rowStart: starts, columns: new Int32Array(columns.length), values: new Float32Array(columns.length) };
  for (let row = 0, done = 0; row + 1 < rowStart.length; row++) {
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      const at = next[columns[e]]++;
      out.columns[at] = row;
      out.values[at] = values[e];
    }
    if (rowStart[row + 1] - done < BLOCK) continue;
    yield;
    done = rowStart[row + 1];
  }
  return out;
}

/** Some of the rows, in the order asked for. */
export function selectedRows({ rowStart, columns, values }: Csr, rows: Int32Array): Csr {
  const starts = new Int32Array(rows.length + 1);
  let size = 0;
  for (let i = 0; i < rows.length; i++) {
    size += rowStart[rows[i] + 1] - rowStart[rows[i]];
    starts[i + 1] = size;
  }
  checkedSize('entries', size, ENTRIES);
  const selected = { rowStart: starts, columns: new Int32Array(size), values: new Float32Array(size) };
  for (let i = 0; i < rows.length; i++) {
    selected.columns.set(columns.subarray(rowStart[rows[i]], rowStart[rows[i] + 1]), starts[i]);
    selected.values.set(values.subarray(rowStart[rows[i]], rowStart[rows[i] + 1]), starts[i]);
  }
  return selected;
}

/** The rows from one on, up to another. */
export function rowsBetween({ rowStart, columns, values }: Csr, first: number, end: number): Csr {
  const [start, stop] = [rowStart[first], rowStart[end]];
  return {
    rowStart: rowStart.subarray(first, end + 1).map((at) => at - start),
    columns: columns.subarray(start, stop),
    values: values.subarray(start, stop),
  };
}

/** `to`, with what `from` holds at its beginning. */
export function enlarged<Type extends Int32Array | Float32Array>(from: Type, to: Type): Type {
  to.set(from);
  return to;
}

/** By row, the first row that is the same to the bit; rows `apart` are the same as no other. */
export function firstEqualRows({ rowStart, columns, values }: Csr, apart: ReadonlySet<number>): Int32Array {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const hashOf = (row: number) => {
    let hash = 0;
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      hash = Math.imul(Math.imul(hash, 31) + columns[e], 0x9e3779b1) ^ bits[e];
    }
    return hash;
  };
  const isEqual = (a: number, b: number) => {
    const length = rowStart[a + 1] - rowStart[a];
    if (rowStart[b + 1] - rowStart[b] !== length) return false;
    for (let i = rowStart[a], j = rowStart[b]; i < rowStart[a + 1]; i++, j++) {
      if (columns[i] !== columns[j] || bits[i] !== bits[j]) return false;
    }
    return true;
  };
  const byHash = new Map<number, number[]>();
  return Int32Array.from({ length: rowStart.length - 1 }, (_, row) => {
    if (apart.has(row)) return row;
    const hash = hashOf(row);
    const others = byHash.get(hash) ?? [];
    const first = others.find((other) => isEqual(other, row));
    if (first !== undefined) return first;
    others.push(row);
    byHash.set(hash, others);
    return row;
  });
}
