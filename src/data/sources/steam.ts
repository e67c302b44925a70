// Steam: the games and community tags of the UCSD data, joined with who plays them from a file of the person's choice.
// Only games with at least one tag and at least one interaction are kept.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { GraphBuilder, type KnowledgeGraph, requirePairs } from '../knowledge-graph.ts';
import { cleanName } from '../name.ts';
import { fieldText } from '../table/row.ts';
import { type PythonDict, type PythonValue, readPythonLines } from './python-literal.ts';
import { pickColumn, readReleaseHeader, readReleaseTable, requireFile, shownHeader } from './release.ts';
import { tagText, titleText, undoEntities } from './tag-text.ts';

export interface SteamOptions extends Listener {
  /** Who played what: a table, or one of UCSD's user files. */
  readonly interactions: string;
  /** A table of game id and title, where the ids of `interactions` are not Steam's: games are then joined by title. */
  readonly names?: string;
  /** Leaves out games a user played for fewer minutes; 0 by default. */
  readonly minMinutes?: number;
}

const USER = ['user', 'userid', 'username', 'steamid'];
const GAME = ['object', 'gameid', 'itemid', 'appid', 'productid'];
const TITLE = ['title', 'gamename', 'appname', 'name', 'game'];
const CURE_TABLE = 'Name the columns "user" and "object" (or "title") in the first line.';
const GAMES = { called: 'steam_games.json', pattern: /^steam_games\.json$/ };

/** `path` is steam_games.json, plain or gzipped, or the folder that holds it. */
export async function readSteam(path: string, options: SteamOptions): Promise<KnowledgeGraph> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  const gamesPath = isFolder ? await requireFile(path, GAMES) : path;
  const known = await readGames(gamesPath, options);
  const games = options.names === undefined ? known : await renamed(options.names, known, options);

  const builder = new GraphBuilder();
  const played = new Map<Game, number>(); // arrival id
  let numUnknown = 0;
  await readPlays(options.interactions, games, options, (user, game) => {
    if (game === undefined) {
      numUnknown++;
      return;
    }
    const object = played.get(game) ?? builder.objects.add(game.id);
    played.set(game, object);
    builder.interact.add(builder.users.add(user), object);
  });
  if (numUnknown > 0) {
    const rows = numUnknown === 1 ? '1 interaction whose game is' : `${numUnknown} interactions whose games are`;
    options.warn?.(`${basename(options.interactions)}: left out ${rows} not in ${basename(gamesPath)} with a tag.`);
  }
  for (const [game, object] of played) {
    builder.setTitle(object, game.title);
    for (const tag of game.tags) builder.tagged.add(object, builder.tags.add(tag));
  }

  const cure = `Check that its games are those of ${basename(gamesPath)}; for other ids, give their titles with --names.`;
  requirePairs(builder, { file: options.interactions, cure }, { file: gamesPath, cure });
  return builder.finish();
}

interface Game {
  readonly id: string;
  /** What to show: app_name, since `title` has entities inside entities, else title, else the id. */
  readonly title: string;
  readonly tags: ReadonlySet<string>;
}

/** Where to look a game up. Games without a tag are not found. */
interface GameFinder {
  byId(id: string): Game | undefined;
  byTitle(title: string): Game | undefined;
}

/** Reads all games with at least one tag. Of games with the same title, the lowest id is found by it. */
async function readGames(path: string, options: Listener): Promise<GameFinder> {
  const games = new Map<string, Game>();
  const titled = new Map<string, Game>(); // by titleKey
  let numNameless = 0;
  await readPythonLines(path, options, (value, line) => {
    const record = requireDict(value, path, line);
    const id = nameIn(record.get('id'));
    const tags = tagsOf(record, path, line);
    if (id === '') numNameless++;
    if (id === '' || tags.length === 0) return;
    const titles = [record.get('app_name'), record.get('title')].map((title) => titleText(undoEntities(nameIn(title))));
    const known = games.get(id);
    const title = known?.title ?? titles.find((text) => text !== '') ?? id;
    const game = { id, title, tags: new Set([...(known?.tags ?? []), ...tags]) };
    games.set(id, game);
    for (const key of titles.map(titleKey)) {
      const rival = titled.get(key);
      if (key !== '' && (rival === undefined || isLowerId(id, rival.id))) titled.set(key, game);
    }
  });
  if (numNameless > 0) {
    const rows = numNameless === 1 ? '1 game' : `${numNameless} games`;
    options.warn?.(`${basename(path)}: left out ${rows} without an id.`);
  }
  return {
    byId: (id) => games.get(id),
    byTitle: (title) => {
      const found = titled.get(titleKey(title));
      return found && games.get(found.id);
    },
  };
}

/** ASCII, since lists made elsewhere often lost every other letter; a title without any ASCII letter keeps its own. */
export function titleKey(title: string): string {
  const text = undoEntities(title).toLowerCase().replaceAll('&', 'and');
  const ascii = text.replace(/[^a-z0-9]+/g, '');
  return /[a-z]/.test(ascii) ? ascii : text.replace(/[^\p{L}\p{N}]+/gu, '');
}

function requireDict(value: PythonValue | undefined, path: string, line: number): PythonDict {
  if (value instanceof Map) return value;
  const cure = 'Take the file as published: one dict a line.';
  throw new InputError({ file: path, line, got: shown(value), expected: 'a dict', cure });
}

/** An id or title as a clean name; '' where there is none. */
function nameIn(value: PythonValue | undefined): string {
  if (typeof value === 'string') return cleanName(value);
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

function shown(value: PythonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value instanceof Map) return 'a dict';
  return Array.isArray(value) ? 'a list' : `the value ${String(value).slice(0, 60)}`;
}

function tagsOf(record: PythonDict, path: string, line: number): string[] {
  const tags = record.get('tags') ?? null;
  if (tags === null) return [];
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string')) {
    const cure = 'Mend or remove this line.';
    throw new InputError({ file: path, line, got: `${shown(tags)} as tags`, expected: 'a list of texts', cure });
  }
  return tags.map((tag) => tagText(tag)).filter((tag) => tag !== '');
}

/** Steam's ids are numbers: "620" comes before "4780". */
function isLowerId(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

interface PlayOptions extends Listener {
  /** Leaves out games played for fewer minutes; only for files with play times. */
  readonly minMinutes?: number;
}

/** `game` is undefined where the row names a game that is not known. */
type OnPlay = (user: string, game: Game | undefined) => void;

async function readPlays(path: string, games: GameFinder, options: PlayOptions, onPlay: OnPlay): Promise<void> {
  return /\.json(\.gz)?$/.test(path)
    ? readUserFile(path, games, options, onPlay)
    : readPlayTable(path, games, options, onPlay);
}

/** Games by the ids of another list, through the titles that list gives them. */
async function renamed(path: string, games: GameFinder, options: Listener): Promise<GameFinder> {
  const header = await readReleaseHeader(path);
  const columns = [pickColumn(header, GAME), pickColumn(header, TITLE)];
  const [id, title] = columns;
  if (id === undefined || title === undefined) {
    const expected = 'a game id and a title';
    const cure = 'Name the columns "object" and "title" in the first line.';
    throw new InputError({ file: path, line: 1, got: shownHeader(header), expected, cure });
  }
  const found = new Map<string, Game | undefined>();
  await readReleaseTable(path, [id, title], options, (row) => {
    found.set(fieldText(row, 0), games.byTitle(fieldText(row, 1)));
  });
  return { byId: (name) => found.get(name), byTitle: games.byTitle };
}

async function readPlayTable(path: string, games: GameFinder, options: PlayOptions, onPlay: OnPlay): Promise<void> {
  const header = await readReleaseHeader(path);
  const user = pickColumn(header, USER);
  const game = pickColumn(header, GAME);
  const column = game ?? pickColumn(header, TITLE);
  if (user === undefined || column === undefined) {
    const expected = `${user === undefined ? 'a user' : 'a game id or a title'} among them`;
    throw new InputError({ file: path, line: 1, got: shownHeader(header), expected, cure: CURE_TABLE });
  }
  if ((options.minMinutes ?? 0) > 0) throw noPlayTime(path, undefined, 'a table without play times');
  await readReleaseTable(path, [user, column], options, (row) => {
    const name = fieldText(row, 1);
    onPlay(fieldText(row, 0), game === undefined ? games.byTitle(name) : games.byId(name));
  });
}

async function readUserFile(path: string, games: GameFinder, options: PlayOptions, onPlay: OnPlay): Promise<void> {
  const minMinutes = options.minMinutes ?? 0;
  await readPythonLines(path, options, (value, line) => {
    const record = requireDict(value, path, line);
    const { user, plays, key } = playsOf(record, path, line);
    for (const play of plays) {
      const entry = requireDict(play, path, line);
      const game = nameIn(entry.get(key));
      if (game === '') {
        const cure = 'Mend or remove this line.';
        throw new InputError({ file: path, line, got: `a game without ${key}`, expected: 'its id', cure });
      }
      if (minMinutes === 0 || minutesOf(entry, path, line) >= minMinutes) onPlay(user, games.byId(game));
    }
  });
}

/** The user of a record, the games in it and the key of a game's id. */
function playsOf(record: PythonDict, path: string, line: number) {
  const list = record.get('items') ?? record.get('reviews');
  const user = nameIn(record.get(list === undefined ? 'username' : 'user_id') ?? record.get('user_id'));
  const plays: readonly PythonValue[] | undefined = Array.isArray(list) ? list : undefined;
  if (user !== '' && plays !== undefined) return { user, plays, key: 'item_id' };
  if (user !== '' && list === undefined && record.has('product_id')) {
    return { user, plays: [record], key: 'product_id' };
  }
  const keys = Array.from(record.keys(), String);
  throw new InputError({
    file: path,
    line,
    got: list === undefined || plays !== undefined ? `a dict with ${keys.join(', ') || 'nothing'}` : shown(list),
    expected: 'user_id with a list of items or reviews, or username with product_id',
    cure: 'Take one of the user files as published, or make a table of user and object.',
  });
}

function minutesOf(entry: PythonDict, path: string, line: number): number {
  const minutes = entry.get('playtime_forever');
  if (typeof minutes === 'number') return minutes;
  throw noPlayTime(path, line, 'a game without playtime_forever');
}

function noPlayTime(path: string, line: number | undefined, got: string): InputError {
  const cure = 'Leave out --min-minutes, or give the file of owned games.';
  return new InputError({ file: path, ...(line === undefined ? {} : { line }), got, expected: 'play times', cure });
}
