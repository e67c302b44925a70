// `tagloom import`: public releases and lists of triples become a data set folder. One subcommand a source; each reads
// its release as published, and the result is written whole or not at all.

import { type Command, Option } from 'commander';
import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { type LastFmOptions, readLastFm } from '../data/sources/lastfm.ts';
import { type MovieLensOptions, readMovieLens } from '../data/sources/movielens.ts';
import { type RecBoleOptions, readRecBole } from '../data/sources/recbole.ts';
import { readSteam, type SteamOptions } from '../data/sources/steam.ts';
import { readTriples, type TriplesOptions } from '../data/sources/triples.ts';
import { writeFolder } from '../data/write-folder.ts';
import { refuseExisting, stageFolder } from '../files.ts';
import type { Listener } from '../listener.ts';
import {
  mergeTagsOption,
  type OutputFolder,
  outputFolderOptions,
  parseWhole,
  readMerged,
  type TagMerging,
} from './options.ts';
import { type Terminal, textTable, withThousands } from './terminal.ts';

interface Source<Options extends Listener> {
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

export function addImport(program: Command, terminal: Terminal): void {
  const parent = program
    .command('import')
    .description('turn a public release or a list of triples into a data set folder')
    .addHelpText('after', `\nExamples:${[MOVIELENS, LASTFM, TRIPLES].map((source) => source.examples).join('')}\n`);
  addSource(parent, terminal, MOVIELENS);
  addSource(parent, terminal, LASTFM);
  addSource(parent, terminal, STEAM);
  addSource(parent, terminal, RECBOLE);
  addSource(parent, terminal, TRIPLES);
}

function addSource<Options extends Listener>(parent: Command, terminal: Terminal, source: Source<Options>): void {
  const command = parent.command(source.name).description(source.about).argument('<path>', source.path);
  for (const option of [...source.options, mergeTagsOption(), ...outputFolderOptions()]) command.addOption(option);
  command
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', `\nExamples:${source.examples}\n`)
    .action(async (path: string, flags: Options & OutputFolder & TagMerging & { json?: true }) => {
      await refuseExisting(flags.output, flags.force ?? false, path);
      const graph = await terminal.during(async (listener) => {
        const reading = async () => ({ graph: await source.read(path, { ...flags, ...listener }) });
        const { graph: read } = await readMerged(reading, flags, listener);
        await stageFolder(flags.output, flags, (folder) =>
          writeFolder(folder, read, { ...listener, gzip: flags.gzip ?? false }),
        );
        return read;
      });
      report(terminal, source.name, graph, flags);
    });
}

function report(
  terminal: Terminal,
  source: string,
  graph: KnowledgeGraph,
  flags: { readonly output: string; readonly json?: true },
): void {
  const { users, objects, tags, interact, tagged } = graph;
  const hasUsers = interact.size > 0;
  if (flags.json) {
    terminal.printJson({
      source,
      output: flags.output,
      ...(hasUsers && { users: users.size }),
      objects: objects.size,
      tags: tags.size,
      ...(hasUsers && { interact: interact.size }),
      tagged: tagged.size,
      fingerprint: fingerprint(graph),
    });
    return;
  }
  const counts = {
    ...(hasUsers && { users }),
    ...{ objects, tags },
    ...(hasUsers && { Interact: interact }),
    TaggedWith: tagged,
  };
  const rows = Object.entries(counts).map(([name, { size }]) => [name, withThousands(size)]);
  terminal.print(`${textTable(undefined, rows)}\nWritten to ${flags.output}`);
}

function wholeNumber(flag: string, about: string): Option {
  return new Option(flag, about).argParser(parseWhole);
}
