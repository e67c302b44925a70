// tagloom suggest FILE [OBJECT…]: the tags objects lack, from the model file alone. A table for people, --json or TSV for
// programs; --all streams every object.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { refuseExistingFile } from '../data/staging.ts';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { loadModel } from '../models/model-file.ts';
import { type ObjectSuggestions, Recommender } from '../serving/recommender.ts';
import { type EngineChoice, engineOf, engineOptions } from './engine-option.ts';
import { parseWhole } from './number-option.ts';
import type { Terminal } from './terminal.ts';
import { textTable } from './text-table.ts';

interface Options extends EngineChoice {
  readonly all?: true;
  readonly limit: number;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
An object is named by its id or, where only one bears it, by its title. A tag it already has is never suggested.
With --all or -o the answer is TSV: object, tag, rank, score.

Examples:
  $ tagloom suggest lastfm.tagloom Radiohead
  $ tagloom suggest npm.tagloom react-dom webpack --limit 3 --json
  $ tagloom suggest lastfm.tagloom --all -o suggestions.tsv
`;

export function addSuggest(program: Command, terminal: Terminal): void {
  const command = program
    .command('suggest')
    .description('suggest the tags objects are missing')
    .argument('<model>', 'a model file')
    .argument('[objects...]', 'ids or titles')
    .option('--all', 'every object of the model')
    .option('--limit <n>', 'suggestions for each object, at most', parseWhole, 5)
    .option('-o, --output <file>', 'write TSV here')
    .option('--force', 'replace the file if it is already there')
    .option('--json', 'print one JSON document');
  for (const option of engineOptions()) command.addOption(option);
  command
    .addHelpText('after', HELP)
    .action((path: string, objects: string[], options: Options) => run(path, objects, options, terminal));
}

async function run(path: string, objects: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  if (options.all ? objects.length > 0 : objects.length === 0) {
    const got = options.all ? '--all and objects' : 'no object';
    throw new InputError({ got, expected: 'one or more objects, or --all', cure: 'See "tagloom suggest --help".' });
  }
  if (options.output !== undefined) await refuseExistingFile(options.output, options.force ?? false);
  await terminal.during(async (listening) => {
    const recommender = await Recommender.open(await loadModel(path, listening), engineOf(options));
    try {
      await answer(recommender, objects, options, terminal, listening);
    } finally {
      recommender.close();
    }
  });
}

async function answer(
  recommender: Recommender,
  objects: readonly string[],
  options: Options,
  terminal: Terminal,
  listening: Listener,
): Promise<void> {
  const { limit, output } = options;
  const found = options.all
    ? recommender.suggestAll(limit, listening)
    : suggestFor(
        recommender,
        objects.map((name) => recommender.find(name)),
        limit,
      ); // unknown names before any answer
  if (output !== undefined) return writeFile(output, tsvLines(found));
  if (options.json) return printChunks(terminal, jsonLines(found));
  if (options.all) return printChunks(terminal, tsvLines(found));
  for await (const { object, suggestions } of found) {
    const title = recommender.model.graph.titles.at(recommender.model.graph.objects.idOf(object));
    const rows = suggestions.map(({ tag, score }) => [`  ${tag}`, score.toFixed(3)]);
    terminal.print(`${title === object ? object : `${title} (${object})`}\n${textTable(undefined, rows)}`);
  }
}

async function* suggestFor(recommender: Recommender, ids: readonly number[], limit: number) {
  for (const id of ids) {
    const object = recommender.model.graph.objects.name(id);
    yield { object, suggestions: await recommender.suggest(id, limit) };
  }
}

async function* tsvLines(found: AsyncIterable<ObjectSuggestions>): AsyncGenerator<string> {
  yield 'object\ttag\trank\tscore\n';
  for await (const { object, suggestions } of found) {
    yield suggestions.map(({ tag, score }, i) => `${object}\t${tag}\t${i + 1}\t${shortest(score)}\n`).join('');
  }
}

/** One document, an object at a time: a large one never lies in memory as a whole. */
async function* jsonLines(found: AsyncIterable<ObjectSuggestions>): AsyncGenerator<string> {
  yield '[';
  let separator = '\n';
  for await (const { object, suggestions } of found) {
    const rounded = suggestions.map(({ tag, score }) => ({ tag, score: Number(shortest(score)) }));
    yield `${separator}  ${JSON.stringify({ object, suggestions: rounded })}`;
    separator = ',\n';
  }
  yield '\n]\n';
}

/** Seven digits are all a float32 has. */
function shortest(score: number): string {
  return String(Number(score.toPrecision(7)));
}

async function printChunks(terminal: Terminal, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) await terminal.write(chunk);
}

/** Under a temporary name first: a stopped run leaves no half of a file. */
async function writeFile(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const partial = `${path}.partial-${process.pid}`;
  const out = createWriteStream(partial);
  const done = finished(out);
  done.catch(() => {}); // awaited below
  try {
    for await (const chunk of chunks) {
      if (!out.write(chunk)) await Promise.race([once(out, 'drain'), done]);
    }
    out.end();
    await done;
    await rename(partial, path);
  } catch (error) {
    out.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}
