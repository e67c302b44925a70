// Embeddings as a Parquet table: name, title (objects), base (tags), vector as a list of float32. Written in row groups,
// each encoded and on the disk before the next begins. The library is loaded only when a table is written.

import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import type { Listener } from '../../listener.ts';
import { optional } from '../../optional.ts';
import type { Side } from './side.ts';

const GROUP_NUMBERS = 1 << 19; // of vectors in a row group: encoding one takes the library a third of a second

export async function* parquetChunks(side: Side, { progress }: Listener): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await optional(
    'writing Parquet',
    ['hyparquet-writer'],
    () => import('hyparquet-writer'),
  );
  const numRows = side.names.size;
  const groupRows = Math.max(1, Math.floor(GROUP_NUMBERS / side.width));
  const step = `writing ${side.label}`;
  progress?.(step, 0, numRows);
  const writer = new ByteWriter();
  // No statistics: the library finds the least name by UTF-16, the format wants it by bytes, and a reader that
  // trusts the wrong one skips rows.
  const parquet = new ParquetWriter({ writer, schema: schemaOf(side), statistics: false });
  for (let first = 0; first < numRows; first += groupRows) {
    const end = Math.min(numRows, first + groupRows);
    await parquet.write({ columnData: columnsOf(side, first, end), rowGroupSize: end - first });
    yield writer.getBytes();
    writer.index = 0; // offset, where the next byte lies in the file, goes on
    progress?.(step, end, numRows);
  }
  await parquet.finish();
  yield writer.getBytes();
}

function schemaOf({ titles, base }: Side): SchemaElement[] {
  const text = (name: string): SchemaElement => ({
    name,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
    repetition_type: 'REQUIRED',
  });
  const columns: SchemaElement[] = [text('name')];
  if (titles !== undefined) columns.push(text('title'));
  if (base !== undefined) columns.push({ name: 'base', type: 'FLOAT', repetition_type: 'REQUIRED' });
  return [
    { name: 'schema', num_children: columns.length + 1 },
    ...columns,
    // a list takes three levels: https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists
    {
      name: 'vector',
      num_children: 1,
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
      repetition_type: 'REQUIRED',
    },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
  ];
}

/** The rows first to end − 1. Vectors neither repeat nor compress, so nothing is tried on them. */
function columnsOf({ names, titles, base, width, vectors }: Side, first: number, end: number): ColumnSource[] {
  const rows = <T>(at: (id: number) => T) => Array.from({ length: end - first }, (_, i) => at(first + i));
  const columns: ColumnSource[] = [{ name: 'name', data: rows((id) => names.name(id)), encoding: 'PLAIN' }];
  if (titles !== undefined) columns.push({ name: 'title', data: rows((id) => titles.at(id)) });
  if (base !== undefined) columns.push({ name: 'base', data: base.subarray(first, end) });
  const vector = (id: number) => Array.from(vectors.subarray(id * width, (id + 1) * width));
  columns.push({ name: 'vector', data: rows(vector), encoding: 'PLAIN', codec: 'UNCOMPRESSED' });
  return columns;
}
