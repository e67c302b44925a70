// What only the embedded database has: a folder of its own, which one process uses at a time and which outlives it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MIGRATIONS, migrate } from '../../../src/serving/reviews/migrations.ts';
import { openDatabase, ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { withoutModes } from '../../systems.ts';
import { tempFolder } from '../../temp-folder.ts';
import { emptyStoreFolder } from './embedded.ts';

vi.setConfig({ testTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

const BUILT = new URL('../../../dist/serving/reviews/review-store.js', import.meta.url);

/** Decides without end, says each time what was acknowledged, and gives up as soon as nobody listens. */
const ENDLESS = `
  const { ReviewStore } = await import(${JSON.stringify(BUILT.href)});
  const store = await ReviewStore.open(process.argv[1]);
  for (let i = 0; ; i++) {
    const pair = (tag) => ({ object: 'o' + i, tag, decision: i % 3 ? 'accept' : 'reject' });
    const [{ review }] = await store.decide([pair('x'), pair('y')]);
    if (i % 4 === 3) await store.undo(review.id);
    process.stdout.write(i + '\\n');
  }`;

/** Nothing stops root: as who it is, or as nobody. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('a review store in a folder', () => {
  it('keeps all that was acknowledged when its process is killed, and lets the next one in', async () => {
    const folder = await emptyStoreFolder();
    let numAcknowledged = 0;
    for (const numBefore of [25, 60]) {
      // the second time over what the first left behind
      const child = spawn(process.execPath, ['--input-type=module', '-e', ENDLESS, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const closed = once(child, 'close');
      for await (const line of createInterface({ input: child.stdout })) {
        numAcknowledged = Math.max(numAcknowledged, Number(line) + 1);
        if (Number(line) === numBefore) {
          await expect(ReviewStore.open(folder)).rejects.toThrow(
            new RegExp(`got a folder that process ${child.pid} uses, expected one that nobody else uses`),
          );
        }
        if (Number(line) >= numBefore) child.kill('SIGKILL'); // lines on their way still count
      }
      await closed;
    }
    const store = await ReviewStore.open(folder);
    const found = (await store.list({ limit: 10_000 })).map(({ object, tag }) => `${object} ${tag}`);
    const expected = Array.from({ length: numAcknowledged }, (_, i) => [
      ...(i % 4 === 3 ? [] : [`o${i} x`]),
      `o${i} y`,
    ]).flat();
    expect(new Set(found).size).toBe(found.length);
    const acknowledged = found.filter((one) => Number(one.slice(1, one.indexOf(' '))) < numAcknowledged);
    expect(acknowledged.sort()).toEqual(expected.sort());
    expect(found.length - acknowledged.length).toBeLessThanOrEqual(2); // decided, and killed before it could say so
    await store.close();
    expect(await readdir(folder)).toEqual(['database']);
  });

  it('is one at a time in a process, too, and is cleared of what a start that was cut short left', async () => {
    const folder = await emptyStoreFolder();
    await mkdir(join(folder, 'database.draft', 'half'), { recursive: true });
    const store = await ReviewStore.open(folder);
    expect(store.isShared).toBe(false);
    expect((await readdir(folder)).sort()).toEqual(['database', 'reviews.lock']);
    await expect(ReviewStore.open(folder)).rejects.toThrow(`got a folder that process ${process.pid} uses`);
    expect(await store.isThere()).toBe(true);
    await store.close();
    await store.close();
    expect(await store.isThere()).toBe(false);
  });

  it('is refused where a newer tagloom wrote it, and steps are taken once', async () => {
    const folder = await emptyStoreFolder();
    const database = await openDatabase(folder);
    const newest = ['create table tagloom.later (a int)', 'insert into tagloom.later values (1)'];
    const later = [...MIGRATIONS, newest];
    await migrate(database, later);
    await migrate(database, later);
    expect(await database.query('select a from tagloom.later')).toEqual([{ a: 1 }]);
    const wrong = [...later, ['create table tagloom.half (a int)', 'select nonsense']];
    await expect(migrate(database, wrong)).rejects.toThrow(/nonsense/);
    expect(await database.query("select to_regclass('tagloom.half')::text as half")).toEqual([{ half: null }]);
    await database.close();
    await expect(ReviewStore.open(folder)).rejects.toThrow(
      `got reviews of version ${later.length}, expected version ${MIGRATIONS.length} or less. A newer tagloom wrote them: use that one.`,
    );
    await expect(ReviewStore.open(folder)).rejects.toThrow(/A newer tagloom/); // and is free again
  });

  it('is not there while nothing can be written beside it', async () => {
    const folder = await emptyStoreFolder();
    const store = await ReviewStore.open(folder);
    onTestFinished(() => store.close());
    expect(await store.isThere()).toBe(true);
    await mkdir(join(folder, 'reviews.lock.probe')); // in the way of the file that is written to try
    await vi.waitFor(async () => expect(await store.isThere()).toBe(false), 10_000);
    expect(await store.counts()).toEqual({ accepted: 0, rejected: 0, unsure: 0 });
    await rmdir(join(folder, 'reviews.lock.probe'));
    await vi.waitFor(async () => expect(await store.isThere()).toBe(true), 10_000);
  });

  it.skipIf(process.platform !== 'linux')('is refused at once where nothing can be created', async () => {
    await expect(ReviewStore.open('/proc/nope')).rejects.toThrow(
      '/proc/nope: got a folder in which nothing can be created, expected a folder for reviews. Choose another place.',
    );
    await expect(ReviewStore.open('/proc/nope/deep/er')).rejects.toThrow('Choose another place.');
  });

  it.skipIf(withoutModes)(
    'says of a parent that cannot be written to what it is, and not that it is missing',
    async () => {
      const parent = await tempFolder();
      await chmod(parent, 0o555);
      for (const name of ['reviews', 'deep/reviews']) {
        await expect(asNobody(() => ReviewStore.open(join(parent, name)))).rejects.toThrow(
          'got no permission to write there, expected a folder for reviews. Choose another place, or change its permissions.',
        );
      }
    },
  );

  it('says what is wrong with the place', async () => {
    const folder = await tempFolder({ 'data/tagged.tsv': 'object\ttag\n' });
    await expect(ReviewStore.open(join(folder, 'data'))).rejects.toThrow(
      /got a folder with "tagged.tsv", expected a folder for reviews. Name an empty folder/,
    );
    await expect(ReviewStore.open(join(folder, 'data/tagged.tsv'))).rejects.toThrow(/expected a folder for reviews/);
    await expect(ReviewStore.open('mysql://me:hunter2@host/x')).rejects.toThrow(
      'got a mysql:// URL for the reviews, expected a folder or a postgres:// URL. Name a folder.',
    );
    await mkdir(join(folder, 'broken/database'), { recursive: true });
    await writeFile(join(folder, 'broken/database/PG_VERSION'), '11\n');
    await expect(ReviewStore.open(join(folder, 'broken'))).rejects.toThrow(/got a database that does not open/);
    expect(await readdir(join(folder, 'broken'))).toEqual(['database']);
  });
});
