// The client on real clusters of Spark: a master, two workers and a Connect server for each installed version. The tests of one version
// share a cluster and run in order; the last ones kill parts of it.

import { basename, delimiter, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../src/errors.ts';
import type { Column, TableEngine } from '../../src/tables/engine.ts';
import { openSpark } from '../../src/tables/spark/open-spark.ts';
import { Session } from '../../src/tables/spark/session.ts';
import { type SparkCluster, startCluster } from './spark-cluster.ts';
import { outlivesServer, outlivesWorker, survivesOnSpark, trainsOnSpark } from './spark-train.ts';

const HOMES = (process.env.TAGLOOM_SPARK ?? '').split(delimiter).filter((home) => home !== '');
if (HOMES.length === 0) process.stderr.write('tests on Spark are skipped: npm run test:spark runs them\n');

const STREAM_SECONDS = 1; // after which the server ends a stream; two minutes by default
const SETTINGS = {
  'spark.connect.execute.reattachable.senderMaxStreamDuration': `${STREAM_SECONDS}s`,
  'spark.connect.authenticate.token': 'hush', // Spark 4 wants it then; 3.5 does not look at it
};
/** Hours of work for two cores. */
const ENDLESS = 'SELECT sum(sqrt(a.id * b.id)) AS s FROM range(0, 100000000, 1, 100) a CROSS JOIN range(100000) b';

/** The version is the name of the folder into which Python installed it. */
const nameOf = (home: string) => `Spark in ${basename(dirname(dirname(dirname(dirname(home)))))}`;

describe.skipIf(HOMES.length === 0).each(HOMES.map((home) => [nameOf(home), home]))('%s', (_, home) => {
  let cluster: SparkCluster;
  let engine: TableEngine;
  let url: string;

  beforeAll(async () => {
    cluster = await startCluster(home, SETTINGS);
    url = `sc://localhost:${cluster.port}/;token=hush`;
    engine = await openSpark(url, { config: { 'spark.sql.shuffle.partitions': '3' }, retryDelaysMs: [50, 200, 800] });
  }, 180_000);
  afterAll(async () => {
    await engine?.close();
    await cluster?.stop();
  }, 60_000);

  /** All rows, column by column; a number for each row. */
  async function numbers(sql: string): Promise<Record<string, number[]>> {
    const found: Record<string, number[]> = {};
    for await (const { columns } of engine.query(sql)) {
      for (const [name, column] of columns) {
        found[name] = [...(found[name] ?? []), ...Array.from(column as Iterable<Column>, Number)];
      }
    }
    return found;
  }

  const failure = (sql: string) =>
    numbers(sql).then(
      () => 'no error',
      (error: Error) => error.message.replace(/^sc:\/\/\S+: /, ''),
    );

  it('a million rows arrive, each once', async () => {
    let [numRows, sum, numRight] = [0, 0n, 0];
    for await (const batch of engine.query(
      'SELECT id, id * 0.5D AS half, CAST(id AS STRING) AS name FROM range(1000000)',
    )) {
      numRows += batch.numRows;
      const [ids, halves, names] = ['id', 'half', 'name'].map((name) => batch.columns.get(name)) as [
        BigInt64Array,
        Float64Array,
        string[],
      ];
      for (let row = 0; row < batch.numRows; row++) {
        sum += ids[row];
        if (halves[row] * 2 === Number(ids[row]) && names[row] === String(ids[row])) numRight++;
      }
    }
    expect([numRows, sum, numRight]).toEqual([1_000_000, 499_999_500_000n, 1_000_000]);
  });

  it('statements without rows run at once, and settings are those of the session', async () => {
    await engine.run('DROP TABLE IF EXISTS pairs');
    await engine.run('CREATE TABLE pairs (a INT, b INT) USING parquet');
    await engine.run('INSERT INTO pairs VALUES (1, 2), (3, 4)');
    await engine.run('CREATE OR REPLACE TEMPORARY VIEW seen AS SELECT a * b AS c FROM pairs');
    expect(await numbers('SELECT sum(c) AS c FROM seen')).toEqual({ c: [14] });
    const setting = 'spark.sql.shuffle.partitions'; // Spark puts its value in place of its name
    expect(await numbers(`SELECT CAST('\${${setting}}' AS INT) AS n`)).toEqual({ n: [3] });
    expect(await numbers('SELECT a FROM pairs WHERE a > 9')).toEqual({});
  });

  it('a stream that outlives several of the server is reattached', async () => {
    const reattach = vi.spyOn(Session.prototype, 'reattach');
    // an answer of 40 MB in batches of 4 that are taken slowly, and a job during which nothing comes
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    let sum = 0n;
    for await (const { columns } of engine.query("SELECT id, repeat('x', 1000) AS t FROM range(0, 40000, 1, 4)")) {
      for (const id of columns.get('id') as BigInt64Array) sum += id;
      await wait(500 * STREAM_SECONDS);
    }
    expect(sum).toBe(799_980_000n);
    const sleeping = "java_method('java.lang.Thread', 'sleep', id - id + 3000) AS slept FROM range(0, 2, 1, 2)";
    expect((await numbers(`SELECT count(*) AS n, count(slept) AS m FROM (SELECT ${sleeping})`)).n).toEqual([2]);
    expect(reattach.mock.calls.length).toBeGreaterThan(3);
    reattach.mockRestore();
  });

  it('progress is told where Spark tells it, and ends at 1', async () => {
    const shares: number[] = [];
    await engine.run('CREATE OR REPLACE TEMPORARY VIEW v AS SELECT 1 AS x', {
      onProgress: (share) => shares.push(share),
    });
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  it('errors name the place and the cure', async () => {
    expect(await failure('SELECT * FROM nowhere')).toMatch(
      /^got no table or view `nowhere` \(TABLE_OR_VIEW_NOT_FOUND.*\), expected one that Spark knows\. Correct the name \(SHOW TABLES/,
    );
    expect(await failure('SELECT nmae FROM (SELECT id AS name FROM range(2))')).toMatch(
      /^got no column `nmae` \(UNRESOLVED_COLUMN\.WITH_SUGGESTION.*\), expected a column of the tables\. Correct the name\. Similar ones are `name`\.$/,
    );
    expect(await failure('SELECT 1\nFORM range(2) x y')).toMatch(
      /^got a syntax error at '\w+', line 2, position \d+ \(PARSE_SYNTAX_ERROR.*\), expected Spark SQL\. Correct the statement there\.$/,
    );
    expect(await failure("SELECT raise_error('no such luck') FROM range(2)")).toMatch(
      /^got an error of Spark: .*no such luck.*, expected a statement that runs\./,
    );
    expect(await numbers('SELECT 1 AS x')).toEqual({ x: [1] });
  });

  it('a wrong token is refused, where Spark looks at it', async () => {
    const other = await openSpark(url.replace('hush', 'wrong')).catch((error: Error) => error);
    if (!(other instanceof Error)) return other.close(); // Spark 3.5
    expect(other.message).toContain('expected permission. Put a valid token into the address');
  });

  it('an abort stops the job: the next one finds the cores free', async () => {
    const stop = new AbortController();
    const endless = numbersUntil(stop.signal);
    setTimeout(() => stop.abort(), 2_000);
    expect(await endless).toBeInstanceOf(CancelledError);
    expect(await numbers('SELECT count(*) AS n FROM range(0, 1000, 1, 4)')).toEqual({ n: [1000] });

    const leaving = engine.query('SELECT id, uuid() AS u FROM range(0, 100000000, 1, 20000)'); // a partition is in memory as a whole
    for await (const _ of leaving) break;
    expect(await numbers('SELECT count(*) AS n FROM range(0, 1000, 1, 4)')).toEqual({ n: [1000] });
  });

  async function numbersUntil(signal: AbortSignal): Promise<unknown> {
    try {
      for await (const batch of engine.query(ENDLESS, { signal })) return batch;
    } catch (error) {
      return error;
    }
    return undefined;
  }

  const on = () => ({ engine, url });
  describe('tagloom', () => {
    trainsOnSpark(on);
    survivesOnSpark(on);
    outlivesWorker(on, () => cluster.killWorker());
  });

  outlivesServer(on, () => cluster.killServer());

  it('a server that was killed is one clear line', async () => {
    const message = await failure('SELECT 1 AS x');
    expect(message).toMatch(
      /^got no answer \(.*\), expected a Spark Connect server\. Start the server again\. .*[^\n]$/,
    );
  });
});
