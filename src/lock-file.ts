// A lock file: it says who uses a folder or writes a file, so that nobody else does at the same time. It holds the process id.
// When that process has ended, however it ended, the lock is stale and the next process takes it over at once.
//
// A process on another machine or in another container cannot be seen (two containers may even have the same host name and
// the same process ids), so a holder touches its lock every few seconds. A lock that is not touched for some time is stale.
//
// Node offers no lock that the operating system keeps, so a holder that was only paused may resume after another process took
// over. It must ask `isHeld` (the token in the file is still its own) after it wrote and before it tells anyone: what was in
// the files when the answer was yes was there before the other process began. Writes that were under way when it was paused
// cannot be stopped; whoever takes over where `before` says "silent" leaves the old files to them and works on a copy.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, copyFile, link, open, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname, networkInterfaces, platform } from 'node:os';

/** Who holds a lock. */
export interface Holder {
  readonly pid: number;
  /** When the process began, in the system's own count, since ids are used again. Blank where the system does not say. */
  readonly began: string;
  readonly host: string;
  /** What the process ids belong to, such as a boot of a machine and a container on it. Blank where the system does not say. */
  readonly space: string;
  /** Of one LockFile. */
  readonly token: string;
}

/** What was found in the place of a lock: nothing, one whose process has ended for sure, or one that nobody touches any more. */
export interface Before {
  readonly state: 'nothing' | 'ended' | 'silent';
  /** The token of the lock that was found. */
  readonly token?: string | undefined;
}

const TOUCH_MS = 4_000;
const SILENT_MS = 20_000; // far longer than a busy program takes between two touches
const LOOK_MS = 250;
const SETTLE_MS = 100; // far longer than from the last look at a stale lock to its replacement
const MAX_TRIES = 5; // others may try at the same time

const tokens = new Set<string>(); // held by this thread

export class LockFile {
  readonly token: string;
  readonly before: Before;
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;
  #isLost = false;
  #onLost: ((who: string) => void) | undefined;

  private constructor(path: string, token: string, before: Before) {
    this.#path = path;
    this.token = token;
    this.before = before;
    tokens.add(token);
    this.#timer = setInterval(() => this.#touch().catch(() => {}), TOUCH_MS);
    this.#timer.unref();
  }

  /** Throws what `inUse` makes of the holder's name where someone else holds the lock. */
  static async take(path: string, inUse: (who: string) => Error): Promise<LockFile> {
    const own = await holderHere(randomUUID());
    const draft = `${path}.${own.token}`;
    await writeFile(draft, `${JSON.stringify(own)}\n`); // begins with {, see touch
    try {
      for (let i = 0; i < MAX_TRIES; i++) {
        if (await isPlaced(draft, path)) return new LockFile(path, own.token, { state: 'nothing' });
        const holder = await readHolder(path);
        const state = await stateOf(path, holder, own, draft);
        if (state === 'held') throw inUse(nameOf(holder));
        if (!(await isReplaced(draft, path, holder))) continue;
        const lock = new LockFile(path, own.token, { state, token: holder?.token });
        await pause(SETTLE_MS); // another process may have found the same lock stale: the last one to replace it counts
        if (lock.isHeld()) return lock;
        await lock.release();
        break;
      }
    } finally {
      await rm(draft, { force: true });
    }
    throw inUse(nameOf(await readHolder(path)));
  }

  /** `told` hears once, of whoever holds it now, when the lock is found lost: at the next touch at the latest. */
  onLost(told: (who: string) => void): void {
    this.#onLost = told;
  }

  /** Whether this is still the lock that counts. One that was lost is never held again. Reads the file, in microseconds. */
  isHeld(): boolean {
    if (this.#isLost) return false;
    try {
      return this.#isOwn(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' && this.#isOwn(''); // of other errors it may recover
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    this.#onLost = undefined;
    tokens.delete(this.token);
    if (!this.isHeld()) return;
    this.#isLost = true;
    const aside = `${this.#path}.${this.token}.done`;
    try {
      await rename(this.#path, aside);
      // paused since it was read, and replaced meanwhile: the other one's goes back
      if ((await readHolder(aside))?.token !== this.token) await isPlaced(aside, this.#path);
      await rm(aside, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  #isOwn(text: string): boolean {
    const holder = parseHolder(text);
    if (holder?.token === this.token) return true;
    this.#isLost = true;
    clearInterval(this.#timer);
    this.#onLost?.(nameOf(holder));
    return false;
  }

  /** Writes its first byte again, so that the file system sets the time by its own clock. */
  async #touch(): Promise<void> {
    const file = await open(this.#path, 'r+').catch(() => undefined);
    if (file === undefined) return void this.isHeld();
    try {
      if (this.#isOwn(await file.readFile('utf8'))) await file.write('{', 0);
    } finally {
      await file.close();
    }
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

/** False where the lock is not the one that was found stale any more. */
async function isReplaced(draft: string, path: string, stale: Holder | undefined): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined || parseHolder(text)?.token !== stale?.token) return false;
  await rename(draft, path);
  return true;
}

/** Undefined where there is none, or none that can be read. */
async function readHolder(path: string): Promise<Holder | undefined> {
  return parseHolder(await readFile(path, 'utf8').catch(() => ''));
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text);
    return Number.isSafeInteger(holder?.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** A process id says something only where it is certain that both count the same processes. */
async function stateOf(
  path: string,
  holder: Holder | undefined,
  own: Holder,
  draft: string,
): Promise<'held' | 'ended' | 'silent'> {
  const byTouch = async () => ((await showsLife(path, draft)) ? 'held' : 'silent');
  if (holder === undefined || holder.host !== own.host || own.space === '' || holder.space !== own.space) {
    return byTouch();
  }
  if (holder.pid === own.pid) {
    if (tokens.has(holder.token)) return 'held';
    // an earlier process with this id, or another thread of this one
    return own.began !== '' && holder.began !== own.began ? 'ended' : byTouch();
  }
  if (!isRunning(holder.pid)) return 'ended';
  const current = await beginningOf(holder.pid);
  return current === '' || holder.began === '' || current === holder.began ? 'held' : 'ended';
}

/** Waits until a lock is touched, gone, or was not touched for so long that its holder must have ended. */
async function showsLife(path: string, draft: string): Promise<boolean> {
  const [first, now] = [await touchedAt(path), await touchedAt(draft)]; // both by the clock of the file system
  if (first === undefined || now === undefined) return false;
  const silent = Math.max(0, now - first);
  for (let waited = 0; silent + waited < SILENT_MS; waited += LOOK_MS) {
    await pause(LOOK_MS);
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
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

/** What tells this system's count of processes from any other: a boot and a container on Linux, elsewhere the network cards. */
async function processSpace(): Promise<string> {
  if (platform() !== 'linux') {
    const cards = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ mac }) => mac));
    const own = [...new Set(cards)].filter((mac) => !/^[0:]+$/.test(mac)).sort();
    return own.length === 0 ? '' : `${platform()} ${own.join(' ')}`;
  }
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
