// Which folder holds the database of a store, for a process that has just taken its lock.
//
// Where the process before it closed the store or has ended for sure, the folder is used as it is. Else that process may only
// be paused: it keeps its folder, which it may still write to when it resumes, and the database is copied to one with the next
// number. The highest number counts, and none is used twice, so no path that the other process knows leads to what is in use.

import { constants, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncTree } from '../../files.ts';
import type { LockFile } from '../../lock-file.ts';

const USER = 'tagloom.user'; // in a folder in use: the token of the lock of whoever uses it
const REST_MS = 50; // longer than a tick of the clock of any file system
const MAX_COPIES = 20;

/** Whether a name in the folder of a store is that of a database, or of one that is being made. */
export function isData(name: string): boolean {
  return numberOf(name) !== undefined;
}

/**
 * The path of the database, marked as in use by the holder of the lock; undefined where the lock was lost meanwhile,
 * or where another process never stops writing to what is to be copied.
 * `make` makes a database where there is none.
 */
export async function claimData(
  folder: string,
  lock: LockFile,
  make: (path: string) => Promise<void>,
): Promise<string | undefined> {
  const newest = await newestIn(folder);
  const current = join(folder, nameOf(newest));
  if (newest >= 0 && (await wasLeft(current, lock))) {
    await writeFile(join(current, USER), lock.token);
    return lock.isHeld() ? current : undefined; // whoever took over after this line finds our mark, and makes a copy
  }
  const next = join(folder, nameOf(newest + 1));
  const draft = join(folder, `${nameOf(newest + 1)}.draft-${lock.token}`);
  try {
    if (newest < 0) await make(draft);
    else if (!(await isCopied(current, draft))) return undefined;
    await writeFile(join(draft, USER), lock.token);
    await syncTree(draft);
    if (!lock.isHeld()) return undefined;
    await rename(draft, next);
    return next;
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return claimData(folder, lock, make); // the next one was made by a process that lost the lock: it acknowledged nothing
}

/** To be called while the lock is held, after the database was closed. */
export async function leaveData(data: string): Promise<void> {
  await rm(join(data, USER), { force: true });
}

/** Removes what came before a database. What has a higher number belongs to whoever took over from us. */
export async function clearOlder(data: string): Promise<void> {
  const own = numberOf(basename(data)) ?? 0;
  for (const name of await readdir(dirname(data))) {
    const number = numberOf(name);
    if (number === undefined || number > own || (number === own && !isDraft(name))) continue;
    await rm(join(dirname(data), name), { recursive: true, force: true }).catch(() => {}); // the next start tries again
  }
}

/** −1: there is none. */
async function newestIn(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => !isDraft(name));
  return Math.max(-1, ...names.map((name) => numberOf(name) ?? -1));
}

function isDraft(name: string): boolean {
  return name.includes('.draft');
}

function nameOf(number: number): string {
  return number <= 0 ? 'database' : `database.${number}`;
}

/** The number of a database or a draft of one. */
function numberOf(name: string): number | undefined {
  const found = /^database(?:\.(\d+))?(?:\.draft(-[0-9a-f-]+)?)?$/.exec(name);
  return found === null ? undefined : Number(found[1] ?? 0);
}

/** Whether nobody can be using a database any more. */
async function wasLeft(data: string, { before }: LockFile): Promise<boolean> {
  if (before.state === 'silent') return false;
  const user = await readFile(join(data, USER), 'utf8').catch(() => undefined);
  return user === undefined || (before.state === 'ended' && user === before.token);
}

/** A database that changes while it is copied would be damaged: the copy is made again until nothing changed meanwhile. */
async function isCopied(from: string, to: string): Promise<boolean> {
  for (let i = 0; i < MAX_COPIES; i++) {
    const before = await imprint(from);
    await new Promise((resolve) => setTimeout(resolve, REST_MS)); // a change after this has another time
    await rm(to, { recursive: true, force: true });
    const isWhole = await copyTree(from, to).then(
      () => true,
      (error) => {
        if (error.code !== 'ENOENT') throw error;
        return false; // a file was removed meanwhile
      },
    );
    if (isWhole && (await imprint(from)) === before) return true;
  }
  return false;
}

/** Ten times as fast as `cp` of Node, which asks much of every file. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  const entries = await readdir(from, { withFileTypes: true });
  const copies = entries.map((entry) => {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    return entry.isDirectory() ? copyTree(source, target) : copyFile(source, target, constants.COPYFILE_FICLONE);
  });
  // none goes on after an error is reported
  for (const copy of await Promise.allSettled(copies)) if (copy.status === 'rejected') throw copy.reason;
}

/** Says of all files how they were when last changed. */
async function imprint(folder: string): Promise<string> {
  const lines = (await readdir(folder, { recursive: true })).map(async (name) => {
    const found = await stat(join(folder, name), { bigint: true }).catch(() => undefined);
    return `${name} ${found?.ino} ${found?.size} ${found?.mtimeNs}`;
  });
  return (await Promise.all(lines)).sort().join('\n');
}
