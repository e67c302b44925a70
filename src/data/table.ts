// A table is a file with named columns: .tsv, .csv or .parquet, each optionally with .gz behind it.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { CSV, readDelimited, readDelimitedHeader, TSV } from './delimited.ts';
import { type ParquetOptions, readParquet, readParquetHeader } from './parquet.ts';
import type { Row } from './table-row.ts';

const EXTENSIONS = ['.tsv', '.csv', '.parquet'] as const;
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  ENOTDIR: 'a file',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ENAMETOOLONG: 'a name that is too long',
  ELOOP: 'a link that leads to itself',
};
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];
const POWERS = Float64Array.from({ length: 16 }, (_, k) => Number(`1e${k}`));
type Extension = (typeof EXTENSIONS)[number];

/** Reads any table; the name says which kind it is. Calls `onRow` with the wanted columns, in the order asked for. */
export async function readTable(
  path: string,
  columns: readonly string[],
  options: ParquetOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  const extension = requireExtension(path);
  switch (extension) {
    case '.tsv':
      return readDelimited(path, columns, { ...options, format: TSV }, onRow);
    case '.csv':
      return readDelimited(path, columns, { ...options, format: CSV }, onRow);
    case '.parquet':
      return readParquet(path, columns, options, onRow);
    default:
      return extension satisfies never;
  }
}

/** The names of a table's columns, as written, for a reader whose columns depend on them. */
export async function readHeader(path: string, options: ParquetOptions = {}): Promise<string[]> {
  const extension = requireExtension(path);
  if (extension === '.parquet') return readParquetHeader(path, options);
  return readDelimitedHeader(path, { ...options, format: extension === '.csv' ? CSV : TSV });
}

/** The decimal number in a field, or NaN. */
export function fieldNumber({ bytes, start: starts, end: ends }: Row, column: number): number {
  const [start, end] = [starts[column], ends[column]];
  const begin = bytes[start] === MINUS ? start + 1 : start;
  let [digits, point, i] = [0, end, begin];
  for (; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit >= 0 && digit <= 9) digits = 10 * digits + digit;
    else if (bytes[i] === POINT && point === end) point = i;
    else break;
  }
  // up to 15 digits and a power of ten are exact, so their quotient is rounded once: no need to make a string
  const numDigits = i - begin - (point < end ? 1 : 0);
  if (i === end && numDigits > 0 && numDigits <= 15)
    return (begin > start ? -digits : digits) / POWERS[point < end ? end - point - 1 : 0];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', start, end);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** The one table called `name` in a folder, whatever its kind; undefined where there is none. */
export async function findTable(folder: string, name: string): Promise<string | undefined> {
  const files = await listFolder(folder);
  const found = files.filter((file) =>
    EXTENSIONS.some((extension) => file === name + extension || file === `${name}${extension}.gz`),
  );
  if (found.length > 1) {
    const got = `${found.sort().join(' and ')}`;
    throw new InputError({ file: folder, got, expected: `one ${name} table`, cure: 'Remove or rename all but one.' });
  }
  return found.length === 1 ? join(folder, found[0]) : undefined;
}

export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const got = UNREADABLE[code ?? ''];
    if (got === undefined) throw error;
    throw new InputError({ file: folder, got, expected: 'a folder', cure: 'Check the path.' });
  }
}

function requireExtension(path: string): Extension {
  const plain = path.replace(/\.gz$/, '');
  const found = EXTENSIONS.find((extension) => plain.endsWith(extension));
  if (found !== undefined) return found;
  throw new InputError({
    file: path,
    got: 'a file of unknown kind',
    expected: `a name ending in ${EXTENSIONS.join(', ')} (and .gz)`,
    cure: 'Rename it to what it is.',
  });
}
