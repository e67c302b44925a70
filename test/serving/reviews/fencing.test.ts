// A holder of the folder that was paused, and resumes after another process took over: nothing that either of them acknowledged
// is lost, and the first never writes again.

import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { UnavailableError } from '../../../src/serving/reviews/database.ts';
import { ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { withoutSignals } from '../../systems.ts';
import { emptyStoreFolder } from './embedded.ts';
import { startWriter } from './endless-writer.ts';

vi.setConfig({ testTimeout: 120_000 }); // databases take seconds to start, more on a busy machine

/** As if it were of a container nobody sees into, and silent for long. */
async function estrange(folder: string): Promise<void> {
  const path = join(folder, 'reviews.lock');
  const holder = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...holder, space: 'another container' }));
  await utimes(path, 0, 0);
}

const accept = (store: ReviewStore, prefix: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      await store.decide([{ object: `${prefix}${i}`, tag: 'x', decision: 'accept' }]);
      return `${prefix}${i}`;
    }),
  );

async function objectsIn(folder: string): Promise<string[]> {
  const store = await ReviewStore.open(folder);
  const found = (await store.list({ limit: 100_000 })).map(({ object }) => object);
  await store.close();
  return found;
}

describe('a process that used the folder and was paused', () => {
  it('leaves its lock for lost where somebody removed it, and the next one works on a copy', async () => {
    const folder = await emptyStoreFolder();
    const warnings: string[] = [];
    const first = await ReviewStore.open(folder, { warn: (message) => warnings.push(message) });
    await accept(first, 'first ', 3);
    await rm(join(folder, 'reviews.lock'));
    await expect(accept(first, 'late ', 1)).rejects.toThrow(UnavailableError);
    await expect(accept(first, 'later ', 5)).rejects.toThrow(UnavailableError);
    expect(await first.isThere()).toBe(false);
    const second = await ReviewStore.open(folder);
    expect((await readdir(folder)).sort()).toEqual(['database.1', 'reviews.lock']);
    await expect(first.list({ limit: 1 })).rejects.toThrow(UnavailableError);
    await first.close();
    expect(await second.isThere()).toBe(true);
    await accept(second, 'second ', 3);
    await second.close();
    expect(await readdir(folder)).toEqual(['database.1']);
    expect(await objectsIn(folder)).toHaveLength(7); // what was refused may be there: it was decided when the lock was gone
    expect(warnings).toHaveLength(1);
  });

  it.skipIf(withoutSignals)(
    'is refused everything when it resumes after another one took over, and nothing acknowledged is lost',
    async () => {
      const folder = await emptyStoreFolder();
      const expected: string[] = [];
      for (const round of [1, 2]) {
        const writer = startWriter(folder, `paused ${round} `);
        await writer.until(17 * round);
        writer.child.kill('SIGSTOP');
        await estrange(folder);
        const store = await ReviewStore.open(folder);
        expected.push(...(await accept(store, `second ${round} `, 20)));
        const numBefore = writer.acknowledged.size;
        writer.child.kill('SIGCONT');
        expected.push(...(await accept(store, `later ${round} `, 40)));
        await writer.until(numBefore + 200); // it ends long before
        expect(writer.told.filter((line) => line === 'refused UnavailableError')).toHaveLength(10);
        expect(writer.told.join('\n')).toMatch(/warning .*process \d+ .*took over/);
        expected.push(...(await accept(store, `last ${round} `, 20)), ...writer.acknowledged);
        await store.close();
      }
      const found = await objectsIn(folder);
      expect(new Set(found).size).toBe(found.length);
      for (const object of expected) expect(found).toContain(object);
      expect((await readdir(folder)).filter((name) => name.startsWith('database'))).toEqual(['database.2']);
    },
  );
});
