// Data that only Spark opens, on an engine that plays its part: what is asked, and what is made of the answers.

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import type { Column, TableEngine } from '../../../src/tables/engine.ts';
import { fetchObjects } from '../../../src/tables/spark/fetch-objects.ts';
import { findRemoteData, isRemote } from '../../../src/tables/spark/find-data.ts';
import { SparkError } from '../../../src/tables/spark/spark-error.ts';
import { tempFolder } from '../../temp-folder.ts';

/** An engine that answers each query as it is told, and remembers what it ran. */
function playing(answer: (sql: string) => Record<string, Column>): { engine: TableEngine; asked: string[] } {
  const asked: string[] = [];
  const engine: TableEngine = {
    name: 'spark',
    run: async (sql) => void asked.push(sql),
    query: async function* (sql) {
      asked.push(sql);
      const columns = new Map(Object.entries(answer(sql)));
      yield { numRows: [...columns.values()][0].length, columns };
    },
    close: async () => {},
  };
  return { engine, asked };
}

const listing = (paths: readonly string[]) => () => ({
  path: paths,
  length: BigInt64Array.from(paths, () => 7n),
  changed: Float64Array.from(paths, (_, i) => i),
});

it('addresses and schemas are remote, paths are not', () => {
  expect(['s3a://b/x', 'abfss://c@a/x', 'file:///x', 'table:a.b'].map(isRemote)).toEqual([true, true, true, true]);
  expect(['lake/shop', '/lake/*.parquet', '-', 'C:\\shop'].map(isRemote)).toEqual([false, false, false, false]);
});

describe('an address', () => {
  it('is listed by Spark; what is a table goes by its name below the address', async () => {
    const { engine, asked } = playing(
      listing([
        's3a://objects/shop/README.md',
        's3a://objects/shop/interact.csv.gz',
        's3a://objects/shop/tagged/day=1/part-0.parquet',
        's3a://objects/shop/tagged/day=2/part-0.parquet',
      ]),
    );
    const { tagged, interact, objects, files } = await findRemoteData(engine, 's3a://objects/shop', {});
    expect(asked[0]).toContain("USING binaryFile OPTIONS (path 's3a://objects/shop', recursiveFileLookup 'true')");
    expect(tagged).toMatchObject({ format: 'parquet', folder: 's3a://objects/shop/tagged' });
    expect(interact).toMatchObject({ format: 'csv', paths: ['s3a://objects/shop/interact.csv.gz'] });
    expect(objects).toEqual([]);
    expect(files[0]).toEqual({ path: 's3a://objects/shop/tagged/day=1/part-0.parquet', numBytes: 7, changed: 2 });
  });

  it('may be a glob', async () => {
    const { engine } = playing(listing(['file:/lake/2024/tagged.tsv', 'file:/lake/2025/tagged.tsv']));
    const { tagged } = await findRemoteData(engine, 'file:///lake/*/', {});
    expect(tagged.paths).toEqual(['file:///lake/2024/tagged.tsv', 'file:///lake/2025/tagged.tsv']);
    expect(tagged.folder).toBeUndefined();
  });

  it('without a table called tagged is refused', async () => {
    const { engine } = playing(listing(['s3a://lake/shop/labels.csv']));
    await expect(findRemoteData(engine, 's3a://lake/shop', {})).rejects.toThrow(
      's3a://lake/shop: got the files labels.csv, expected a table called tagged.',
    );
  });
});

describe('a schema', () => {
  const missing = (errorClass: string) => {
    const cause = new SparkError('It failed.', { errorClass });
    return new InputError({ file: 'sc://host', got: 'something', expected: 'more', cure: 'Wait.' }, { cause });
  };
  const facts = (failing: RegExp, errorClass = 'TABLE_OR_VIEW_NOT_FOUND') =>
    playing((sql) => {
      if (failing.test(sql)) throw missing(errorClass);
      return { n: Float64Array.of(3), h: ['-42'] };
    });

  it('has the tables that are there, each with a hash of its rows', async () => {
    const { engine, asked } = facts(/`objects`/);
    const { tagged, interact, objects, files } = await findRemoteData(engine, 'table:main.my`shop.', {});
    expect(asked[0]).toContain('bit_xor(xxhash64(`object`, `tag`))');
    expect(tagged).toEqual({ format: 'table', paths: ['`main`.`my``shop`.`tagged`'] });
    expect(interact?.format).toBe('table');
    expect(objects).toEqual([]);
    expect(files).toContainEqual({ path: '`main`.`my``shop`.`interact`', numBytes: 3, changed: '-42' });
  });

  it('needs tagged, and other errors are said of the table', async () => {
    const { engine } = facts(/`tagged`/);
    await expect(findRemoteData(engine, 'table:shop', {})).rejects.toThrow('got no table `shop`.`tagged`');
    const { engine: other } = facts(/`interact`/, 'UNRESOLVED_COLUMN');
    await expect(findRemoteData(other, 'table:shop', {})).rejects.toThrow('`shop`.`interact`: got something');
  });
});

describe('what is written about objects', () => {
  it('comes as CSV, without lists, under the name that texts are called by', async () => {
    const { engine } = playing((sql) =>
      sql.startsWith('DESCRIBE')
        ? { col_name: ['object', 'text', 'parts'], data_type: ['string', 'string', 'array<string>'] }
        : { object: ['a', 'b'], text: ['say "x",\ny', null] },
    );
    const objects = [{ format: 'parquet', paths: ['s3a://lake/shop/plots.parquet'] } as const];
    const data = { tagged: objects[0], objects };
    const [path] = await fetchObjects(engine, data, await tempFolder(), {});
    expect(basename(path)).toBe('plots.csv');
    expect(await readFile(path, 'utf8')).toBe('"object","text"\n"a","say ""x"",\ny"\n"b",""\n');
  });

  it('that cannot be kept here is an error with the place', async () => {
    const { engine } = playing(() => ({ col_name: ['object'], data_type: ['string'], object: ['a'] }));
    const objects = [{ format: 'parquet', paths: ['s3a://lake/objects.parquet'] } as const];
    const folder = join(await tempFolder({ file: '' }), 'file');
    const fetching = fetchObjects(engine, { tagged: objects[0], objects }, folder, {});
    await expect(fetching).rejects.toThrow(`${folder}: got a file where a folder above it should be`);
  });
});
