// The files of a published release, found in its folder by name, plain or with .gz behind. A release has each of its
// files once: where two files could be meant, the person has to say which.

import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import { listFolder } from '../list-folder.ts';

/** One file of a release: `pattern` matches its name without .gz, `called` is how a person calls it. */
export interface ReleaseFile {
  readonly called: string;
  readonly pattern: RegExp;
}

const MAX_SHOWN = 12;

export async function findFile(folder: string, file: ReleaseFile): Promise<string | undefined> {
  const names = await listFolder(folder);
  const found = names.filter((name) => file.pattern.test(name.replace(/\.gz$/, ''))).sort();
  if (found.length > 1) {
    const cure = 'Remove or rename all but the one to read.';
    throw new InputError({ file: folder, got: found.join(' and '), expected: `one ${file.called}`, cure });
  }
  return found.length === 1 ? join(folder, found[0]) : undefined;
}

export async function requireFile(folder: string, file: ReleaseFile): Promise<string> {
  const path = await findFile(folder, file);
  if (path !== undefined) return path;
  const names = (await listFolder(folder)).sort();
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
  throw new InputError({
    file: folder,
    got: names.length === 0 ? 'an empty folder' : `a folder with ${names.slice(0, MAX_SHOWN).join(', ')}${more}`,
    expected: `${file.called} (or the same with .gz)`,
    cure: 'Give the folder of the unpacked release, with its files named as published.',
  });
}
