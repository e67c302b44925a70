// The statements as files: those of DuckDB run as they are; those of Spark have its words.

import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDataFiles } from '../../src/tables/data-files.ts';
import { openDuckdb } from '../../src/tables/duckdb/open-duckdb.ts';
import { emitSql } from '../../src/tables/emit-sql.ts';
import { assumedData } from '../../src/tables/spark/find-data.ts';
import { ALL_STAGES } from '../../src/tables/stages/all-stages.ts';
import { tempFolder } from '../temp-folder.ts';
import { allRows, SETTINGS } from './stages/counted.ts';

const DATA = {
  'tagged.tsv': 'object\ttag\na\trock\nb\trock\nc\tjazz\n',
  'interact.tsv': 'user\tobject\n1\ta\n1\tb\n2\tb\n2\tc\n',
  'objects-1.csv': 'object,title\na,"A, the first"\n',
  'objects-2.csv': "object,title\nd,D's\n",
};

async function emitted(): Promise<{ folder: string; tables: string; files: string[] }> {
  const [data, folder] = [await tempFolder(DATA), await tempFolder()];
  const tables = join(folder, "it's here");
  const files = await emitSql(folder, { data: await findDataFiles(data), settings: SETTINGS, tables });
  return { folder, tables, files };
}

describe('emitSql', () => {
  it('writes statements that DuckDB runs in order', async () => {
    const { folder, tables } = await emitted();
    for (const { name } of ALL_STAGES) await mkdir(join(tables, name), { recursive: true });
    const engine = await openDuckdb({ threads: 1 });
    try {
      for (const file of (await readdir(join(folder, 'duckdb'))).sort()) {
        await engine.run(await readFile(join(folder, 'duckdb', file), 'utf8'));
      }
      const rows = await allRows(engine, 'SELECT object_id, neighbour_id FROM neighbours ORDER BY 1, 2');
      expect(rows.get('object_id')).toEqual([0, 1, 1, 2]);
      expect(rows.get('neighbour_id')).toEqual([1, 0, 2, 1]);
      expect((await allRows(engine, 'SELECT name FROM object_names ORDER BY id')).get('name')).toEqual([
        'a',
        'b',
        'c',
        'd',
      ]);
    } finally {
      await engine.close();
    }
  });

  it('writes the same stages for Spark, in its words', async () => {
    const { folder, files } = await emitted();
    const [duckdb, spark] = ['duckdb', 'spark'].map((name) => files.filter((file) => file.startsWith(name)));
    expect(spark.map((file) => file.slice('spark/'.length))).toEqual(
      duckdb.map((file) => file.slice('duckdb/'.length)),
    );
    const text = (await Promise.all(spark.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
    expect(text).toContain("USING csv OPTIONS (path '");
    expect(text).toContain("sep '\\t', quote ''");
    expect(text).toContain("INSERT OVERWRITE DIRECTORY '");
    expect(text).toContain("it\\'s here");
    expect(text).toMatch(
      /VIEW files_objects_0 USING csv OPTIONS \(path 'file:\/\/\/.*\{objects-1.csv,objects-2.csv\}'/,
    );
    expect(text).not.toMatch(/read_csv|read_parquet|COPY|VARCHAR|QUALIFY/);
    expect(text).toContain('regexp_replace(CAST(files_interact.`user` AS STRING)');
  });

  it.each([
    [
      's3a://lake/shop/',
      "VIEW files_tagged USING parquet OPTIONS (path 's3a://lake/shop/tagged', mergeSchema 'true')",
      "VIEW files_objects_0 USING parquet OPTIONS (path 's3a://lake/shop/objects'",
    ],
    [
      'abfss://lake@account.dfs.core.windows.net/shop',
      "path 'abfss://lake@account.dfs.core.windows.net/shop/interact'",
      'data_interact',
    ],
    [
      'table:main.my shop',
      'VIEW files_tagged AS SELECT * FROM `main`.`my shop`.`tagged`',
      'VIEW files_interact AS SELECT * FROM `main`.`my shop`.`interact`',
    ],
  ])('passes %s on to Spark as it is, without looking there', async (data, ...parts) => {
    const folder = await tempFolder();
    const about = { data: assumedData(data), settings: SETTINGS, tables: 's3a://lake/run/', isRemote: true };
    const files = await emitSql(folder, about);
    expect(files.filter((file) => file.startsWith('duckdb'))).toEqual([]);
    const text = await readFile(join(folder, 'spark', '00-data.sql'), 'utf8');
    for (const part of parts) expect(text).toContain(part);
    expect(await readFile(join(folder, 'spark', '01-object_names.sql'), 'utf8')).toContain(
      "INSERT OVERWRITE DIRECTORY 's3a://lake/run/object_names/part-1-of-1.parquet'",
    );
  });

  it('refuses a schema without a name', () => {
    expect(() => assumedData('table:')).toThrow('Write table:SCHEMA or table:CATALOG.SCHEMA.');
  });

  it('explains them in a README', async () => {
    const { folder } = await emitted();
    const readme = await readFile(join(folder, 'README.md'), 'utf8');
    for (const { name } of ALL_STAGES) expect(readme).toContain(`\`${name}\``);
  });
});
