import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { type Holder, LockFile } from '../src/lock-file.ts';
import { tempFolder } from './temp-folder.ts';

const BUILT = new URL('../dist/lock-file.js', import.meta.url);
const take = (path: string) => LockFile.take(path, (who) => new Error(`${who} has it`));

async function locked(content: unknown): Promise<string> {
  const path = join(await tempFolder(), 'lock');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const holderOf = async (path: string): Promise<Holder> => JSON.parse(await readFile(path, 'utf8'));

/** What a lock of this process holds, but for the token. */
async function ownHolder(): Promise<Holder> {
  const path = join(await tempFolder(), 'lock');
  const lock = await take(path);
  const own = await holderOf(path);
  await lock.release();
  return { ...own, token: 'of nobody' };
}

describe('a lock file', () => {
  it('is taken by one and given back', async () => {
    const path = join(await tempFolder(), 'lock');
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => take(path)));
    const taken = results.filter((result) => result.status === 'fulfilled');
    expect(taken).toHaveLength(1);
    expect(await holderOf(path)).toMatchObject({ pid: process.pid });
    await expect(take(path)).rejects.toThrow(`process ${process.pid} has it`);
    await taken[0].value.release();
    expect(await readdir(join(path, '..'))).toEqual([]);
  });

  it('is taken over at once from a process that is gone, or whose id another process has now', async () => {
    const own = await ownHolder();
    const parent = process.ppid;
    for (const stale of [
      { ...own, pid: 2 ** 30 },
      { ...own, began: 'earlier' },
      ...(own.began === '' ? [] : [{ ...own, pid: parent, began: 'earlier' }]),
    ]) {
      const path = await locked(stale);
      const lock = await take(path);
      expect((await holderOf(path)).pid, JSON.stringify(stale)).toBe(process.pid);
      await lock.release();
    }
    await expect(take(await locked({ ...own, pid: parent, began: '' }))).rejects.toThrow(`process ${parent} has it`);
  });

  it('counts while it is touched where the process cannot be seen, even with our host name and process id', async () => {
    const own = await ownHolder();
    const unseen = [
      { ...own, host: 'elsewhere', pid: 7 },
      { ...own, space: 'another container' },
      { ...own, space: '', began: '' },
    ];
    for (const holder of unseen) {
      const path = await locked(holder);
      setTimeout(() => writeFile(path, JSON.stringify(holder)), 300); // a sign of life
      await expect(take(path)).rejects.toThrow(holder.pid === 7 ? 'process 7 on elsewhere' : 'has it');
      await utimes(path, 0, 0);
      await (await take(path)).release();
    }
    for (const damaged of ['', 'nonsense']) {
      const path = await locked(damaged);
      await utimes(path, 0, 0);
      await (await take(path)).release();
    }
  });

  it('counts in other threads of the same process', async () => {
    const path = join(await tempFolder(), 'lock');
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(${JSON.stringify(BUILT.href)})
        .then(({ LockFile }) => LockFile.take(workerData, (who) => new Error(who)))
        .then(() => parentPort.postMessage('taken'));
      setInterval(() => {}, 1000);`;
    const thread = new Worker(code, { eval: true, workerData: path });
    await new Promise((resolve) => thread.once('message', resolve));
    try {
      await expect(take(path)).rejects.toThrow(`process ${process.pid} has it`);
    } finally {
      await thread.terminate();
    }
  });

  it('knows when it is lost: replaced, removed or damaged, and never touches or removes the lock of another', async () => {
    const other = { ...(await ownHolder()), pid: 7, host: 'elsewhere' };
    for (const [found, who] of [
      [JSON.stringify(other), 'process 7 on elsewhere'],
      [undefined, 'another process'],
      ['', 'another process'],
    ]) {
      const path = join(await tempFolder(), 'lock');
      const lock = await take(path);
      const told: string[] = [];
      lock.onLost((name) => told.push(name));
      expect([lock.isHeld(), lock.before]).toEqual([true, { state: 'nothing' }]);
      await rm(path);
      if (found !== undefined) await writeFile(path, found);
      expect([lock.isHeld(), lock.isHeld(), told]).toEqual([false, false, [who]]);
      await writeFile(path, JSON.stringify({ ...other, token: lock.token })); // too late
      expect(lock.isHeld()).toBe(false);
      await lock.release();
      expect(await readdir(join(path, '..'))).toEqual(['lock']);
    }
  });

  it('tells what was found, and of several that find it stale at once one has it', async () => {
    const own = await ownHolder();
    const path = await locked({ ...own, pid: 2 ** 30, token: 'of the dead' });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => take(path)));
    const taken = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(taken.filter((lock) => lock.isHeld())).toHaveLength(1);
    expect(taken).toHaveLength(1);
    expect(taken[0].before.state).toBe('ended');
    await taken[0].release();
    await writeFile(path, JSON.stringify({ ...own, space: 'another container' }));
    await utimes(path, 0, 0);
    const silent = await take(path);
    expect(silent.before).toEqual({ state: 'silent', token: own.token });
    await silent.release();
    expect(await readdir(join(path, '..'))).toEqual([]);
  });
});
