// tagloom missing FILE TAG: the objects that should carry a tag and do not.

import type { Command } from 'commander';
import { type EngineChoice, engineOptions, parseShare, parseWhole } from './options.ts';
import { decisionsOption, type Reviewing } from './reviews.ts';
import { percentOf, type Terminal, textTable } from './terminal.ts';
import { decisionsFor, refuseUnsure, withRecommender } from './with-recommender.ts';

interface Options extends EngineChoice, Reviewing {
  readonly limit: number;
  readonly minConfidence?: number;
  readonly json?: true;
}

const HELP = `
Examples:
  $ tagloom missing npm.tagloom typescript
  $ tagloom missing npm.tagloom typescript --reviews reviews
  $ tagloom missing lastfm.tagloom shoegaze --limit 100 --min-confidence 0.5 --json
`;

export function addMissing(program: Command, terminal: Terminal): void {
  const command = program
    .command('missing')
    .description('list the objects that should carry a tag and do not')
    .argument('<model>', 'a model file')
    .argument('<tag>', 'a tag')
    .option('--limit <n>', 'objects, at most', parseWhole, 20)
    .option('--min-confidence <p>', 'leave out what is less likely right', parseShare)
    .option('--json', 'print one JSON document');
  for (const option of [decisionsOption(), ...engineOptions()]) command.addOption(option);
  command.addHelpText('after', HELP).action(async (path: string, tag: string, options: Options) => {
    const { limit, minConfidence } = options;
    const found = await withRecommender(path, options, terminal, async (recommender) => {
      refuseUnsure(recommender.model, minConfidence);
      const { amendments, rules } = await decisionsFor(recommender, options);
      return recommender.missing(tag, { limit, minConfidence, rules }, amendments);
    });
    if (options.json) return terminal.printJson({ tag, objects: found });
    const rows = found.map(({ object, title, score, confidence }) => [
      title === object ? object : `${title} (${object})`,
      confidence === undefined ? score.toFixed(3) : percentOf(confidence),
    ]);
    terminal.print(rows.length === 0 ? 'No object.\n' : textTable(undefined, rows));
  });
}
