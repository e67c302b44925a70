// A run that is stopped, changed or damaged: what is kept and what is computed again.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDuckdb } from '../../src/tables/duckdb/open-duckdb.ts';
import type { TableEngine } from '../../src/tables/engine.ts';
import { keyOf, RunFolder } from '../../src/tables/run-folder.ts';
import { tempFolder } from '../temp-folder.ts';
import { type CountOptions, count, loadCounted } from './stages/counted.ts';

const NPM = fileURLToPath(new URL('../../data/npm', import.meta.url));
const BUILT = new URL('../../dist/tables/', import.meta.url).href;
let engine: TableEngine;
beforeAll(async () => {
  engine = await openDuckdb({ memoryLimit: '1GB', threads: 2 });
});
afterAll(() => engine.close());

const ALL = ['neighbour_tags', 'sample'];

/** A small data set and a run of all its tables. */
async function counted(): Promise<{ data: string; run: string; again: (options?: CountOptions) => Promise<string[]> }> {
  const [data, run] = [await tempFolder(TABLES), await tempFolder()];
  await count(engine, data, { run, tables: ALL });
  return { data, run, again: (options = {}) => count(engine, data, { run, tables: ALL, ...options }) };
}

const TABLES = {
  'interact.tsv': `user\tobject\n${Array.from({ length: 60 }, (_, i) => `u${i % 7}\to${i % 11}\n`).join('')}`,
  'tagged.tsv': `object\ttag\n${Array.from({ length: 30 }, (_, i) => `o${i % 9}\tt${i % 4}\n`).join('')}`,
};

describe('a run that is done', () => {
  it('computes nothing again', async () => {
    const { again } = await counted();
    expect(await again()).toEqual([]);
  });

  it('computes again only what a changed setting touches', async () => {
    const { again } = await counted();
    expect(await again({ settings: { neighbours: 3 } })).toEqual(['neighbours', 'neighbour_tags']);
    expect(await again({ settings: { neighbours: 3, rareCount: 2 } })).toEqual(['sample']);
    const ofDamping = ['user_weights', 'object_norms', 'path_cap', 'candidates', 'neighbours', 'neighbour_tags'];
    expect(await again({ settings: { neighbours: 3, rareCount: 2, damping: 0.5 } })).toEqual(ofDamping);
  });

  it('computes everything again when a file of the data has changed', async () => {
    const { data, again } = await counted();
    const later = new Date(Date.now() + 5000);
    await utimes(join(data, 'tagged.tsv'), later, later);
    const computed = await again();
    expect(computed).toContain('object_names');
    expect(computed).toContain('sample');
  });
});

describe('damage', () => {
  it.each([
    [
      'a manifest that is no JSON',
      (folder: string) => writeFile(join(folder, '_manifest.json'), '{"version": 1, "key'),
    ],
    [
      'a manifest without files',
      (folder: string) => writeFile(join(folder, '_manifest.json'), '{"version":1,"key":"x"}'),
    ],
    ['no manifest', (folder: string) => rm(join(folder, '_manifest.json'))],
    ['a file cut short', (folder: string) => truncate(join(folder, 'part-1-of-1.parquet'), 20)],
    ['a file that is gone', (folder: string) => rm(join(folder, 'part-1-of-1.parquet'))],
  ])('such as %s: the table is computed again', async (_, damage) => {
    const { run, data, again } = await counted();
    const before = await loadCounted(engine, data, { run });
    await damage(join(run, 'neighbours'));
    expect(await again()).toEqual(['neighbours']);
    expect((await loadCounted(engine, data, { run })).neighbours).toEqual(before.neighbours);
  });
});

describe('a table in parts', () => {
  const origin = { table: 'parted', statement: 'SELECT 1', inputs: [] };
  const partialOf = (run: string) => join(run, `parted.${keyOf(origin).slice(0, 16)}.partial`);
  const write = (path: string, part: number) => writeFile(path, `part ${part}`);

  it('that failed keeps the parts that were whole, and no more than those', async () => {
    const path = await tempFolder();
    const run = await RunFolder.open(path);
    const failing = run.write(origin, 3, async (file, part) => {
      await write(file, part);
      if (part === 1) throw new Error('stopped here');
    });
    await expect(failing).rejects.toThrow('stopped here');
    expect(await run.holds('parted', keyOf(origin))).toBe(false);
    expect((await readdir(partialOf(path))).sort()).toEqual(['part-1-of-3.parquet', 'part-2-of-3.parquet.tmp']);
    const written: number[] = [];
    await run.write(origin, 3, async (file, part) => {
      written.push(part);
      await write(file, part);
    });
    expect(written).toEqual([1, 2]);
    expect(await run.holds('parted', keyOf(origin))).toBe(true);
    expect(await readdir(path)).toEqual(['parted']);
  });

  it('never mixes parts of different numbers', async () => {
    const path = await tempFolder();
    const run = await RunFolder.open(path);
    await run
      .write(origin, 2, (file, part) => (part === 1 ? Promise.reject(new Error('no')) : write(file, part)))
      .catch(() => {});
    await run.write(origin, 4, write);
    expect((await readdir(join(path, 'parted'))).filter((name) => name.startsWith('part-'))).toHaveLength(4);
  });
});

/** Counts the npm data in a process of its own, in many parts. */
function startCounting(run: string): ChildProcess {
  const script = `
    const { openDuckdb } = await import('${BUILT}duckdb/open-duckdb.js');
    const { findDataFiles } = await import('${BUILT}data-files.js');
    const { RunFolder } = await import('${BUILT}run-folder.js');
    const { runStages } = await import('${BUILT}run-stages.js');
    const settings = { neighbours: 30, damping: 0.25, rows: 200000, rareCount: 50 };
    const engine = await openDuckdb({ memoryLimit: '1GB', threads: 1, temporaryFolder: process.argv[1] + '.spilled' });
    const run = await RunFolder.open(process.argv[1]);
    const data = await findDataFiles(process.argv[2]);
    await runStages(['neighbours'], { engine, run, data, settings, memory: 3e6 }, {});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, run, NPM], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('a process killed in the middle of a stage', () => {
  it('leaves what the next one goes on from, to the same neighbours', { timeout: 120_000 }, async () => {
    const run = join(await tempFolder(), 'run');
    const child = startCounting(run);
    const exited = once(child, 'exit');
    const partsIn = async () => {
      const partial = (await readdir(run)).find((name) => /^neighbours\..*partial$/.test(name));
      return (partial ? await readdir(join(run, partial)) : []).filter((name) => name.endsWith('.parquet'));
    };
    await vi.waitFor(async () => expect((await partsIn()).length).toBeGreaterThan(1), { timeout: 60_000, interval: 5 });
    child.kill('SIGKILL');
    await exited;
    const [left] = await partsIn();
    const partial = (await readdir(run)).find((name) => name.endsWith('.partial')) as string;
    const { mtimeMs } = await stat(join(run, partial, left));
    const resumed = await loadCounted(engine, NPM, { run, memory: 3e6 });
    expect((await stat(join(run, 'neighbours', left))).mtimeMs).toBe(mtimeMs);
    const fresh = await loadCounted(engine, NPM, { run: await tempFolder() });
    expect(resumed.neighbours).toEqual(fresh.neighbours);
    expect(resumed.graph.interact).toEqual(fresh.graph.interact);
  });
});

describe('tables elsewhere', () => {
  const origin = { table: 'far', statement: 'SELECT 1', inputs: [] };

  it('are noted in the folder, each under a name of its own', async () => {
    const path = await tempFolder();
    const run = await RunFolder.open(path, 's3a://lake/run/');
    const written: string[] = [];
    await run.write(origin, 2, async (place) => void written.push(place));
    const place = `s3a://lake/run/far-${keyOf(origin).slice(0, 16)}`;
    expect(written).toEqual([`${place}/part-1-of-2.parquet`, `${place}/part-2-of-2.parquet`]);
    expect(run.filesOf('far', keyOf(origin))).toBe(place);
    expect(await run.holds('far', keyOf(origin))).toBe(true);
    expect(await readFile(join(path, 'far', 'part-2-of-2.parquet'), 'utf8')).toBe(written[1]);
  });

  it('that were stopped are written again from the part that failed', async () => {
    const run = await RunFolder.open(await tempFolder(), 's3a://lake/run');
    const written: number[] = [];
    const write = (fail: boolean) => async (_: string, part: number) => {
      if (fail && part === 1) throw new Error('stopped here');
      written.push(part);
    };
    await expect(run.write(origin, 3, write(true))).rejects.toThrow('stopped here');
    expect(await run.holds('far', keyOf(origin))).toBe(false);
    await run.write(origin, 3, write(false));
    expect(written).toEqual([0, 1, 2]);
  });
});

describe('a run folder that was moved', () => {
  it('still holds its tables', async () => {
    const { data, run } = await counted();
    const moved = join(await tempFolder(), 'moved');
    await cp(run, moved, { recursive: true });
    expect(await count(engine, data, { run: moved, tables: ALL })).toEqual([]);
    expect(JSON.parse(await readFile(join(moved, 'sample', '_manifest.json'), 'utf8')).files).toHaveProperty(
      'part-1-of-1.parquet',
    );
  });
});
