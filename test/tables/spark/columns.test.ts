// Arrow as pyarrow writes it becomes columns.

import * as flechette from '@uwdata/flechette';
import { expect, it } from 'vitest';
import { readColumns } from '../../../src/tables/spark/columns.ts';
import { arrowBytes } from './fixture.ts';

const ROWS = {
  byte: Int32Array.of(1, -2, 3),
  short: Int32Array.of(1, -2, 300),
  int: Int32Array.of(1, -2, 2 ** 31 - 1),
  long: BigInt64Array.of(1n, -2n, 2n ** 62n + 1n),
  float: Float64Array.of(0.5, Number.NaN, -1),
  double: Float64Array.of(0.1, Number.NaN, 1e300),
  flag: Int32Array.of(1, 0, 1),
  decimal: Float64Array.of(1.25, Number.NaN, -3.5),
  text: ['ä𝔘', null, ''],
  longs: [[1n, 2n], null, []],
  texts: [['a', null], [], null],
  pairs: [[{ tag: 1, weight: 0.5 }], [], null],
};

it('numbers, texts and lists are read, wherever the bytes lie in memory', () => {
  const bytes = arrowBytes('rows');
  for (const offset of [0, 1, 4, 8]) {
    const memory = Buffer.alloc(bytes.length + offset);
    memory.set(bytes, offset);
    const { numRows, columns } = readColumns(flechette, memory.subarray(offset));
    expect(numRows).toBe(3);
    expect(Object.fromEntries(columns)).toEqual(ROWS);
  }
});

it.each([
  ['nullNumber', 'got null in the column "n" of whole numbers, expected a number in each row. Use COALESCE'],
  ['nullFlag', 'got null in the column "f" of whole numbers'],
  [
    'time',
    'got the column "t" of a type that is neither number, text nor list, expected a type that can be read. CAST it',
  ],
  ['twice', 'got two columns "a", expected different names. Rename one with AS in the query.'],
])('refuses %s', (name, message) => {
  expect(() => readColumns(flechette, arrowBytes(name))).toThrow(message);
});
