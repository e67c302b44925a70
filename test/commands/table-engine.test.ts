// tagloom train with a table engine: the same file as in memory, what is left of a stopped run, and what is refused.

import { readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addCompare } from '../../src/commands/compare.ts';
import { addStats } from '../../src/commands/stats.ts';
import { addSuggest } from '../../src/commands/suggest.ts';
import { addTrain } from '../../src/commands/train.ts';
import { CancelledError } from '../../src/errors.ts';
import { loadModel } from '../../src/models/model-file.ts';
import type { NamedParts } from '../../src/serving/recommend/explanation.ts';
import { Recommender } from '../../src/serving/recommend/recommender.ts';
import { type CountRequest, countData } from '../../src/tables/count-data.ts';
import { machineMemory } from '../../src/tables/open-engine.ts';
import { tempFolder } from '../temp-folder.ts';
import { prepared, QUICK } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';

const NPM = fileURLToPath(new URL('../../data/npm', import.meta.url));
const DUCKDB = ['--engine', 'duckdb', '--memory-limit', '500MB'];

describe('tagloom train --engine duckdb', () => {
  it('writes the same bytes as in memory, and leaves nothing else', { timeout: 120_000 }, async () => {
    const { folder, data, file } = await prepared();
    await runCommand(addTrain, ['train', data, '-o', file, '--threads', '1']);
    const inMemory = await readFile(file);
    const { out } = await runCommand(addTrain, ['train', data, '-o', file, '--threads', '1', '--force', ...DUCKDB]);
    expect(out).toMatch(/^model {2,}loom\n/);
    expect(inMemory.equals(await readFile(file))).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['data', 'model']);
  });

  it('stopped leaves its tables, and --resume goes on from them', { timeout: 120_000 }, async () => {
    const { folder, data, file } = await prepared();
    const stop = new AbortController();
    const args = ['train', data, '-o', file, '--threads', '1', ...DUCKDB];
    const stopped = runCommand(addTrain, args, { signal: stop.signal });
    await vi.waitFor(async () => expect(await readdir(`${file}.run`)).toContain('tagged'), {
      timeout: 20_000,
      interval: 1,
    });
    stop.abort();
    await expect(stopped).rejects.toThrow(CancelledError);
    await expect(runCommand(addTrain, args)).rejects.toThrow(
      'Add --resume to go on from them, or --force to start over.',
    );
    await runCommand(addTrain, [...args, '--resume']);
    expect((await readdir(folder)).sort()).toEqual(['data', 'model']);
    await expect(runCommand(addTrain, [...args, '--resume'])).rejects.toThrow(
      'got no tables, expected those of a stopped run',
    );
  });

  it('keeps a run folder that was asked for', { timeout: 120_000 }, async () => {
    const { folder, data, file } = await prepared();
    const run = join(folder, 'run');
    await runCommand(addTrain, ['train', data, '-o', file, ...DUCKDB, '--run-folder', run]);
    expect(await readdir(run)).toContain('user_weights');
  });
});

describe('of more objects than are learnt from', () => {
  const SAMPLED = ['--threads', '1', '--set', 'sampleRows=30', '--set', 'rareCount=0', '--set', 'second=off'];

  it('the model has no users, and suggests and explains what one with users does', { timeout: 120_000 }, async () => {
    const { data, file, folder } = await prepared();
    const [held, bare] = [join(folder, 'held'), file];
    const { out: withUsers } = await runCommand(addTrain, ['train', data, '-o', held, ...SAMPLED]);
    expect(withUsers).not.toContain('not in the file');
    const { out } = await runCommand(addTrain, ['train', data, '-o', bare, ...SAMPLED, ...DUCKDB]);
    expect(out).toContain('40 users, 480 interactions, learnt from and not in the file');
    const models = [await loadModel(held), await loadModel(bare)];
    expect(models.map(({ graph }) => [graph.users.size, graph.interact.size])).toEqual([
      [40, 480],
      [0, 0],
    ]);
    const [first, second] = await Promise.all(models.map((model) => Recommender.open(model, { threads: 1 })));
    onTestFinished(() => [first, second].forEach((one) => void one.close()));
    for (const object of ['o000', 'o017', 'o059']) {
      const [expected, got] = [await first.suggest(object), await second.suggest(object)];
      for (const [i, one] of expected.entries()) expect(got[i].score).toBeCloseTo(one.score, 2);
      const { score, parts, throughUsers } = await second.explain(object, got[0].tag);
      expect(throughUsers).toBeUndefined();
      expect(parts?.profile).toBeDefined();
      expect(sumOf(parts as NamedParts)).toBeCloseTo(score, 4);
      expect(got[0].score).toBeCloseTo(score, 5);
      const [near, known] = [second, first].map((one) => one.similarObjects(object, { limit: 60 }));
      const byUsers = new Map(known.map((one) => [one.object, one.byUsers]));
      expect(near.filter((one) => one.byUsers).length).toBeGreaterThan(10);
      for (const one of near) if (one.byUsers) expect(one.byUsers).toBeCloseTo(byUsers.get(one.object) ?? -1, 5);
    }
    const unseen = { tags: ['t000'], users: ['u000'] };
    expect(await second.suggestFor(unseen)).toEqual(await second.suggestFor({ ...unseen, users: [] }));
  });

  it('and says that it does not hold them where users are named', { timeout: 120_000 }, async () => {
    const { data, file } = await prepared();
    await runCommand(addTrain, ['train', data, '-o', file, ...SAMPLED, ...DUCKDB]);
    const { err } = await runCommand(addSuggest, ['suggest', file, '--tags', 't000', '--users', 'u000']);
    expect(err).toContain('The model does not hold its users: --users is ignored.');
  });

  it('is the same on any number of threads', { timeout: 120_000 }, async () => {
    const { data, file } = await prepared();
    const bytesOn = async (threads: string) => {
      await runCommand(addTrain, ['train', data, '-o', file, ...SAMPLED, '--threads', threads, '--force', ...DUCKDB]);
      return readFile(file);
    };
    expect((await bytesOn('1')).equals(await bytesOn('3'))).toBe(true);
  });
});

function sumOf({ base, ownTags, neighbours, words, mention = 0, profile = 0 }: NamedParts): number {
  const amounts = [...ownTags, ...neighbours, ...words].map(({ amount }) => amount);
  return amounts.reduce((sum, amount) => sum + amount, base + mention + profile);
}

describe('neighbours', () => {
  it('are the same by SQL, where pairs do not fit into memory, and without', { timeout: 60_000 }, async () => {
    const { folder, data } = await prepared();
    const settings = { neighbours: 7, damping: 0.25, rows: 30, rareCount: 0 };
    const found = async (name: string, more: Partial<CountRequest>) => {
      const request = { name: 'duckdb', memoryLimit: '500MB', data, source: data, settings, ...more } as const;
      return (await countData({ ...request, runFolder: join(folder, name) }, {})).counted.neighbours;
    };
    const [here, bySql] = [await found('here', {}), await found('sql', { maxPairsHere: 479 })];
    expect(here?.columns.length).toBeGreaterThan(60);
    expect(here).toEqual(bySql);
    expect(await readdir(join(folder, 'here'))).not.toContain('neighbours');
    expect(await readdir(join(folder, 'sql'))).toContain('neighbours');
  });
});

describe('--emit-sql', () => {
  it('writes statements and trains nothing', async () => {
    const { folder, data, file } = await prepared();
    const sql = join(folder, 'sql');
    const { out } = await runCommand(addTrain, [
      'train',
      data,
      '-o',
      file,
      '--emit-sql',
      sql,
      '--set',
      'neighbours=17',
    ]);
    expect(out).toContain('README.md there says how to run them');
    expect(await readFile(join(sql, 'spark', '10-neighbours.sql'), 'utf8')).toContain('r.place <= 17');
    expect((await readdir(folder)).sort()).toEqual(['data', 'sql']);
  });
});

describe('errors of --engine', () => {
  it('name a missing column and the file', async () => {
    const { data, file } = await prepared();
    for (const name of await readdir(data))
      if (name.startsWith('interact')) await rename(join(data, name), join(data, 'old'));
    await writeFile(join(data, 'interact.tsv'), 'person\tobject\nx\to001\n');
    await expect(runCommand(addTrain, ['train', data, '-o', file, ...DUCKDB])).rejects.toThrow(
      /interact\.tsv: got no column "user"/,
    );
  });

  it('refuse another model, a single file, and what changes tags afterwards', async () => {
    const { data, file } = await prepared();
    const run = (...args: string[]) => runCommand(addTrain, ['train', ...args, '-o', file, ...DUCKDB]);
    await expect(run(data, ...QUICK, '--model', 'dge')).rejects.toThrow('got --engine duckdb for dge, expected loom');
    await expect(run(data, '--merge-tags', 'same.tsv')).rejects.toThrow(
      'Leave out --merge-tags, or train with --engine memory.',
    );
    const single = join(await tempFolder({ 'products.csv': 'id,tags\n1,a\n' }), 'products.csv');
    await expect(run(single)).rejects.toThrow('a single file for --engine duckdb');
    const unclear = ['train', data, '-o', file, '--engine', 'duckdb', '--memory-limit', 'much'];
    await expect(runCommand(addTrain, unclear)).rejects.toThrow('Write it as 4GB');
  });

  it('say what Spark needs: an address, and a server there', async () => {
    const { data, file } = await prepared();
    const run = (...args: string[]) => runCommand(addTrain, ['train', data, '-o', file, '--engine', 'spark', ...args]);
    vi.stubEnv('SPARK_REMOTE', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(run()).rejects.toThrow('Add --spark sc://HOST:15002, or set SPARK_REMOTE.');
    await expect(run('--spark', 'spark://host:7077')).rejects.toThrow('an address that starts with "spark://"');
    vi.stubEnv('SPARK_REMOTE', 'sc://127.0.0.1:1');
    await expect(run()).rejects.toThrow('sc://127.0.0.1:1: got no answer (connection refused)');
  });

  it('say that what only Spark opens needs Spark', async () => {
    const { file } = await prepared();
    const cure = 'Add --engine spark --spark sc://HOST:15002';
    for (const data of ['s3a://lake/shop', 'table:main.shop']) {
      await expect(runCommand(addTrain, ['train', data, '-o', file])).rejects.toThrow(cure);
      await expect(runCommand(addTrain, ['train', data, '-o', file, ...DUCKDB])).rejects.toThrow(cure);
      await expect(runCommand(addStats, ['stats', data])).rejects.toThrow(cure);
      await expect(runCommand(addCompare, ['compare', data])).rejects.toThrow(cure);
    }
    const elsewhere = ['--run-folder', 's3a://lake/run'];
    await expect(runCommand(addTrain, ['train', 'data', '-o', file, ...DUCKDB, ...elsewhere])).rejects.toThrow(
      'got --run-folder s3a://lake/run for DuckDB',
    );
  });
});

describe('tagloom stats --engine duckdb', () => {
  async function both(folder: string): Promise<[counted: Record<string, unknown>, inMemory: Record<string, unknown>]> {
    const facts = async (...args: string[]) =>
      JSON.parse((await runCommand(addStats, ['stats', folder, '--json', ...args])).out);
    return [await facts(...DUCKDB), await facts()];
  }

  it.each([
    ['the npm data', async () => NPM],
    ['a checkerboard', async () => (await prepared()).data],
    ['data without users', () => tempFolder({ 'tagged.tsv': 'object\ttag\na\tx\na\ty\nb\tx\nb\tx\n' })],
    ['counts that all differ', () => tempFolder({ 'tagged.tsv': 'object\ttag\na\tx\nb\tx\nb\ty\nc\tx\nc\ty\nc\tz\n' })],
    [
      'objects that nobody tagged',
      () =>
        tempFolder({
          'tagged.tsv': 'object\ttag\na\tx\nb\t \n',
          'interact.tsv': 'user\tobject\nu\tb\nv\tb\nv\ta\n',
          'objects.tsv': 'object\ttitle\nc\tC\n',
        }),
    ],
  ])('counts %s as in memory', { timeout: 60_000 }, async (_, folder) => {
    const [counted, inMemory] = await both(await folder());
    const others = ['texts', 'numSharedTitles', 'fingerprint', 'nearDuplicates', 'understood'];
    expect(counted).toEqual(Object.fromEntries(Object.entries(inMemory).filter(([fact]) => !others.includes(fact))));
  });

  it('prints the table without texts and near-duplicates, and refuses to write those', async () => {
    const { data } = await prepared();
    const { out } = await runCommand(addStats, ['stats', data, ...DUCKDB]);
    expect(out).toMatch(/^Interact \(user, object\) +\d+$/m);
    expect(out).not.toMatch(/title|duplicate/);
    const writing = ['stats', data, ...DUCKDB, '--duplicates', `${data}/same.tsv`];
    await expect(runCommand(addStats, writing)).rejects.toThrow('Leave out --duplicates, or use --engine memory.');
  });
});

describe('tagloom compare --engine duckdb', () => {
  it('gives the same figures as in memory', { timeout: 60_000 }, async () => {
    const { data } = await prepared();
    const compare = async (...args: string[]) => {
      const models = ['--models', 'popularity,itemknn', '--seeds', '2', '--threads', '1'];
      const { out } = await runCommand(addCompare, ['compare', data, ...models, '--json', ...args]);
      return JSON.parse(out).models.map(({ model, metrics }: Record<string, unknown>) => ({ model, metrics }));
    };
    expect(await compare(...DUCKDB)).toEqual(await compare());
  });
});

describe('data that will not fit', () => {
  it('are refused before they are read, with an estimate and the command', async () => {
    const parent = await tempFolder({ 'my shop/tagged.tsv': 'object\ttag\na\tb\n', 'my shop/interact.tsv': '' });
    const [folder, file] = [join(parent, 'my shop'), join(parent, 'model')];
    await truncate(join(folder, 'interact.tsv'), 2 ** 42); // a file of holes
    const refused = runCommand(addTrain, ['train', folder, '-o', file]).catch(({ message }: Error) => message);
    const limit = Math.floor(machineMemory() / 2e9);
    // 2⁴² bytes are 220 billion rows of 20 bytes, each 170 bytes in memory
    expect(await refused).toBe(
      `${folder}: got data that take about 37387 GB of memory to train on, ` +
        `expected the ${(machineMemory() / 1e9).toFixed(0)} GB of this machine to be enough. ` +
        `Count on disk: tagloom train '${folder}' -o ${file} --engine duckdb --memory-limit ${limit}GB. Or try in memory anyway: --engine memory.`,
    );
    expect(await readdir(parent)).toEqual(['my shop']);
  });

  it('are read all the same where memory is asked for, or an engine', async () => {
    const { data, file } = await prepared();
    await truncate(join(data, 'interact.tsv'), 2 ** 42);
    const stop = new AbortController();
    const trying = runCommand(addTrain, ['train', data, '-o', file, '--engine', 'memory'], { signal: stop.signal });
    setTimeout(() => stop.abort(), 300);
    await expect(trying).rejects.not.toThrow('of memory to train on');
  });
});
