// MovieLens releases of GroupLens, from ml-100k to ml-32m, as published: films are objects, a rating of any value is an
// interaction, genres and the tags users typed are tags. Only films of the film list count; those without a rating
// stay. A release without tags of its own may borrow the tags file of another, since film ids are shared.

import { basename } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { isUtf8File } from '../bytes.ts';
import { CSV, DOUBLE_COLON, type Format, readDelimited, TSV } from '../delimited.ts';
import { GraphBuilder, type KnowledgeGraph } from '../knowledge-graph.ts';
import { requirePairs } from '../pairs-check.ts';
import { fieldText } from '../table-row.ts';
import { warnTitleConflicts } from '../title-conflicts.ts';
import { splitDoubleColon } from './double-colon.ts';
import { readLines } from './lines.ts';
import { readFilms } from './movielens-films.ts';
import { ObjectList } from './object-list.ts';
import { findFile, requireFile } from './release-files.ts';
import { tagText } from './tag-text.ts';
import { type UserTagRule, UserTags } from './user-tags.ts';

export interface MovieLensOptions extends Listener {
  /** A tags file, .dat or .csv, to read instead of the folder's own. */
  readonly tags?: string;
  /** Whether genres count as tags; true unless told. */
  readonly genres?: boolean;
  /** Whether the tags users typed count; true unless told. */
  readonly userTags?: boolean;
  /** A user tag must be on at least this many films; 1 unless told. */
  readonly minObjects?: number;
  /** A (film, user tag) pair must be given by this many users; 1 unless told. */
  readonly minPairUsers?: number;
  /** … or its tag by this many users, on whatever listed film. Alone, it takes the place of minPairUsers. */
  readonly minTagUsers?: number;
}

const RATINGS = { called: 'ratings.dat, ratings.csv or u.data', pattern: /^(ratings.*\.(dat|csv)|u\.data)$/ };
const FILMS = { called: 'movies.dat, movies.csv or u.item', pattern: /^(movies\.(dat|csv)|u\.item)$/ };
const TAGS = { called: 'tags.dat or tags.csv', pattern: /^tags\.(dat|csv)$/ };
const RATING_COLUMNS = ['userId', 'movieId', 'rating', 'timestamp'];

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
