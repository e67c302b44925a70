// Products A Bᵀ of two lists of sparse rows, of which the second is short.

import type { Csr } from '../../csr.ts';
import type { Kernels } from '../kernels.ts';
import type { Dense } from '../matrix.ts';
import { identityOf } from './dense.ts';

/** A Bᵀ, for few rows of B: they are written out. */
export async function productOfRows(kernels: Kernels, a: Csr, b: Csr, numColumns: number): Promise<Float32Array> {
  const [numRows, width] = [a.rowStart.length - 1, b.rowStart.length - 1];
  const columns = new Float32Array(numColumns * width);
  for (let r = 0; r < width; r++) {
    for (let e = b.rowStart[r]; e < b.rowStart[r + 1]; e++) columns[b.columns[e] * width + r] = b.values[e];
  }
  const left = kernels.sparse(numRows, numColumns, a);
  const [x, product] = [kernels.dense(numColumns, width), kernels.dense(numRows, width)];
  try {
    kernels.write(x, columns);
    kernels.spmm(product, left, x);
    return await kernels.read(product);
  } finally {
    kernels.release(left, x, product);
  }
}

export interface RowProducts {
  readonly a: Csr;
  readonly b: Csr;
  readonly numColumns: number;
  /** Adds this times the square of each product instead. */
  readonly squareTimes?: number;
}

/** out[row + i][column + j] += (A Bᵀ)[i][j], or a multiple of its square, for few rows of B; nothing is read. */
export function addProductOfRows(
  kernels: Kernels,
  { out, row, column }: { readonly out: Dense; readonly row: number; readonly column: number },
  { a, b, numColumns, squareTimes }: RowProducts,
): void {
  const [numRows, width] = [a.rowStart.length - 1, b.rowStart.length - 1];
  const [left, right] = [kernels.sparse(numRows, numColumns, a), kernels.sparse(width, numColumns, b)];
  const identity = kernels.dense(width, width);
  const [x, product] = [kernels.dense(numColumns, width), kernels.dense(numRows, width)];
  try {
    kernels.write(identity, identityOf(width));
    kernels.spmmTransposed(x, right, identity);
    kernels.spmm(product, left, x);
    if (squareTimes === undefined) kernels.addBlock(out, row, column, product);
    else {
      const square = kernels.dense(numRows, width);
      kernels.mul(square, product, product);
      kernels.add(square, square, square, squareTimes, 0);
      kernels.addBlock(out, row, column, square);
      kernels.release(square);
    }
  } finally {
    kernels.release(left, right, identity, x, product);
  }
}
