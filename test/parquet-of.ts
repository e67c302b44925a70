import { parquetWriteBuffer } from 'hyparquet-writer';

/** A table of tab-separated text as Parquet. */
export function parquetOf(tsv: string): Uint8Array {
  const [header, ...rows] = tsv
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const columnData = header.map((name, c) => ({ name, data: rows.map((row) => row[c]) }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
