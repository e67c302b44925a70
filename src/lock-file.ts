// A lock file: it says who uses a folder or writes a file, so that nobody else does at the same time. It holds the process id.
// When that process has ended, however it ended, the lock is stale and the next process takes it over at once.
//
// A process on another machine or in another container cannot be seen (two containers may even have the same host name and
// the same process ids), so a holder touches its lock every few seconds. A lock that is not touched for some time is stale.

import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, open, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Who holds a lock. */
export interface Holder {
  readonly pid: number;
  /** When the process began, in the system's own count, since ids are used again. Blank where the system does not say. */
  readonly began: string;
  readonly host: string;
  /** What the process ids belong to: a boot of a machine and a container on it. Blank where the system does not say. */
  readonly space: string;
  /** Of one LockFile. */
  readonly token: string;
}

const TOUCH_MS = 4_000;
const SILENT_MS = 20_000; // far longer than a busy program takes between two touches
const LOOK_MS = 250;
const MAX_TRIES = 5; // others may try at the same time

const tokens = new Set<string>(); // held by this thread

export class LockFile {
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

  /** Throws what `inUse` makes of the holder's name where someone else holds the lock. */
  static async take(path: string, inUse: (who: string) => Error): Promise<LockFile> {
    const own = await holderHere(randomUUID());
    const draft = `${path}.${own.token}`;
    await writeFile(draft, `${JSON.stringify(own)}\n`); // begins with {, see touch
    try {
      for (let i = 0; i < MAX_TRIES; i++) {
        if (await isPlaced(draft, path)) return new LockFile(path, own.token);
        const holder = await readHolder(path);
        if (await isHeld(path, holder, own, draft)) throw inUse(nameOf(holder));
        await clearStale(path, holder, `${draft}.stale`);
      }
    } finally {
      await rm(draft, { force: true });
    }
    throw inUse(nameOf(undefined));
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if ((await readHolder(this.#path))?.token === this.#token) await rm(this.#path, { force: true });
    tokens.delete(this.#token);
  }
}

function nameOf(holder: Holder | undefined): string {
  if (holder === undefined) return 'another process';
  return `process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}`;
}

async function holderHere(token: string): Promise<Holder> {
  const [began, space] = await Promise.all([beginningOf(process.pid), processSpace()]);
  return { pid: process.pid, began, host: hostname(), space, token };
}

const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']; // of file systems such as exFAT

/** Creates the lock with its content in one step where there are hard links; elsewhere a reader may see it empty. */
async function isPlaced(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.includes(error.code ?? '')) throw error;
      return copyFile(draft, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Two may find a lock stale at once: whoever moves away one that was just taken puts it back. */
async function clearStale(path: string, holder: Holder | undefined, aside: string): Promise<void> {
  try {
    await rename(path, aside);
    const moved = await readHolder(aside);
    if (moved?.token !== holder?.token) await isPlaced(aside, path);
    await rm(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Undefined where there is none, or none that can be read. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8'));
    return Number.isSafeInteger(holder?.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

async function isHeld(path: string, holder: Holder | undefined, own: Holder, draft: string): Promise<boolean> {
  if (holder === undefined || holder.host !== own.host || holder.space !== own.space) {
    return showsLife(path, draft);
  }
  if (holder.pid === own.pid) {
    if (tokens.has(holder.token)) return true;
    // an earlier process with this id, or another thread of this one
    return own.began !== '' && holder.began === own.began && showsLife(path, draft);
  }
  if (!isRunning(holder.pid)) return false;
  const current = await beginningOf(holder.pid);
  return current === '' || holder.began === '' || current === holder.began;
}

/** Waits until a lock is touched, gone, or was not touched for so long that its holder must have ended. */
async function showsLife(path: string, draft: string): Promise<boolean> {
  const [first, now] = [await touchedAt(path), await touchedAt(draft)]; // both by the clock of the file system
  if (first === undefined || now === undefined) return false;
  const silent = Math.max(0, now - first);
  for (let waited = 0; silent + waited < SILENT_MS; waited += LOOK_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const at = await touchedAt(path);
    if (at !== first) return at !== undefined;
  }
  return false;
}

/** Opens the file: network file systems answer a plain stat from memory. */
async function touchedAt(path: string): Promise<number | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  return file
    .stat()
    .then(({ mtimeMs }) => mtimeMs)
    .finally(() => file.close());
}

/** Writes its first byte again, so that the file system sets the time by its own clock. */
async function touch(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.write('{', 0).finally(() => file.close());
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it belongs to another user
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

/** The boot of this machine and the container in it, on systems that tell. */
async function processSpace(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
