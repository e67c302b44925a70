// tagloom train with a table engine: the same file as in memory, what is left of a stopped run, and what is refused.

import { readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addTrain } from '../../src/commands/train.ts';
import { CancelledError } from '../../src/errors.ts';
import { tempFolder } from '../temp-folder.ts';
import { prepared, QUICK } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';

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
    expect(await readdir(run)).toContain('neighbours');
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

  it('say that Spark is not there yet, and what to do instead', async () => {
    const { data, file } = await prepared();
    const args = ['train', data, '-o', file, '--engine', 'spark', '--spark', 'sc://localhost:15002'];
    await expect(runCommand(addTrain, args)).rejects.toThrow('--emit-sql');
  });
});

describe('data that will not fit', () => {
  it('are refused before they are read, with an estimate and the command', async () => {
    const folder = await tempFolder({ 'tagged.tsv': 'object\ttag\na\tb\n', 'interact.tsv': '' });
    await truncate(join(folder, 'interact.tsv'), 2 ** 42); // a file of holes
    const file = join(folder, 'model');
    const refused = expect(runCommand(addTrain, ['train', folder, '-o', file])).rejects;
    await refused.toThrow(/about \d+ GB of memory to train on.*--engine duckdb --memory-limit \d+GB/);
  });
});
