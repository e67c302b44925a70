import { describe, expect, test } from 'vitest';
import { readLastFm } from '../../../src/data/sources/lastfm.ts';
import { factsOf, latin1, listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const FILES = {
  'artists.dat':
    'id\tname\turl\tpictureURL\n1\tThe  Lanterns\thttp://a\t\n2\tÑandú\thttp://b\thttp://p\n3\tQuiet\thttp://c\t\n',
  'tags.dat': latin1('tagID\ttagValue\r\n7\tDream  Pop \r\n8\tchansón\r\n9\tunused\r\n'),
  'user_taggedartists.dat':
    'userID\tartistID\ttagID\tday\tmonth\tyear\r\n5\t1\t7\t1\t4\t2009\r\n5\t1\t8\t1\t4\t2009\r\n6\t2\t7\t1\t4\t2009\r\n6\t2\t7\t2\t4\t2009\r\n',
  'user_artists.dat': 'userID\tartistID\tweight\r\n5\t3\t100\r\n9\t1\t2\r\n',
};

test('a user’s tag on an artist is an interaction and a tag; all artists stay', async () => {
  expect(factsOf(await readLastFm(await makeRelease(FILES)))).toEqual({
    interact: ['5\t1', '6\t2'],
    tagged: ['1\tchansón', '1\tdream  pop', '2\tdream  pop'],
    titles: ['1\tThe Lanterns', '2\tÑandú', '3\tQuiet'],
  });
});

test('only tags that some artist carries are in the graph', async () => {
  expect((await readLastFm(await makeRelease(FILES))).tags.idOf('unused')).toBe(-1);
});

test('gzipped files are read the same way', async () => {
  const gzipped = Object.fromEntries(Object.entries(FILES).map(([name, content]) => [`${name}.gz`, content]));
  expect((await readLastFm(await makeRelease(gzipped))).tagged.size).toBe(3);
});

test('listening: true takes interactions from user_artists.dat and tags from where they were', async () => {
  const facts = factsOf(await readLastFm(await makeRelease(FILES), { listening: true }));
  expect(facts.interact).toEqual(['5\t3', '9\t1']);
  expect(facts.tagged).toHaveLength(3);
});

test('rows about unknown artists or tags are left out and counted', async () => {
  const rows = `${FILES['user_taggedartists.dat']}8\t44\t7\t1\t1\t2009\r\n8\t1\t55\t1\t1\t2009\r\n8\t2\t55\t1\t1\t2009\r\n`;
  const { warnings, options } = listening();
  const graph = await readLastFm(await makeRelease({ ...FILES, 'user_taggedartists.dat': rows }), options);
  expect(graph.users.size).toBe(2);
  expect(graph.objects.size).toBe(3);
  expect(warnings).toEqual([
    'user_taggedartists.dat: left out 1 row whose object is not in artists.dat.',
    'user_taggedartists.dat: left out 2 rows whose tags are not in tags.dat.',
  ]);
});

describe('what it refuses', () => {
  const problem = async (files: Record<string, string | Uint8Array>, options = {}) => {
    const folder = await makeRelease(files);
    return problemOf(readLastFm(folder, options), folder);
  };

  test.each(['artists.dat', 'tags.dat', 'user_taggedartists.dat'] as const)('a release without %s', async (name) => {
    const { [name]: _, ...rest } = FILES;
    expect(await problem(rest)).toContain(`expected ${name} (or the same with .gz)`);
  });

  test('listening without user_artists.dat', async () => {
    const { 'user_artists.dat': _, ...rest } = FILES;
    expect(await problem(rest, { listening: true })).toContain('expected user_artists.dat');
  });

  test('a file both plain and gzipped', async () => {
    expect(await problem({ ...FILES, 'tags.dat.gz': 'x' })).toContain('got tags.dat and tags.dat.gz');
  });

  test('a header that is not the release’s', async () => {
    expect(await problem({ ...FILES, 'tags.dat': 'id\tname\n1\tx\n' })).toContain(
      'tags.dat, line 1: got the columns "id", "name"',
    );
  });

  test('a row that is cut short', async () => {
    const cut = `${FILES['user_taggedartists.dat']}5\t1\r\n`;
    expect(await problem({ ...FILES, 'user_taggedartists.dat': cut })).toContain('line 6: got 2 fields');
  });

  test('files that share no artist, and files without rows', async () => {
    const other = 'userID\tartistID\ttagID\tday\tmonth\tyear\n5\t91\t7\t1\t4\t2009\n';
    expect(await problem({ ...FILES, 'user_taggedartists.dat': other })).toContain('got no interactions');
    expect(await problem({ ...FILES, 'user_taggedartists.dat': other }, { listening: true })).toContain('got no tags');
    expect(await problem({ ...FILES, 'artists.dat': '' })).toContain('artists.dat: got an empty file');
  });
});
