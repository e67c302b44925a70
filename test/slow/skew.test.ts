// One user with everything, on DuckDB with little memory: paths between objects grow with the square of a user's objects, and a
// sample of them keeps the work and the memory bounded.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MOST_PER_MIDDLE } from '../../src/graph/capped-middles.ts';
import { openDuckdb } from '../../src/tables/duckdb/open-duckdb.ts';
import { allRows, count } from '../tables/stages/counted.ts';
import { tempFolder } from '../temp-folder.ts';

const NUM_OBJECTS = 200_000;

it('a user of 200,000 objects is counted within 500 MB', { timeout: 1_800_000 }, async () => {
  const [data, run] = [await tempFolder(), await tempFolder()];
  const engine = await openDuckdb({ memoryLimit: '500MB' });
  try {
    const everyone = `SELECT 'everyone' AS "user", 'o' || range AS object FROM range(${NUM_OBJECTS})`;
    const others = `SELECT 'u' || (range % 40000), 'o' || range FROM range(${NUM_OBJECTS})`;
    await engine.run(`COPY (${everyone} UNION ALL ${others}) TO '${data}/interact.parquet'`);
    const tagged = `SELECT 'o' || range AS object, 't' || (range % 97) AS tag FROM range(0, ${NUM_OBJECTS}, 2)`;
    await engine.run(`COPY (${tagged}) TO '${data}/tagged.parquet'`);

    await count(engine, data, { run, tables: ['neighbours'], memory: 500e6 });
    const byUser = 'SELECT count(*) AS n FROM candidates GROUP BY user_id';
    const most = (await allRows(engine, `SELECT max(n) AS n FROM (${byUser})`)).get('n') ?? [];
    expect(Number(most[0])).toBeLessThanOrEqual(MOST_PER_MIDDLE);
    const parts = (await readdir(join(run, 'neighbours'))).filter((name) => name.endsWith('.parquet'));
    expect(parts.length).toBeGreaterThan(10);
  } finally {
    await engine.close();
  }
});
