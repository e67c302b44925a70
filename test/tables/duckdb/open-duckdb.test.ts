// DuckDB itself, no stand-in: what comes back, what stops, and what errors say.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CancelledError, InputError } from '../../../src/errors.ts';
import { numBytesOf, openDuckdb } from '../../../src/tables/duckdb/open-duckdb.ts';
import type { Column, TableEngine } from '../../../src/tables/engine.ts';
import { withoutFullDisk } from '../../systems.ts';

let engine: TableEngine;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  engine = await openDuckdb({ memoryLimit: '200MB', temporaryFolder: join(folder, 'spilled'), threads: 2 });
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

async function columnsOf(sql: string): Promise<Map<string, Column>> {
  for await (const { columns } of engine.query(sql)) return new Map(columns);
  return new Map();
}

async function problemOf(sql: string): Promise<InputError> {
  return engine.run(sql).then(
    () => expect.unreachable(`${sql} ran`),
    (error) => {
      expect(error).toBeInstanceOf(InputError);
      return error;
    },
  );
}

describe('query', () => {
  it('returns numbers in typed arrays, names as strings and lists as arrays', async () => {
    const columns = await columnsOf(
      `SELECT CAST(range AS INTEGER) AS i, range AS b, CAST(range AS FLOAT) / 2 AS f, 'n' || range AS s, [range, 7] AS l
       FROM range(3) ORDER BY 1`,
    );
    expect(columns.get('i')).toEqual(Int32Array.of(0, 1, 2));
    expect(columns.get('b')).toEqual(BigInt64Array.of(0n, 1n, 2n));
    expect(columns.get('f')).toEqual(Float64Array.of(0, 0.5, 1));
    expect(columns.get('s')).toEqual(['n0', 'n1', 'n2']);
    expect(columns.get('l')).toEqual([
      [0n, 7n],
      [1n, 7n],
      [2n, 7n],
    ]);
  });

  it('returns null for missing names and NaN for missing numbers', async () => {
    const columns = await columnsOf(
      `SELECT * FROM (VALUES (1, 'a', [1]), (NULL, NULL, NULL)) AS t(n, s, l) ORDER BY n`,
    );
    expect(columns.get('n')).toEqual(Float64Array.of(1, Number.NaN));
    expect(columns.get('s')).toEqual(['a', null]);
    expect(columns.get('l')).toEqual([[1], null]);
  });

  it('returns all rows of a large answer, in order', async () => {
    let next = 0;
    for await (const { numRows, columns } of engine.query(
      'SELECT CAST(range AS INTEGER) AS i FROM range(100000) ORDER BY 1',
    )) {
      const ids = columns.get('i') as Int32Array;
      expect(ids.length).toBe(numRows);
      for (const id of ids) if (id !== next++) expect.unreachable(`${id} follows ${next - 2}`);
    }
    expect(next).toBe(100_000);
  });

  it('returns nothing where there are no rows', async () => {
    expect(await columnsOf('SELECT 1 AS a WHERE 1 = 0')).toEqual(new Map());
  });
});

const ENDLESS = 'SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b';

describe('a signal', () => {
  it('interrupts a statement, and the engine goes on with the next', async () => {
    const stop = new AbortController();
    const running = engine.run(ENDLESS, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(running).rejects.toBeInstanceOf(CancelledError);
    expect((await columnsOf('SELECT 1 AS one')).get('one')).toEqual(Int32Array.of(1));
  });

  it('interrupts a statement that was sent but has not begun', async () => {
    for (let i = 0; i < 6; i++) {
      const stop = new AbortController();
      const running = engine.run(ENDLESS, { signal: stop.signal });
      if (i % 2 === 0) setImmediate(() => stop.abort());
      else stop.abort();
      await expect(running).rejects.toBeInstanceOf(CancelledError);
    }
  });

  it('that came before keeps a statement from starting', async () => {
    await expect(engine.run(ENDLESS, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(CancelledError);
  });
});

describe('progress', () => {
  it('is a share of the statement, where DuckDB knows', async () => {
    const shares: number[] = [];
    while (shares.length === 0) {
      const stop = new AbortController();
      const onProgress = (share: number) => {
        shares.push(share);
        stop.abort();
      };
      const running = engine.run(`COPY (${ENDLESS}) TO '${join(folder, 'never.parquet')}' (FORMAT parquet)`, {
        signal: stop.signal,
        onProgress,
      });
      setTimeout(() => stop.abort(), 500); // it does not always
      await expect(running).rejects.toBeInstanceOf(CancelledError);
    }
    for (const share of shares) expect(share).toBeGreaterThanOrEqual(0);
  });
});

describe('errors', () => {
  it('name a file that is not there', async () => {
    const { message, problem } = await problemOf(`SELECT * FROM read_parquet('${folder}/none-*.parquet')`);
    expect(problem.file).toBe(`${folder}/none-*.parquet`);
    expect(message).toContain('no such file');
  });

  it('name a table and a column that are not there, and what is similar', async () => {
    expect((await problemOf('SELECT * FROM nowhere')).message).toContain('no table nowhere');
    const { message } = await problemOf('SELECT tag FROM (SELECT 1 AS object, 2 AS label)');
    expect(message).toContain('no column "tag" (similar: label)');
    expect(message).toContain('Name a column "tag".');
  });

  it('say that a file is not Parquet', async () => {
    const path = join(folder, 'plain.parquet');
    await writeFile(path, 'object\ttag\n'.repeat(10));
    const { problem } = await problemOf(`SELECT * FROM read_parquet('${path}')`);
    expect(problem).toMatchObject({ file: path, expected: 'a Parquet file' });
  });

  it.skipIf(withoutFullDisk)('say that a disk is full and that the run can go on', async () => {
    const { problem } = await problemOf(`COPY (SELECT range FROM range(100000)) TO '/dev/full' (FORMAT csv)`);
    expect(problem).toMatchObject({ file: '/dev/full', got: 'a full disk' });
    expect(problem.cure).toContain('--resume');
  });

  it('say the same where what does not fit into memory has no room on disk', async () => {
    const small = await openDuckdb({ memoryLimit: '50MB', temporaryFolder: join(folder, 'small'), threads: 1 });
    try {
      await small.run(`SET max_temp_directory_size = '1MB'`);
      const sorted = small.run('CREATE TEMP TABLE t AS SELECT uuid() AS u FROM range(5000000) ORDER BY u');
      await expect(sorted).rejects.toThrow(/small\S*: got a full disk, .*--temporary-folder/);
    } finally {
      await small.close();
    }
  });

  it('say that DuckDB is too old for a function', async () => {
    const { problem } = await problemOf('SELECT of_tomorrow(1)');
    expect(problem).toMatchObject({
      got: 'a DuckDB without the function of_tomorrow',
      expected: 'DuckDB 1.3 or newer',
    });
  });

  it('say that memory is short and how to give more', async () => {
    const { problem } = await problemOf('SELECT list(range) FROM range(200000000)');
    expect(problem.got).toContain('200MB');
    expect(problem.cure).toContain('--memory-limit');
  });

  it('of our own SQL stay what they are', async () => {
    await expect(engine.run('SELEKT 1')).rejects.not.toBeInstanceOf(InputError);
  });

  it('refuse a memory limit that is no size', async () => {
    await expect(openDuckdb({ memoryLimit: 'lots' })).rejects.toThrow('Write it as 4GB');
    expect([numBytesOf('1.5 GB'), numBytesOf('2MiB'), numBytesOf('2 XB')]).toEqual([1.5e9, 2 ** 21, undefined]);
  });
});

describe('close', () => {
  it('removes the temporary folder', async () => {
    const parent = join(folder, 'own');
    const own = await openDuckdb({ temporaryFolder: parent });
    expect(await readdir(parent)).toHaveLength(1);
    await own.close();
    expect(await readdir(parent)).toEqual([]);
  });
});
