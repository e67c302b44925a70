// Sparse rows in plain arrays, against dense arrays.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Csr, CsrBuilder, numRowsOf, rowsBetween, selectedRows, TripleList, transposedCsr } from '../src/csr.ts';

type Table = readonly (readonly number[])[];

const value = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }) },
);

/** Rows of equal length, many of their numbers zero. */
const tables = fc
  .tuple(fc.nat(7), fc.nat(7))
  .chain(([rows, cols]) =>
    fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }),
  );

function built(table: Table): CsrBuilder {
  const builder = new CsrBuilder(table.length);
  for (const row of table) {
    for (const [column, number] of row.entries()) if (number !== 0) builder.add(column, number);
    builder.endRow();
  }
  return builder;
}

/** The numbers of sparse rows, if their columns ascend and their arrays fit together. */
function dense(csr: Csr, numColumns: number): number[][] {
  const { rowStart, columns, values } = csr;
  expect(rowStart[0]).toBe(0);
  expect([columns.length, values.length]).toEqual([rowStart[numRowsOf(csr)], rowStart[numRowsOf(csr)]]);
  return Array.from({ length: numRowsOf(csr) }, (_, r) => {
    const row = new Array<number>(numColumns).fill(0);
    for (let e = rowStart[r]; e < rowStart[r + 1]; e++) {
      if (e > rowStart[r]) expect(columns[e]).toBeGreaterThan(columns[e - 1]);
      row[columns[e]] = values[e];
    }
    return row;
  });
}

const widthOf = (table: Table) => table[0]?.length ?? 0;

describe('CsrBuilder', () => {
  it('keeps the rows it was given', () => {
    fc.assert(
      fc.property(tables, (table) => {
        expect(dense(built(table).finish(), widthOf(table))).toEqual(table);
      }),
    );
  });

  it('mirrors what is right of the diagonal', () => {
    const squares = fc
      .nat(7)
      .chain((n) => fc.array(fc.array(value, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }));
    fc.assert(
      fc.property(squares, (table) => {
        const upper = table.map((row, r) => row.map((number, c) => (c > r ? number : 0)));
        const symmetric = upper.map((row, r) => row.map((number, c) => number + upper[c][r]));
        expect(dense(built(upper).finishMirrored(), table.length)).toEqual(symmetric);
      }),
    );
  });

  it('goes on behind its first block of 65,536 entries', () => {
    const [numRows, numColumns] = [3, 50_000];
    const builder = new CsrBuilder(numRows);
    for (let r = 0; r < numRows; r++) {
      for (let c = 0; c < numColumns; c++) builder.add(c, r * numColumns + c);
      builder.endRow();
    }
    const { rowStart, columns, values } = builder.finish();
    expect([...rowStart]).toEqual([0, 50_000, 100_000, 150_000]);
    expect(columns.every((column, e) => column === e % numColumns)).toBe(true);
    expect(values.every((number, e) => number === e)).toBe(true);
  });

  it('mirrors entries of several blocks', () => {
    const n = 400; // 79,800 entries right of the diagonal
    const builder = new CsrBuilder(n);
    for (let r = 0; r < n; r++) {
      for (let c = r + 1; c < n; c++) builder.add(c, r * n + c);
      builder.endRow();
    }
    const { columns, values } = builder.finishMirrored();
    expect(columns.length).toBe(n * (n - 1));
    for (let r = 0, e = 0; r < n; r++) {
      for (let c = 0; c < n; c++) {
        if (c === r) continue;
        if (columns[e] !== c || values[e++] !== Math.min(r, c) * n + Math.max(r, c)) throw new Error(`${r}, ${c}`);
      }
    }
  });
});

describe('TripleList', () => {
  it('takes rows in any order', () => {
    fc.assert(
      fc.property(tables, fc.infiniteStream(fc.nat()), (table, order) => {
        const waiting = table.map((row) => [...row.entries()].filter(([, number]) => number !== 0));
        const list = new TripleList();
        for (let left = waiting.flat().length; left > 0; left--) {
          const open = [...waiting.keys()].filter((row) => waiting[row].length > 0);
          const row = open[(order.next().value as number) % open.length];
          const [column, number] = waiting[row].shift() as [number, number];
          list.add(row, column, number);
        }
        expect(dense(list.toCsr(table.length), widthOf(table))).toEqual(table);
      }),
    );
  });

  it('grows beyond its first 65,536 entries', () => {
    const list = new TripleList();
    for (let i = 0; i < 150_000; i++) list.add(i % 2, i >> 1, i);
    const { rowStart, columns, values } = list.toCsr(2);
    expect([...rowStart]).toEqual([0, 75_000, 150_000]);
    expect(columns.every((column, e) => column === e % 75_000)).toBe(true);
    expect(values.every((number, e) => number === 2 * (e % 75_000) + (e < 75_000 ? 0 : 1))).toBe(true);
  });
});

describe('sparse rows', () => {
  it('are transposed', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const turned = Array.from({ length: widthOf(table) }, (_, c) => table.map((row) => row[c]));
        expect(dense(transposedCsr(built(table).finish(), widthOf(table)), table.length)).toEqual(turned);
      }),
    );
  });

  it('are selected, in any order and more than once', () => {
    fc.assert(
      fc.property(tables, fc.array(fc.nat(100), { maxLength: 9 }), (table, picks) => {
        const rows = Int32Array.from(table.length === 0 ? [] : picks, (pick) => pick % table.length);
        const selected = selectedRows(built(table).finish(), rows);
        expect(dense(selected, widthOf(table))).toEqual(Array.from(rows, (row) => table[row]));
      }),
    );
  });

  it('are cut out, from nothing to all', () => {
    fc.assert(
      fc.property(tables, fc.nat(100), fc.nat(100), (table, a, b) => {
        const [first, end] = [a % (table.length + 1), b % (table.length + 1)].sort((x, y) => x - y);
        expect(dense(rowsBetween(built(table).finish(), first, end), widthOf(table))).toEqual(table.slice(first, end));
      }),
    );
  });
});
