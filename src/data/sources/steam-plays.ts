// Who played which game, in the forms it is published in: a table of users and games (by id or by title), or UCSD's
// user files of Python literals (owned games with play time, reviews by user, reviews one a line).

import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { fieldText } from '../table-row.ts';
import { pickColumn, readHeadedTable, readHeader, shownHeader } from './headed-table.ts';
import { type PythonDict, type PythonValue, readPythonLines } from './python-literal.ts';
import { type Game, type GameFinder, nameOf, requireDict, shown } from './steam-games.ts';

export interface PlayOptions extends Listener {
  /** Leaves out games played for fewer minutes; only for files with play times. */
  readonly minMinutes?: number;
}

/** `game` is undefined where the row names a game that is not known. */
export type OnPlay = (user: string, game: Game | undefined) => void;

const USER = ['user', 'userid', 'username', 'steamid'];
const GAME = ['object', 'gameid', 'itemid', 'appid', 'productid'];
const TITLE = ['title', 'gamename', 'appname', 'name', 'game'];
const CURE_TABLE = 'Name the columns "user" and "object" (or "title") in the first line.';

export async function readPlays(path: string, games: GameFinder, options: PlayOptions, onPlay: OnPlay): Promise<void> {
  return /\.json(\.gz)?$/.test(path)
    ? readUserFile(path, games, options, onPlay)
    : readPlayTable(path, games, options, onPlay);
}

/** Games by the ids of another list, through the titles that list gives them. */
export async function renamed(path: string, games: GameFinder, options: Listener): Promise<GameFinder> {
  const header = await readHeader(path);
  const columns = [pickColumn(header, GAME), pickColumn(header, TITLE)];
  const [id, title] = columns;
  if (id === undefined || title === undefined) {
    const expected = 'a game id and a title';
    const cure = 'Name the columns "object" and "title" in the first line.';
    throw new InputError({ file: path, line: 1, got: shownHeader(header), expected, cure });
  }
  const found = new Map<string, Game | undefined>();
  await readHeadedTable(path, [id, title], options, (row) => {
    found.set(fieldText(row, 0), games.byTitle(fieldText(row, 1)));
  });
  return { byId: (name) => found.get(name), byTitle: games.byTitle };
}

async function readPlayTable(path: string, games: GameFinder, options: PlayOptions, onPlay: OnPlay): Promise<void> {
  const header = await readHeader(path);
  const user = pickColumn(header, USER);
  const game = pickColumn(header, GAME);
  const column = game ?? pickColumn(header, TITLE);
  if (user === undefined || column === undefined) {
    const expected = `${user === undefined ? 'a user' : 'a game id or a title'} among them`;
    throw new InputError({ file: path, line: 1, got: shownHeader(header), expected, cure: CURE_TABLE });
  }
  if ((options.minMinutes ?? 0) > 0) throw noPlayTime(path, undefined, 'a table without play times');
  await readHeadedTable(path, [user, column], options, (row) => {
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
      const game = nameOf(entry.get(key));
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
  const user = nameOf(record.get(list === undefined ? 'username' : 'user_id') ?? record.get('user_id'));
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
