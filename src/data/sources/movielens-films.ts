// The film list of a MovieLens release, in its three forms: movies.dat ("::"), movies.csv and ml-100k's u.item with its
// genre flags named in u.genre. Gives each film with its title and genres; knows nothing of ratings.

import { dirname } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { isUtf8File } from '../bytes.ts';
import { CSV, type Format, readDelimited } from '../delimited.ts';
import { fieldText, type Row } from '../table-row.ts';
import { splitDoubleColon } from './double-colon.ts';
import { readLines } from './lines.ts';
import { requireFile } from './release-files.ts';

export type OnFilm = (film: string, title: string, genres: readonly string[]) => void;

const BAR: Format = { delimiter: '|', quotes: false };
const BEFORE_GENRES = ['movieId', 'title', 'release date', 'video release date', 'address'];
const NO_GENRE = ['(no genres listed)', 'unknown', '']; // as the releases say "none"

export async function readFilms(path: string, options: Listener, onFilm: OnFilm): Promise<void> {
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
