// tagloom similar FILE OBJECT, or --tag TAG: objects that are similar by tags and, where the model knows any, by users; or tags
// that are similar by the objects that carry both.

import type { Command } from 'commander';
import { InputError } from '../errors.ts';
import type { Recommender } from '../serving/recommend/recommender.ts';
import { type EngineChoice, engineOptions, parseWhole } from './options.ts';
import { percentOf, type Terminal, textTable } from './terminal.ts';
import { withRecommender } from './with-recommender.ts';

interface Options extends EngineChoice {
  readonly tag?: string;
  readonly limit: number;
  readonly json?: true;
}

const HELP = `
Examples:
  $ tagloom similar npm.tagloom webpack
  $ tagloom similar lastfm.tagloom --tag shoegaze --limit 20
`;

export function addSimilar(program: Command, terminal: Terminal): void {
  const command = program
    .command('similar')
    .description('list objects similar to an object, or tags similar to a tag')
    .argument('<model>', 'a model file')
    .argument('[object]', 'id or title')
    .option('--tag <name>', 'a tag instead of an object')
    .option('--limit <n>', 'how many, at most', parseWhole, 10)
    .option('--json', 'print one JSON document');
  for (const option of engineOptions()) command.addOption(option);
  command.addHelpText('after', HELP).action(async (path: string, object: string | undefined, options: Options) => {
    const { tag, limit } = options;
    if ((object === undefined) === (tag === undefined)) {
      const got = tag === undefined ? 'neither an object nor a tag' : 'an object and a tag';
      throw new InputError({ got, expected: 'one of them', cure: 'See "tagloom similar --help".' });
    }
    await withRecommender(path, options, terminal, (recommender) => {
      if (tag !== undefined) showTags(recommender, tag, options, terminal);
      else showObjects(recommender, recommender.find(object ?? ''), limit, options.json ?? false, terminal);
    });
  });
}

function showTags(recommender: Recommender, tag: string, { limit, json }: Options, terminal: Terminal): void {
  const found = recommender.similarTags(tag, { limit });
  const rows = found.map((one) => [one.tag, percentOf(one.similarity)]);
  if (json) terminal.printJson({ tag, similar: found });
  else terminal.print(rows.length === 0 ? 'No tag.\n' : textTable(undefined, rows));
}

function showObjects(recommender: Recommender, id: number, limit: number, json: boolean, terminal: Terminal): void {
  const found = recommender.similarObjects(id, { limit });
  const { users, objects } = recommender.model.graph;
  const withUsers = users.size > 0;
  if (json) {
    terminal.printJson({ object: objects.name(id), similar: found });
    return;
  }
  const rows = found.map(({ object, title, similarity, byUsers, byTags }) => [
    title === object ? object : `${title} (${object})`,
    percentOf(similarity),
    ...(byUsers === undefined ? [] : [percentOf(byUsers), percentOf(byTags)]),
  ]);
  const header = ['', 'similarity', ...(withUsers ? ['by users', 'by tags'] : [])];
  terminal.print(rows.length === 0 ? 'No object.\n' : textTable(header, rows));
}
