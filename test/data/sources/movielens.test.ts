import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../../src/data/knowledge-graph.ts';
import { readMovieLens } from '../../../src/data/sources/movielens.ts';
import { CancelledError } from '../../../src/errors.ts';
import { factsOf, latin1, listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const MOVIES = '1::Paper Moons (1990)::Drama|Comedy\n2::Café Nine (1991)::Drama\n3::Unseen (1992)::Horror\n';
const RATINGS = '10::1::5::900\n10::2::1::901\n11::2::3::902\n';
const TAGS = ['10::1::slow::1', '11::1::Slow ::2', '10::2::slow::3', '12::2::noir::4', '12::99::noir::5'].join('\n');

const DAT = { 'movies.dat': MOVIES, 'ratings.dat': RATINGS };

describe('the three forms of a release', () => {
  test('.dat files give films, ratings of any value and genres', async () => {
    const graph = await readMovieLens(await makeRelease(DAT));
    expect(factsOf(graph)).toEqual({
      interact: ['10\t1', '10\t2', '11\t2'],
      tagged: ['1\tcomedy', '1\tdrama', '2\tdrama', '3\thorror'],
      titles: ['1\tPaper Moons (1990)', '2\tCafé Nine (1991)', '3\tUnseen (1992)'],
    });
  });

  test('a folder called u.data does not make its ratings.dat tab-separated', async () => {
    const folder = join(await makeRelease({}), 'u.data');
    await cp(await makeRelease(DAT), folder, { recursive: true });
    expect(factsOf(await readMovieLens(folder)).interact).toEqual(['10\t1', '10\t2', '11\t2']);
  });

  test('.csv files, gzipped, quoted and out of column order, give the same graph', async () => {
    const csv = await makeRelease({
      'movies.csv.gz':
        'title,movieId,genres\n"Paper Moons (1990)",1,Drama|Comedy\nCafé Nine (1991),2,Drama\nUnseen (1992),3,Horror\n',
      'ratings.csv.gz': 'userId,movieId,rating,timestamp\r\n10,1,5.0,900\r\n10,2,0.5,901\r\n11,2,3,902',
    });
    expect(fingerprint(await readMovieLens(csv))).toBe(fingerprint(await readMovieLens(await makeRelease(DAT))));
  });

  test('ml-100k files in Latin-1, with genre flags, give the same graph', async () => {
    const folder = await makeRelease({
      'u.data': '10\t1\t5\t900\n10\t2\t1\t901\n11\t2\t3\t902\n',
      'u.genre': 'unknown|0\nComedy|1\nDrama|2\nHorror|3\n\n',
      'u.item': latin1(
        '1|Paper Moons (1990)|01-Jan-1990||http://x|0|1|1|0\n2|Café Nine (1991)|||http://x|0|0|1|0\n3|Unseen (1992)||||0|0|0|1\n',
      ),
    });
    expect(fingerprint(await readMovieLens(folder))).toBe(fingerprint(await readMovieLens(await makeRelease(DAT))));
  });

  test('a Latin-1 movies.dat keeps its accents', async () => {
    const folder = await makeRelease({ ...DAT, 'movies.dat': latin1(MOVIES) });
    expect(factsOf(await readMovieLens(folder)).titles).toContain('2\tCafé Nine (1991)');
  });

  test('a part of the ratings under a longer name will do', async () => {
    const folder = await makeRelease({ 'movies.dat': MOVIES, 'ratings.first2.dat.gz': '10::1::5::9\n10::2::1::9' });
    expect((await readMovieLens(folder)).interact.size).toBe(2);
  });

  test('a film title that holds "::" is read whole', async () => {
    const folder = await makeRelease({ ...DAT, 'movies.dat': '1::Off::On (1990)::Drama\n2::X:::Drama\n' });
    expect(factsOf(await readMovieLens(folder)).titles).toEqual(['1\tOff::On (1990)', '2\tX:']);
  });

  test('the flag "unknown" and "(no genres listed)" are not tags', async () => {
    const csv = 'movieId,title,genres\n1,A,(no genres listed)\n2,B,Drama\n';
    const folder = await makeRelease({ 'movies.csv': csv, 'ratings.dat': RATINGS });
    expect(factsOf(await readMovieLens(folder)).tagged).toEqual(['2\tdrama']);
    const flags = await makeRelease({
      'u.data': '10\t1\t5\t900\n',
      'u.genre': 'unknown|0\nDrama|1\n',
      'u.item': '1|A||||1|0\n2|B||||0|1\n',
    });
    expect(factsOf(await readMovieLens(flags)).tagged).toEqual(['2\tdrama']);
  });
});

describe('user tags', () => {
  const tagged = async (options: Parameters<typeof readMovieLens>[1], tags = TAGS) =>
    factsOf(await readMovieLens(await makeRelease({ ...DAT, 'tags.dat': tags }), { genres: false, ...options })).tagged;

  test('the folder’s own tags count beside the genres', async () => {
    expect(await tagged({ genres: true })).toHaveLength(4 + 3);
    expect(await tagged({})).toEqual(['1\tslow', '2\tnoir', '2\tslow']);
  });

  test('userTags: false leaves only genres', async () => {
    expect(await tagged({ userTags: false, genres: true })).toHaveLength(4);
  });

  test('minObjects counts listed films only', async () => {
    expect(await tagged({ minObjects: 2 })).toEqual(['1\tslow', '2\tslow']);
  });

  test('minPairUsers counts distinct users of the film and the tag', async () => {
    expect(await tagged({ minPairUsers: 2 })).toEqual(['1\tslow']);
    expect(await tagged({ minPairUsers: 2 }, '10::1::slow::1\n10::1::SLOW::2\n11::1::fun::1\n12::1::fun::1')).toEqual([
      '1\tfun',
    ]);
  });

  test('minTagUsers keeps a pair of one user if its tag has enough users', async () => {
    expect(await tagged({ minPairUsers: 2, minTagUsers: 2 })).toEqual(['1\tslow', '2\tslow']);
  });

  test('minTagUsers alone asks for nothing but users of the tag', async () => {
    expect(await tagged({ minTagUsers: 2 })).toEqual(['1\tslow', '2\tslow']);
  });

  test('films of a tag are counted before pairs are left out', async () => {
    expect(await tagged({ minObjects: 2, minPairUsers: 2 })).toEqual(['1\tslow']);
  });

  test('a tag may hold "::", end in a colon, and hold entities and odd spaces', async () => {
    const tags = '1::1::a::b::7\n1::1::Read Me:::7\n1::2::Tom &amp;  Jerry&#39;s::7\n1::2:: ::7\n';
    expect(await tagged({}, tags)).toEqual(['1\ta::b', '1\tread me:', "2\ttom & jerry's"]);
  });

  test('tags.csv is read with its quotes', async () => {
    const csv = 'userId,movieId,tag,timestamp\n1,1,"slow, ""very"" slow",5\n1,2,Noir,5\n';
    const folder = await makeRelease({ ...DAT, 'tags.csv': csv });
    expect(factsOf(await readMovieLens(folder, { genres: false })).tagged).toEqual(['1\tslow, "very" slow', '2\tnoir']);
  });

  test('the tags of another release take the place of the folder’s own', async () => {
    const other = await makeRelease({ 'tags.dat.gz': '5::3::eerie::1\n' });
    const { warnings, options } = listening();
    expect(await tagged({ ...options, tags: join(other, 'tags.dat.gz') })).toEqual(['3\teerie']);
    expect(warnings).toEqual([]);
  });

  test('rows about films that are not listed are left out and counted', async () => {
    const folder = await makeRelease({ ...DAT, 'tags.dat': TAGS, 'ratings.dat': `${RATINGS}77::98::5::1\n` });
    const { warnings, options } = listening();
    const graph = await readMovieLens(folder, options);
    expect(graph.users.idOf('77')).toBe(-1);
    expect(graph.objects.size).toBe(3);
    expect(warnings).toEqual([
      'ratings.dat: left out 1 row whose object is not in movies.dat.',
      'tags.dat: left out 1 row whose object is not in movies.dat.',
    ]);
  });
});

describe('what it refuses', () => {
  const problem = async (files: Record<string, string | Uint8Array>, options = {}) => {
    const folder = await makeRelease(files);
    return problemOf(readMovieLens(folder, options), folder);
  };

  test('a folder that is not there, or is a file', async () => {
    const folder = await makeRelease({ 'a.txt': '' });
    expect(await problemOf(readMovieLens(join(folder, 'no')), folder)).toContain(
      'no: got no such folder, expected a folder. Correct the path: ',
    );
    expect(await problemOf(readMovieLens(join(folder, 'a.txt')), folder)).toContain('got a file, expected a folder');
  });

  test('a folder without ratings, without films, or with nothing', async () => {
    expect(await problem({ 'movies.dat': MOVIES })).toContain(
      'got a folder with movies.dat, expected ratings.dat, ratings.csv or u.data',
    );
    expect(await problem({ 'ratings.dat': RATINGS })).toContain('expected movies.dat, movies.csv or u.item');
    expect(await problem({})).toContain('got an empty folder');
  });

  test('two files that could be meant', async () => {
    expect(await problem({ ...DAT, 'ratings.csv': '' })).toContain(
      'got ratings.csv and ratings.dat, expected one ratings.dat, ratings.csv or u.data',
    );
    expect(await problem({ ...DAT, 'movies.dat.gz': MOVIES })).toContain('got movies.dat and movies.dat.gz');
  });

  test('options that leave no tags', async () => {
    expect(await problem(DAT, { genres: false })).toContain('got no genres asked for and no tags file');
    expect(await problem(DAT, { genres: false, userTags: false })).toContain('got neither genres nor user tags');
  });

  test('filters that no tag passes', async () => {
    expect(await problem({ ...DAT, 'tags.dat': TAGS }, { genres: false, minObjects: 9 })).toMatch(
      /^tags.dat: got no tags/,
    );
  });

  test('ratings of films that are all unknown, or no ratings', async () => {
    expect(await problem({ ...DAT, 'ratings.dat': '1::77::5::1\n' })).toMatch(/^ratings.dat: got no interactions/);
    expect(await problem({ ...DAT, 'ratings.dat': '' })).toMatch(/^ratings.dat: got no interactions/);
  });

  test('a tags file of unknown kind or that is missing', async () => {
    expect(await problem(DAT, { tags: 'tags.json' })).toContain('got a tags file of unknown kind');
    expect(await problem(DAT, { tags: 'nowhere/tags.dat' })).toContain('nowhere/tags.dat: got no such file');
  });

  test('lines that are cut short, with file and line', async () => {
    expect(await problem({ ...DAT, 'movies.dat': '1::A::Drama\n\n2::B\n' })).toContain(
      'movies.dat, line 3: got "2::B", expected MovieID::Title::Genres',
    );
    expect(await problem({ ...DAT, 'movies.dat': '::A::Drama\n' })).toContain('line 1: got "::A::Drama"');
    expect(await problem({ ...DAT, 'ratings.dat': '1::1::5\n' })).toContain('ratings.dat, line 1: got 3 fields');
    expect(await problem({ ...DAT, 'tags.dat': '1::1::x::1\n1::1::x\n' })).toContain('tags.dat, line 2: got "1::1::x"');
  });

  test('a .csv without its columns', async () => {
    expect(await problem({ 'movies.dat': MOVIES, 'ratings.csv': 'user,film\n1,1\n' })).toContain(
      'ratings.csv, line 1: got the columns "user", "film", expected the columns "userId" and "movieId"',
    );
  });

  test('u.item without u.genre, with a wrong flag, or u.genre out of order', async () => {
    const files = { 'u.data': '1\t1\t5\t9\n', 'u.genre': 'unknown|0\nDrama|1\n', 'u.item': '1|A||||0|1\n' };
    expect(await problem({ 'u.data': files['u.data'], 'u.item': files['u.item'] })).toContain('expected u.genre');
    expect(await problem({ ...files, 'u.item': '1|A||||0|1\n2|B||||0|yes\n' })).toContain(
      'u.item, line 2: got the genre flag "yes", expected 0 or 1',
    );
    expect(await problem({ ...files, 'u.genre': 'unknown|0\nDrama|2\n' })).toContain(
      'u.genre, line 2: got the flag number "2", expected 1',
    );
    expect(await problem({ ...files, 'u.item': '1|A||||0|1|1\n' })).toContain('u.item, line 1: got 8 fields');
  });

  test('a signal that was given stops the reading', async () => {
    const folder = await makeRelease(DAT);
    await expect(readMovieLens(folder, { signal: AbortSignal.abort() })).rejects.toThrow(CancelledError);
  });
});

test('a film listed twice under two titles keeps the first of them, with a warning', async () => {
  const { warnings, options } = listening();
  const folder = await makeRelease({ ...DAT, 'movies.dat': '1::B::Drama\n1::A::Comedy\n2::C::Drama\n' });
  const { titles, tagged } = factsOf(await readMovieLens(folder, options));
  expect(titles).toEqual(['1\tA', '2\tC']);
  expect(tagged).toEqual(['1\tcomedy', '1\tdrama', '2\tdrama']);
  expect(warnings).toEqual([
    'movies.dat: 1 row gives an object another title; the first in alphabetical order is kept.',
  ]);
});
