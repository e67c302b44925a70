// A file that says who uses a folder, so that nobody else does meanwhile. It holds the process id; when that process is gone,
// however it ended, the file is stale and the next one takes over. Of another machine that shares the folder (or another
// container) the process cannot be seen: there the file is stale when it was not touched for a minute.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { InputError } from '../../errors.ts';

interface Holder {
  readonly pid: number;
  /** When the process began, as the system counts it: ids are used again. Blank where that cannot be known. */
  readonly began: string;
  readonly host: string;
  /** Of one FolderLock. */
  readonly token: string;
}

const TOUCH_MS = 5_000;
const STALE_MS = 60_000; // far more than a busy program may take between two touches
const MAX_TRIES = 5; // others may be at it, too

const tokens = new Set<string>(); // held by this process

export class FolderLock {
  readonly #path: string;
  readonly #token: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
    tokens.add(token);
    this.#timer = setInterval(() => touch(path).catch(() => {}), TOUCH_MS);
    this.#timer.unref();
  }

  static async take(path: string): Promise<FolderLock> {
    const token = randomUUID();
    const own: Holder = { pid: process.pid, began: await beginningOf(process.pid), host: hostname(), token };
    const draft = `${path}.${token}`;
    await writeFile(draft, `${JSON.stringify(own)}\n`); // begins with {, see touch
    try {
      for (let i = 0; i < MAX_TRIES; i++) {
        if (await isLinked(draft, path)) return new FolderLock(path, token);
        const holder = await readHolder(path);
        if (holder !== undefined && (await isAtWork(holder, path, draft))) throw inUse(path, holder);
        await clearStale(path, holder, `${draft}.stale`);
      }
    } finally {
      await rm(draft, { force: true });
    }
    throw inUse(path, undefined);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if ((await readHolder(this.#path))?.token === this.#token) await rm(this.#path, { force: true });
    tokens.delete(this.#token);
  }
}

/** Creates the lock with its content in one step: nobody ever reads half of it. */
function isLinked(draft: string, path: string): Promise<boolean> {
  return link(draft, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Two may find it stale at once: who moves away a lock that was not stale, since the other was faster, puts it back. */
async function clearStale(path: string, holder: Holder | undefined, aside: string): Promise<void> {
  try {
    await rename(path, aside);
    const moved = await readHolder(aside);
    if (moved?.token !== holder?.token) await link(aside, path);
    await rm(aside, { force: true });
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Undefined where there is none, or none that can be read: no process that is at work left it so. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8'));
    return Number.isSafeInteger(holder?.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

async function isAtWork({ pid, began, host, token }: Holder, path: string, draft: string): Promise<boolean> {
  if (host !== hostname()) return isTouched(path, draft);
  if (pid === process.pid) return tokens.has(token); // else of an earlier process with our id
  if (!isRunning(pid)) return false;
  const current = await beginningOf(pid);
  return current === '' || began === '' || current === began;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // somebody else's
  }
}

/** When a process began, on systems that tell; "gone" for one that ended and was not yet cleared away. */
async function beginningOf(pid: number): Promise<string> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? 'gone' : rest[18]; // field 22 of proc(5)
  } catch {
    return '';
  }
}

/** By the clock of the file system, which both see. */
async function isTouched(path: string, draft: string): Promise<boolean> {
  const [lock, now] = await Promise.all([stat(path).catch(() => undefined), stat(draft)]);
  return lock !== undefined && now.mtimeMs - lock.mtimeMs < STALE_MS;
}

/** Writes its first byte anew: then it is the file system that sets the time, by its own clock. */
async function touch(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.write('{', 0).finally(() => file.close());
}

function inUse(path: string, holder: Holder | undefined): InputError {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}${whereOf(holder)}`;
  return new InputError({
    file: path,
    got: `a folder that ${who} uses`,
    expected: 'one that nobody uses',
    cure: 'Stop that process or name another folder; several instances at once need a postgres:// URL.',
  });
}

function whereOf({ host }: Holder): string {
  return host === hostname() ? '' : ` on ${host}`;
}
