// tagloom stats DATA: the paper's data table for any data set, and what makes it easy or hard; tags that are probably one.

import { type Command, Option } from 'commander';
import type { Understood } from '../data/catalogue/understood.ts';
import type { Spread } from '../data/statistics.ts';
import { InputError } from '../errors.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import { type DataFacts, dataFacts } from '../graph/data-facts.ts';
import { type DuplicateTags, nearDuplicates } from '../graph/near-duplicates.ts';
import { refuseRemote } from '../tables/count-data.ts';
import { type CountedFacts, countFacts } from '../tables/count-facts.ts';
import { DATA_ARGUMENT, type DataChoice, dataOptions, mergeTagsOption, readData, type TagMerging } from './options.ts';
import { countingOptions, engineRequest, refuseForTables, type TableChoice, usesTables } from './table-engine.ts';
import { type Terminal, textTable, withThousands } from './terminal.ts';

interface Options extends TagMerging, DataChoice, TableChoice {
  readonly duplicates?: string;
  readonly force?: true;
  readonly json?: true;
}

interface Answer extends DataFacts {
  readonly understood: Understood;
  readonly nearDuplicates: readonly DuplicateTags[];
}

/** A table engine reads pairs, and neither texts nor spellings. */
type Shown = CountedFacts & Partial<Answer>;

const HELP = `
Near-duplicates are tags spelled alike (hip-hop, hip hop; game, games; javascript, javscript) that stand among the same
other tags. Look through what --duplicates writes before you pass it to --merge-tags.
With --engine duckdb or spark, data are counted by SQL, which need not fit into memory: DATA is then a folder of tables, a glob or,
for Spark, an address (s3a://bucket/shop) or a schema (table:main.shop). Texts, titles and near-duplicates are left out.

Examples:
  $ tagloom stats products.csv
  $ tagloom stats lastfm
  $ tagloom stats lastfm --json | jq .numTags
  $ tagloom stats lastfm --duplicates same.tsv
  $ tagloom stats lastfm --merge-tags same.tsv
  $ tagloom stats s3a://lake/shop --engine spark --spark sc://spark.example:15002
`;

const NUM_SHOWN_GROUPS = 5;

export function addStats(program: Command, terminal: Terminal): void {
  const command = program
    .command('stats')
    .description('show the size, density and tail of a data set')
    .argument('<data>', DATA_ARGUMENT)
    .addOption(mergeTagsOption())
    .addOption(new Option('--duplicates <file.tsv>', 'write near-duplicate tags as a table for --merge-tags'))
    .option('--force', 'replace that file if it is already there')
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((path: string, options: Options) => run(path, options, terminal));
  for (const option of [...dataOptions(), ...countingOptions()]) command.addOption(option);
}

async function run(data: string, options: Options, terminal: Terminal): Promise<void> {
  const { duplicates: path, json } = options;
  const force = options.force ?? false;
  if (path !== undefined) {
    requireTsv(path);
    await refuseExistingFile(path, force);
  }
  if (usesTables(options)) return runOnTables(data, options, terminal);
  refuseRemote(data, 'memory');
  const { graph, understood } = await readData(data, options, terminal);
  const answer = await terminal.during(async (listening): Promise<Answer> => {
    const groups = await nearDuplicates(graph, listening);
    if (path !== undefined) await writeFile(path, mappingText(groups), { isNew: !force });
    return { ...(await dataFacts(graph, listening)), nearDuplicates: groups, understood };
  });
  if (json) terminal.printJson(answer.numUsers > 0 ? answer : withoutUsers(answer));
  else terminal.print(factsTable(answer) + duplicatesText(answer.nearDuplicates));
  if (path !== undefined) terminal.note(`Near-duplicates written to ${path}`);
}

async function runOnTables(data: string, options: Options, terminal: Terminal): Promise<void> {
  if (options.duplicates !== undefined) {
    const cure = 'Leave out --duplicates, or use --engine memory.';
    throw new InputError({ got: `--duplicates with --engine ${options.engine}`, expected: 'counts alone', cure });
  }
  await refuseForTables(data, options);
  const facts = await terminal.during((listening) => countFacts({ ...engineRequest(options), data }, listening));
  if (options.json) terminal.printJson(facts.numUsers > 0 ? facts : withoutUsers(facts));
  else terminal.print(factsTable(facts));
}

const ABOUT_USERS: ReadonlySet<string> = new Set<keyof Answer>([
  ...(['numUsers', 'numInteract', 'interactDensity', 'objectGraphDensity'] as const),
  ...(['usersPerObject', 'objectsPerUser'] as const),
  ...(['numObjectsWithoutUsers', 'numTaggedWithoutUsers', 'numObjectsWithNeither'] as const),
]);

/** Data without users has nothing to say of them, as in the table. */
function withoutUsers(answer: Shown): object {
  return Object.fromEntries(Object.entries(answer).filter(([fact]) => !ABOUT_USERS.has(fact)));
}

/** Reading goes by the ending. */
function requireTsv(path: string): void {
  if (path.endsWith('.tsv')) return;
  const cure = 'Name it so: it is read by its ending.';
  throw new InputError({ file: path, got: 'a file of another kind', expected: 'a name ending in .tsv', cure });
}

function mappingText(groups: readonly DuplicateTags[]): string {
  const rows = groups.flatMap(({ keep, others }) => others.map(({ tag }) => `${tag}\t${keep}\n`));
  return `tag\tmerged\n${rows.join('')}`;
}

function factsTable(facts: Shown): string {
  const share = (part: number, whole: number) => `${withThousands(part)} (${percent(whole === 0 ? 0 : part / whole)})`;
  const hasUsers = facts.numUsers > 0;
  const { texts = [], numSharedTitles, nearDuplicates: groups } = facts;
  const main = textTable(undefined, [
    ['objects', withThousands(facts.numObjects)],
    ['tags', withThousands(facts.numTags)],
    ...(hasUsers
      ? [
          ['users', withThousands(facts.numUsers)],
          ['Interact (user, object)', withThousands(facts.numInteract)],
          ['  density', percent(facts.interactDensity)],
          ['  object pairs joined by a user', percent(facts.objectGraphDensity)],
        ]
      : []),
    ['TaggedWith (object, tag)', withThousands(facts.numTagged)],
    ['  density', percent(facts.taggedDensity)],
    ['  tag pairs joined by an object', percent(facts.tagGraphDensity)],
    ['objects without tags', share(facts.numObjectsWithoutTags, facts.numObjects)],
    ...(hasUsers
      ? [
          ['objects without users', share(facts.numObjectsWithoutUsers, facts.numObjects)],
          ['  of them tagged', withThousands(facts.numTaggedWithoutUsers)],
          ['objects with neither', share(facts.numObjectsWithNeither, facts.numObjects)],
        ]
      : []),
    ...texts.map(({ column, numObjects }) => [`objects with ${column}`, share(numObjects, facts.numObjects)]),
    ...(numSharedTitles === undefined ? [] : [['objects that share their title', withThousands(numSharedTitles)]]),
    ['tags on one object', share(facts.numTagsOnOneObject, facts.numTags)],
    ['tags on five objects or fewer', share(facts.numTagsOnFewObjects, facts.numTags)],
    ['pairs held by the top tenth of tags', percent(facts.topTenthShare)],
    ...(groups === undefined ? [] : [['groups of near-duplicate tags', withThousands(groups.length)]]),
  ]);
  const spreads = textTable(
    ['', 'mean', 'median', '90th percentile', 'most'],
    [
      spreadRow('tags per tagged object', facts.tagsPerObject),
      ...(hasUsers
        ? [spreadRow('users per object', facts.usersPerObject), spreadRow('objects per user', facts.objectsPerUser)]
        : []),
      ...texts.map(({ column, words }) => spreadRow(`words of ${column}`, words)),
      spreadRow('objects per tag', facts.objectsPerTag),
    ],
  );
  const top = facts.topTags.map(({ tag, numObjects }) => `${tag} ${withThousands(numObjects)}`).join(', ');
  return `${main}\n${spreads}\nmost frequent tags: ${top}\n`;
}

function duplicatesText(groups: readonly DuplicateTags[]): string {
  if (groups.length === 0) return '';
  const counted = ({ tag, numObjects }: { tag: string; numObjects: number }) => `${tag} ${withThousands(numObjects)}`;
  const shown = groups
    .slice(0, NUM_SHOWN_GROUPS)
    .map(({ keep, numObjects, others }) => `${counted({ tag: keep, numObjects })} (${others.map(counted).join(', ')})`);
  const left = groups.length - shown.length;
  const rest = left > 0 ? `\n  and ${withThousands(left)} more: --duplicates same.tsv writes them all` : '';
  return `near-duplicate tags: ${shown.join(', ')}${rest}\n`;
}

function spreadRow(label: string, { mean, median, p90, max }: Spread): string[] {
  return [label, mean.toFixed(1), withThousands(median), withThousands(p90), withThousands(max)];
}

function percent(share: number | null): string {
  if (share === null) return 'not counted: too many paths';
  return `${(100 * share).toFixed(share > 0 && share < 0.001 ? 4 : 2)} %`;
}
