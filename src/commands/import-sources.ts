// The sources of `tagloom import`: what each is called, which options it takes and which reader reads it.

import { Option } from 'commander';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { readBibTex } from '../data/sources/bibtex.ts';
import { readCalibre } from '../data/sources/calibre.ts';
import { type LastFmOptions, readLastFm } from '../data/sources/lastfm.ts';
import { type MovieLensOptions, readMovieLens } from '../data/sources/movielens.ts';
import { type RecBoleOptions, readRecBole } from '../data/sources/recbole.ts';
import { readShopify, type ShopifyOptions } from '../data/sources/shopify.ts';
import { readStackExchange, type StackExchangeOptions } from '../data/sources/stackexchange.ts';
import { readSteam, type SteamOptions } from '../data/sources/steam.ts';
import { readTriples, type TriplesOptions } from '../data/sources/triples.ts';
import { readWordPress, type WordPressOptions } from '../data/sources/wordpress.ts';
import { readZotero, type ZoteroOptions } from '../data/sources/zotero.ts';
import type { Listener } from '../listener.ts';
import { namesIn, parseWhole } from './options.ts';

export interface Source<Options extends Listener> {
  readonly name: string;
  readonly about: string;
  readonly path: string;
  readonly options: readonly Option[];
  readonly examples: string;
  /** The flags arrive under the names of the options they set. */
  read(path: string, options: Options): Promise<KnowledgeGraph>;
}

const MOVIELENS: Source<MovieLensOptions> = {
  name: 'movielens',
  about: 'a MovieLens release: ml-100k, ml-1m, ml-10M100K, ml-20m, ml-25m, ml-latest',
  path: 'folder of the unpacked release',
  options: [
    new Option('--tags <file>', 'tags.dat or tags.csv of another release'),
    new Option('--no-genres', 'do not count genres as tags'),
    new Option('--no-user-tags', 'do not count the tags that users typed'),
    wholeNumber('--min-objects <n>', 'keep a user tag only if it is on this many films'),
    wholeNumber('--min-pair-users <n>', 'keep a user tag of a film only if this many users gave it'),
    wholeNumber('--min-tag-users <n>', '… or if this many users used the tag at all'),
  ],
  examples: `
  $ tagloom import movielens ml-25m --min-pair-users 2 -o movielens
  $ tagloom import movielens ml-1m --tags ml-10M100K/tags.dat -o movielens-1m \\
      --min-objects 4 --min-pair-users 2 --min-tag-users 11`,
  read: readMovieLens,
};

const LASTFM: Source<LastFmOptions> = {
  name: 'lastfm',
  about: 'HetRec 2011 Last.fm 2K',
  path: 'folder of the unpacked release',
  options: [new Option('--listening', 'interactions are who listened to whom, not who tagged whom')],
  examples: `
  $ tagloom import lastfm hetrec2011-lastfm-2k -o lastfm`,
  read: readLastFm,
};

const STEAM: Source<SteamOptions> = {
  name: 'steam',
  about: 'games and tags of the UCSD Steam data, with a file of who plays what',
  path: 'steam_games.json, plain or .gz, or its folder',
  options: [
    new Option(
      '--interactions <file>',
      'table of user and object (or title), or a UCSD user file',
    ).makeOptionMandatory(),
    new Option('--names <file>', 'table of game id and title, where the ids are not those of Steam'),
    wholeNumber('--min-minutes <n>', 'leave out games a user played for fewer minutes'),
  ],
  examples: `
  $ tagloom import steam steam_games.json.gz --interactions australian_users_items.json.gz --min-minutes 600 -o steam
  $ tagloom import steam steam_games.json.gz --interactions game_purchase.dat --names item_info.dat -o steam-200k`,
  read: readSteam,
};

const RECBOLE: Source<RecBoleOptions> = {
  name: 'recbole',
  about: 'atomic files of RecBole: NAME.inter and NAME.item',
  path: 'folder of the two files',
  options: [new Option('--tags-field <name>', 'column that holds the tags (default: found by its name)')],
  examples: `
  $ tagloom import recbole ml-100k -o movielens-100k
  $ tagloom import recbole lastfm --tags-field tag_value -o lastfm`,
  read: readRecBole,
};

const TRIPLES: Source<TriplesOptions> = {
  name: 'triples',
  about: 'a list of head, relation, tail',
  path: 'file of triples, tab-separated or .csv, plain or .gz',
  options: [
    new Option('--interact <name>', 'relation of user and object (default: Interact)'),
    new Option('--tagged <name>', 'relation of object and tag (default: TaggedWith)'),
  ],
  examples: `
  $ tagloom import triples graph.tsv -o data
  $ tagloom import triples kg.csv.gz --interact watched --tagged has_genre -o films`,
  read: readTriples,
};

const STACK_EXCHANGE: Source<StackExchangeOptions> = {
  name: 'stackexchange',
  about: 'the dump of a Stack Exchange site: questions, and who asked, answered and commented',
  path: 'folder of the unpacked dump, or its Posts.xml, plain or .gz',
  options: [
    new Option('--site <host>', 'host of the site, for the addresses of questions'),
    new Option('--no-body', 'read titles and tags only, not the bodies of questions'),
    wholeNumber('--max-text <n>', 'characters kept of a body (default: all)'),
  ],
  examples: `
  $ 7z x cooking.stackexchange.com.7z -ocooking
  $ tagloom import stackexchange cooking --site cooking.stackexchange.com -o cooking-data
  $ tagloom import stackexchange stackoverflow/Posts.xml --max-text 1000 -o questions`,
  read: readStackExchange,
};

const ZOTERO: Source<ZoteroOptions> = {
  name: 'zotero',
  about: 'a library exported from Zotero: CSV, which has all tags, BibTeX or CSL JSON',
  path: 'the exported file: .csv, .bib or .json',
  options: [new Option('--no-automatic-tags', 'do not count tags that Zotero took over from catalogues (CSV)')],
  examples: `
  $ tagloom import zotero "My Library.csv" -o library
  $ tagloom import zotero library.csv --no-automatic-tags -o library`,
  read: readZotero,
};

const BIBTEX: Source<Listener> = {
  name: 'bibtex',
  about: 'a bibliography in BibTeX or BibLaTeX, with keywords',
  path: 'file of entries, .bib, plain or .gz',
  options: [],
  examples: `
  $ tagloom import bibtex references.bib -o references`,
  read: readBibTex,
};

const CALIBRE: Source<Listener> = {
  name: 'calibre',
  about: 'a library of Calibre, written by calibredb as JSON or CSV (not metadata.db itself)',
  path: 'file of calibredb: books.json or books.csv',
  options: [],
  examples: `
  $ calibredb list --for-machine --fields title,authors,series,publisher,tags,comments,identifiers > books.json
  $ tagloom import calibre books.json -o books
  $ calibredb catalog books.csv && tagloom import calibre books.csv -o books`,
  read: readCalibre,
};

const WORDPRESS: Source<WordPressOptions> = {
  name: 'wordpress',
  about: 'the export of a WordPress site: posts with tags and categories',
  path: 'the exported file (WXR), .xml, plain or .gz',
  options: [
    new Option('--types <names>', 'types of content that count, with commas between (default: post)').argParser(
      namesIn,
    ),
    new Option('--drafts', 'count drafts, scheduled and private posts, too'),
    new Option('--no-categories', 'do not count categories as tags'),
  ],
  examples: `
  $ tagloom import wordpress blog.WordPress.2026-11-01.xml -o blog
  $ tagloom import wordpress shop.xml --types product --no-categories -o shop`,
  read: readWordPress,
};

const SHOPIFY: Source<ShopifyOptions> = {
  name: 'shopify',
  about: 'the products of a Shopify shop',
  path: 'the CSV file that Shopify exports',
  options: [
    new Option('--shop <address>', "the shop's address, for the addresses of products"),
    new Option('--drafts', 'count drafts and archived products, too'),
    new Option('--type-tags', 'count the type of a product as a tag'),
    new Option('--vendor-tags', 'count the vendor of a product as a tag'),
  ],
  examples: `
  $ tagloom import shopify products_export.csv --shop https://shop.example -o shop
  $ tagloom import shopify products_export.csv --type-tags -o shop`,
  read: readShopify,
};

/** Calls back for each source, in the order of the help. */
export function eachSource(add: <Options extends Listener>(source: Source<Options>) => void): void {
  add(STACK_EXCHANGE);
  add(ZOTERO);
  add(BIBTEX);
  add(CALIBRE);
  add(WORDPRESS);
  add(SHOPIFY);
  add(MOVIELENS);
  add(LASTFM);
  add(STEAM);
  add(RECBOLE);
  add(TRIPLES);
}

function wholeNumber(flag: string, about: string): Option {
  return new Option(flag, about).argParser(parseWhole);
}
