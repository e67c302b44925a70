// HetRec 2011 Last.fm 2K: artists are objects, and a user's tag on an artist is both an interaction and a tag. Only
// artists of artists.dat count; those nobody tagged stay. On request, interactions are who listened to whom instead.

import { basename } from 'node:path';
import type { Listener } from '../../listener.ts';
import { GraphBuilder, type KnowledgeGraph, requirePairs, warnTitleConflicts } from '../knowledge-graph.ts';
import { readDelimited, TSV } from '../table/delimited.ts';
import { fieldText } from '../table/row.ts';
import { isUtf8File } from '../table/source.ts';

import { ObjectList, type ReleaseFile, requireFile } from './release.ts';

export interface LastFmOptions extends Listener {
  /** Interactions from user_artists.dat (listening) instead of user_taggedartists.dat; false by default. */
  readonly listening?: boolean;
}

const ARTISTS: ReleaseFile = { called: 'artists.dat', pattern: /^artists\.dat$/ };
const TAGS: ReleaseFile = { called: 'tags.dat', pattern: /^tags\.dat$/ };
const TAGGED: ReleaseFile = { called: 'user_taggedartists.dat', pattern: /^user_taggedartists\.dat$/ };
const LISTENED: ReleaseFile = { called: 'user_artists.dat', pattern: /^user_artists\.dat$/ };

export async function readLastFm(folder: string, options: LastFmOptions = {}): Promise<KnowledgeGraph> {
  const artistsPath = await requireFile(folder, ARTISTS);
  const tagsPath = await requireFile(folder, TAGS);
  const tagged = await requireFile(folder, TAGGED);
  const listened = options.listening ? await requireFile(folder, LISTENED) : undefined;
  const builder = new GraphBuilder();

  const artists = await readArtists(artistsPath, builder, options);
  const tagTexts = await readTagTexts(tagsPath, options);
  await readTagged(tagged, builder, { artists, tagTexts }, options);
  if (listened !== undefined) await readListened(listened, builder, artists, options);

  const cure = 'Check that all files are of the same release.';
  requirePairs(builder, { file: listened ?? tagged, cure }, { file: tagged, cure });
  return builder.finish();
}

async function readArtists(path: string, builder: GraphBuilder, options: Listener): Promise<ObjectList> {
  const artists = new ObjectList(builder, path);
  const format = { ...options, format: TSV, latin1: !(await isUtf8File(path)), mayBeBlank: ['name'] };
  await readDelimited(path, ['id', 'name'], format, (row) => {
    artists.add(fieldText(row, 0), fieldText(row, 1));
  });
  warnTitleConflicts(path, builder, options);
  return artists;
}

/** Lower-cased; inner white space stays, as tags.dat tells "j  rock" from "j rock". */
async function readTagTexts(path: string, options: Listener): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const format = { ...options, format: TSV, latin1: !(await isUtf8File(path)) };
  await readDelimited(path, ['tagID', 'tagValue'], format, (row) => {
    texts.set(fieldText(row, 0), fieldText(row, 1).toLowerCase());
  });
  return texts;
}

async function readTagged(
  path: string,
  builder: GraphBuilder,
  { artists, tagTexts }: { artists: ObjectList; tagTexts: ReadonlyMap<string, string> },
  options: LastFmOptions,
): Promise<void> {
  let numUnlisted = 0;
  let numNameless = 0;
  await readDelimited(path, ['userID', 'artistID', 'tagID'], { ...options, format: TSV }, (row) => {
    const { bytes, start, end } = row;
    const artist = artists.find(bytes, start[1], end[1]);
    const tag = tagTexts.get(fieldText(row, 2));
    if (artist < 0) numUnlisted++;
    else if (tag === undefined) numNameless++;
    else {
      if (!options.listening) builder.interact.add(builder.users.addBytes(bytes, start[0], end[0]), artist);
      builder.tagged.add(artist, builder.tags.add(tag));
    }
  });
  artists.warnUnlisted(path, numUnlisted, options);
  if (numNameless > 0) {
    const rows = numNameless === 1 ? '1 row whose tag is' : `${numNameless} rows whose tags are`;
    options.warn?.(`${basename(path)}: left out ${rows} not in tags.dat.`);
  }
}

async function readListened(
  path: string,
  builder: GraphBuilder,
  artists: ObjectList,
  options: Listener,
): Promise<void> {
  let numUnlisted = 0;
  await readDelimited(path, ['userID', 'artistID'], { ...options, format: TSV }, ({ bytes, start, end }) => {
    const artist = artists.find(bytes, start[1], end[1]);
    if (artist < 0) numUnlisted++;
    else builder.interact.add(builder.users.addBytes(bytes, start[0], end[0]), artist);
  });
  artists.warnUnlisted(path, numUnlisted, options);
}
