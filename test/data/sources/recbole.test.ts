import { describe, expect, test } from 'vitest';
import { readRecBole } from '../../../src/data/sources/recbole.ts';
import { factsOf, listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const INTER = 'user_id:token\titem_id:token\trating:float\n10\t1\t5\n10\t2\t1\n11\t2\t3\n11\t9\t3\n';
const OBJECTS =
  'item_id:token\tmovie_title:token_seq\trelease_year:token\tclass:token_seq\n1\tPaper Moons\t1990\tDrama Comedy\n2\tCafé Nine\t1991\tDrama\n3\tUnseen\t\t\n';

const read = async (files: Record<string, string>, options = {}) =>
  factsOf(await readRecBole(await makeRelease(files), options));

test('a .inter and a .item file give interactions, titles and tags', async () => {
  expect(await read({ 'films.inter': INTER, 'films.item': OBJECTS })).toEqual({
    interact: ['10\t1', '10\t2', '11\t2', '11\t9'],
    tagged: ['1\tcomedy', '1\tdrama', '2\tdrama'],
    titles: ['1\tPaper Moons', '2\tCafé Nine', '3\tUnseen', '9\t9'],
  });
});

test('gzipped files and other files beside them are no trouble', async () => {
  const files = { 'films.inter.gz': INTER, 'films.item.gz': OBJECTS, 'films.user': 'x', 'other.item': 'y' };
  expect((await read(files)).tagged).toHaveLength(3);
});

test('the object is the id that both files share, wherever it stands', async () => {
  const inter = 'review_id:token\tuser_id:token\tbusiness_id:token\nr1\tu\tb\n';
  const objects = 'business_id:token\tshop_name:token_seq\tcategories:token_seq\nb\tBakery\tBread Cake\n';
  expect(await read({ 's.inter': inter, 's.item': objects })).toEqual({
    interact: ['u\tb'],
    tagged: ['b\tbread', 'b\tcake'],
    titles: ['b\tBakery'],
  });
});

test('without a column called user_id, the first token column is the user', async () => {
  const inter = 'session:token\tsong:token\ttags:token_seq\ns1\tx\tcalm\n';
  expect((await read({ 's.inter': inter })).interact).toEqual(['s1\tx']);
});

test('the tags may stand in .inter, with or without a .item file', async () => {
  const inter =
    'user_id:token\tartist_id:token\tweight:float\ttag_value:token_seq\n1\ta\t2\tRock  Indie\n2\ta\t2\t\n2\tb\t2\trock\n';
  const objects = 'artist_id:token\tname:token_seq\na\tThe Lanterns\nb\tÑandú\n';
  const tagged = ['a\tindie', 'a\trock', 'b\trock'];
  expect((await read({ 'l.inter': inter }, { tagsField: 'tag_value' })).tagged).toEqual(tagged);
  const both = await read({ 'l.inter': inter, 'l.item': objects }, { tagsField: 'tag_value' });
  expect(both.tagged).toEqual(tagged);
  expect(both.titles).toEqual(['a\tThe Lanterns', 'b\tÑandú']);
  expect(both.interact).toHaveLength(3);
});

test('tagsField chooses a column, with or without its type; a token is one tag', async () => {
  const files = { 'films.inter': INTER, 'films.item': OBJECTS };
  expect((await read(files, { tagsField: 'release_year' })).tagged).toEqual(['1\t1990', '2\t1991']);
  expect((await read(files, { tagsField: 'class:token_seq' })).tagged).toHaveLength(3);
  expect((await read(files, { tagsField: 'Movie_Title' })).tagged).toContain('1\tpaper');
});

test('an object with two titles keeps the first of them, with a warning', async () => {
  const { warnings, options } = listening();
  const files = { 'f.inter': INTER, 'f.item': `${OBJECTS}1\tA Title\t1990\tDrama\n` };
  expect((await read(files, options)).titles[0]).toBe('1\tA Title');
  expect(warnings).toEqual(['f.item: 1 row gives an object another title; the first in alphabetical order is kept.']);
});

describe('what it refuses', () => {
  const problem = async (files: Record<string, string>, options = {}) => {
    const folder = await makeRelease(files);
    return problemOf(readRecBole(folder, options), folder);
  };

  test('a folder without a .inter file, with two, or with two .item files of its name', async () => {
    expect(await problem({ 'films.item': OBJECTS })).toContain('got a folder with films.item, expected NAME.inter');
    expect(await problem({ 'a.inter': INTER, 'b.inter': INTER })).toContain('got a.inter and b.inter, expected one');
    expect(await problem({ 'a.inter': INTER, 'a.item': OBJECTS, 'a.item.gz': OBJECTS })).toContain(
      'got a.item and a.item.gz, expected one a.item',
    );
  });

  test('a header without types', async () => {
    expect(await problem({ 'a.inter': 'user_id\titem_id\n1\t2\n' })).toContain(
      'a.inter, line 1: got the column "user_id", expected name:type, with a type of token, token_seq, float, float_seq',
    );
    expect(await problem({ 'a.inter': 'user_id:text\n' })).toContain('got the column "user_id:text"');
    expect(await problem({ 'a.inter': '' })).toContain('a.inter: got an empty file');
  });

  test('files that share no id', async () => {
    const inter = 'user_id:token\tsong_id:token\n1\t2\n';
    expect(await problem({ 'a.inter': inter, 'a.item': OBJECTS })).toContain(
      'expected a user (user_id:token) and an object (a token column that a.item has too)',
    );
    expect(await problem({ 'a.inter': 'user_id:token\trating:float\n1\t2\n' })).toContain(
      'and an object (a token column)',
    );
    expect(await problem({ 'a.inter': 'rating:float\n1\n' })).toContain('expected a user');
  });

  test('no column of tags: the error lists what there is', async () => {
    const objects = 'item_id:token\ttitle:token_seq\tcrew:token_seq\n1\tA\tx y\n';
    expect(await problem({ 'a.inter': INTER, 'a.item': objects })).toMatch(
      /got the token_seq columns title, crew, expected one called class, genre.*--tags-field/,
    );
    expect(await problem({ 'a.inter': INTER })).toContain('got no token_seq column');
    expect(await problem({ 'a.inter': INTER, 'a.item': objects }, { tagsField: 'mood' })).toContain(
      'expected one called mood',
    );
    expect(await problem({ 'a.inter': INTER, 'a.item': objects }, { tagsField: 'rating' })).toContain(
      'expected one called rating',
    );
  });

  test('a column that is there twice', async () => {
    const objects = 'item_id:token\ttags:token_seq\ttags:token_seq\n1\tx\ty\n';
    expect(await problem({ 'a.inter': INTER, 'a.item': objects })).toContain('two columns named "tags:token_seq"');
  });

  test('rows that do not fit, and relations without rows', async () => {
    expect(await problem({ 'a.inter': `${INTER}1\t2\n`, 'a.item': OBJECTS })).toContain(
      'a.inter, line 6: got 2 fields',
    );
    expect(await problem({ 'a.inter': INTER.split('\n')[0], 'a.item': OBJECTS })).toContain(
      'a.inter: got no interactions',
    );
    expect(await problem({ 'a.inter': INTER, 'a.item': OBJECTS.split('\n')[0] })).toContain('a.item: got no tags');
  });
});
