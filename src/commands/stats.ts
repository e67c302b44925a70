// tagloom stats DATA: the paper's data table for any data set, and what makes it easy or hard.

import type { Command } from 'commander';
import { readFolder } from '../data/folder.ts';
import type { Spread } from '../data/statistics.ts';
import { type DataFacts, dataFacts } from '../graph/data-facts.ts';
import type { Terminal } from './terminal.ts';
import { textTable, withThousands } from './text-table.ts';

export function addStats(program: Command, terminal: Terminal): void {
  program
    .command('stats')
    .description('show the size, density and tail of a data set')
    .argument('<data>', 'a data set folder')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ tagloom stats lastfm\n  $ tagloom stats lastfm --json | jq .numTags\n')
    .action(async (folder: string, options: { json?: true }) => {
      const facts = await terminal.during(async (listening) =>
        dataFacts(await readFolder(folder, listening), listening),
      );
      if (options.json) terminal.printJson(facts);
      else terminal.print(factsTable(facts));
    });
}

function factsTable(facts: DataFacts): string {
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

function spreadRow(label: string, { mean, median, p90, max }: Spread): string[] {
  return [label, mean.toFixed(1), withThousands(median), withThousands(p90), withThousands(max)];
}

function percent(share: number | null): string {
  if (share === null) return 'not counted: too many paths';
  return `${(100 * share).toFixed(share > 0 && share < 0.001 ? 4 : 2)} %`;
}
