// Which files are which table: of a folder, of folders in it, and of a glob.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDataFiles } from '../../src/tables/data-files.ts';
import { tempFolder } from '../temp-folder.ts';

async function found(names: readonly string[], glob = '') {
  const folder = await tempFolder(Object.fromEntries(names.map((name) => [name, 'x'])));
  const { tagged, interact, objects, files } = await findDataFiles(join(folder, glob));
  const short = (path: string) => path.slice(folder.length + 1);
  return {
    tagged: tagged.paths.map(short),
    interact: interact?.paths.map(short),
    objects: objects.map(({ paths }) => paths.map(short)),
    formats: [tagged.format, interact?.format],
    numFiles: files.length,
  };
}

describe('the tables of a folder', () => {
  it('are its files, and descriptions say something about objects', async () => {
    expect(
      await found(['tagged.tsv.gz', 'interact.csv', 'objects.tsv', 'descriptions.tsv', 'README.md', 'notes.csv']),
    ).toEqual({
      tagged: ['tagged.tsv.gz'],
      interact: ['interact.csv'],
      objects: [['objects.tsv'], ['descriptions.tsv']],
      formats: ['tsv', 'csv'],
      numFiles: 4,
    });
  });

  it('may be several files or folders of them; what begins with an underscore is none', async () => {
    const names = [
      'tagged/part-0.parquet',
      'tagged/part-1.parquet',
      'tagged/_SUCCESS.parquet',
      'interact-2.parquet',
      'interact-1.parquet',
    ];
    expect(await found(names)).toMatchObject({
      tagged: ['tagged/part-0.parquet', 'tagged/part-1.parquet'],
      interact: ['interact-1.parquet', 'interact-2.parquet'],
      numFiles: 4,
    });
  });
});

describe('a folder that one table has to itself', () => {
  async function folders(names: readonly string[], glob = '') {
    const folder = await tempFolder(Object.fromEntries(names.map((name) => [name, 'x'])));
    const { tagged, interact } = await findDataFiles(join(folder, glob));
    return [tagged.folder, interact?.folder].map((path) => path?.slice(folder.length + 1));
  }

  it('is known, unless another table or a glob has a part in it', async () => {
    const parts = ['tagged/a/part-0.csv', 'tagged/b/part-1.csv', 'interact-1.csv', 'interact-2.csv'];
    expect(await folders(parts)).toEqual(['tagged', undefined]);
    expect(await folders([...parts, 'tagged/interact.csv'])).toEqual([undefined, undefined]);
    expect(await folders([...parts, 'tagged/c/part-2.csv'], '**/*-{0,1}.csv')).toEqual([undefined, undefined]);
  });
});

describe('a glob', () => {
  it('takes the files that match it', async () => {
    const names = [
      '2024/tagged.parquet',
      '2025/tagged.parquet',
      '2025/interact.parquet',
      '2023/tagged.parquet',
      '2025/tagged.csv',
    ];
    expect(await found(names, '{2024,2025}/*.parquet')).toMatchObject({
      tagged: ['2024/tagged.parquet', '2025/tagged.parquet'],
      interact: ['2025/interact.parquet'],
    });
    expect(await found(names, '**/tagged.parquet')).toMatchObject({ numFiles: 3 });
    expect(await found(names, '202?/tagged.c*')).toMatchObject({ tagged: ['2025/tagged.csv'] });
  });
});

describe('errors', () => {
  it('say which files are there where none is called tagged', async () => {
    await expect(found(['labels.csv', 'interact.csv'])).rejects.toThrow(
      /the files interact.csv, labels.csv, expected a table called tagged/,
    );
    await expect(findDataFiles('/nowhere/at/all')).rejects.toThrow('no such folder');
  });

  it('refuse a table in two formats, and gzipped Parquet', async () => {
    await expect(found(['tagged.csv', 'tagged.tsv'])).rejects.toThrow(
      'files of several formats for the table tagged (csv, tsv)',
    );
    await expect(found(['tagged.parquet.gz'])).rejects.toThrow('Unpack it');
  });
});
