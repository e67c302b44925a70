// tagloom suggest FILE [OBJECT…]: the tags objects lack, from the model file alone: objects of the model, a text, or a line of
// JSON for each object. A table for people, --json, JSON Lines or TSV for programs.

import type { Command } from 'commander';
import { linesFrom } from '../data/table/lines.ts';
import { readChunks } from '../data/table/source.ts';
import { InputError } from '../errors.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import type { Listener } from '../listener.ts';
import { type ItemAnswer, suggestToLines } from '../serving/apply/described-items.ts';
import type { ObjectSuggestions, Recommender, Suggestion, SuggestOptions } from '../serving/recommend/recommender.ts';
import { shortest, tsvLines } from '../serving/recommend/suggestion-lines.ts';
import {
  type DescribingOptions,
  describedFacts,
  describingOptions,
  isDescribed,
  STANDARD_INPUT,
  warnOfUnknown,
} from './described-object.ts';
import { type EngineChoice, engineOptions, parseWhole } from './options.ts';
import { percentOf, type Terminal, textTable } from './terminal.ts';
import { type ChoiceOptions, choiceOf, choiceOptions, refuseUnsure, withRecommender } from './with-recommender.ts';

interface Options extends EngineChoice, ChoiceOptions, DescribingOptions {
  readonly all?: true;
  readonly jsonl?: string;
  readonly limit: number;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
An object is named by its id or, where only one object has it, by its title. A tag it already has is never suggested. An object
that is not in the model is described by its --title, --text and --tags, or some of them; "-" reads its text from standard input.
The percentage is how likely a suggestion is right; models that do not know it show the score. The answer to --all is TSV
(object, tag, rank, score, confidence) unless --json is given; -o writes TSV, and JSON Lines for --jsonl.

--jsonl reads one object from each line: {"id": …, "title": "…", "text": "…", "tags": ["…"]}, all optional. Texts may also have
the names of the text columns that the model was trained on. Each line gives one line, in the same order:
{"id": …, "suggestions": [{"tag", "score", "confidence"}, …]}, with "line" in place of an id where it has none. A line
that cannot be read gives {"line": …, "error": "…"}; the others are answered, and the exit code is 1. A line with an id of the
model and neither title nor text is about that object. Blank lines are skipped.

Examples:
  $ tagloom suggest lastfm.tagloom Radiohead
  $ tagloom suggest npm.tagloom react-dom webpack --limit 3 --json
  $ tagloom suggest shop.tagloom --title "Trail tent" --text "Sleeps two, 1.4 kg, free-standing"
  $ cat article.md | tagloom suggest blog.tagloom -
  $ tagloom suggest shop.tagloom --jsonl new.jsonl --min-confidence 0.5 > tags.jsonl
  $ tagloom suggest lastfm.tagloom --all --min-confidence 0.8 -o suggestions.tsv
`;

export function addSuggest(program: Command, terminal: Terminal): void {
  const command = program
    .command('suggest')
    .description('suggest the tags objects are missing, also to objects and texts the model never saw')
    .argument('<model>', 'a model file')
    .argument('[objects...]', 'ids or titles, or - for a text on standard input')
    .option('--all', 'every object of the model')
    .option('--jsonl <file>', 'objects that are not in the model, one a line; - is standard input');
  for (const option of describingOptions()) command.addOption(option);
  command
    .option('--limit <n>', 'suggestions for each object, at most', parseWhole, 5)
    .option('-o, --output <file>', 'write to this file instead of standard output')
    .option('--force', 'replace the file if it is already there')
    .option('--json', 'print one JSON document');
  for (const option of [...choiceOptions(), ...engineOptions()]) command.addOption(option);
  command
    .addHelpText('after', HELP)
    .action((path: string, objects: string[], options: Options) => run(path, objects, options, terminal));
}

async function run(path: string, given: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const isPiped = given.length === 1 && given[0] === STANDARD_INPUT;
  const objects = isPiped ? [] : given;
  const asked = isPiped ? { ...options, textFile: options.textFile ?? STANDARD_INPUT } : options;
  if (isPiped && (options.textFile ?? options.text) !== undefined) {
    const cure = 'Leave out one of them.';
    throw new InputError({ got: 'a text on standard input and another one', expected: 'one text', cure });
  }
  const { all, jsonl } = options;
  const kinds = [objects.length > 0, all === true, jsonl !== undefined, isDescribed(asked)].filter(Boolean).length;
  if (kinds !== 1) {
    const got = kinds === 0 ? 'no object' : 'several of objects, --all, --jsonl and a new object';
    const expected = 'one or more objects, or --all, or --jsonl, or a new object by --title, --text or --tags';
    throw new InputError({ got, expected, cure: 'See "tagloom suggest --help".' });
  }
  if (options.output !== undefined) await refuseExistingFile(options.output, options.force ?? false, jsonl);
  await withRecommender(path, asked, terminal, async (recommender, listening) => {
    const choice = { ...(await choiceOf(asked)), limit: asked.limit };
    refuseUnsure(recommender.model, asked.minConfidence);
    warnOfUnknown([...(choice.allow ?? []), ...(choice.deny ?? [])], recommender.model.graph.tags, listening);
    if (jsonl !== undefined) await answerLines(recommender, jsonl, asked, choice, terminal, listening);
    else await answer(recommender, objects, asked, choice, terminal, listening);
  });
}

async function answer(
  recommender: Recommender,
  objects: readonly string[],
  options: Options,
  choice: SuggestOptions,
  terminal: Terminal,
  listening: Listener,
): Promise<void> {
  const found =
    objects.length > 0
      ? suggestEach(recommender, objects, choice)
      : options.all
        ? recommender.suggestAll(choice, listening)
        : suggestUnseen(recommender, options, choice, terminal, listening);
  if (options.output !== undefined) return writeFile(options.output, tsvLines(found));
  if (options.json) return terminal.printChunks(jsonDocument(found));
  if (options.all) return terminal.printChunks(tsvLines(found));
  for await (const { object, suggestions } of found) {
    const { objects: ids, titles } = recommender.model.graph;
    const title = objects.length === 0 ? object : titles.at(ids.idOf(object)); // an unseen one may bear the id of another
    const rows = suggestions.map(({ tag, score, confidence }) => [`  ${tag}`, shown(score, confidence)]);
    const none = suggestions.length === 0 ? '  (none)\n' : '';
    terminal.print(`${title === object ? object : `${title} (${object})`}\n${none || textTable(undefined, rows)}`);
  }
}

/** A line for a line. What is wrong with some of them is said at the end, when all others are answered. */
async function answerLines(
  recommender: Recommender,
  path: string,
  { output }: Options,
  choice: SuggestOptions,
  terminal: Terminal,
  listening: Listener,
): Promise<void> {
  const isInput = path === STANDARD_INPUT;
  const file = isInput ? 'standard input' : path;
  if (!isInput) refuseOtherFormat(path);
  const errors = { count: 0, first: 0 };
  const lines = linesFrom(file, isInput ? terminal.input : readChunks(path, listening));
  const answers = answerTexts(suggestToLines(recommender, lines, choice, listening), errors);
  if (output === undefined) await terminal.printChunks(answers);
  else await writeFile(output, answers, { signal: terminal.signal });
  if (errors.count === 0) return;
  const got = `${errors.count} ${errors.count === 1 ? 'line' : 'lines'} without suggestions, this one first`;
  const cure = 'The answer to each such line has an "error" that says what is wrong.';
  throw new InputError({ file, line: errors.first, got, expected: 'an object as JSON on each line', cure });
}

function refuseOtherFormat(path: string): void {
  const [, kind] = /\.(csv|tsv|parquet)(?:\.gz)?$/i.exec(path) ?? [];
  if (kind === undefined) return;
  const cure = 'To add tags to such a file, use "tagloom apply".';
  throw new InputError({ file: path, got: `a .${kind.toLowerCase()} file`, expected: 'JSON Lines', cure });
}

async function* answerTexts(
  answers: AsyncIterable<ItemAnswer>,
  errors: { count: number; first: number },
): AsyncGenerator<string> {
  for await (const { suggestions, ...answer } of answers) {
    if (answer.error !== undefined && errors.count++ === 0) errors.first = answer.line ?? 0;
    yield `${JSON.stringify({ ...answer, ...(suggestions && { suggestions: suggestions.map(rounded) }) })}\n`;
  }
}

function shown(score: number, confidence: number | undefined): string {
  return confidence === undefined ? score.toFixed(3) : percentOf(confidence);
}

async function* suggestEach(
  recommender: Recommender,
  names: readonly string[],
  choice: SuggestOptions,
): AsyncGenerator<ObjectSuggestions> {
  const ids = names.map((name) => recommender.find(name)); // unknown names before any answer
  for (const id of ids) {
    yield { object: recommender.model.graph.objects.name(id), suggestions: await recommender.suggest(id, choice) };
  }
}

async function* suggestUnseen(
  recommender: Recommender,
  options: Options,
  choice: SuggestOptions,
  terminal: Terminal,
  listening: Listener,
): AsyncGenerator<ObjectSuggestions> {
  const facts = await describedFacts(options, recommender.model, terminal, listening);
  yield { object: facts.title ?? '(new object)', suggestions: await recommender.suggestFor(facts, choice) };
}

/** One document, an object at a time: a large one never lies in memory as a whole. */
async function* jsonDocument(found: AsyncIterable<ObjectSuggestions>): AsyncGenerator<string> {
  let before = '[\n'; // not before the first answer: there may be an error instead
  for await (const { object, suggestions } of found) {
    yield `${before}  ${JSON.stringify({ object, suggestions: suggestions.map(rounded) })}`;
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[\n]\n';
}

function rounded({ tag, score, confidence }: Suggestion): Suggestion {
  return {
    tag,
    score: Number(shortest(score)),
    ...(confidence !== undefined && { confidence: Number(shortest(confidence)) }),
  };
}
