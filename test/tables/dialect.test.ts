// Words of SQL that must mean what TypeScript means: names that are cleaned, and literals of both dialects.

import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanName } from '../../src/data/name.ts';
import { cleaned, DIALECTS, double } from '../../src/tables/dialect.ts';
import { openDuckdb } from '../../src/tables/duckdb/open-duckdb.ts';
import type { TableEngine } from '../../src/tables/engine.ts';
import { anyText } from '../arbitraries.ts';
import { tempFolder } from '../temp-folder.ts';
import { allRows } from './stages/counted.ts';

const { duckdb, spark } = DIALECTS;
let engine: TableEngine;
beforeAll(async () => {
  engine = await openDuckdb({ threads: 1 });
});
afterAll(() => engine.close());

async function inDuckdb(expressions: readonly string[]): Promise<unknown[]> {
  const rows = expressions.map((expression, i) => `SELECT ${i} AS i, ${expression} AS e`).join(' UNION ALL ');
  return (await allRows(engine, `SELECT e FROM (${rows}) ORDER BY i`)).get('e') as unknown[];
}

// without what no file of text holds: halves of surrogate pairs and zeros
const writable = fc
  .string({ unit: anyText, minLength: 1, maxLength: 4 })
  .map((text) => Buffer.from(text).toString().replaceAll('\0', ' '));

describe('cleaned', () => {
  it('is a name as it is cleaned in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(writable, { minLength: 1, maxLength: 50 }), async (texts) => {
        const found = await inDuckdb(texts.map((text) => cleaned(duckdb, duckdb.literal(text))));
        expect(found).toEqual(texts.map(cleanName));
      }),
      { numRuns: 40 },
    );
  });

  it('drops every white space that is dropped in memory', async () => {
    const odd = [
      '\u0085',
      '\u00a0',
      '\u1680',
      '\u2000',
      '\u200f',
      '\u2028',
      '\u202f',
      '\u205f',
      '\u2060',
      '\u3000',
      '\ufeff',
      '\u007f',
      '\u00ad',
    ];
    const texts = odd.map((space) => `${space}a${space}b${space}`);
    expect(await inDuckdb(texts.map((text) => cleaned(duckdb, duckdb.literal(text))))).toEqual(texts.map(cleanName));
  });
});

describe('literals', () => {
  it('of DuckDB are what they say', async () => {
    const texts = ["o'k", 'a\\b', 'tab\there', '"', '\n'];
    expect(await inDuckdb(texts.map((text) => duckdb.literal(text)))).toEqual(texts);
  });

  it('of Spark escape quotes, backslashes and tabs', () => {
    expect(spark.literal("o'k \\ \t")).toBe("'o\\'k \\\\ \\t'");
  });

  it('of numbers are of double precision', async () => {
    expect([double(0.5), double(2 ** 40)]).toEqual(['5e-1', '1.099511627776e+12']);
    expect(await inDuckdb([double(0.1), double(-2 * 0.25)])).toEqual([0.1, -0.5]);
  });
});

describe('files of DuckDB', () => {
  it('are those that are named, whatever characters the names have', async () => {
    const folder = await tempFolder({
      'a[1].csv': 'x\n1\n',
      'a1.csv': 'x\n2\n',
      'b*.csv': 'x\n3\n',
      'bb.csv': 'x\n4\n',
    });
    const paths = ['a[1].csv', 'b*.csv'].map((name) => join(folder, name));
    for (const statement of duckdb.viewOf('named', { format: 'csv', paths })) await engine.run(statement);
    expect((await allRows(engine, 'SELECT x FROM named ORDER BY x')).get('x')).toEqual(['1', '3']);
  });
});

describe('files of Spark', () => {
  const paths = ['/lake/a,b/tagged-{1}.tsv', '/lake/a,b/tagged-[2].tsv'];

  it('are one path, in which no character stands for others but those that list the files', () => {
    const [view] = spark.viewOf('v', { format: 'tsv', paths });
    expect(view).toContain("path 'file:///lake/a\\\\,b/{tagged-\\\\{1\\\\}.tsv,tagged-\\\\[2\\\\].tsv}'");
    expect(spark.viewOf('v', { format: 'parquet', paths: ['s3a://b/x'] })[0]).toContain("path 's3a://b/x'");
  });

  it('are a folder where they are alone in it', () => {
    const [view] = spark.viewOf('v', { format: 'tsv', paths, folder: '/lake/a,b' });
    expect(view).toContain("path 'file:///lake/a\\\\,b', recursiveFileLookup 'true', pathGlobFilter '*.tsv*'");
  });
});
