// Parquet tables, through hyparquet, as the same rows that delimited text gives. Row groups are read one at a time.
// The library is loaded when the first Parquet file is met: most data sets are text.

import { CancelledError, InputError } from '../errors.ts';
import { readChunks } from './bytes.ts';
import { pickColumns, type Row, RowSink, type TableOptions } from './table-row.ts';

const BATCH_ROWS = 1 << 16;
const encoder = new TextEncoder();

export async function readParquet(
  path: string,
  columns: readonly string[],
  options: TableOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const sink = new RowSink(path, columns, options, onRow);
  try {
    const file = await wholeFile(path, options);
    const metadata = await parquetMetadataAsync(file);
    // the columns themselves, not the fields nested in them
    const header = parquetSchema(metadata).children.map(({ element }) => element.name);
    const names = pickColumns(path, columns, header).map((at) => header[at]);
    const numRows = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < numRows; rowStart += BATCH_ROWS) {
      if (options.signal?.aborted) throw new CancelledError();
      const rowEnd = Math.min(numRows, rowStart + BATCH_ROWS);
      const rows = await parquetReadObjects({ file, metadata, columns: names, rowStart, rowEnd, compressors });
      for (let r = 0; r < rows.length; r++) pushRow(sink, path, rowStart + r + 1, names, rows[r]);
    }
  } catch (error) {
    if (error instanceof InputError || error instanceof CancelledError) throw error;
    const got = `a file that cannot be read as Parquet (${(error as Error).message})`;
    throw new InputError(
      { file: path, got, expected: 'a Parquet file', cure: 'Write it again, or use TSV.' },
      { cause: error },
    );
  }
  sink.finish();
}

async function wholeFile(path: string, options: TableOptions) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(path, options)) chunks.push(chunk);
  const { buffer, byteOffset, byteLength } = Buffer.concat(chunks);
  return {
    byteLength,
    slice: (start: number, end = byteLength) => buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer,
  };
}

function pushRow(
  sink: RowSink,
  path: string,
  line: number,
  names: readonly string[],
  values: Record<string, unknown>,
): void {
  const fields = names.map((name) => encoder.encode(cellText(path, line, name, values[name])));
  sink.begin(Buffer.concat(fields), line);
  let start = 0;
  for (let c = 0; c < fields.length; c++) {
    sink.field(c, start, start + fields[c].length);
    start += fields[c].length;
  }
  sink.end();
}

function cellText(path: string, line: number, name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  const got = `a ${Array.isArray(value) ? 'list' : 'nested value'} in column "${name}"`;
  throw new InputError({
    file: path,
    line,
    got,
    expected: 'a text or a number',
    cure: 'Unnest the column: one row a pair.',
  });
}
