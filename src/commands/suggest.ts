// tagloom suggest FILE [OBJECT…]: the tags objects lack, from the model file alone: objects of the model, a text, or a line of
// JSON for each object. A table for people, --json, JSON Lines or TSV for programs.

import { createHash } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { linesFrom } from '../data/table/lines.ts';
import { readChunks } from '../data/table/source.ts';
import { InputError } from '../errors.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import type { Listener } from '../listener.ts';
import { modelFingerprint } from '../models/model-fingerprint.ts';
import { type ItemAnswer, suggestToLines } from '../serving/apply/described-items.ts';
import { MAX_PARTS, type PartIdentity, type PartNumber, partRange, partText } from '../serving/parts/part-file.ts';
import type { Amendments } from '../serving/recommend/amendments.ts';
import type { ObjectSuggestions, Recommender, SuggestOptions } from '../serving/recommend/recommender.ts';
import { documentOf, rounded, SUGGESTION_FORMATS } from '../serving/recommend/suggestion-lines.ts';
import {
  type DescribingOptions,
  describedFacts,
  describingOptions,
  isDescribed,
  STANDARD_INPUT,
  warnOfUnknown,
} from './described-object.ts';
import { type EngineChoice, engineOptions, parseWhole } from './options.ts';
import { decisionsOption, type Reviewing } from './reviews.ts';
import { percentOf, type Terminal, textTable } from './terminal.ts';
import {
  type ChoiceOptions,
  choiceOf,
  choiceOptions,
  decisionsFor,
  refuseUnsure,
  withRecommender,
} from './with-recommender.ts';

interface Options extends EngineChoice, ChoiceOptions, DescribingOptions, Reviewing {
  readonly all?: true;
  readonly part?: PartNumber;
  readonly jsonl?: string;
  readonly limit: number;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
An object is named by its id or, where only one object has it, by its title. A tag it already has is never suggested. An object
that is not in the model is described by its --title, --text and --tags, or some of them; "-" reads its text from standard input.
With --reviews, tags that curators rejected, merged or retired are not suggested, and what they accepted counts.
The percentage is how likely a suggestion is right; models that do not know it show the score. The answer to --all is TSV
(object, tag, rank, score, confidence) unless --json is given; -o writes TSV, JSON with --json, and JSON Lines for --jsonl.

--part 3/64 scores the third of 64 parts of all objects, so that many processes or machines can share the work; "tagloom merge"
joins the parts. Give all of them the same model file and the same options.

--jsonl reads one object from each line: {"id": …, "title": "…", "text": "…", "tags": ["…"]}, all optional. Texts may also have
the names of the text columns that the model was trained on. Each line gives one line, in the same order:
{"id": …, "suggestions": [{"tag", "score", "confidence"}, …]}, with "line" in place of an id where it has none. A line
that cannot be read gives {"line": …, "error": "…"}; the others are answered, and the exit code is 1. A line with an id of the
model and neither title nor text is about that object. Blank lines are skipped.

Examples:
  $ tagloom suggest lastfm.tagloom Radiohead
  $ tagloom suggest npm.tagloom react-dom webpack --limit 3 --json
  $ tagloom suggest shop.tagloom --all --reviews reviews -o suggestions.tsv --force
  $ tagloom suggest shop.tagloom --title "Trail tent" --text "Sleeps two, 1.4 kg, free-standing"
  $ cat article.md | tagloom suggest blog.tagloom -
  $ tagloom suggest shop.tagloom --jsonl new.jsonl --min-confidence 0.5 > tags.jsonl
  $ tagloom suggest lastfm.tagloom --all --min-confidence 0.8 -o suggestions.tsv
  $ tagloom suggest shop.tagloom --all --part 3/64 -o part-03.tsv
  $ tagloom merge part-*.tsv -o suggestions.tsv
`;

export function addSuggest(program: Command, terminal: Terminal): void {
  const command = program
    .command('suggest')
    .description('suggest the tags objects are missing, also to objects and texts the model never saw')
    .argument('<model>', 'a model file')
    .argument('[objects...]', 'ids or titles, or - for a text on standard input')
    .option('--all', 'every object of the model')
    .addOption(new Option('--part <k/n>', 'with --all: only the k-th of n parts of the objects').argParser(parsePart))
    .option('--jsonl <file>', 'objects that are not in the model, one a line; - is standard input');
  for (const option of describingOptions()) command.addOption(option);
  command
    .option('--limit <n>', 'suggestions for each object, at most', parseWhole, 5)
    .option('-o, --output <file>', 'write to this file instead of standard output')
    .option('--force', 'replace the file if it is already there')
    .option('--json', 'print one JSON document');
  for (const option of [...choiceOptions(), decisionsOption(), ...engineOptions()]) command.addOption(option);
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
  if (options.part !== undefined && all === undefined) {
    const cure = 'Add --all, or leave out --part.';
    throw new InputError({ got: '--part without --all', expected: 'every object of the model to choose from', cure });
  }
  if (options.output !== undefined) await refuseExistingFile(options.output, options.force ?? false, jsonl);
  await withRecommender(path, asked, terminal, async (recommender, listening) => {
    const { amendments, rules, revision } = await decisionsFor(recommender, asked);
    const choice = { ...(await choiceOf(asked)), limit: asked.limit, rules, amendments, revision };
    refuseUnsure(recommender.model, asked.minConfidence);
    warnOfUnknown([...(choice.allow ?? []), ...(choice.deny ?? [])], rules ?? recommender.model.graph.tags, listening);
    if (jsonl !== undefined) await answerLines(recommender, jsonl, asked, choice, terminal, listening);
    else await answer(recommender, objects, asked, choice, terminal, listening);
  });
}

async function answer(
  recommender: Recommender,
  objects: readonly string[],
  options: Options,
  choice: Choice,
  terminal: Terminal,
  listening: Listener,
): Promise<void> {
  const write = (text: AsyncIterable<string>) =>
    options.output === undefined ? terminal.printChunks(text) : writeFile(options.output, text);
  if (options.part !== undefined) return write(suggestPart(recommender, options.part, options, choice, listening));
  const found =
    objects.length > 0
      ? suggestEach(recommender, objects, choice)
      : options.all
        ? recommender.suggestAll(choice, listening, {}, choice.amendments)
        : suggestUnseen(recommender, options, choice, terminal, listening);
  if (options.json) return write(documentOf(SUGGESTION_FORMATS.json, found));
  if (options.all || options.output !== undefined) return write(documentOf(SUGGESTION_FORMATS.tsv, found));
  for await (const { object, suggestions } of found) {
    const { objects: ids, titles } = recommender.model.graph;
    const title = objects.length === 0 ? object : titles.at(ids.idOf(object)); // an unseen one may bear the id of another
    const rows = suggestions.map(({ tag, score, confidence }) => [`  ${tag}`, shown(score, confidence)]);
    const none = suggestions.length === 0 ? '  (none)\n' : '';
    terminal.print(`${title === object ? object : `${title} (${object})`}\n${none || textTable(undefined, rows)}`);
  }
}

/** What is asked for, and what curators decided before. */
interface Choice extends SuggestOptions {
  readonly amendments: Amendments;
  /** Of the decisions, where there are any. */
  readonly revision: string | undefined;
}

/** A line for a line. What is wrong with some of them is said at the end, when all others are answered. */
async function answerLines(
  recommender: Recommender,
  path: string,
  { output }: Options,
  choice: Choice,
  terminal: Terminal,
  listening: Listener,
): Promise<void> {
  const isInput = path === STANDARD_INPUT;
  const file = isInput ? 'standard input' : path;
  if (!isInput) refuseOtherFormat(path);
  const errors = { count: 0, first: 0 };
  const lines = linesFrom(file, isInput ? terminal.input : readChunks(path, listening));
  const answers = answerTexts(suggestToLines(recommender, lines, choice, listening, choice.amendments), errors);
  if (output === undefined) await terminal.printChunks(answers);
  else await writeFile(output, answers, { signal: terminal.signal });
  if (errors.count === 0) return;
  const got = `${errors.count} ${errors.count === 1 ? 'line' : 'lines'} without suggestions, this one first`;
  const cure = 'The answer to each such line has an "error" that says what is wrong.';
  throw new InputError({ file, line: errors.first, got, expected: 'an object as JSON on each line', cure });
}

function parsePart(text: string): PartNumber {
  const [part, of] = (/^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? []).slice(1).map(Number);
  if (part >= 1 && part <= of && of <= MAX_PARTS) return { part, of };
  throw new InvalidArgumentError('Expected a part and how many there are, such as 3/64, or 1/64 to 64/64.');
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
  choice: Choice,
): AsyncGenerator<ObjectSuggestions> {
  const ids = names.map((name) => recommender.find(name)); // unknown names before any answer
  for (const id of ids) {
    yield {
      object: recommender.model.graph.objects.name(id),
      suggestions: await recommender.suggest(id, choice, choice.amendments),
    };
  }
}

/** Some of the objects, as a file that "tagloom merge" takes. */
function suggestPart(
  recommender: Recommender,
  part: PartNumber,
  { json, limit, minConfidence, novelty, backend }: Options,
  choice: Choice,
  listening: Listener,
): AsyncGenerator<string> {
  const { model } = recommender;
  const numObjects = model.graph.objects.size;
  const given = { limit, 'min-confidence': minConfidence, novelty, backend, reviews: choice.revision };
  const tags = { allow: listText(choice.allow), deny: listText(choice.deny) };
  const options = Object.fromEntries(
    Object.entries({ ...given, ...tags }).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  );
  const identity: PartIdentity = {
    ...part,
    model: modelFingerprint(model),
    numObjects,
    format: json ? 'json' : 'tsv',
    options,
  };
  return partText(identity, recommender.suggestAll(choice, listening, partRange(part, numObjects), choice.amendments));
}

/** A list of tags may be long: two are the same if their checksums are. */
function listText(tags: ReadonlySet<string> | undefined): string | undefined {
  if (tags === undefined) return undefined;
  const checksum = createHash('sha256')
    .update(JSON.stringify([...tags].sort()))
    .digest('hex');
  return `(${tags.size} tags, checksum ${checksum.slice(0, 16)})`;
}

async function* suggestUnseen(
  recommender: Recommender,
  options: Options,
  choice: Choice,
  terminal: Terminal,
  listening: Listener,
): AsyncGenerator<ObjectSuggestions> {
  const facts = await describedFacts(options, recommender.model, terminal, listening, choice.rules);
  yield { object: facts.title ?? '(new object)', suggestions: await recommender.suggestFor(facts, choice) };
}
