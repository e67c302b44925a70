import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import type { ColumnRoles } from '../../../src/data/catalogue/columns.ts';
import type { FileRow, RowPlan, TagAdder } from '../../../src/data/catalogue/rewrite.ts';
import { rewriteParquet } from '../../../src/data/catalogue/rewrite-parquet.ts';
import type { TagStyle } from '../../../src/data/catalogue/tag-lists.ts';

const NAMES = ['id', 'tags', 'price', 'at', 'list'];
const SEMICOLONS: TagStyle = { form: 'separated', separator: ';', hash: false };
const LISTS: TagStyle = { form: 'array', separator: ',', hash: false };

function planOf(column: number, style: TagStyle): RowPlan {
  const roles: ColumnRoles = {
    id: 0,
    title: -1,
    texts: [],
    url: -1,
    image: -1,
    tags: [{ column, style }],
    columns: NAMES.map((name) => ({ name, why: '' })),
  };
  const text = {
    delimiter: '',
    quotes: false,
    escape: '"',
    lineEnd: '\n',
    hasHeader: false,
    preamble: '',
    arrayName: '',
  } as const;
  return {
    path: 'a.parquet',
    roles,
    dialect: { kind: 'parquet', encoding: 'utf-8', hasBom: false, gzipped: false, ...text },
  };
}

/** Five rows in row groups of two. */
function table(): Uint8Array {
  const data = <T>(at: (i: number) => T) => Array.from({ length: 5 }, (_, i) => at(i));
  const columnData = [
    { name: 'id', data: data((i) => BigInt(i + 1)), type: 'INT64' as const },
    { name: 'tags', data: data((i) => (i === 3 ? null : `a;b${i}`)), type: 'STRING' as const, nullable: true },
    { name: 'price', data: data((i) => i / 3), type: 'DOUBLE' as const },
    { name: 'at', data: data((i) => new Date(1e12 + i)), type: 'TIMESTAMP' as const },
    { name: 'list', data: data((i) => (i === 2 ? [] : ['x', `ü${i}`])) },
  ];
  const kvMetadata = [{ key: 'who', value: 'me' }];
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 2, kvMetadata }));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function rewritten(bytes: Uint8Array, plan: RowPlan, tags: (row: FileRow) => string[]): Promise<Uint8Array> {
  const adder: TagAdder = { decide: async (rows) => rows.map(tags) };
  const out: Uint8Array[] = [];
  for await (const chunk of rewriteParquet(once(bytes), plan, adder)) out.push(chunk);
  return new Uint8Array(Buffer.concat(out));
}

const rowsOf = (bytes: Uint8Array) => parquetReadObjects({ file: bytes.buffer as ArrayBuffer });

describe('rewriteParquet', () => {
  it('gives the same bytes where nothing is added', async () => {
    expect(await rewritten(table(), planOf(1, SEMICOLONS), () => [])).toEqual(table());
  });

  it('adds to texts, and leaves all other columns, row groups and metadata as they were', async () => {
    const before = await rowsOf(table());
    const out = await rewritten(table(), planOf(1, SEMICOLONS), ({ id, tags }) =>
      id === '3' ? [] : [`n${tags.length}`],
    );
    const wanted = ['a;b0;n2', 'a;b1;n2', 'a;b2', 'n0', 'a;b4;n2'];
    expect(await rowsOf(out)).toEqual(before.map((row, i) => ({ ...row, tags: wanted[i] })));
    const [old, fresh] = [table(), out].map((bytes) => parquetMetadata(bytes.buffer as ArrayBuffer));
    expect(fresh.schema).toEqual(old.schema);
    expect(fresh.key_value_metadata).toEqual([{ key: 'who', value: 'me' }]);
    expect(fresh.row_groups.map(({ num_rows: rows }) => rows)).toEqual([2n, 2n, 1n]);
    const end = table().length - 8 - old.metadata_length;
    expect(out.subarray(0, end)).toEqual(table().subarray(0, end)); // pages are copied
    const places = (about: typeof old, at: number) =>
      about.row_groups.map(({ columns }) => columns[at].meta_data?.data_page_offset);
    expect(places(fresh, 0)).toEqual(places(old, 0));
  });

  it('adds to lists, and can be done again to what it wrote', async () => {
    const plan = planOf(4, LISTS);
    const once = await rewritten(table(), plan, ({ id }) => (id === '1' || id === '3' ? ['new', '日本'] : []));
    const twice = await rewritten(once, plan, () => ['end']);
    const lists = (await rowsOf(twice)).map(({ list }) => list);
    expect(lists).toEqual([
      ['x', 'ü0', 'new', '日本', 'end'],
      ['x', 'ü1', 'end'],
      ['new', '日本', 'end'],
      ['x', 'ü3', 'end'],
      ['x', 'ü4', 'end'],
    ]);
  });

  it('keeps least and greatest values of plain numbers only', async () => {
    const out = await rewritten(table(), planOf(4, LISTS), () => ['new']);
    const [old, fresh] = [table(), out].map((bytes) =>
      parquetMetadata(bytes.buffer as ArrayBuffer).row_groups[1].columns.map(
        ({ meta_data: about }) => about?.statistics,
      ),
    );
    expect(old.slice(0, 3).map((one) => one?.max_value)).toEqual([4n, 'a;b2', 1]);
    expect(fresh.slice(0, 3).map((one) => one?.max_value)).toEqual([4n, undefined, 1]);
    expect(fresh[1]?.null_count).toBe(1n);
  });

  it('refuses a row for each tag', async () => {
    const repeated = { hasRowPerTag: true, takesTags: () => true, tagsOf: () => [] };
    await expect(rewritten(table(), { ...planOf(1, SEMICOLONS), repeated }, () => [])).rejects.toThrow(
      'a.parquet: got Parquet with a row for each tag of an object, expected a row for each object.',
    );
  });
});
