// The games of the UCSD Steam data (steam_games.json) with their tags, found by id or by title. Lists of other crawls
// have no ids and spell titles in their own way, so titles are compared by their ASCII letters and digits alone.

import { basename } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { cleanName } from '../name.ts';
import { type PythonDict, type PythonValue, readPythonLines } from './python-literal.ts';
import { tagText, titleText, undoEntities } from './tag-text.ts';

export interface Game {
  readonly id: string;
  /** What to show: app_name, since `title` has entities inside entities, else title, else the id. */
  readonly title: string;
  readonly tags: ReadonlySet<string>;
}

/** Where to look a game up. Games without a tag are not found. */
export interface GameFinder {
  byId(id: string): Game | undefined;
  byTitle(title: string): Game | undefined;
}

/** Reads all games with at least one tag. Of games with the same title, the lowest id is found by it. */
export async function readGames(path: string, options: Listener): Promise<GameFinder> {
  const games = new Map<string, Game>();
  const titled = new Map<string, Game>(); // by titleKey
  let numNameless = 0;
  await readPythonLines(path, options, (value, line) => {
    const record = requireDict(value, path, line);
    const id = nameOf(record.get('id'));
    const tags = tagsOf(record, path, line);
    if (id === '') numNameless++;
    if (id === '' || tags.length === 0) return;
    const titles = [record.get('app_name'), record.get('title')].map((title) => titleText(undoEntities(nameOf(title))));
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

export function requireDict(value: PythonValue | undefined, path: string, line: number): PythonDict {
  if (value instanceof Map) return value;
  const cure = 'Take the file as published: one dict a line.';
  throw new InputError({ file: path, line, got: shown(value), expected: 'a dict', cure });
}

/** An id or title as a clean name; '' where there is none. */
export function nameOf(value: PythonValue | undefined): string {
  if (typeof value === 'string') return cleanName(value);
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

export function shown(value: PythonValue | undefined): string {
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
