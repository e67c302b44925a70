// A table is a file with named columns: .tsv, .csv or .parquet, each optionally with .gz behind it.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { CSV, readDelimited, TSV } from './delimited.ts';
import { readParquet } from './parquet.ts';
import type { Row, TableOptions } from './table-row.ts';

const EXTENSIONS = ['.tsv', '.csv', '.parquet'] as const;
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  ENOTDIR: 'a file',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ENAMETOOLONG: 'a name that is too long',
  ELOOP: 'a link that leads to itself',
};
type Extension = (typeof EXTENSIONS)[number];

/** Reads any table; the name says which kind it is. Calls `onRow` with the wanted columns, in the order asked for. */
export async function readTable(
  path: string,
  columns: readonly string[],
  options: TableOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  const extension = extensionOf(path);
  switch (extension) {
    case '.tsv':
      return readDelimited(path, columns, { ...options, format: TSV }, onRow);
    case '.csv':
      return readDelimited(path, columns, { ...options, format: CSV }, onRow);
    case '.parquet':
      return readParquet(path, columns, options, onRow);
    case undefined:
      throw new InputError({
        file: path,
        got: 'a file of unknown kind',
        expected: `a name ending in ${EXTENSIONS.join(', ')} (and .gz)`,
        cure: 'Rename it to what it is.',
      });
    default:
      return extension satisfies never;
  }
}

/** The one table called `name` in a folder, whatever its kind; undefined where there is none. */
export async function findTable(folder: string, name: string): Promise<string | undefined> {
  const files = await listFolder(folder);
  const found = files.filter((file) =>
    EXTENSIONS.some((extension) => file === name + extension || file === `${name}${extension}.gz`),
  );
  if (found.length > 1) {
    const got = `${found.sort().join(' and ')}`;
    throw new InputError({ file: folder, got, expected: `one ${name} table`, cure: 'Remove or rename all but one.' });
  }
  return found.length === 1 ? join(folder, found[0]) : undefined;
}

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

function extensionOf(path: string): Extension | undefined {
  const plain = path.replace(/\.gz$/, '');
  return EXTENSIONS.find((extension) => plain.endsWith(extension));
}
