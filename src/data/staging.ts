// Puts a folder in place whole or not at all: it is written under a temporary name beside its target and renamed at
// the end. When the writing fails or is cancelled, the temporary folder is removed and the target is as it was.

import { access, constants, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { InputError } from '../errors.ts';

export interface StagingOptions {
  /** Replaces a folder that is already there. */
  readonly force?: boolean;
}

export async function stageFolder(
  target: string,
  options: StagingOptions,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  const force = options.force ?? false;
  await refuseExisting(target, force);
  const path = resolve(target);
  const partial = join(dirname(path), `${basename(path)}.partial-${process.pid}`);
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    await write(partial);
    await refuseExisting(target, force); // again: another run may have been faster
    await replaceFolder(path, partial);
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {}); // the first error is the one to tell
    throw explained(error, target);
  }
}

/** At every moment either the old or the new folder exists; if the new one cannot take its place, the old one returns. */
async function replaceFolder(path: string, partial: string): Promise<void> {
  const old = `${partial}-old`;
  const hadOld = await rename(path, old).then(
    () => true,
    () => false,
  );
  try {
    await rename(partial, path);
  } catch (error) {
    if (hadOld) await rename(old, path).catch(() => {}); // where it fails, the place is taken by another run
    throw error;
  }
  if (hadOld) await rm(old, { recursive: true, force: true });
}

/**
 * Said before any work: hours of reading must not end at a folder that cannot be written, nor with its own `input`
 * replaced by what was made from it.
 */
export async function refuseExisting(target: string, force: boolean, input?: string): Promise<void> {
  if (target.trim() === '') {
    const cure = 'Name the folder; in a script, check that the variable is set.';
    throw new InputError({ got: 'an empty name', expected: 'a folder to write', cure });
  }
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return requireWritable(target);
  if (!found.isDirectory()) {
    throw new InputError({ file: target, got: 'a file', expected: 'a folder to write', cure: 'Choose another name.' });
  }
  if (!force && (await list(target)).length > 0) {
    const cure = 'Choose another name, or add --force to replace it.';
    throw new InputError({ file: target, got: 'a folder that is not empty', expected: 'a new one', cure });
  }
  await refuseToReplace(target, resolve(), 'the folder you are in, or one around it');
  if (input !== undefined) await refuseToReplace(target, input, `the folder that holds ${input}, which is to be read`);
  await requireWritable(target);
}

/** The same for a single file, whose folder must be there. */
export async function refuseExistingFile(target: string, force: boolean): Promise<void> {
  if (target.trim() === '') {
    const cure = 'Name the file; in a script, check that the variable is set.';
    throw new InputError({ got: 'an empty name', expected: 'a file to write', cure });
  }
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new InputError({ file: target, got: 'a folder', expected: 'a file to write', cure: 'Choose another name.' });
  }
  if (found !== undefined && !force) {
    const cure = 'Choose another name, or add --force to replace it.';
    throw new InputError({ file: target, got: 'a file that is there', expected: 'a new one', cure });
  }
  const folder = dirname(resolve(target));
  if (await isMissing(folder)) {
    throw new InputError({ file: target, got: 'no such folder', expected: 'one to write in', cure: 'Make it first.' });
  }
  await requireWritable(target);
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => {
    throw explained(error, folder);
  });
}

/** Replacing a folder deletes it, so it must not hold what is still needed. */
async function refuseToReplace(target: string, needed: string, got: string): Promise<void> {
  const [outer, inner] = await Promise.all([target, needed].map((path) => realpath(path).catch(() => resolve(path))));
  const path = relative(outer, inner);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return;
  throw new InputError({ file: target, got, expected: 'a folder of its own', cure: 'Choose another name.' });
}

/** The folder is made beside its target, so the nearest parent that exists must take new entries. */
async function requireWritable(target: string): Promise<void> {
  let parent = dirname(resolve(target));
  while (parent !== dirname(parent) && (await isMissing(parent))) parent = dirname(parent);
  const found = await stat(parent).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw explained({ code: 'ENOTDIR' }, target);
  await access(parent, constants.W_OK).catch((error) => {
    throw explained(error, target);
  });
}

async function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  );
}

const NO_PERMISSION = { got: 'no permission to write there', cure: 'Choose another place, or change its permissions.' };
const DISK_FULL = { got: 'a full disk', cure: 'Make room, or choose another disk.' };
const FILE_AS_PARENT = { got: 'a file where a folder above it should be', cure: 'Choose another name.' };
const BY_CODE: Readonly<Record<string, { got: string; cure: string }>> = {
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: NO_PERMISSION,
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  ENOTDIR: FILE_AS_PARENT,
  ENAMETOOLONG: { got: 'a name that is too long', cure: 'Choose a shorter name.' },
  ENOTEMPTY: { got: 'a folder that another run has just written', cure: 'Give each run a folder of its own.' },
};

/** What the system says of the target, where its owner can mend it; any other error as it is. */
function explained(error: unknown, target: string): unknown {
  const known = BY_CODE[(error as NodeJS.ErrnoException).code ?? ''];
  return known === undefined
    ? error
    : new InputError({ ...known, file: target, expected: 'a folder to write' }, { cause: error });
}
