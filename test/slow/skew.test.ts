// One user with everything, on DuckDB with little memory: paths between objects grow with the square of a user's objects, and a
// sample of them keeps the work and the memory bounded.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MOST_PER_MIDDLE } from '../../src/graph/capped-middles.ts';
import { openDuckdb } from '../../src/tables/duckdb/open-duckdb.ts';
import { allRows } from '../tables/stages/counted.ts';
import { tempFolder } from '../temp-folder.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const NUM_OBJECTS = 200_000;

it('a user of 200,000 objects is counted within 500 MB', { timeout: 1_800_000 }, async () => {
  const folder = await tempFolder({ 'data/.keep': '' });
  const [data, run] = [join(folder, 'data'), join(folder, 'run')];
  const engine = await openDuckdb();
  try {
    const everyone = `SELECT 'everyone' AS "user", 'o' || range AS object FROM range(${NUM_OBJECTS})`;
    const others = `SELECT 'u' || (range % 40000), 'o' || range FROM range(${NUM_OBJECTS})`;
    await engine.run(`COPY (${everyone} UNION ALL ${others}) TO '${data}/interact.parquet'`);
    const tagged = `SELECT 'o' || range AS object, 't' || (range % 97) AS tag FROM range(0, ${NUM_OBJECTS}, 2)`;
    await engine.run(`COPY (${tagged}) TO '${data}/tagged.parquet'`);

    const counting = ['--engine', 'duckdb', '--memory-limit', '500MB', '--run-folder', run];
    const args = [CLI, 'train', data, '-o', join(folder, 'model'), ...counting];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    const [code] = await once(child, 'close');
    expect(code, said.slice(-1000)).toBe(0);

    const byUser = `SELECT count(*) AS n FROM read_parquet('${run}/candidates/*.parquet') GROUP BY user_id`;
    const { n } = Object.fromEntries(await allRows(engine, `SELECT max(n) AS n FROM (${byUser})`));
    expect(Number(n[0])).toBeLessThanOrEqual(MOST_PER_MIDDLE);
    const parts = (await readdir(join(run, 'neighbours'))).filter((name) => name.endsWith('.parquet'));
    expect(parts.length).toBeGreaterThan(10);
  } finally {
    await engine.close();
  }
});
