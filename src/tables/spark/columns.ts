// Arrow, as Spark sends rows, becomes columns: numbers in typed arrays, texts and lists in arrays. Types that no column of ours can
// hold are refused; so are nulls among whole numbers, which a typed array cannot hold.

import type { Column as ArrowColumn, DataType, Table } from '@uwdata/flechette';
import { InputError } from '../../errors.ts';
import type { Column, ColumnBatch } from '../engine.ts';

type Flechette = typeof import('@uwdata/flechette');

/** Reads one Arrow IPC stream: a schema and the rows behind it. */
export function readColumns(flechette: Flechette, bytes: Uint8Array): ColumnBatch {
  const table: Table = flechette.tableFromIPC(aligned(bytes), { useBigInt: true });
  const columns = new Map<string, Column>();
  table.schema.fields.forEach(({ name }, index) => {
    if (columns.has(name))
      throw unreadable(`two columns "${name}"`, 'different names', 'Rename one with AS in the query.');
    columns.set(name, columnOf(flechette, name, table.getChildAt(index)));
  });
  return { numRows: table.numRows, columns };
}

/** Numbers are read in place, which wants them at multiples of eight. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes); // slice() of a Buffer is no copy
}

function columnOf({ Type }: Flechette, name: string, column: ArrowColumn<unknown>): Column {
  const type: DataType = column.type;
  switch (type.typeId) {
    case Type.Int:
      if (column.nullCount > 0) throw hasNulls(name);
      if (type.bitWidth === 64) return BigInt64Array.from(column.toArray() as Iterable<bigint>);
      return Int32Array.from(column.toArray() as Iterable<number>);
    case Type.Bool:
      if (column.nullCount > 0) throw hasNulls(name);
      return Int32Array.from(column, (value) => (value ? 1 : 0));
    case Type.Float:
    case Type.Decimal:
      return Float64Array.from(column as Iterable<number | null>, (value) => value ?? Number.NaN);
    case Type.Utf8:
    case Type.LargeUtf8:
      return Array.from(column as Iterable<string | null>);
    case Type.List:
    case Type.LargeList:
      return Array.from(column as Iterable<Iterable<unknown> | null>, (values) => values && Array.from(values));
    default:
      throw unreadable(
        `the column "${name}" of a type that is neither number, text nor list`,
        'a type that can be read',
        'CAST it to BIGINT, DOUBLE or STRING in the query.',
      );
  }
}

function hasNulls(name: string): InputError {
  const cure = 'Use COALESCE in the query, or CAST it to DOUBLE: null becomes NaN.';
  return unreadable(`null in the column "${name}" of whole numbers`, 'a number in each row', cure);
}

function unreadable(got: string, expected: string, cure: string): InputError {
  return new InputError({ got, expected, cure });
}
