// tagloom explain FILE OBJECT TAG: why a tag is suggested. The parts of a score of loom add up to it; for any model the paths of
// the data from the object to the tag.

import type { Command } from 'commander';
import type { Explanation, NamedParts } from '../serving/recommend/explanation.ts';
import { type EngineChoice, engineOptions, parseWhole } from './options.ts';
import { percentOf, type Terminal, textTable } from './terminal.ts';
import { withRecommender } from './with-recommender.ts';

interface Options extends EngineChoice {
  readonly limit: number;
  readonly json?: true;
}

const HELP = `
A score of loom is the sum of its parts: how common the tag is, the object's own tags, the tags of objects with similar users,
the words in its name, and the profile of its users.

Examples:
  $ tagloom explain npm.tagloom mongoose database
  $ tagloom explain lastfm.tagloom Radiohead "post-rock" --json
`;

export function addExplain(program: Command, terminal: Terminal): void {
  const command = program
    .command('explain')
    .description('show why a tag is suggested to an object')
    .argument('<model>', 'a model file')
    .argument('<object>', 'id or title')
    .argument('<tag>', 'a tag')
    .option('--limit <n>', 'lines of each kind, at most', parseWhole, 5)
    .option('--json', 'print one JSON document');
  for (const option of engineOptions()) command.addOption(option);
  command.addHelpText('after', HELP).action(async (path: string, object: string, tag: string, options: Options) => {
    const { explanation, title } = await withRecommender(path, options, terminal, async (recommender) => {
      const [id, tagId] = [recommender.find(object), recommender.findTag(tag)];
      const { titles } = recommender.model.graph;
      return { explanation: await recommender.explain(id, tagId, { maxPaths: options.limit }), title: titles.at(id) };
    });
    if (options.json) terminal.printJson(explanation);
    else
      terminal.print(
        `${title}: ${tag}, score ${explanation.score.toFixed(3)}\n${described(explanation, options.limit)}`,
      );
  });
}

function described({ parts, throughUsers, throughTags }: Explanation, limit: number): string {
  if (parts !== undefined) return partsTable(parts, limit);
  const users = throughUsers.map(({ title, weight, numSharedUsers }) => [
    `  through ${numSharedUsers} shared users: ${title}`,
    percentOf(weight),
  ]);
  const tags = throughTags.map(({ tag, weight, numObjects }) => [
    `  beside ${tag} on ${numObjects} objects`,
    percentOf(weight),
  ]);
  if (users.length + tags.length === 0) return '  no path in the data leads from the object to the tag\n';
  return textTable(undefined, [...users.slice(0, limit), ...tags.slice(0, limit)]);
}

function partsTable({ base, ownTags, neighbours, words, profile, content }: NamedParts, limit: number): string {
  const sum = (list: readonly { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
  const own = ownTags.slice(0, limit).map(({ tag, amount }) => [`    ${tag}`, signed(amount)]);
  const others = neighbours
    .slice(0, limit)
    .map(({ title, numSharedUsers, amount, tags }) => [
      `    ${title}, ${numSharedUsers} shared ${numSharedUsers === 1 ? 'user' : 'users'}${saying(tags)}`,
      signed(amount),
    ]);
  const rest = (list: readonly { amount: number }[], noun: string) =>
    list.length > limit ? [[`    ${list.length - limit} more ${noun}`, signed(sum(list.slice(limit)))]] : [];
  return textTable(undefined, [
    ['  how common the tag is', signed(base)],
    ['  its own tags', signed(sum(ownTags))],
    ...own,
    ...rest(ownTags, 'tags'),
    ['  objects with similar users', signed(sum(neighbours))],
    ...others,
    ...rest(neighbours, 'objects'),
    ['  words in its name', signed(sum(words))],
    ...words.slice(0, limit).map(({ word, amount }) => [`    ${word}`, signed(amount)]),
    ...rest(words, 'words'),
    ['  user profile', signed(profile)],
    ...(content === undefined ? [] : [['  content features', signed(content)]]),
  ]);
}

function saying(tags: readonly { tag: string; amount: number }[]): string {
  const largest = tags.slice(0, 2).map(({ tag }) => tag);
  return largest.length === 0 ? '' : ` (${largest.join(', ')})`;
}

function signed(amount: number): string {
  return `${amount < 0 ? '−' : '+'}${Math.abs(amount).toFixed(4)}`;
}
