// Steps of one row at a time give the bytes of the kernels for whole matrices, and of the plain loops they stand for.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Csr, CsrBuilder } from '../../../src/csr.ts';
import { fromHalf } from '../../../src/data/half.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import type { SingleRows } from '../../../src/engine/single-rows.ts';
import { openWasm } from '../../../src/engine/wasm/open-wasm.ts';
import { Random } from '../../../src/random.ts';

const opened: Kernels[] = [];
beforeAll(async () => {
  for (const options of [{ threads: 1 }, { threads: 1, fused: false }, { threads: 3 }]) {
    const kernels = await openWasm(options);
    if (typeof kernels === 'string') throw new Error(kernels);
    opened.push(kernels);
  }
});
afterAll(() => {
  for (const kernels of opened) kernels.close();
});

const rowsOf = (kernels: Kernels) => kernels.singleRows as SingleRows;

function numbers(length: number, seed: number): Float32Array {
  const random = new Random(seed, 'numbers');
  return Float32Array.from({ length }, () => (random.float() - 0.5) * 10 ** (random.below(5) - 3));
}

/** Rows of halves, small ones and zeros among them. */
function halfRows(numRows: number, numColumns: number, seed: number): Csr {
  const random = new Random(seed, 'halves');
  const rows = new CsrBuilder(numRows);
  for (let row = 0; row < numRows; row++) {
    for (let column = 0; column < numColumns; column++) {
      if (random.below(3) > 0) continue;
      const half = random.below(8) === 0 ? random.below(1 << 10) : random.below(31 << 10);
      rows.add(column, fromHalf(half | (random.below(2) << 15)));
    }
    rows.endRow();
  }
  return rows.finish();
}

const close = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  expect(a.length).toBe(b.length);
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) expect([i, a[i]]).toEqual([i, b[i]]);
};

describe('single rows', () => {
  it.each([
    [1, 1],
    [3, 16],
    [5, 17],
    [7, 47],
    [16, 48],
    [33, 49],
    [256, 300],
    [64, 2869],
  ])('multiply a row, or some, by %i × %i weights in tiles to the bytes of spmm and gemm', async (depth, cols) => {
    for (const kernels of opened) {
      const [x, left] = [kernels.dense(depth, cols), kernels.dense(5, depth)];
      kernels.write(x, numbers(depth * cols, 1));
      kernels.write(left, numbers(5 * depth, 2));
      const [expected, found] = [kernels.dense(5, cols), kernels.dense(5, cols)];
      const tiles = rowsOf(kernels).tiles(x);
      kernels.gemm(expected, left, x);
      rowsOf(kernels).multiply(found, left, tiles);
      close(await kernels.read(found), await kernels.read(expected));

      const values = numbers(depth, 3);
      const columns = Int32Array.from(values.keys());
      const full = kernels.sparse(1, depth, { rowStart: Int32Array.of(0, depth), columns, values });
      const [one, other] = [kernels.dense(1, cols), kernels.dense(1, cols)];
      kernels.spmm(one, full, x);
      rowsOf(kernels).multiplyRow(other, full.values, tiles);
      close(rowsOf(kernels).view(other), rowsOf(kernels).view(one));
      rowsOf(kernels).release(tiles);
      kernels.release(x, left, expected, found, one, other, full);
    }
  });

  it('add rows of halves as JavaScript adds them, in the same order', () => {
    const [kernels] = opened;
    const singleRows = rowsOf(kernels);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(20), fc.nat(), (numColumns, numFeatures, seed) => {
        const rows = halfRows(9, numColumns, seed);
        const random = new Random(seed, 'features');
        const features = Int32Array.from({ length: numFeatures }, () => random.below(9));
        const factors = Float64Array.from({ length: numFeatures }, () => (random.below(4) ? random.float() - 0.3 : 1));
        const out = kernels.dense(1, numColumns);
        const expected = numbers(numColumns, seed);
        kernels.write(out, expected);
        for (const [i, row] of features.entries()) {
          for (let e = rows.rowStart[row]; e < rows.rowStart[row + 1]; e++)
            expected[rows.columns[e]] += factors[i] * rows.values[e];
        }
        const packed = singleRows.packRows(rows, numColumns);
        if (packed === undefined) throw new Error('these are halves');
        singleRows.addRows(out, packed, features, factors);
        close(singleRows.view(out).subarray(0, numColumns), expected);
        singleRows.release(packed);
        kernels.release(out);
      }),
    );
  });

  it('take no rows of other numbers, nor of more columns than an entry can name', () => {
    const singleRows = rowsOf(opened[0]);
    const rowWith = (value: number) => ({
      rowStart: Int32Array.of(0, 2),
      columns: Int32Array.of(0, 1),
      values: Float32Array.of(0.5, value),
    });
    for (const value of [0.1, 65_536, 1e-9, 2 ** -25, 3 * 2 ** -25, Number.NaN, Number.POSITIVE_INFINITY])
      expect(singleRows.packRows(rowWith(value), 2)).toBeUndefined();
    expect(singleRows.packRows(rowWith(0.25), 2 ** 16 + 1)).toBeUndefined();
    for (const value of [0, -0, 65_504, 2 ** -24, -3 * 2 ** -24, 2 ** -14]) {
      const packed = singleRows.packRows(rowWith(value), 2 ** 16);
      expect(packed).toBeDefined();
      if (packed) singleRows.release(packed);
    }
  });

  it('sum up two rows and their squares in order', () => {
    const [kernels] = opened;
    const [a, b] = [numbers(333, 4), numbers(333, 5)];
    const [x, y] = [kernels.dense(1, 333), kernels.dense(1, 333)];
    kernels.write(x, a);
    kernels.write(y, b);
    const sum = (values: Float32Array, power: 1 | 2) => {
      let total = 0;
      for (const value of values) total += power === 1 ? value : value * value;
      return total;
    };
    expect(rowsOf(kernels).sumsOf(x, y)).toEqual([sum(a, 1), sum(a, 2), sum(b, 1), sum(b, 2)]);
    kernels.release(x, y);
  });
});
