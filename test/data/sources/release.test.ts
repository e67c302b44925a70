import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../src/data/knowledge-graph.ts';
import { findFile, ObjectList, pickColumn, readReleaseHeader, requireFile } from '../../../src/data/sources/release.ts';
import { parquetOf } from '../../parquet-of.ts';
import { tempFolder } from '../../temp-folder.ts';

const TAGS = { called: 'tags.dat or tags.csv', pattern: /^tags\.(dat|csv)$/ };

describe('findFile and requireFile', () => {
  it('find a file by its name, plain or gzipped', async () => {
    for (const file of ['tags.dat', 'tags.csv.gz']) {
      const folder = await tempFolder({ [file]: '', 'other.txt': '' });
      expect(await findFile(folder, TAGS)).toBe(join(folder, file));
      expect(await requireFile(folder, TAGS)).toBe(join(folder, file));
    }
  });

  it('say what is there where the file is missing, or there twice', async () => {
    const [empty, other] = [await tempFolder(), await tempFolder({ 'b.txt': '', 'a.txt': '' })];
    const twice = await tempFolder({ 'tags.dat': '', 'tags.dat.gz': '' });
    expect(await findFile(empty, TAGS)).toBeUndefined();
    await expect(requireFile(empty, TAGS)).rejects.toThrow(/got an empty folder, expected tags\.dat or tags\.csv/);
    await expect(requireFile(other, TAGS)).rejects.toThrow(/got a folder with a\.txt, b\.txt, expected tags\.dat/);
    await expect(findFile(twice, TAGS)).rejects.toThrow(/got tags\.dat and tags\.dat\.gz, expected one tags\.dat/);
  });
});

describe('readReleaseHeader', () => {
  it.each<[string, string | Uint8Array, string[]]>([
    ['x.dat', '\nuser id\t object \nu\to\n', ['user id', 'object']],
    ['x.inter', 'user_id:token\titem_id:token\n', ['user_id:token', 'item_id:token']],
    ['x.csv', '"user, id","a ""b""",c\nu,o,p\n', ['user, id', 'a "b"', 'c']],
    ['x.parquet', parquetOf('user\tobject\nu\to\n'), ['user', 'object']],
  ])('of %s gives the names of its columns', async (file, contents, expected) => {
    expect(await readReleaseHeader(join(await tempFolder({ [file]: contents }), file))).toEqual(expected);
  });

  it('refuses an empty file', async () => {
    const path = join(await tempFolder({ 'x.dat': '\n\n' }), 'x.dat');
    await expect(readReleaseHeader(path)).rejects.toThrow(`${basename(path)}: got an empty file, expected a table`);
  });
});

describe('pickColumn', () => {
  it('takes no notice of case, spaces, "_" and "-"', () => {
    expect(pickColumn(['x', 'User_ID'], ['user', 'userid'])).toBe('User_ID');
    expect(pickColumn(['x', 'user id'], ['userid'])).toBe('user id');
    expect(pickColumn(['x'], ['userid'])).toBeUndefined();
  });
});

describe('ObjectList', () => {
  it('finds listed objects alone, and adds nothing to the graph by looking', () => {
    const builder = new GraphBuilder();
    const list = new ObjectList(builder, 'dir/films.dat');
    const [a, b] = [list.add('a', ' Alpha  one '), list.add('b', '')];
    expect([list.findName('b'), list.findName('c'), list.findName('a'), list.findName('c')]).toEqual([b, -1, a, -1]);
    expect(() => list.add('c', '')).toThrow('expected the whole list before');
    const { objects, titles } = builder.finish();
    expect(objects.names.toArray()).toEqual(['a', 'b']);
    expect(titles.toArray()).toEqual(['Alpha one', 'b']);
  });

  it('warns of rows about others, once', () => {
    const warnings: string[] = [];
    const list = new ObjectList(new GraphBuilder(), 'dir/films.dat');
    for (const numRows of [0, 1, 2]) list.warnUnlisted('dir/r.dat', numRows, { warn: (text) => warnings.push(text) });
    expect(warnings).toEqual([
      'r.dat: left out 1 row whose object is not in films.dat.',
      'r.dat: left out 2 rows whose objects are not in films.dat.',
    ]);
  });
});
