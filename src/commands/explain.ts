// tagloom explain FILE OBJECT TAG: why a tag is suggested. The parts of a score of loom add up to it; for any model the paths of
// the data from the object to the tag.

import type { Command } from 'commander';
import { InputError } from '../errors.ts';
import type { Explanation, NamedParts } from '../serving/recommend/explanation.ts';
import { type DescribingOptions, describedFacts, describingOptions, isDescribed } from './described-object.ts';
import { type EngineChoice, engineOptions, parseWhole } from './options.ts';
import { percentOf, type Terminal, textTable } from './terminal.ts';
import { withRecommender } from './with-recommender.ts';

interface Options extends EngineChoice, DescribingOptions {
  readonly limit: number;
  readonly json?: true;
}

const HELP = `
A score of loom is the sum of its parts: how common the tag is, the object's own tags, the words of its title and of each text,
and, where the model knows users, the tags of objects with similar users and the user profile. The best tags of an object are then
looked at again together; what that changes is the last part.

Examples:
  $ tagloom explain npm.tagloom mongoose database
  $ tagloom explain shop.tagloom camping --title "Trail tent" --text "Sleeps two, 1.4 kg, free-standing"
  $ tagloom explain lastfm.tagloom Radiohead "post-rock" --json
`;

export function addExplain(program: Command, terminal: Terminal): void {
  const command = program
    .command('explain')
    .description('show why a tag is suggested to an object')
    .argument('<model>', 'a model file')
    .argument('<names...>', 'the id or title of an object, and a tag; only the tag for an object by --title or --text')
    .option('--limit <n>', 'lines of each kind, at most', parseWhole, 5)
    .option('--json', 'print one JSON document');
  for (const option of [...describingOptions(), ...engineOptions()]) command.addOption(option);
  command
    .addHelpText('after', HELP)
    .action((path: string, names: string[], options: Options) => run(path, names, options, terminal));
}

async function run(path: string, names: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const isUnseen = isDescribed(options);
  if (names.length !== (isUnseen ? 1 : 2)) {
    const expected = isUnseen ? 'one tag' : 'an object and a tag';
    const cure = 'Quote names that have spaces; see "tagloom explain --help".';
    throw new InputError({ got: names.map((name) => `"${name}"`).join(', '), expected, cure });
  }
  const tag = names.at(-1) ?? '';
  await withRecommender(path, options, terminal, async (recommender, listening) => {
    const tagId = recommender.findTag(tag);
    const about = isUnseen
      ? await describedFacts(options, recommender.model, terminal, listening)
      : recommender.find(names[0]);
    const found = await recommender.explain(about, tagId, { maxPaths: options.limit });
    if (options.json) return terminal.printJson(found);
    const title =
      typeof about === 'number' ? recommender.model.graph.titles.at(about) : (about.title ?? '(new object)');
    const score = `${title}: ${tag}, score ${found.score.toFixed(3)}\n`;
    terminal.print(score + described(found, options.limit));
  });
}

function described({ parts, throughUsers = [], throughTags }: Explanation, limit: number): string {
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

interface Amount {
  readonly amount: number;
}

/** A part and its largest entries, which add up to it with what the last line counts together. */
function section<Entry extends Amount>(
  heading: string,
  entries: readonly Entry[],
  limit: number,
  noun: string,
  label: (entry: Entry) => string,
): string[][] {
  const sum = (list: readonly Amount[]) => signed(list.reduce((total, { amount }) => total + amount, 0));
  const rest = entries.slice(limit);
  return [
    [`  ${heading}`, sum(entries)],
    ...entries.slice(0, limit).map((entry) => [`    ${label(entry)}`, signed(entry.amount)]),
    ...(rest.length > 0 ? [[`    ${rest.length} more ${noun}`, sum(rest)]] : []),
  ];
}

function partsTable(parts: NamedParts, limit: number): string {
  const { base, ownTags, neighbours, words, mention, profile, content, again } = parts;
  const hasUsers = profile !== undefined;
  const columns = [...new Set([undefined, ...words.map(({ column }) => column)])];
  return textTable(undefined, [
    ['  how common the tag is', signed(base)],
    ...section('its own tags', ownTags, limit, 'tags', ({ tag }) => tag),
    ...(hasUsers ? section('objects with similar users', neighbours, limit, 'objects', neighbourLabel) : []),
    ...columns.flatMap((column) => {
      const own = words.filter((one) => one.column === column);
      return section(`words in its ${column ?? 'title'}`, own, limit, 'words', ({ word }) => word);
    }),
    ...(mention === undefined ? [] : [['  the tag itself in its text', signed(mention)]]),
    ...(hasUsers ? [['  user profile', signed(profile)]] : []),
    ...(content === undefined ? [] : [['  content features', signed(content)]]),
    ...(again === undefined ? [] : section('second look', again, again.length, 'reasons', ({ text }) => text)),
  ]);
}

function neighbourLabel({ title, numSharedUsers, tags }: NamedParts['neighbours'][number]): string {
  return `${title}, ${numSharedUsers ?? 0} shared ${numSharedUsers === 1 ? 'user' : 'users'}${saying(tags)}`;
}

function saying(tags: readonly { tag: string; amount: number }[]): string {
  const largest = tags.slice(0, 2).map(({ tag }) => tag);
  return largest.length === 0 ? '' : ` (${largest.join(', ')})`;
}

function signed(amount: number): string {
  return `${amount < 0 ? '−' : '+'}${Math.abs(amount).toFixed(4)}`;
}
