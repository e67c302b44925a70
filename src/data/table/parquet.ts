// Parquet tables, through hyparquet, as the same rows that delimited text gives. Row groups are read one at a time,
// column by column. The library is loaded when the first Parquet file is met: most data sets are text.

import type { ParquetScan } from 'hyparquet';
import { CancelledError, InputError } from '../../errors.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { pickColumns, type Row, RowSink, type TableOptions, TextRowWriter } from './row.ts';
import { joined, nameOf, readChunks, type Source } from './source.ts';

export interface ParquetOptions extends TableOptions {
  /** Takes a column of lists, all of one length, for as many columns: name[0], name[1], … */
  readonly lists?: boolean;
}

const BATCH_ROWS = 1 << 20; // the row group of common writers, so that each is decoded once
const BATCH_CELLS = 1 << 25; // of a wide table fewer rows: 256 MB as numbers

/** A column of the table: one of the file, or one place in a column of lists. */
interface Field {
  readonly name: string;
  readonly column: string; // of the file
  readonly place: number; // in its lists; −1: the column holds no lists
  readonly length: number; // of its lists
}

export async function readParquet(
  source: Source,
  columns: readonly string[],
  options: ParquetOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  const path = nameOf(source);
  const sink = new RowSink(path, columns, options, onRow);
  const breathe = makeBreather(options);
  await explaining(path, async () => {
    const { scan, fields: all } = await openFile(source, options);
    const header = all.map(({ name }) => name);
    const fields = pickColumns(path, columns, header).map((at) => all[at]);
    const writer = new TextRowWriter(sink, fields.length);
    const wanted = [...new Set(fields.map(({ column }) => column))];
    const places = fields.map(({ column }) => wanted.indexOf(column));
    const batchRows = Math.min(BATCH_ROWS, Math.ceil(BATCH_CELLS / wanted.length));
    for (const group of scan.ranges) {
      for (let rowStart = group.rowStart; rowStart < group.rowEnd; rowStart += batchRows) {
        await breathe();
        const rowEnd = Math.min(group.rowEnd, rowStart + batchRows);
        const values = await Promise.all(wanted.map((column) => scan.readColumn({ column, rowStart, rowEnd })));
        const byField = places.map((at) => values[at]);
        for (let r = 0; r < rowEnd - rowStart; r++) {
          const line = rowStart + r + 1;
          writer.push(line, (f) => cellText(byField[f][r], fields[f], path, line));
        }
      }
    }
  });
  sink.finish();
}

/** The names of the columns. */
export async function readParquetHeader(source: Source, options: ParquetOptions): Promise<string[]> {
  return explaining(nameOf(source), async () => (await openFile(source, options)).fields.map(({ name }) => name));
}

/** A Parquet table as columns of values, for a reader that decides by them. */
export interface ParquetRows {
  readonly names: readonly string[];
  readonly numRows: number;
  /** Ranges of rows to read at a time, in order. */
  readonly batches: readonly (readonly [start: number, end: number])[];
  /** By column, the values of some rows. */
  read(start: number, end: number): Promise<ArrayLike<unknown>[]>;
}

const BATCH_TEXT_ROWS = 1 << 15; // of a table with texts: 32,768 descriptions are some tens of megabytes

export async function readParquetRows(path: string, bytes: Uint8Array, options: Listener): Promise<ParquetRows> {
  return explaining(path, async () => {
    const { scan, fields } = await openBytes(bytes, options);
    const names = fields.map(({ name }) => name);
    const batches: [number, number][] = [];
    for (const { rowStart, rowEnd } of scan.ranges) {
      for (let start = rowStart; start < rowEnd; start += BATCH_TEXT_ROWS) {
        batches.push([start, Math.min(rowEnd, start + BATCH_TEXT_ROWS)]);
      }
    }
    const read = (rowStart: number, rowEnd: number) =>
      explaining(path, () => Promise.all(names.map((column) => scan.readColumn({ column, rowStart, rowEnd }))));
    return { names, numRows: batches.at(-1)?.[1] ?? 0, batches, read };
  });
}

async function openFile(source: Source, options: ParquetOptions): Promise<{ scan: ParquetScan; fields: Field[] }> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(source, options)) chunks.push(chunk);
  return openBytes(joined(chunks), options);
}

async function openBytes(bytes: Uint8Array, options: ParquetOptions): Promise<{ scan: ParquetScan; fields: Field[] }> {
  const { parquetMetadataAsync, parquetScan, parquetSchema } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const { buffer, byteLength } = bytes;
  const file = {
    byteLength,
    slice: (start: number, end = byteLength) => buffer.slice(start, end) as ArrayBuffer,
  };
  const metadata = await parquetMetadataAsync(file);
  const scan = await parquetScan({ file, metadata, compressors });
  const fields: Field[] = [];
  // the columns themselves, not the fields nested in them
  for (const { element, children } of parquetSchema(metadata).children) {
    const column = element.name;
    const isNested = children.length > 0 || element.repetition_type === 'REPEATED' || element.converted_type === 'JSON';
    const length = options.lists && isNested ? await firstLength(scan, column) : 0;
    if (length === 0) fields.push({ name: column, column, place: -1, length });
    for (let place = 0; place < length; place++) fields.push({ name: `${column}[${place}]`, column, place, length });
  }
  return { scan, fields };
}

/** The length of the first list in a column that has any items; 0 where there is none. */
async function firstLength(scan: ParquetScan, column: string): Promise<number> {
  for (const group of scan.ranges) {
    for (const value of await scan.readColumn({ column, ...group }))
      if (Array.isArray(value) && value.length > 0) return value.length;
  }
  return 0;
}

/** What the library throws, said with the file it is about. */
async function explaining<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError || error instanceof CancelledError) throw error;
    const got = `a file that cannot be read as Parquet (${(error as Error).message})`;
    throw new InputError(
      { file: path, got, expected: 'a Parquet file', cure: 'Write it again, or use TSV.' },
      { cause: error },
    );
  }
}

/** A value as text, just as a text file would hold it. */
function cellText(cell: unknown, { column, place, length }: Field, path: string, line: number): string {
  if (cell === null || cell === undefined) return '';
  if (place >= 0 && (!Array.isArray(cell) || cell.length !== length)) {
    const got = `${Array.isArray(cell) ? `a list of ${cell.length}` : 'a nested value'} in column "${column}"`;
    const cure = 'Make all lists of a column equally long.';
    throw new InputError({ file: path, line, got, expected: `a list of ${length}, as above`, cure });
  }
  const value: unknown = place < 0 ? cell : (cell as unknown[])[place];
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  const got = `a ${Array.isArray(value) ? 'list' : 'nested value'} in column "${column}"`;
  throw new InputError({
    file: path,
    line,
    got,
    expected: 'a text or a number',
    cure: 'Unnest the column: one row a pair.',
  });
}
