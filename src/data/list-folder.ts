// The names in a folder, or what is wrong with it.

import { readdir } from 'node:fs/promises';
import { InputError } from '../errors.ts';

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  ENOTDIR: 'a file',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ENAMETOOLONG: 'a name that is too long',
  ELOOP: 'a link that leads to itself',
};

export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const got = UNREADABLE[code ?? ''];
    if (got === undefined) throw error;
    throw new InputError({ file: folder, got, expected: 'a folder', cure: 'Check the path.' });
  }
}
