// Tables whose columns have one of several names, as releases call them: user, User_ID, userId. The header is read
// first, the caller picks from it, then the rows are read. Besides the tables of table.ts, .dat is tab-separated.

import { InputError } from '../../errors.ts';
import { readChunks } from '../bytes.ts';
import { readDelimited, TSV } from '../delimited.ts';
import { readTable } from '../table.ts';
import type { Row, TableOptions } from '../table-row.ts';
import { readLines } from './lines.ts';

/** The names of the columns, as written. */
export async function readHeader(path: string): Promise<string[]> {
  const plain = path.replace(/\.gz$/, '');
  if (plain.endsWith('.parquet')) return readParquetHeader(path);
  for await (const { text } of readLines(path)) {
    return plain.endsWith('.csv') ? splitCsv(text) : text.split('\t').map((name) => name.trim());
  }
  const cure = 'Write a header row and the rows below it.';
  throw new InputError({ file: path, got: 'an empty file', expected: 'a table with named columns', cure });
}

export async function readHeadedTable(
  path: string,
  columns: readonly string[],
  options: TableOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  if (/\.dat(\.gz)?$/.test(path)) return readDelimited(path, columns, { ...options, format: TSV }, onRow);
  return readTable(path, columns, options, onRow);
}

/** The first column that has one of the names; case, spaces, "_" and "-" do not count. */
export function pickColumn(header: readonly string[], names: readonly string[]): string | undefined {
  const plain = header.map((name) => name.toLowerCase().replace(/[\s_-]/g, ''));
  const found = plain.findIndex((name) => names.includes(name));
  return found < 0 ? undefined : header[found];
}

export function shownHeader(header: readonly string[]): string {
  return `the columns ${header.map((name) => JSON.stringify(name.slice(0, 60))).join(', ')}`;
}

function splitCsv(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))/g);
  return Array.from(fields, ([, quoted, bare]) => (quoted?.replaceAll('""', '"') ?? bare ?? '').trim());
}

async function readParquetHeader(path: string): Promise<string[]> {
  const { parquetMetadata, parquetSchema } = await import('hyparquet');
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(path)) chunks.push(chunk);
  const { buffer, byteOffset, byteLength } = Buffer.concat(chunks);
  try {
    const metadata = parquetMetadata(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    return parquetSchema(metadata).children.map(({ element }) => element.name); // not the fields nested in them
  } catch (error) {
    const got = `a file that cannot be read as Parquet (${(error as Error).message})`;
    const cure = 'Write it again, or use TSV.';
    throw new InputError({ file: path, got, expected: 'a Parquet file', cure }, { cause: error });
  }
}
