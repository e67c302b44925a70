// tagloom stats DATA: the paper's data table for any data set, and what makes it easy or hard; tags that are probably one.

import { type Command, Option } from 'commander';
import { load } from '../data/data-set.ts';
import type { Spread } from '../data/statistics.ts';
import { InputError } from '../errors.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import { type DataFacts, dataFacts } from '../graph/data-facts.ts';
import { type DuplicateTags, nearDuplicates } from '../graph/near-duplicates.ts';
import { mergeTagsOption, readMerged, type TagMerging } from './options.ts';
import { type Terminal, textTable, withThousands } from './terminal.ts';

interface Options extends TagMerging {
  readonly duplicates?: string;
  readonly force?: true;
  readonly json?: true;
}

interface Answer extends DataFacts {
  readonly nearDuplicates: readonly DuplicateTags[];
}

const HELP = `
Near-duplicates are tags spelled alike (hip-hop, hip hop; game, games; javascript, javscript) that stand among the same
other tags. Look through what --duplicates writes before you pass it to --merge-tags.

Examples:
  $ tagloom stats lastfm
  $ tagloom stats lastfm --json | jq .numTags
  $ tagloom stats lastfm --duplicates same.tsv
  $ tagloom stats lastfm --merge-tags same.tsv
`;

const NUM_SHOWN_GROUPS = 5;

export function addStats(program: Command, terminal: Terminal): void {
  program
    .command('stats')
    .description('show the size, density and tail of a data set')
    .argument('<data>', 'a data set folder')
    .addOption(mergeTagsOption())
    .addOption(new Option('--duplicates <file.tsv>', 'write near-duplicate tags as a table for --merge-tags'))
    .option('--force', 'replace that file if it is already there')
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((folder: string, options: Options) => run(folder, options, terminal));
}

async function run(folder: string, options: Options, terminal: Terminal): Promise<void> {
  const { duplicates: path, json } = options;
  const force = options.force ?? false;
  if (path !== undefined) {
    requireTsv(path);
    await refuseExistingFile(path, force);
  }
  const answer = await terminal.during(async (listening): Promise<Answer> => {
    const graph = await readMerged(() => load(folder, listening), options, listening);
    const groups = await nearDuplicates(graph, listening);
    if (path !== undefined) await writeFile(path, mappingText(groups), { isNew: !force });
    return { ...(await dataFacts(graph, listening)), nearDuplicates: groups };
  });
  if (json) terminal.printJson(answer);
  else terminal.print(factsTable(answer) + duplicatesText(answer.nearDuplicates));
  if (path !== undefined) terminal.note(`Near-duplicates written to ${path}`);
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

function factsTable(facts: Answer): string {
  const share = (part: number, whole: number) => `${withThousands(part)} (${percent(whole === 0 ? 0 : part / whole)})`;
  const main = textTable(undefined, [
    ['objects', withThousands(facts.numObjects)],
    ['tags', withThousands(facts.numTags)],
    ['users', withThousands(facts.numUsers)],
    ['Interact (user, object)', withThousands(facts.numInteract)],
    ['  density', percent(facts.interactDensity)],
    ['  object pairs joined by a user', percent(facts.objectGraphDensity)],
    ['TaggedWith (object, tag)', withThousands(facts.numTagged)],
    ['  density', percent(facts.taggedDensity)],
    ['  tag pairs joined by an object', percent(facts.tagGraphDensity)],
    ['objects without tags', share(facts.numObjectsWithoutTags, facts.numObjects)],
    ['objects without users', share(facts.numObjectsWithoutUsers, facts.numObjects)],
    ['  of them tagged', withThousands(facts.numTaggedWithoutUsers)],
    ['objects with neither', share(facts.numObjectsWithNeither, facts.numObjects)],
    ['objects that share their title', withThousands(facts.numSharedTitles)],
    ['tags on one object', share(facts.numTagsOnOneObject, facts.numTags)],
    ['tags on five objects or fewer', share(facts.numTagsOnFewObjects, facts.numTags)],
    ['pairs held by the top tenth of tags', percent(facts.topTenthShare)],
    ['groups of near-duplicate tags', withThousands(facts.nearDuplicates.length)],
  ]);
  const spreads = textTable(
    ['', 'mean', 'median', '90th percentile', 'most'],
    [
      spreadRow('tags per tagged object', facts.tagsPerObject),
      spreadRow('users per object', facts.usersPerObject),
      spreadRow('objects per user', facts.objectsPerUser),
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
