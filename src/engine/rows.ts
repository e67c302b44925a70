// Rows of plain numbers and of sparse arrays: turned into columns, picked, cut out, and multiplied with other rows.

import type { Kernels } from './kernels.ts';
import type { CsrArrays, Dense } from './matrix.ts';

/** A matrix of so many rows, by columns. */
export function transposed(values: Float32Array, numRows: number): Float32Array {
  const numColumns = values.length / numRows;
  const out = new Float32Array(values.length);
  for (let r = 0; r < numRows; r++)
    for (let c = 0; c < numColumns; c++) out[c * numRows + r] = values[r * numColumns + c];
  return out;
}

/** The numbers of at least their row's limit in size; a row of them begins `stride` after the one before. */
export function largeNumbers(
  values: Float32Array,
  { rows, cols, stride }: Pick<Dense, 'rows' | 'cols' | 'stride'>,
  limits: Float32Array,
): CsrArrays {
  const rowStart = new Int32Array(rows + 1);
  let [found, columns] = [new Float32Array(1 << 12), new Int32Array(1 << 12)];
  let size = 0;
  for (let r = 0; r < rows; r++) {
    const [first, limit] = [r * stride, limits[r]];
    for (let c = 0; c < cols; c++) {
      const value = values[first + c];
      if (!(Math.abs(value) >= limit)) continue;
      if (size === found.length) {
        found = enlarged(found, new Float32Array(2 * size));
        columns = enlarged(columns, new Int32Array(2 * size));
      }
      columns[size] = c;
      found[size++] = value;
    }
    rowStart[r + 1] = size;
  }
  return { rowStart, columns: columns.slice(0, size), values: found.slice(0, size) };
}

/** `to`, with what `from` holds at its beginning. */
export function enlarged<Type extends Int32Array | Float32Array>(from: Type, to: Type): Type {
  to.set(from);
  return to;
}

export function transposedArrays({ rowStart, columns, values }: CsrArrays, numColumns: number): CsrArrays {
  const starts = new Int32Array(numColumns + 1);
  for (const column of columns) starts[column + 1]++;
  for (let c = 0; c < numColumns; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const out = { rowStart: starts, columns: new Int32Array(columns.length), values: new Float32Array(columns.length) };
  for (let row = 0; row + 1 < rowStart.length; row++) {
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      const at = next[columns[e]]++;
      out.columns[at] = row;
      out.values[at] = values[e];
    }
  }
  return out;
}

/** Some of the rows, in the order asked for. */
export function selectedRows({ rowStart, columns, values }: CsrArrays, rows: Int32Array): CsrArrays {
  const starts = new Int32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) starts[i + 1] = starts[i] + rowStart[rows[i] + 1] - rowStart[rows[i]];
  const selected = {
    rowStart: starts,
    columns: new Int32Array(starts[rows.length]),
    values: new Float32Array(starts[rows.length]),
  };
  for (let i = 0; i < rows.length; i++) {
    selected.columns.set(columns.subarray(rowStart[rows[i]], rowStart[rows[i] + 1]), starts[i]);
    selected.values.set(values.subarray(rowStart[rows[i]], rowStart[rows[i] + 1]), starts[i]);
  }
  return selected;
}

/** The rows from one on, up to another. */
export function rowsBetween({ rowStart, columns, values }: CsrArrays, first: number, end: number): CsrArrays {
  const [start, stop] = [rowStart[first], rowStart[end]];
  return {
    rowStart: rowStart.subarray(first, end + 1).map((at) => at - start),
    columns: columns.subarray(start, stop),
    values: values.subarray(start, stop),
  };
}

/** out[row + i][column + j] += (A Bᵀ)[i][j], for few rows of B; nothing is read. */
export function addProductOfRows(
  kernels: Kernels,
  { out, row, column }: { readonly out: Dense; readonly row: number; readonly column: number },
  { a, b, numColumns }: { readonly a: CsrArrays; readonly b: CsrArrays; readonly numColumns: number },
): void {
  const [numRows, width] = [a.rowStart.length - 1, b.rowStart.length - 1];
  const [left, right] = [kernels.csr(numRows, numColumns, a), kernels.csr(width, numColumns, b)];
  const identity = kernels.dense(width, width);
  const [x, product] = [kernels.dense(numColumns, width), kernels.dense(numRows, width)];
  try {
    kernels.write(identity, identityOf(width));
    kernels.spmmTransposed(x, right, identity);
    kernels.spmm(product, left, x);
    kernels.addBlock(out, row, column, product);
  } finally {
    kernels.release(left, right, identity, x, product);
  }
}

/** (n, n), ones on the diagonal. */
export function identityOf(n: number): Float32Array {
  const out = new Float32Array(n * n);
  for (let i = 0; i < n; i++) out[i * n + i] = 1;
  return out;
}

/** A Bᵀ, for few rows of B: they are written out. */
export async function productOfRows(
  kernels: Kernels,
  a: CsrArrays,
  b: CsrArrays,
  numColumns: number,
): Promise<Float32Array> {
  const [numRows, width] = [a.rowStart.length - 1, b.rowStart.length - 1];
  const columns = new Float32Array(numColumns * width);
  for (let r = 0; r < width; r++) {
    for (let e = b.rowStart[r]; e < b.rowStart[r + 1]; e++) columns[b.columns[e] * width + r] = b.values[e];
  }
  const left = kernels.csr(numRows, numColumns, a);
  const [x, product] = [kernels.dense(numColumns, width), kernels.dense(numRows, width)];
  try {
    kernels.write(x, columns);
    kernels.spmm(product, left, x);
    return await kernels.read(product);
  } finally {
    kernels.release(left, x, product);
  }
}
