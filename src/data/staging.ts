// Puts a folder in place whole or not at all: it is written under a temporary name beside its target and renamed at
// the end. When the writing fails or is cancelled, the temporary folder is removed and the target is as it was.

import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
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
  await refuseExisting(target, options.force ?? false);
  const path = resolve(target);
  const partial = join(dirname(path), `${basename(path)}.partial-${process.pid}`);
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    await write(partial);
    await replaceFolder(path, partial);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** At every moment either the old or the new folder exists under a name of its own. */
async function replaceFolder(path: string, partial: string): Promise<void> {
  const old = `${partial}-old`;
  const hadOld = await rename(path, old).then(
    () => true,
    () => false,
  );
  await rename(partial, path);
  if (hadOld) await rm(old, { recursive: true, force: true });
}

/** Said before any work: hours of reading must not end at a folder that cannot be written. */
export async function refuseExisting(target: string, force: boolean): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory()) {
    throw new InputError({ file: target, got: 'a file', expected: 'a folder to write', cure: 'Choose another name.' });
  }
  if (!force && (await readdir(target)).length > 0) {
    const cure = 'Choose another name, or add --force to replace it.';
    throw new InputError({ file: target, got: 'a folder that is not empty', expected: 'a new one', cure });
  }
}
