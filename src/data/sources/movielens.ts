// MovieLens releases of GroupLens, from ml-100k to ml-32m, as published: films are objects, a rating of any value is an
// interaction, genres and the tags users typed are tags. Only films of the film list count; those without a rating
// stay. A release without tags of its own may borrow the tags file of another, since film ids are shared.

import { basename, dirname } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { GraphBuilder, type KnowledgeGraph, requirePairs, warnTitleConflicts } from '../knowledge-graph.ts';
import { CSV, DOUBLE_COLON, type Format, readDelimited, TSV } from '../table/delimited.ts';
import { type Line, readLines } from '../table/lines.ts';
import { fieldText, type Row } from '../table/row.ts';
import { isUtf8File } from '../table/source.ts';
import { findFile, ObjectList, requireFile } from './release.ts';
import { tagText } from './tag-text.ts';
import { type UserTagRule, UserTags } from './user-tags.ts';

export interface MovieLensOptions extends Listener {
  /** A tags file, .dat or .csv, to read instead of the folder's own. */
  readonly tags?: string;
  /** Whether genres count as tags; true by default. */
  readonly genres?: boolean;
  /** Whether the tags users typed count; true by default. */
  readonly userTags?: boolean;
  /** A user tag must be on at least this many films; 1 by default. */
  readonly minObjects?: number;
  /** A (film, user tag) pair must be given by this many users; 1 by default. */
  readonly minPairUsers?: number;
  /** … or its tag by this many users, on whatever listed film. Alone, it takes the place of minPairUsers. */
  readonly minTagUsers?: number;
}

const RATINGS = { called: 'ratings.dat, ratings.csv or u.data', pattern: /^(ratings.*\.(dat|csv)|u\.data)$/ };
const FILMS = { called: 'movies.dat, movies.csv or u.item', pattern: /^(movies\.(dat|csv)|u\.item)$/ };
const TAGS = { called: 'tags.dat or tags.csv', pattern: /^tags\.(dat|csv)$/ };
const RATING_COLUMNS = ['userId', 'movieId', 'rating', 'timestamp'];
const BAR: Format = { delimiter: '|', quotes: false };
const BEFORE_GENRES = ['movieId', 'title', 'release date', 'video release date', 'address'];
const NO_GENRE = ['(no genres listed)', 'unknown', '']; // as the releases say "none"

export async function readMovieLens(folder: string, options: MovieLensOptions = {}): Promise<KnowledgeGraph> {
  const ratings = await requireFile(folder, RATINGS);
  const movies = await requireFile(folder, FILMS);
  const tags = await tagsFile(folder, options);
  const builder = new GraphBuilder();
  const films = new ObjectList(builder, movies);

  await readFilms(movies, options, (film, title, genres) => {
    const object = films.add(film, title);
    if (options.genres === false) return;
    for (const genre of genres) builder.tagged.add(object, builder.tags.add(tagText(genre)));
  });
  warnTitleConflicts(movies, builder, options);
  await readRatings(ratings, builder, films, options);
  if (tags !== undefined) await readUserTags(tags, builder, films, options);

  requirePairs(
    builder,
    { file: ratings, cure: 'Check that the ratings and the films are of the same release.' },
    { file: tags ?? movies, cure: 'Keep the genres, or ask less of the user tags (--min-objects, --min-pair-users).' },
  );
  return builder.finish();
}

/** The tags file to read, if any; refuses a choice of options that leaves no tags at all. */
async function tagsFile(folder: string, options: MovieLensOptions): Promise<string | undefined> {
  const path = options.userTags === false ? undefined : (options.tags ?? (await findFile(folder, TAGS)));
  if (path !== undefined && !/\.(dat|csv)(\.gz)?$/.test(path)) {
    const cure = 'Rename it to what it is: "::" between the fields is .dat, commas are .csv.';
    throw new InputError({ file: path, got: 'a tags file of unknown kind', expected: TAGS.called, cure });
  }
  if (path === undefined && options.genres === false) {
    throw new InputError({
      file: folder,
      got:
        options.userTags === false ? 'neither genres nor user tags asked for' : 'no genres asked for and no tags file',
      expected: 'at least one of them',
      cure: 'Keep the genres, or give the tags file of another release with --tags.',
    });
  }
  return path;
}

async function readRatings(path: string, builder: GraphBuilder, films: ObjectList, options: Listener): Promise<void> {
  const kind: { format: Format; header?: string[] } = path.replace(/\.gz$/, '').endsWith('.csv')
    ? { format: CSV }
    : { format: basename(path).startsWith('u.data') ? TSV : DOUBLE_COLON, header: RATING_COLUMNS };
  let numUnlisted = 0;
  await readDelimited(path, RATING_COLUMNS.slice(0, 2), { ...options, ...kind }, ({ bytes, start, end }) => {
    const film = films.find(bytes, start[1], end[1]);
    if (film < 0) numUnlisted++;
    else builder.interact.add(builder.users.addBytes(bytes, start[0], end[0]), film);
  });
  films.warnUnlisted(path, numUnlisted, options);
}

async function readUserTags(
  path: string,
  builder: GraphBuilder,
  films: ObjectList,
  options: MovieLensOptions,
): Promise<void> {
  const userTags = new UserTags();
  let numUnlisted = 0;
  await readTagRows(path, options, (user, filmName, text) => {
    const film = films.findName(filmName);
    const tag = tagText(text);
    if (film < 0) numUnlisted++;
    else if (tag !== '') userTags.add(user, film, tag);
  });
  films.warnUnlisted(path, numUnlisted, options);
  userTags.keep(ruleOf(options), (film, tag) => builder.tagged.add(film, builder.tags.add(tag)));
}

function ruleOf(options: MovieLensOptions): UserTagRule {
  const { minObjects = 1, minTagUsers = Number.POSITIVE_INFINITY } = options;
  // a pair that has one user always passes, so a default of 1 would make minTagUsers alone mean nothing
  const minPairUsers = options.minPairUsers ?? (options.minTagUsers === undefined ? 1 : Number.POSITIVE_INFINITY);
  return { minObjects, minPairUsers, minTagUsers };
}

async function readTagRows(
  path: string,
  options: Listener,
  onTag: (user: string, film: string, text: string) => void,
): Promise<void> {
  const latin1 = !(await isUtf8File(path));
  if (path.replace(/\.gz$/, '').endsWith('.csv')) {
    const csv = { ...options, latin1, format: CSV };
    return readDelimited(path, ['userId', 'movieId', 'tag'], csv, (row) =>
      onTag(fieldText(row, 0), fieldText(row, 1), fieldText(row, 2)),
    );
  }
  for await (const line of readLines(path, { ...options, latin1 })) {
    const [user, film, text] = splitDoubleColon(path, line, ['UserID', 'MovieID', 'Tag', 'Timestamp'], 2);
    onTag(user, film, text);
  }
}

type OnFilm = (film: string, title: string, genres: readonly string[]) => void;

/** The film list, in its three forms: movies.dat ("::"), movies.csv and ml-100k's u.item with its genre flags named in u.genre. */
async function readFilms(path: string, options: Listener, onFilm: OnFilm): Promise<void> {
  const name = path.replace(/\.gz$/, '');
  const latin1 = !(await isUtf8File(path));
  const onListed: OnFilm = (film, title, genres) =>
    onFilm(
      film,
      title,
      genres.filter((genre) => !NO_GENRE.includes(genre.trim().toLowerCase())),
    );
  if (name.endsWith('u.item')) return readFlags(path, { ...options, latin1 }, onListed);
  if (name.endsWith('.csv')) {
    const onRow = (row: Row) => onListed(fieldText(row, 0), fieldText(row, 1), fieldText(row, 2).split('|'));
    const csv = { ...options, latin1, format: CSV, mayBeBlank: ['title', 'genres'] };
    return readDelimited(path, ['movieId', 'title', 'genres'], csv, onRow);
  }
  for await (const line of readLines(path, { ...options, latin1 })) {
    const [film, title, genres] = splitDoubleColon(path, line, ['MovieID', 'Title', 'Genres'], 1);
    onListed(film, title, genres.split('|'));
  }
}

async function readFlags(path: string, options: Listener & { latin1: boolean }, onFilm: OnFilm): Promise<void> {
  const genres = await readGenreNames(dirname(path), options);
  const flags = genres.map((_, g) => `genre ${g}`);
  const format = { ...options, format: BAR, header: [...BEFORE_GENRES, ...flags], mayBeBlank: ['title'] };
  await readDelimited(path, ['movieId', 'title', ...flags], format, (row) => {
    const carried = genres.filter((_, g) => isSet(path, row, g + 2));
    onFilm(fieldText(row, 0), fieldText(row, 1), carried);
  });
}

function isSet(path: string, row: Row, column: number): boolean {
  const flag = fieldText(row, column);
  if (flag === '0' || flag === '1') return flag === '1';
  const cure = 'Take u.item as published: 19 flags after the address.';
  throw new InputError({ file: path, line: row.line, got: `the genre flag "${flag}"`, expected: '0 or 1', cure });
}

/** In the order of the flags. */
async function readGenreNames(folder: string, options: Listener): Promise<string[]> {
  const path = await requireFile(folder, { called: 'u.genre', pattern: /^u\.genre$/ });
  const genres: string[] = [];
  await readDelimited(path, ['genre', 'flag'], { ...options, format: BAR, header: ['genre', 'flag'] }, (row) => {
    const flag = Number(fieldText(row, 1));
    if (flag !== genres.length) {
      const cure = 'Take u.genre as published: name|0, name|1 and so on.';
      const got = `the flag number "${fieldText(row, 1)}"`;
      throw new InputError({ file: path, line: row.line, got, expected: `${genres.length}`, cure });
    }
    genres.push(fieldText(row, 0));
  });
  return genres;
}

/**
 * The fields of a line with "::" between them, trimmed, as many as there are names. The field at `free` is free text, which may
 * hold "::" itself or end in ":", so it takes whatever the fields on both sides of it leave.
 */
function splitDoubleColon(path: string, line: Line, names: readonly string[], free: number): string[] {
  const parts = line.text.split('::');
  if (parts.length < names.length || parts.slice(0, free).some((part) => part.trim() === '')) {
    throw new InputError({
      file: path,
      line: line.number,
      got: JSON.stringify(line.text.slice(0, 80)),
      expected: names.join('::'),
      cure: 'Mend or remove this line.',
    });
  }
  const after = parts.splice(parts.length - (names.length - free - 1));
  const middle = parts.splice(free).join('::');
  // "a:::1" is the text "a:" before "::1", as the field behind the text never begins with a colon
  const colons = after[0].match(/^:+/)?.[0] ?? '';
  after[0] = after[0].slice(colons.length);
  return [...parts, middle + colons, ...after].map((part) => part.trim());
}
