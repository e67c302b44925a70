// Parquet with tags added: the pages of all other columns are copied byte for byte. The columns of tags are written again, in their
// row groups, behind the old data, and the directory at the end of the file points to them. So types, compression, row groups and
// metadata of the rest stay; the old tags stay in the file as bytes that nothing points to.
//
// Not kept: the least and greatest values that the directory lists for columns of other types than plain numbers. The library reads
// them as JavaScript values, which cannot always be written back exactly, and a wrong one would make readers skip rows.

import type { ColumnChunk, FileMetaData, ParquetScan, RowGroup } from 'hyparquet';
import { InputError } from '../../errors.ts';
import { optional } from '../../optional.ts';
import { joined } from '../table/source.ts';
import type { CellEdit } from './append-tags.ts';
import { BLOCK_ROWS, decideRows, fileRow, type RowPlan, type TagAdder } from './rewrite.ts';
import { cellOf, isNested } from './value-cells.ts';

const TRAILER_BYTES = 8; // the length of the directory, and a mark

type Values = unknown[];

/** From the file's bytes to those of the file with tags added. */
export async function* rewriteParquet(
  chunks: AsyncIterable<Uint8Array>,
  plan: RowPlan,
  adder: TagAdder,
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  for await (const chunk of chunks) held.push(chunk);
  const bytes = joined(held);
  if (plan.repeated?.hasRowPerTag) {
    const got = 'Parquet with a row for each tag of an object';
    const cure = 'Write it as CSV or JSON Lines, or with a list of tags in each row.';
    throw new InputError({ file: plan.path, got, expected: 'a row for each object', cure });
  }
  const { metadata, scan } = await opened(bytes);
  const changed: { group: number; name: string; data: Values }[] = [];
  for (const [group, { rowStart, rowEnd }] of scan.ranges.entries()) {
    for (const column of await changedColumns(scan, plan, adder, rowStart, rowEnd)) changed.push({ group, ...column });
  }
  if (changed.length === 0) {
    yield bytes;
    return;
  }
  const end = bytes.length - TRAILER_BYTES - metadata.metadata_length;
  yield bytes.subarray(0, end);
  yield await appendedPart(metadata, end, changed);
}

async function opened(bytes: Uint8Array): Promise<{ metadata: FileMetaData; scan: ParquetScan }> {
  const { parquetMetadataAsync, parquetScan } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const { buffer, byteOffset, byteLength } = bytes;
  const file = {
    byteLength,
    slice: (start: number, end = byteLength) => buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer,
  };
  const metadata = await parquetMetadataAsync(file);
  return { metadata, scan: await parquetScan({ file, metadata, compressors }) };
}

/** The columns of tags of one row group that gain any, with all their values. */
async function changedColumns(
  scan: ParquetScan,
  plan: RowPlan,
  adder: TagAdder,
  rowStart: number,
  rowEnd: number,
): Promise<{ name: string; data: Values }[]> {
  const { roles } = plan;
  const wanted = [roles.id, roles.title, ...roles.texts, ...roles.tags.map(({ column }) => column)];
  const values = new Map<number, Values>();
  for (const column of new Set(wanted.filter((one) => one >= 0))) {
    values.set(column, Array.from(await scan.readColumn({ column: roles.columns[column].name, rowStart, rowEnd })));
  }
  const changed = new Set<number>();
  for (let first = 0; first < rowEnd - rowStart; first += BLOCK_ROWS) {
    const last = Math.min(first + BLOCK_ROWS, rowEnd - rowStart);
    const rows = Array.from({ length: last - first }, (_, i) => {
      const cellAt = (column: number) => cellOf(values.get(column)?.[first + i]);
      const isFixed = (column: number) => isNested(values.get(column)?.[first + i]);
      return { row: fileRow(plan, rowStart + first + i + 1, cellAt), cellAt, isFixed };
    });
    for (const [i, { edits }] of (await decideRows(plan, rows, adder)).entries()) {
      for (const edit of edits) {
        const column = values.get(edit.column) as Values;
        column[first + i] = editedValue(column[first + i], edit);
        changed.add(edit.column);
      }
    }
  }
  return [...changed].map((column) => ({ name: roles.columns[column].name, data: values.get(column) as Values }));
}

function editedValue(value: unknown, { text, items = [] }: CellEdit): unknown {
  if (text !== undefined) return typeof value === 'boolean' ? true : typeof value === 'number' ? 1 : text;
  const list = Array.isArray(value) ? value : [];
  const [like] = list.filter((one) => typeof one === 'object' && one !== null) as Record<string, unknown>[];
  const key = like && Object.keys(like).find((one) => typeof like[one] === 'string');
  return [...list, ...items.map((item) => (key === undefined ? item : { [key]: item }))];
}

/** New pages of the changed columns, and a directory of the whole file. */
async function appendedPart(
  metadata: FileMetaData,
  offset: number,
  changed: readonly { group: number; name: string; data: Values }[],
): Promise<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await optional(
    'writing Parquet',
    ['hyparquet-writer'],
    () => import('hyparquet-writer'),
  );
  const writer = new ByteWriter();
  const { schema, key_value_metadata: kvMetadata } = metadata;
  const parquet = new ParquetWriter({ writer, schema, statistics: false, ...(kvMetadata && { kvMetadata }) });
  writer.index = 0; // without the mark that begins a file
  writer.offset = offset;
  const groups = metadata.row_groups.map((group) => ({ ...group, columns: group.columns.map(withExactStatistics) }));
  for (const { group, name, data } of changed) {
    const isUncompressed = groups[group].columns.some(
      ({ meta_data: about }) => about?.path_in_schema[0] === name && about.codec === 'UNCOMPRESSED',
    );
    const codec = isUncompressed ? 'UNCOMPRESSED' : 'SNAPPY';
    await parquet.write({ columnData: [{ name, data, codec }], rowGroupSize: data.length });
    groups[group] = replaced(groups[group], name, (parquet.row_groups.pop() as RowGroup).columns);
  }
  parquet.row_groups = groups;
  parquet.num_rows = metadata.num_rows;
  await parquet.finish();
  return writer.getBytes();
}

function replaced(group: RowGroup, name: string, fresh: readonly ColumnChunk[]): RowGroup {
  const isOld = ({ meta_data: about }: ColumnChunk) => about?.path_in_schema[0] === name;
  const at = group.columns.findIndex(isOld);
  const columns = group.columns.filter((chunk) => !isOld(chunk));
  columns.splice(at, 0, ...fresh);
  const total = columns.reduce((sum, { meta_data: about }) => sum + (about?.total_uncompressed_size ?? 0n), 0n);
  return { ...group, columns, total_byte_size: total };
}

/** Of the least and greatest values, only plain numbers are sure to come back as they were. */
function withExactStatistics(chunk: ColumnChunk): ColumnChunk {
  const { meta_data: about } = chunk;
  if (about?.statistics === undefined) return chunk;
  const { min_value: least, max_value: most, min, max } = about.statistics;
  const exact = { INT32: 'number', INT64: 'bigint', DOUBLE: 'number' }[about.type as string];
  const isExact = [least, most, min, max].every((value) => value === undefined || typeof value === exact);
  if (isExact) return chunk;
  const { geospatial_statistics: _, ...rest } = about;
  const { null_count: nulls } = about.statistics;
  return { ...chunk, meta_data: { ...rest, statistics: nulls === undefined ? {} : { null_count: nulls } } };
}
