// tagloom on a real cluster, as tests that spark.test.ts runs on its own: the same model files as in memory, whatever the data are
// read from, and what is left when something is stopped or killed in the middle.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { addCompare } from '../../src/commands/compare.ts';
import { addStats } from '../../src/commands/stats.ts';
import { addTrain } from '../../src/commands/train.ts';
import { userSquare } from '../../src/graph/similarity.ts';
import type { TableEngine } from '../../src/tables/engine.ts';
import { checkShared } from '../../src/tables/shared-folder.ts';
import { squareOf } from '../../src/tables/stages/user-weights.ts';
import { runCommand } from '../commands/run-command.ts';
import { tempFolder } from '../temp-folder.ts';

export interface OnSpark {
  readonly engine: TableEngine;
  readonly url: string;
}

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const NPM = fileURLToPath(new URL('../../data/npm', import.meta.url));

// names that are cleaned, or sorted otherwise by UTF-16 than by bytes
const ODD = [
  'a',
  'B',
  ' b',
  'é',
  '\u{1f600}',
  '\uff5e',
  'x y',
  "o'k",
  'back\\slash',
  'NULL',
  '07',
  '7',
  '\u3000z\u200b',
];
const named = (i: number) => `${ODD[i % ODD.length]}${i % 3 === 0 ? '' : i}`;
const INTERACT = Array.from({ length: 300 }, (_, i) => `u${(i * 7) % 23},"${named((i * i) % 61)}"\n`).join('');
const TAGGED = Array.from({ length: 150 }, (_, i) => `${named(i % 53)}\tt${(i * 5) % 11}\n`).join('');
const OBJECTS = Array.from({ length: 61 }, (_, i) => `"${named(i)}","No. ${i}, ""new""","about ${i % 5}\nand more"\n`);
const SMALL = {
  'interact.csv': `user,object\n${INTERACT}`,
  'tagged.tsv': `object\ttag\n${TAGGED}`,
  'objects.csv': `object,title,text:plot\n${OBJECTS.join('')}`,
};

const model = (args: readonly string[]) => ['train', ...args, '--threads', '1'];

async function trained(file: string, ...args: string[]): Promise<Buffer> {
  await runCommand(addTrain, model([...args, '-o', file]));
  return readFile(file);
}

function isSame(found: Buffer, expected: Buffer): void {
  expect(found.length).toBe(expected.length);
  expect(found.equals(expected)).toBe(true);
}

/** A folder of data, the same data as a schema of Spark whose rows take their time, and the model of them in memory. */
async function prepared({ engine, url }: OnSpark, rowMs = 0) {
  const folder = await tempFolder(Object.fromEntries(Object.entries(SMALL).map(([n, text]) => [`data/${n}`, text])));
  const data = join(folder, 'data');
  const expected = await trained(join(folder, 'memory'), data);
  const schema = `shop${rowMs}`;
  await engine.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  const files = { interact: 'interact.csv', tagged: 'tagged.tsv', objects: 'objects.csv' };
  for (const [table, file] of Object.entries(files)) {
    const format = file.endsWith('.tsv') ? `sep '\\t', quote ''` : `escape '"', multiLine 'true'`;
    const options = `path 'file://${data}/${file}', header 'true', ${format}`;
    await engine.run(`CREATE OR REPLACE TEMPORARY VIEW read_${table} USING csv OPTIONS (${options})`);
    await engine.run(`DROP TABLE IF EXISTS ${schema}.all_${table}`);
    await engine.run(`CREATE TABLE ${schema}.all_${table} USING parquet AS SELECT * FROM read_${table}`);
    const sleep = `coalesce(java_method('java.lang.Thread', 'sleep', CAST(${rowMs} AS BIGINT)), '') <> 'never'`;
    const slowly = rowMs > 0 && table === 'interact' ? ` WHERE ${sleep}` : '';
    await engine.run(`CREATE OR REPLACE VIEW ${schema}.${table} AS SELECT * FROM ${schema}.all_${table}${slowly}`);
  }
  const file = join(folder, 'spark');
  const spark = ['--engine', 'spark', '--spark', url];
  return { folder, data, file, run: `${file}.run`, expected, spark, schema: `table:${schema}` };
}

/** The command line in a process of its own. */
function started(args: readonly string[]): { child: ChildProcess; ended: Promise<{ code: number; said: string }> } {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number, said })) };
}

/** Waits until a stage of a run is being computed. */
async function during(run: string, stage: string): Promise<void> {
  const isRunning = async () =>
    expect((await readdir(run)).join(' ')).toMatch(new RegExp(`\\b${stage}\\.\\w+\\.partial`));
  await vi.waitFor(isRunning, { timeout: 300_000, interval: 20 });
}

export function trainsOnSpark(on: () => OnSpark): void {
  it('a small data set becomes the same model, byte for byte, and nothing else is left', async () => {
    const { folder, data, file, expected, spark } = await prepared(on());
    isSame(await trained(file, data, ...spark), expected);
    expect((await readdir(folder)).sort()).toEqual(['data', 'memory', 'spark']);
  });

  it('the npm data become the same model', async () => {
    const { folder, file, spark } = await prepared(on());
    isSame(await trained(file, NPM, ...spark), await trained(join(folder, 'npm'), NPM));
  });

  it('an address is read by Spark alone, which keeps the tables at another', async () => {
    const { folder, data, file, run, expected, spark } = await prepared(on());
    const tables = ['--run-folder', `file://${folder}/tables/`];
    isSame(await trained(file, `file://${data}`, ...spark, ...tables), expected);
    expect(await readdir(join(run, 'neighbours'))).toEqual(['_manifest.json', 'part-1-of-1.parquet']);
    expect((await readdir(join(folder, 'tables'))).join(' ')).toMatch(/\bneighbours-[0-9a-f]{16}\b/);
    const { mtimeMs } = await stat(join(run, 'neighbours'));
    isSame(await trained(file, `file://${data}`, ...spark, ...tables, '--resume'), expected);
    expect((await stat(join(run, 'neighbours'))).mtimeMs).toBe(mtimeMs);
  });

  it('a schema of the catalogue is a data set; a changed table is counted again', async () => {
    const { file, run, expected, spark, schema } = await prepared(on());
    isSame(await trained(file, schema, ...spark, '--run-folder', run), expected);
    await on().engine.run("INSERT INTO shop0.all_tagged VALUES ('a', 'quite new')");
    const changed = await trained(file, schema, ...spark, '--run-folder', run, '--resume');
    expect(changed.equals(expected)).toBe(false);
    await expect(trained(file, 'table:nowhere', ...spark, '--force')).rejects.toThrow(
      'table:nowhere: got no table `nowhere`.`tagged`, expected one that Spark knows.',
    );
  });

  it('many files, a glob and names with special characters are read as by DuckDB', async () => {
    const { spark } = await prepared(on());
    const lines = TAGGED.split('\n').slice(0, -1);
    const part = (p: number) => `object\ttag\n${lines.filter((_, i) => i % 3 === p).join('\n')}\n`;
    const parts = Object.fromEntries([0, 1, 2].map((p) => [`shop/tagged/{a},b-${p}.tsv`, part(p)]));
    const interact = INTERACT.replaceAll('"', '').replaceAll(',', '\t');
    const folder = await tempFolder({ ...parts, 'shop/interact-[1].tsv': `user\tobject\n${interact}` });
    const [data, glob] = [join(folder, 'shop'), join(folder, 's*', '**', '*.{tsv,csv}')];
    const expected = await trained(join(folder, 'duckdb'), data, '--engine', 'duckdb');
    isSame(await trained(join(folder, 'folder'), data, ...spark), expected);
    isSame(await trained(join(folder, 'glob'), glob, ...spark), expected);
  });

  it('statistics and comparisons are those in memory', async () => {
    const { data, spark, folder } = await prepared(on());
    const facts = async (...args: string[]) =>
      JSON.parse((await runCommand(addStats, ['stats', ...args, '--json'])).out);
    const [counted, inMemory] = [await facts(`file://${data}`, ...spark), await facts(data)];
    expect(inMemory).toMatchObject(counted);
    expect(Object.keys(counted).length).toBeGreaterThan(18);
    const compared = async (...args: string[]) => {
      const models = ['--models', 'popularity,itemknn', '--seeds', '1', '--threads', '1', '--json'];
      const { out } = await runCommand(addCompare, ['compare', data, ...models, ...args]);
      return JSON.parse(out).models.map(({ metrics }: { metrics: unknown }) => metrics);
    };
    expect(await compared(...spark, '--run-folder', join(folder, 'run'))).toEqual(await compared());
  });

  it('users weigh the same, however many objects they have', async () => {
    for (const damping of [0.25, 0.3, 1]) {
      const sql = `SELECT CAST(id AS INT) AS n, CAST(${squareOf('id', damping)} AS DOUBLE) AS square FROM range(1, 100000)`;
      for await (const { columns } of on().engine.query(sql)) {
        const squares = columns.get('square') as Float64Array;
        for (const [i, n] of (columns.get('n') as Int32Array).entries()) {
          if (squares[i] !== userSquare(n, damping) * 2 ** 40) expect.unreachable(`${n} objects, damping ${damping}`);
        }
      }
    }
  });

  it('a folder that only one side sees is refused with the cure', async () => {
    const [ours, theirs] = [await tempFolder(), await tempFolder()];
    const elsewhere = (pattern: RegExp): TableEngine => {
      const moved = (sql: string) => (pattern.test(sql) ? sql.replaceAll(ours, theirs) : sql); // as on another machine
      const { engine } = on();
      return {
        name: 'spark',
        run: (sql, options) => engine.run(moved(sql), options),
        query: (sql, options) => engine.query(moved(sql), options),
        close: async () => {},
      };
    };
    await checkShared(on().engine, ours, {});
    expect(await readdir(ours)).toEqual([]);
    const cure = 'Mount the folder at the same path on this machine, the server and all workers';
    const unseen = checkShared(elsewhere(/./), ours, {});
    await expect(unseen).rejects.toThrow(`${ours}: got a folder that Spark does not see`);
    await expect(unseen).rejects.toThrow(cure);
    const unheard = checkShared(elsewhere(/INSERT/), ours, {});
    await expect(unheard).rejects.toThrow(`${ours}: got a folder in which we do not see what Spark writes`);
  });
}

/** These take rows that are slow, so that there is a middle to be stopped in. */
export function survivesOnSpark(on: () => OnSpark): void {
  it('killed with -9, --resume keeps what is done and ends with the same bytes', async () => {
    const { file, run, expected, spark, schema } = await prepared(on(), 20);
    const { child, ended } = started(model([schema, '-o', file, ...spark]));
    await during(run, 'interact');
    child.kill('SIGKILL');
    await ended;
    const done = (await readdir(run)).filter((name) => !name.includes('.'));
    expect(done).toContain('user_names');
    expect(done).not.toContain('interact');
    const times = () => Promise.all(['object_names', 'user_names', 'tagged'].map((n) => stat(join(run, n))));
    const before = (await times()).map(({ ino }) => ino);
    const again = trained(file, schema, ...spark, '--resume');
    await during(run, 'neighbours');
    expect((await times()).map(({ ino }) => ino)).toEqual(before);
    isSame(await again, expected);
  });

  it('Ctrl-C interrupts what the server does, and leaves what is done', async () => {
    const { file, run, spark, schema } = await prepared(on(), 20);
    const { child, ended } = started(model([schema, '-o', file, ...spark]));
    await during(run, 'interact');
    child.kill('SIGINT');
    const { code, said } = await ended;
    expect(code).toBe(130);
    expect(said).toContain('tagloom: stopped');
    expect(await readdir(run)).toContain('user_names');
    for await (const { columns } of on().engine.query('SELECT count(*) AS n FROM range(0, 1000, 1, 4)')) {
      expect(Number(columns.get('n')?.[0])).toBe(1000);
    }
  });

  it('Ctrl-C frees the workers at once, whatever they do', async () => {
    const { file, spark, schema } = await prepared(on(), 600_000); // a row takes ten minutes
    const { child, ended } = started(model([schema, '-o', file, ...spark]));
    await new Promise((resolve) => setTimeout(resolve, 15_000)); // it is counting rows by then
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    const counted = [];
    for await (const { columns } of on().engine.query('SELECT count(*) AS n FROM range(0, 1000, 1, 8)')) {
      counted.push(Number(columns.get('n')?.[0]));
    }
    expect(counted).toEqual([1000]);
  });

  it('what is wrong with the data is said of the file', async () => {
    const { folder, data, file, spark } = await prepared(on());
    const refused = async (interact: string, place = data) => {
      await writeFile(join(data, 'interact.csv'), interact);
      const training = runCommand(addTrain, model([place, '-o', file, ...spark, '--force']));
      return training.then(
        () => 'trained',
        (error: Error) => error.message,
      );
    };
    expect(await refused('person,object\nu,a\n')).toMatch(/interact\.csv: got no column `files_interact`\.`user`/);
    expect(await refused('user,object\nu,a,b\n')).toMatch(
      /interact\.csv: got a (row with another number of fields than the header|file that Spark cannot read)/,
    );
    expect(await refused('user,object\nu,a\n', `file://${folder}/nowhere`)).toMatch(
      /nowhere: got no such file where Spark runs, expected one that the server and all workers see\./,
    );
    expect(await refused('user,object\nu,a\n', 's3a://lake/shop')).toContain(
      'got a Spark that cannot open s3a:// addresses',
    );
    const elsewhere = model([data, '-o', file, ...spark, '--force', '--run-folder', 'file:///proc/tagloom']);
    await expect(runCommand(addTrain, elsewhere)).rejects.toThrow(
      /^file:\/proc\/tagloom\/\S+: got no permission for Spark to open or write it/,
    );
  });
}

/** A worker is gone afterwards. */
export function outlivesWorker(on: () => OnSpark, killWorker: () => void): void {
  it('a worker killed in the middle of a stage changes nothing', async () => {
    const { file, run, expected, spark, schema } = await prepared(on(), 20);
    const training = trained(file, schema, ...spark);
    await during(run, 'interact');
    killWorker();
    isSame(await training, expected);
  });
}

/** The server is gone afterwards. */
export function outlivesServer(on: () => OnSpark, killServer: () => void): void {
  it('a server that goes away in the middle is one line, and what is done is kept', async () => {
    const { file, run, spark, schema } = await prepared(on(), 20);
    const { ended } = started(model([schema, '-o', file, ...spark]));
    await during(run, 'interact');
    killServer();
    const { code, said } = await ended;
    expect(code).toBe(1);
    const lines = said.split('\n').filter((line) => line.startsWith('tagloom:'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^tagloom: sc:\/\/localhost:\d+: got no answer \(connection refused\)/);
    expect(lines[0]).toContain('Start the server again. Start the command again (train: with --resume');
    expect(await readdir(run)).toContain('user_names');
  });
}
