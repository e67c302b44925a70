// A table is a file with named columns: .tsv, .csv or .parquet, each optionally with .gz behind it.

import { utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import { CSV, readDelimited, readDelimitedHeader, TSV } from './delimited.ts';
import { type ParquetOptions, readParquet, readParquetHeader } from './parquet.ts';
import type { Row } from './row.ts';
import { nameOf, type Source } from './source.ts';

export const EXTENSIONS = ['.tsv', '.csv', '.parquet'] as const;
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];
const POWERS = Float64Array.from({ length: 16 }, (_, k) => Number(`1e${k}`));
type Extension = (typeof EXTENSIONS)[number];

/** Whether a file is the table of this name (or of several, with | between), whatever its kind. */
export function isTableOf(name: string, file: string): boolean {
  const endings = EXTENSIONS.map((extension) => `\\${extension}`).join('|');
  return new RegExp(`^(${name})(${endings})(\\.gz)?$`).test(file);
}

/** Reads any table; the name says which kind it is. Calls `onRow` with the wanted columns, in the order asked for. */
export async function readTable(
  source: Source,
  columns: readonly string[],
  options: ParquetOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  const extension = requireExtension(nameOf(source));
  switch (extension) {
    case '.tsv':
      return readDelimited(source, columns, { ...options, format: TSV }, onRow);
    case '.csv':
      return readDelimited(source, columns, { ...options, format: CSV }, onRow);
    case '.parquet':
      return readParquet(source, columns, options, onRow);
    default:
      return extension satisfies never;
  }
}

/** The names of a table's columns, as written, for a reader whose columns depend on them. */
export async function readTableHeader(source: Source, options: ParquetOptions = {}): Promise<string[]> {
  const extension = requireExtension(nameOf(source));
  if (extension === '.parquet') return readParquetHeader(source, options);
  return readDelimitedHeader(source, { ...options, format: extension === '.csv' ? CSV : TSV });
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
  const text = utf8Text(bytes, start, end);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
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
