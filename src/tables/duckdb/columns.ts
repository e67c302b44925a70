// DuckDB's chunks as columns: whole numbers of up to 32 bits, of 64 bits, other numbers, lists, and everything else as text.

import type { DuckDBDataChunk, DuckDBType, DuckDBVector } from '@duckdb/node-api';
import type { Column, ColumnBatch } from '../engine.ts';

type Reader = (vector: DuckDBVector, numRows: number) => Column;

const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(['TINYINT', 'UTINYINT', 'SMALLINT', 'USMALLINT', 'INTEGER'].map((type) => [type, int32s])),
  ...Object.fromEntries(['FLOAT', 'DOUBLE', 'UINTEGER'].map((type) => [type, doubles])),
  BIGINT: bigints,
};

/** How the columns of an answer are read, from their types. */
export function columnReaders(types: readonly DuckDBType[]): Reader[] {
  return types.map((type) => (`${type}`.endsWith(']') ? lists : (READERS[`${type}`] ?? strings)));
}

export function batchOf(chunk: DuckDBDataChunk, names: readonly string[], readers: readonly Reader[]): ColumnBatch {
  const numRows = chunk.rowCount;
  return { numRows, columns: new Map(names.map((name, c) => [name, readers[c](chunk.getColumnVector(c), numRows)])) };
}

/** Whole numbers have no room for a missing one: with it, the column becomes one of doubles. */
function int32s(vector: DuckDBVector, numRows: number): Column {
  const numbers = new Int32Array(numRows);
  for (let row = 0; row < numRows; row++) {
    const value = vector.getItem(row);
    if (value === null) return doubles(vector, numRows);
    numbers[row] = value as number;
  }
  return numbers;
}

function bigints(vector: DuckDBVector, numRows: number): Column {
  const numbers = new BigInt64Array(numRows);
  for (let row = 0; row < numRows; row++) {
    const value = vector.getItem(row);
    if (value === null) return doubles(vector, numRows);
    numbers[row] = value as bigint;
  }
  return numbers;
}

/** NaN where SQL says null. */
function doubles(vector: DuckDBVector, numRows: number): Float64Array {
  const numbers = new Float64Array(numRows);
  for (let row = 0; row < numRows; row++) {
    const value = vector.getItem(row);
    numbers[row] = value === null ? Number.NaN : Number(value);
  }
  return numbers;
}

function strings(vector: DuckDBVector, numRows: number): (string | null)[] {
  return Array.from({ length: numRows }, (_, row) => {
    const value = vector.getItem(row);
    return value === null ? null : String(value);
  });
}

function lists(vector: DuckDBVector, numRows: number): (readonly unknown[] | null)[] {
  return Array.from({ length: numRows }, (_, row) => {
    const value = vector.getItem(row) as { readonly items: readonly unknown[] } | null;
    return value === null ? null : value.items;
  });
}
