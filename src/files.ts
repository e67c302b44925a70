// Writes files and folders whole or not at all, refuses targets that cannot be written, and lists folders.
//
// What is written goes to a temporary name beside its target, is forced to the disk and renamed. So a reader, or a run that
// is killed at any moment, finds the old contents or the new ones. A lock file beside the target refuses a second writer
// meanwhile. What a killed run left behind is removed by the next run that writes the same target.

import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CancelledError, InputError } from './errors.ts';
import { readFailure, writeFailure } from './file-failures.ts';
import { LockFile } from './lock-file.ts';

// writing

export type Contents = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface WriteFileOptions {
  /** Refuses to replace a file that is there. */
  readonly isNew?: boolean | undefined;
  /** A file that must survive, since it is being read. */
  readonly input?: string | undefined;
  /** Several may write the target at the same time, since all write the same: no lock is taken, and the last one counts. */
  readonly isShared?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FILE = 'a file to write';
const FOLDER = 'a folder to write';
const WRITE_BYTES = 1 << 24; // at a time, so that a cancelled run stops soon
const TEXT_BYTES = 1 << 16; // short texts are collected to this size

export async function writeFile(target: string, contents: Contents, options: WriteFileOptions = {}): Promise<void> {
  const refuse = () => refuseExistingFile(target, options.isNew !== true, options.input);
  await stage(target, FILE, refuse, options.isShared ?? false, {
    async write(partial, path) {
      await writeContents(partial, contents, options.signal);
      const old = await stat(path).catch(() => undefined);
      if (old !== undefined) await chmod(partial, old.mode & 0o777).catch(() => {});
    },
    place: rename,
  });
}

export interface StagingOptions {
  /** Replaces a folder that is already there. */
  readonly force?: boolean;
}

/** `write` fills the folder it is given, which then takes the place of the target. */
export async function stageFolder(
  target: string,
  options: StagingOptions,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  await stage(target, FOLDER, () => refuseExisting(target, options.force ?? false), false, {
    async write(partial) {
      await mkdir(partial);
      await write(partial);
      await syncTree(partial);
    },
    place: replaceFolder,
  });
}

const reserved = new AsyncLocalStorage<ReadonlyMap<string, LockFile>>(); // by path: what `whileReserved` holds

/** Keeps other processes from writing a file during work that ends in writing it, which only the work itself may do. */
export async function whileReserved<Result>(target: string, work: () => Promise<Result>): Promise<Result> {
  const path = await realPath(target);
  const lock = await lockOf(path, target, FILE).catch((error) => {
    throw writeFailure(error, target, FILE);
  });
  try {
    return await reserved.run(new Map([...(reserved.getStore() ?? []), [path, lock]]), work);
  } finally {
    await lock.release().catch(() => {});
  }
}

function lockOf(path: string, target: string, expected: string): Promise<LockFile> {
  return LockFile.take(`${partialPrefix(path)}lock`, (who) => inUse(target, expected, who));
}

interface Stages {
  write(partial: string, path: string): Promise<void>;
  place(partial: string, path: string): Promise<void>;
}

async function stage(
  target: string,
  expected: string,
  refuse: () => Promise<void>,
  isShared: boolean,
  { write, place }: Stages,
): Promise<void> {
  await refuse();
  const path = await realPath(target); // a link stays, what it leads to is replaced
  const folder = dirname(path);
  const partial = `${partialPrefix(path)}${randomBytes(8).toString('hex')}`;
  const held = reserved.getStore()?.get(path);
  let lock: LockFile | undefined;
  try {
    if (expected === FOLDER) await makeFolder(folder);
    if (!isShared && held === undefined) lock = await lockOf(path, target, expected);
    await clearLeftovers(path, isShared);
    await refuse(); // again: another run may have written it before the lock was taken
    await write(partial, path);
    await refuse(); // again: another program may have been faster
    if ((held ?? lock)?.isHeld() === false) throw inUse(target, expected, 'another process');
    await place(partial, path);
    await sync(folder).catch(() => {}); // not every system can force a folder to the disk
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {}); // the first error is the one to report
    throw isOf(error, folder) ? writeFailure(error, target, expected) : error;
  } finally {
    await lock?.release().catch(() => {});
  }
}

/** Names are cut where a suffix would make them too long for the file system. */
function partialPrefix(path: string): string {
  const name = basename(path);
  const label = Buffer.byteLength(name) > 180 ? createHash('sha256').update(name).digest('hex') : name;
  return join(dirname(path), `${label}.partial-`);
}

function inUse(target: string, expected: string, who: string): InputError {
  const got = `a ${expected === FILE ? 'file' : 'folder'} that ${who} is writing now`;
  const cure = 'Wait until that is done, or choose another name.';
  return new InputError({ file: target, got, expected: 'one that nobody else writes', cure });
}

const OLD = '-old';
const SHARED_MS = 3_600_000; // no small file takes an hour to write

/** Of runs that were killed. Whoever holds the lock is the only writer; without one, only what is old is known to be dead. */
async function clearLeftovers(path: string, isShared: boolean): Promise<void> {
  const prefix = basename(partialPrefix(path));
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{16}(-old)?$/.test(name.slice(prefix.length))) continue;
    const leftover = join(dirname(path), name);
    const found = await stat(leftover).catch(() => undefined);
    if (found === undefined || (isShared && Date.now() - found.mtimeMs < SHARED_MS)) continue;
    // killed between two renames of replaceFolder: this is the only copy
    if (name.endsWith(OLD) && !existsSync(path)) await rename(leftover, path);
    else await rm(leftover, { recursive: true, force: true });
  }
}

/** At every moment either the old or the new folder exists; if the new one cannot take its place, the old one returns. */
async function replaceFolder(partial: string, path: string): Promise<void> {
  const old = `${partial}${OLD}`;
  const hadOld = await rename(path, old).then(
    () => true,
    () => false,
  );
  try {
    await rename(partial, path);
  } catch (error) {
    if (hadOld) await rename(old, path).catch(() => {}); // it fails where another program has taken the place
    throw error;
  }
  if (hadOld) await rm(old, { recursive: true, force: true });
}

async function writeContents(path: string, contents: Contents, signal: AbortSignal | undefined): Promise<void> {
  const file = await open(path, 'wx');
  try {
    const isOne = typeof contents === 'string' || contents instanceof Uint8Array;
    let text = '';
    for await (const chunk of isOne ? [contents] : contents) {
      if (signal?.aborted) throw new CancelledError();
      if (typeof chunk === 'string') text += chunk;
      if (text.length < TEXT_BYTES && typeof chunk === 'string') continue;
      await append(file, Buffer.from(text), signal);
      text = '';
      if (typeof chunk !== 'string') await append(file, chunk, signal);
    }
    await append(file, Buffer.from(text), signal);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function append(file: FileHandle, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    if (signal?.aborted) throw new CancelledError();
    at += (await file.write(bytes, at, Math.min(WRITE_BYTES, bytes.length - at))).bytesWritten;
  }
}

/** Forces a folder and all in it to the disk. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      if (entry.isDirectory()) await syncTree(join(folder, entry.name));
      else if (entry.isFile()) await sync(join(folder, entry.name));
    }),
  );
  await sync(folder).catch(() => {});
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}

/**
 * Makes a folder and those above it that are missing. Node's own way (`recursive`) never ends in /proc, and says of a folder
 * that cannot be written to that it is missing.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const parent = dirname(resolve(path));
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && (await isMissing(parent))) {
      await makeFolder(parent);
      return makeFolder(path);
    }
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw error;
  }
}

// what to refuse before any work, so that hours of it do not end at a target that cannot be written

/** Refuses a target folder that is not empty unless `force`, or that cannot be written, or that holds the `input`. */
export async function refuseExisting(target: string, force: boolean, input?: string): Promise<void> {
  if (target.trim() === '') {
    const cure = 'Name the folder; in a script, check that the variable is set.';
    throw new InputError({ got: 'an empty name', expected: FOLDER, cure });
  }
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return requireWritable(target, FOLDER);
  if (!found.isDirectory()) {
    throw new InputError({ file: target, got: 'a file', expected: FOLDER, cure: 'Choose another name.' });
  }
  if (!force && (await listFolder(target)).length > 0) {
    const cure = 'Choose another name, or add --force to replace it.';
    throw new InputError({ file: target, got: 'a folder that is not empty', expected: 'a new one', cure });
  }
  await refuseToReplace(target, resolve(), 'the folder you are in, or one around it');
  if (input !== undefined) await refuseToReplace(target, input, `the folder that holds ${input}, which is to be read`);
  await requireWritable(target, FOLDER);
}

/** The same for a single file, whose folder must exist. */
export async function refuseExistingFile(target: string, force: boolean, input?: string): Promise<void> {
  const refuse = (got: string, cure: string, expected = FILE) => {
    throw new InputError({ ...(target.trim() !== '' && { file: target }), got, expected, cure });
  };
  if (target.trim() === '') refuse('an empty name', 'Name the file; in a script, check that the variable is set.');
  if (/[/\\]$/.test(target)) refuse('the name of a folder', 'Name a file in it.');
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) refuse('a folder', 'Choose another name.');
  // renaming over a device would remove it
  if (found !== undefined && !found.isFile()) refuse('a device or a pipe', 'Name a plain file.');
  if (found !== undefined && input !== undefined && (await realPath(target)) === (await realPath(input))) {
    refuse('the file that is to be read', 'Choose another name.');
  }
  if (found !== undefined && !force) {
    refuse('a file that is there', 'Choose another name, or add --force to replace it.', 'a new one');
  }
  const folder = dirname(resolve(target));
  if (await isMissing(folder)) refuse('no such folder', `Create the folder ${folder} first.`, 'one to write in');
  await requireWritable(target, FILE);
}

/** Replacing a folder deletes it, so it must not hold what is still needed. */
async function refuseToReplace(target: string, needed: string, got: string): Promise<void> {
  const path = relative(await realPath(target), await realPath(needed));
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return;
  throw new InputError({ file: target, got, expected: 'a folder of its own', cure: 'Choose another name.' });
}

/** The target is made beside its final place, so the nearest parent that exists must take new entries. */
async function requireWritable(target: string, expected: string): Promise<void> {
  let parent = dirname(await realPath(target));
  while (parent !== dirname(parent) && (await isMissing(parent))) parent = dirname(parent);
  const found = await stat(parent).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw writeFailure({ code: 'ENOTDIR' }, target, expected);
  await access(parent, constants.W_OK).catch((error) => {
    throw writeFailure(error, target, expected);
  });
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

async function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  );
}

// reading

/** The names in a folder, or what is wrong with it. */
export async function listFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => {
    throw readFailure(error, folder, 'a folder');
  });
}

/** A small file as text. `expected` and `whenMissing` as in readFailure. */
export async function readText(path: string, expected?: string, whenMissing?: string): Promise<string> {
  return readFile(path, 'utf8').catch((error) => {
    throw readFailure(error, path, expected, whenMissing);
  });
}

/** Whether an error of the system is about this folder: one of what is read meanwhile names another path. */
function isOf(error: unknown, folder: string): boolean {
  const { path } = error as NodeJS.ErrnoException;
  return typeof path !== 'string' || resolve(path).startsWith(folder);
}
