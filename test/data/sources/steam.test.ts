import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { readSteam, titleKey } from '../../../src/data/sources/steam.ts';
import { factsOf, listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const GAMES = [
  "{u'id': u'620', u'app_name': u'Gear & Cog', u'title': u'Gear &amp; Cog', u'tags': [u'Puzzle', u'Co-op', u'PUZZLE ']}",
  "{u'id': u'4780', u'title': u'Lantern\\u2122: The Caf\\xe9', u'tags': [u'Base-Building &amp; Crafting'], u'price': 4.49}",
  "{u'id': u'99', u'title': u'Tagless', u'genres': [u'Action']}",
  "{u'id': u'50', u'title': u'Unplayed', u'tags': [u'Puzzle', u'Rare']}",
].join('\n');

const read = async (interactions: string, content: string | Uint8Array, options = {}) => {
  const folder = await makeRelease({ 'steam_games.json': GAMES, [interactions]: content });
  return factsOf(await readSteam(folder, { interactions: join(folder, interactions), ...options }));
};

const ALL = {
  interact: ['ann\t4780', 'ann\t620', 'bob\t620'],
  tagged: ['4780\tbase-building & crafting', '620\tco-op', '620\tpuzzle'],
  titles: ['4780\tLantern™: The Café', '620\tGear & Cog'],
};

describe('tables', () => {
  const rows = 'ann\t620\nann\t4780\nbob\t620\nbob\t99\nbob\t12345\n';

  test.each(['user\tobject', 'User_ID\tGame_ID', 'user_id\titem_id', 'userId\tappid'])(
    'a table of %s',
    async (header) => {
      expect(await read('plays.tsv', `${header}\n${rows}`)).toEqual(ALL);
    },
  );

  test('.dat is tab-separated, other columns and their order do not count', async () => {
    const dat = 'Hours\tGame_ID\tUser_ID\n1\t620\tann\n2\t4780\tann\n3\t620\tbob\n';
    expect(await read('plays.dat.gz', dat)).toEqual(ALL);
  });

  test('.csv may have quotes in its header', async () => {
    expect(
      await read('plays.csv', '"user_id","the ""other"", one",game_id\nann,x,620\nann,x,4780\nbob,x,620\n'),
    ).toEqual(ALL);
  });

  test('.parquet is read the same way', async () => {
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: 'user_id', data: ['ann', 'ann', 'bob'], type: 'STRING' },
        { name: 'game_id', data: [620, 4780, 620], type: 'INT32' },
      ],
    });
    expect(await read('plays.parquet', new Uint8Array(parquet))).toEqual(ALL);
  });

  test('a title column joins by letters and digits', async () => {
    const tsv = 'user\ttitle\nann\tGEAR AND COG\nann\tLantern - The Caf\nbob\tgear & cog!\nbob\tNo Such Game\n';
    expect(await read('plays.tsv', tsv)).toEqual(ALL);
  });

  test('names gives foreign ids their titles', async () => {
    const names = await makeRelease({
      'names.dat': 'Game_ID\tGame Name\n1\tGear &amp; Cog\n2\tLantern The Café\n3\tOther\n',
    });
    const dat = 'User_ID\tGame_ID\nann\t1\nann\t2\nbob\t1\nbob\t3\nbob\t620\n';
    expect(await read('plays.dat', dat, { names: join(names, 'names.dat') })).toEqual(ALL);
  });

  test('games that are unknown or have no tag are left out and counted', async () => {
    const { warnings, options } = listening();
    await read('plays.tsv', `user\tobject\n${rows}`, options);
    expect(warnings).toEqual([
      'plays.tsv: left out 2 interactions whose games are not in steam_games.json with a tag.',
    ]);
  });
});

describe('UCSD user files', () => {
  test('owned games, all or those played long enough', async () => {
    const lines = [
      "{'user_id': 'ann', 'items_count': 2, 'items': [{'item_id': '620', 'playtime_forever': 700}, {'item_id': '4780', 'playtime_forever': 600}]}",
      "{'user_id': 'bob', 'items': [{'item_id': '620', 'playtime_forever': 599}]}",
      "{'user_id': 'cyd', 'items': []}",
    ].join('\n');
    expect(await read('users.json.gz', lines)).toEqual(ALL);
    expect((await read('users.json', lines, { minMinutes: 600 })).interact).toEqual(['ann\t4780', 'ann\t620']);
  });

  test('reviews by user', async () => {
    const lines =
      "{'user_id': 'ann', 'reviews': [{'item_id': '620'}, {'item_id': '4780', 'recommend': True}]}\n{'user_id': 'bob', 'reviews': [{'item_id': 620}]}";
    expect(await read('reviews.json', lines)).toEqual(ALL);
  });

  test('reviews one a line, of which the username is the user', async () => {
    const lines =
      "{u'username': u'ann', u'product_id': u'620', u'user_id': u'7'}\n{u'username': u'ann', u'product_id': u'4780'}\n{u'username': u'bob', u'product_id': u'620'}";
    expect(await read('reviews.json', lines)).toEqual(ALL);
  });
});

describe('games', () => {
  const one = async (games: string, plays = 'user\tobject\nann\t1\nann\t2\n', options = {}) => {
    const folder = await makeRelease({ 'steam_games.json.gz': games, 'plays.tsv': plays });
    const interactions = join(folder, 'plays.tsv');
    return factsOf(await readSteam(join(folder, 'steam_games.json.gz'), { interactions, ...options }));
  };

  test('a game without any title shows its id', async () => {
    expect((await one("{'id': '1', 'tags': ['x']}")).titles).toEqual(['1\t1']);
  });

  test('a game listed twice has the tags of both', async () => {
    const games = "{'id': '1', 'title': 'A', 'tags': ['x']}\n{'id': 1, 'title': 'A', 'tags': ['y']}";
    expect((await one(games)).tagged).toEqual(['1\tx', '1\ty']);
  });

  test('of two games with one title, the lower id is meant', async () => {
    const games = "{'id': '30', 'title': 'A!', 'tags': ['x']}\n{'id': '4', 'title': 'a', 'tags': ['y']}";
    expect((await one(games, 'user\ttitle\nann\tA\n')).interact).toEqual(['ann\t4']);
  });

  test('games without an id are left out and counted', async () => {
    const { warnings, options } = listening();
    await one(
      "{'title': 'B', 'tags': ['x']}\n{'id': '1', 'tags': ['x']}\n{'id': None}",
      'user\tobject\nann\t1\n',
      options,
    );
    expect(warnings).toEqual(['steam_games.json.gz: left out 2 games without an id.']);
  });

  test('titleKey(title) keeps ASCII letters and digits, or all letters where there are none', () => {
    expect(titleKey('Gear &amp; Cog™ 2: Été')).toBe('gearandcog2t');
    expect(titleKey('三国志 13')).toBe('三国志13');
    expect(titleKey('1979!')).toBe('1979');
    expect(titleKey('…')).toBe('');
  });

  test('a title of nothing but signs joins nothing', async () => {
    const games = "{'id': '1', 'title': '!!', 'tags': ['x']}\n{'id': '2', 'title': 'B', 'tags': ['x']}";
    expect((await one(games, 'user\ttitle\nann\t??\nann\tB\n')).interact).toEqual(['ann\t2']);
  });
});

describe('what it refuses', () => {
  const problem = async (files: Record<string, string>, options = {}) => {
    const folder = await makeRelease({ 'steam_games.json': GAMES, ...files });
    const interactions = join(folder, Object.keys(files)[0]);
    return problemOf(readSteam(folder, { interactions, ...options }), folder);
  };

  test('a folder without steam_games.json, and a path that is nothing', async () => {
    const folder = await makeRelease({ 'games.json': GAMES });
    expect(await problemOf(readSteam(folder, { interactions: 'x.tsv' }), folder)).toContain(
      'got a folder with games.json, expected steam_games.json',
    );
    expect(await problemOf(readSteam(join(folder, 'no.json'), { interactions: 'x.tsv' }), folder)).toContain(
      'no.json: got no such file',
    );
  });

  test('an interactions file that is missing, empty or of unknown kind', async () => {
    expect(await problem({ 'p.tsv': '' }, { interactions: 'nowhere.tsv' })).toContain('nowhere.tsv: got no such file');
    expect(await problem({ 'p.tsv': '' })).toContain('p.tsv: got an empty file');
    expect(await problem({ 'p.txt': 'user\tobject\na\t1\n' })).toContain('got a file of unknown kind');
    expect(await problem({ 'p.parquet': 'nonsense that is no parquet' })).toContain('cannot be read as Parquet');
  });

  test('a table without a user or without a game', async () => {
    expect(await problem({ 'p.tsv': 'who\tobject\na\t620\n' })).toContain(
      'p.tsv, line 1: got the columns "who", "object", expected a user among them',
    );
    expect(await problem({ 'p.tsv': 'user\twhat\na\t620\n' })).toContain('expected a game id or a title among them');
  });

  test('a table of names without an id or a title', async () => {
    const folder = await makeRelease({ 'names.tsv': 'id\twords\n1\tx\n' });
    const problemOfNames = await problem({ 'p.tsv': 'user\tobject\na\t620\n' }, { names: join(folder, 'names.tsv') });
    expect(problemOfNames).toContain('got the columns "id", "words", expected a game id and a title');
  });

  test('interactions whose games are all unknown', async () => {
    expect(await problem({ 'p.tsv': 'user\tobject\na\t1\n' })).toMatch(/p.tsv: got no interactions.*--names/);
  });

  test('minutes asked of a file that has none', async () => {
    expect(await problem({ 'p.tsv': 'user\tobject\na\t620\n' }, { minMinutes: 5 })).toContain(
      'a table without play times',
    );
    const reviews = "{'user_id': 'a', 'reviews': [{'item_id': '620'}]}";
    expect(await problem({ 'r.json': reviews }, { minMinutes: 5 })).toContain(
      'r.json, line 1: got a game without playtime_forever',
    );
  });

  test.each([
    ["{'user_id': 'a', 'friends': []}", 'got a dict with user_id, friends, expected user_id with a list'],
    ["{'items': []}", 'got a dict with items'],
    ["{'user_id': 'a', 'items': 5}", 'got the value 5'],
    ["{'user_id': 'a', 'items': [5]}", 'got the value 5, expected a dict'],
    ["{'user_id': 'a', 'items': [{'name': 'x'}]}", 'got a game without item_id'],
    ['[1]', 'got a list, expected a dict'],
    ['{}', 'got a dict with nothing'],
    ["{'user_id'", 'got the end of the line at column 11'],
  ])('the user record %s', async (line, expected) => {
    const text = await problem({ 'u.json': `{'user_id': 'z', 'items': []}\n${line}\n` });
    expect(text).toContain('u.json, line 2: ');
    expect(text).toContain(expected);
  });

  test('a game that is no dict, and tags that are no list of texts', async () => {
    const plays = 'user\tobject\na\t1\n';
    expect(await problem({ 'p.tsv': plays, 'steam_games.json': '5' })).toContain(
      'line 1: got the value 5, expected a dict',
    );
    for (const tags of ["'x'", '[1]', '{}']) {
      expect(await problem({ 'p.tsv': plays, 'steam_games.json': `\n{'id': '1', 'tags': ${tags}}` })).toMatch(
        /steam_games.json, line 2: got .* as tags, expected a list of texts/,
      );
    }
  });
});
