// What the system says when a path cannot be read or written, as something its owner can correct.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from './errors.ts';

/** An error of the system while `path` was read; any other error as it is. `whenMissing`: how to make such a file. */
export function readFailure(error: unknown, path: string, expected = 'a readable file', whenMissing = ''): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const isFolder = expected.startsWith('a folder');
  if (code === 'ENOENT' || (code === 'ENOTDIR' && !isFolder)) {
    const got = `no such ${isFolder ? 'folder' : 'file'}`;
    const cure = [howToCorrect(path), whenMissing].filter((part) => part !== '').join(' ');
    return new InputError({ file: path, got, expected, cure }, { cause: error });
  }
  return new InputError({ file: path, ...(READING[code] ?? ANY[code] ?? unknown(error)), expected }, { cause: error });
}

/** The same while `target` was written. */
export function writeFailure(error: unknown, target: string, expected = 'a file to write'): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const { path = target, syscall = '' } = error as NodeJS.ErrnoException;
  const isCreation = code === 'ENOENT' && ['mkdir', 'open'].includes(syscall);
  const words =
    isCreation && existsSync(dirname(resolve(path))) ? UNCREATABLE : (WRITING[code] ?? ANY[code] ?? unknown(error));
  return new InputError({ file: target, ...words, expected }, { cause: error });
}

type Words = Readonly<Record<string, { readonly got: string; readonly cure: string }>>;

const TOO_MANY = {
  got: 'too many open files',
  cure: 'Stop other programs, or raise the limit (ulimit -n).',
};
const ANY: Words = {
  ELOOP: { got: 'a link that leads to itself', cure: 'Remove the link, or name what it should lead to.' },
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  EIO: { got: 'a disk that fails', cure: 'Copy the data to another disk.' },
  EBUSY: { got: 'a file that another program holds', cure: 'Close that program, and try again.' },
  ESTALE: { got: 'a network folder that went away', cure: 'Mount it again.' },
};
const UNREADABLE = {
  got: 'no permission to read it',
  cure: 'Change its permissions, or run as a user that may read it.',
};
const READING: Words = {
  EACCES: UNREADABLE,
  EPERM: UNREADABLE,
  EISDIR: { got: 'a folder', cure: 'Name a file in it.' },
  ENOTDIR: { got: 'a file', cure: 'Name the folder that it is in.' },
  ENAMETOOLONG: { got: 'a name that is too long', cure: 'Correct the path.' },
};
const UNWRITABLE = { got: 'no permission to write there', cure: 'Choose another place, or change its permissions.' };
// such as /proc, of which the system says that what is to be created is not there
const UNCREATABLE = { got: 'a folder in which nothing can be created', cure: 'Choose another place.' };
const FULL = { got: 'a full disk', cure: 'Make room, or choose another disk.' };
const WRITING: Words = {
  ENOENT: { got: 'a folder that is not there', cure: 'Create the folder first, and leave it in place meanwhile.' },
  EACCES: UNWRITABLE,
  EPERM: UNWRITABLE,
  EROFS: { got: 'a disk that is read-only', cure: 'Choose another disk.' },
  ENOSPC: FULL,
  EDQUOT: { got: 'a disk quota that is used up', cure: 'Make room, or choose another disk.' },
  EFBIG: { got: 'more data than a file on this disk may hold', cure: 'Choose another disk.' },
  EISDIR: { got: 'a folder', cure: 'Choose another name.' },
  ENOTDIR: { got: 'a file where a folder above it should be', cure: 'Choose another name.' },
  ENAMETOOLONG: { got: 'a name that is too long', cure: 'Choose a shorter name.' },
  ENOTEMPTY: { got: 'a folder that another program has just written', cure: 'Choose another name.' },
};

/** Without the code that Node puts in front of what the system says. */
function unknown(error: unknown): { got: string; cure: string } {
  const said = /^E[A-Z0-9]+: ([^,]+)/.exec((error as Error).message)?.[1] ?? 'an unknown error';
  return { got: `an error of the system (${said})`, cure: 'Choose another place, and report this if it stays.' };
}

/** Undefined for what is no error of the system, or one of the network. */
function codeOf(error: unknown): string | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const isKnown = [ANY, READING, WRITING].some((words) => Object.hasOwn(words, code));
  return isKnown || (path !== undefined && /^E[A-Z0-9]+$/.test(code)) ? code : undefined;
}

/** Names the likely mistake in a path that leads to nothing. */
function howToCorrect(path: string): string {
  const folder = dirname(path);
  if (!existsSync(folder)) return `Correct the path: there is no folder ${folder}.`;
  const stem = (name: string) => name.toLowerCase().split('.')[0];
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // a file, or not readable: nothing to name
  }
  const similar = names.find((name) => stem(name) !== '' && stem(name) === stem(basename(path)));
  if (similar !== undefined) return `Correct the path: did you mean ${join(folder, similar)}?`;
  return `Correct the path: ${folder === '.' ? 'the folder you are in' : folder} does not hold it.`;
}
