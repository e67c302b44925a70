// tagloom suggest FILE [OBJECT…]: the tags objects lack, from the model file alone. A table for people, --json or TSV for
// programs; --all streams every object.

import type { Command } from 'commander';
import type { Vocabulary } from '../data/vocabulary.ts';
import { InputError } from '../errors.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import type { Listener } from '../listener.ts';
import type { ObjectSuggestions, Recommender, SuggestOptions } from '../serving/recommend/recommender.ts';
import { shortest, tsvLines } from '../serving/recommend/suggestion-lines.ts';
import { type EngineChoice, engineOptions, namesIn, parseWhole } from './options.ts';
import { percentOf, type Terminal, textTable } from './terminal.ts';
import { type ChoiceOptions, choiceOf, choiceOptions, refuseUnsure, withRecommender } from './with-recommender.ts';

interface Options extends EngineChoice, ChoiceOptions {
  readonly all?: true;
  readonly tags?: string;
  readonly users?: string;
  readonly title?: string;
  readonly features?: Readonly<Record<string, number>>;
  readonly limit: number;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

const MAX_NAMED = 5;

const HELP = `
An object is named by its id or, where only one bears it, by its title. A tag it already has is never suggested. An object
the model never saw is described by its --tags, --users, --title and --features, or some of them. The percentage is how likely
a suggestion is right; models that do not know it show the score. The answer to --all is TSV (object, tag, rank, score, confidence) unless --json is given; -o
always writes TSV.

Examples:
  $ tagloom suggest lastfm.tagloom Radiohead
  $ tagloom suggest npm.tagloom react-dom webpack --limit 3 --json
  $ tagloom suggest lastfm.tagloom --all --min-confidence 0.8 -o suggestions.tsv
  $ tagloom suggest npm.tagloom --tags "cli,terminal" --users "webpack,jest"
`;

export function addSuggest(program: Command, terminal: Terminal): void {
  const command = program
    .command('suggest')
    .description('suggest the tags objects are missing')
    .argument('<model>', 'a model file')
    .argument('[objects...]', 'ids or titles')
    .option('--all', 'every object of the model')
    .option('--tags <names>', 'tags of an object that is not in the model, with commas between')
    .option('--users <names>', 'its users')
    .option('--title <text>', 'what it is called')
    .option('--features <list>', 'its content features, name=value with commas between', parseFeatures)
    .option('--limit <n>', 'suggestions for each object, at most', parseWhole, 5)
    .option('-o, --output <file>', 'write TSV here')
    .option('--force', 'replace the file if it is already there')
    .option('--json', 'print one JSON document');
  for (const option of [...choiceOptions(), ...engineOptions()]) command.addOption(option);
  command
    .addHelpText('after', HELP)
    .action((path: string, objects: string[], options: Options) => run(path, objects, options, terminal));
}

async function run(path: string, objects: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const isUnseen = [options.tags, options.users, options.title, options.features].some((given) => given !== undefined);
  const asked = [objects.length > 0, options.all === true, isUnseen].filter(Boolean).length;
  if (asked !== 1) {
    const got = asked === 0 ? 'no object' : 'several of objects, --all and an unseen object';
    const expected = 'one or more objects, or --all, or an unseen one by --tags, --users, --title, --features';
    throw new InputError({ got, expected, cure: 'See "tagloom suggest --help".' });
  }
  if (options.output !== undefined) await refuseExistingFile(options.output, options.force ?? false);
  await withRecommender(path, options, terminal, (recommender, listening) =>
    answer(recommender, objects, options, terminal, listening),
  );
}

async function answer(
  recommender: Recommender,
  objects: readonly string[],
  options: Options,
  terminal: Terminal,
  listening: Listener,
): Promise<void> {
  const { limit, output } = options;
  const choice = await choiceOf(options);
  refuseUnsure(recommender.model, options.minConfidence);
  warnOfUnknown([...(choice.allow ?? []), ...(choice.deny ?? [])], recommender.model.graph.tags, listening);
  const found =
    objects.length > 0
      ? suggestEach(recommender, objects, limit, choice)
      : options.all
        ? recommender.suggestAll({ ...choice, limit }, listening)
        : suggestUnseen(recommender, options, choice, listening);
  if (output !== undefined) return writeFile(output, tsvLines(found));
  if (options.json) return terminal.printChunks(jsonLines(found));
  if (options.all) return terminal.printChunks(tsvLines(found));
  for await (const { object, suggestions } of found) {
    const { objects: ids, titles } = recommender.model.graph;
    const title = objects.length === 0 ? object : titles.at(ids.idOf(object)); // an unseen one may bear the id of another
    const rows = suggestions.map(({ tag, score, confidence }) => [`  ${tag}`, shown(score, confidence)]);
    const none = suggestions.length === 0 ? '  (none)\n' : '';
    terminal.print(`${title === object ? object : `${title} (${object})`}\n${none || textTable(undefined, rows)}`);
  }
}

function shown(score: number, confidence: number | undefined): string {
  return confidence === undefined ? score.toFixed(3) : percentOf(confidence);
}

async function* suggestEach(
  recommender: Recommender,
  names: readonly string[],
  limit: number,
  choice: SuggestOptions,
): AsyncGenerator<ObjectSuggestions> {
  const ids = names.map((name) => recommender.find(name)); // unknown names before any answer
  for (const id of ids) {
    const object = recommender.model.graph.objects.name(id);
    yield { object, suggestions: await recommender.suggest(id, { ...choice, limit }) };
  }
}

async function* suggestUnseen(
  recommender: Recommender,
  { tags = '', users = '', title, features, limit }: Options,
  choice: SuggestOptions,
  listening: Listener,
): AsyncGenerator<ObjectSuggestions> {
  const { graph } = recommender.model;
  const facts = { tags: namesIn(tags), users: namesIn(users), title, features };
  const numUnknown =
    warnOfUnknown(facts.tags, graph.tags, listening) + warnOfUnknown(facts.users, graph.users, listening);
  if (title === undefined && features === undefined && numUnknown === facts.tags.length + facts.users.length) {
    listening.warn?.('Nothing is known of the object: these are the tags that are common everywhere.');
  }
  yield { object: title ?? '(unseen)', suggestions: await recommender.suggestFor(facts, { ...choice, limit }) };
}

function parseFeatures(text: string): Record<string, number> {
  const features = text.split(',').map((one): [string, number] => {
    const [, name = '', value = ''] = /^(.*)=(.*)$/.exec(one) ?? [];
    if (name.trim() === '' || value.trim() === '' || !Number.isFinite(Number(value))) {
      const cure = 'Write --features "length=12,year=1999".';
      throw new InputError({ got: `the feature "${one}"`, expected: 'name=value with a number', cure });
    }
    return [name.trim(), Number(value)];
  });
  return Object.fromEntries(features);
}

/** How many are unknown. */
function warnOfUnknown(names: readonly string[], vocabulary: Vocabulary, { warn }: Listener): number {
  const unknown = names.filter((name) => vocabulary.idOf(name) < 0);
  if (unknown.length === 0) return 0;
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
  warn?.(`The model does not know ${unknown.slice(0, MAX_NAMED).join(', ')}${more}: counted for nothing.`);
  return unknown.length;
}

/** One document, an object at a time: a large one never lies in memory as a whole. */
async function* jsonLines(found: AsyncIterable<ObjectSuggestions>): AsyncGenerator<string> {
  let before = '[\n'; // not before the first answer: there may be an error instead
  for await (const { object, suggestions } of found) {
    const rounded = suggestions.map(({ tag, score, confidence }) => ({
      tag,
      score: Number(shortest(score)),
      ...(confidence !== undefined && { confidence: Number(shortest(confidence)) }),
    }));
    yield `${before}  ${JSON.stringify({ object, suggestions: rounded })}`;
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[\n]\n';
}
