// tagloom apply FILE CATALOGUE -o OUT: the user's own file with tags added, in its own format. What is added is what the model is
// sure of, and with --reviews what curators accepted; --dry-run shows it and writes nothing.

import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { formatName } from '../data/catalogue/dialect.ts';
import type { FileRow, RowPlan, TagAdder } from '../data/catalogue/rewrite.ts';
import { styleName } from '../data/catalogue/tag-lists.ts';
import { readTagMapping } from '../data/merge-tags.ts';
import { InputError } from '../errors.ts';
import { readFailure } from '../file-failures.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import type { Listener } from '../listener.ts';
import type { Model } from '../models/model.ts';
import { type Addition, Additions, nameOf, ReviewedPairs } from '../serving/apply/additions.ts';
import { rewriteFile } from '../serving/apply/catalogue-file.ts';
import { openFile } from '../serving/apply/catalogue-plan.ts';
import type { Recommender, SuggestOptions } from '../serving/recommend/recommender.ts';
import { shortest } from '../serving/recommend/suggestion-lines.ts';
import { TagRules } from '../serving/recommend/tag-rules.ts';
import { Declarations } from '../serving/vocabulary/declarations.ts';
import { readingOf } from '../serving/vocabulary/declared-graph.ts';
import { STANDARD_INPUT, warnOfUnknown } from './described-object.ts';
import {
  type DataChoice,
  dataOptions,
  type EngineChoice,
  engineOptions,
  mergeTagsOption,
  parseWhole,
  type TagMerging,
} from './options.ts';
import type { Reviewing } from './reviews.ts';
import { percentOf, type Terminal, textTable, withThousands } from './terminal.ts';
import {
  type ChoiceOptions,
  choiceOf,
  choiceOptions,
  refuseUnsure,
  unsure,
  withRecommender,
} from './with-recommender.ts';
import { withReviews } from './with-reviews.ts';

interface Options extends EngineChoice, ChoiceOptions, TagMerging, Reviewing, DataChoice {
  readonly output?: string;
  readonly force?: true;
  readonly dryRun?: true;
  readonly limit?: number;
  readonly json?: true;
}

const DEFAULT_CONFIDENCE = 0.8;
const DEFAULT_LIMIT = 20; // confidence decides, not the limit

const HELP = `
CATALOGUE is CSV, TSV, JSON Lines, a JSON array or Parquet, gzipped or not; how it is written is detected, as by "tagloom train".
OUT has the same format, encoding, columns, quoting and order, byte for byte, but for the cells that gain tags. These are written as
the file writes tags: at the end of a list, in the next free of several columns, or in a row of their own. OUT may be CATALOGUE
itself: it is replaced as a whole or not at all.

A row whose id the model knows is that object, and the tags in the file count as its own, but for those that the model suggests by
itself: so a second run adds nothing. Any other row is suggested to from its title, texts and tags.
A tag that the row has, in whatever case, is not added again. Without --min-confidence, suggestions that are 80 % sure
or more are added; with --reviews and no --min-confidence, only what curators accepted. What they rejected is never added, and tags are written by the names they have now.
Tags that the file has no place for are left out and counted.

Of Parquet, the tags are written again and everything else is copied; the directory loses the least and greatest values of texts.

Examples:
  $ tagloom apply shop.tagloom products.csv --dry-run
  $ tagloom apply shop.tagloom products.csv --min-confidence 0.9 -o products.csv
  $ tagloom apply shop.tagloom products.csv --reviews reviews -o tagged.csv
`;

export function addApply(program: Command, terminal: Terminal): void {
  const command = program
    .command('apply')
    .description('add tags to your own file: what the model is sure of, or what curators accepted')
    .argument('<model>', 'a model file')
    .argument('<catalogue>', 'the file to add tags to')
    .option('-o, --output <file>', 'where to write; may be the catalogue itself')
    .option('--dry-run', 'show what would be added, and write nothing')
    .option('--limit <n>', `suggestions for each object, at most (default: ${DEFAULT_LIMIT})`, parseWhole)
    .option('--reviews <store>', 'add what curators accepted: the folder or postgres:// URL of "tagloom serve"')
    .option('--force', 'replace the output file if it is already there');
  for (const option of [...dataOptions(), ...choiceOptions(), mergeTagsOption(), ...engineOptions()])
    command.addOption(option);
  command
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((model: string, path: string, options: Options) => run(model, path, options, terminal));
}

async function run(modelPath: string, path: string, options: Options, terminal: Terminal): Promise<void> {
  const { output, dryRun, reviews, mergeTags } = options;
  if (output === undefined && !dryRun) {
    const cure = `Add -o OUT (or -o ${path} to replace the file), or --dry-run to see what would be added.`;
    throw new InputError({ got: 'no file to write', expected: '-o or --dry-run', cure });
  }
  const before = await statOf(path);
  const isSame = output !== undefined && (await realpath(output).catch(() => '')) === (await realpath(path));
  if (output !== undefined && !dryRun) await refuseExistingFile(output, isSame || (options.force ?? false));
  const mapping = mergeTags === undefined ? undefined : await readTagMapping(mergeTags);
  const decided =
    reviews === undefined
      ? undefined
      : await withReviews(reviews, async (store) => ({
          pairs: await ReviewedPairs.read(store.all('accept'), store.all('reject')),
          declarations: Declarations.of(await store.vocabulary.all()),
        }));
  const declarations = decided?.declarations.isEmpty ? undefined : decided?.declarations;

  await withRecommender(modelPath, options, terminal, async (recommender, listening) => {
    const plan = await openFile(path, columnsOf(options, recommender.model), listening);
    terminal.note(understoodOf(plan));
    const additions = new Additions(recommender, {
      suggest: await suggestionsOf(options, recommender, listening),
      reviews: decided?.pairs,
      merged: declarations ? readingOf(declarations, mapping?.merged) : mapping?.merged,
      rules: declarations && new TagRules(recommender.model.graph, declarations),
      listener: listening,
      textColumns: plan.roles.texts.map((column) => plan.roles.columns[column].name),
    });
    const tally = new Tally(additions, dryRun ?? false);
    if (dryRun) await terminal.printChunks(difference(plan, tally, options.json ?? false, listening));
    else if (output !== undefined) {
      const gzipped = isSame ? plan.dialect.gzipped : /\.gz$/i.test(output);
      const changed = { ...plan, dialect: { ...plan.dialect, gzipped } };
      await writeFile(output, unchanged(before, rewriteFile(changed, tally, listening), path), {
        signal: terminal.signal,
      });
      if (options.json) terminal.printJson({ ...tally.summary, output });
      else terminal.print(textTable(undefined, [...tally.lines('added'), ['written', output]]));
    }
    tally.warn(plan, listening);
  });
}

async function statOf(path: string): Promise<Stats> {
  if (path === STANDARD_INPUT) {
    const cure = 'Save it to a file first: it is read twice, to find out how it is written and to write it back.';
    throw new InputError({ got: 'standard input', expected: 'a catalogue file', cure });
  }
  const found = await stat(path).catch((error) => {
    throw readFailure(error, path, 'a catalogue file');
  });
  if (!found.isDirectory()) return found;
  const cure = 'Pass the file that holds the objects and their tags; a folder of tables is not written back.';
  throw new InputError({ file: path, got: 'a folder', expected: 'one file', cure });
}

function columnsOf({ id, title, text, tags, separator }: Options, { graph }: Model) {
  return {
    ...(id !== undefined && { id }),
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    ...(tags !== undefined && { tags }),
    ...(separator !== undefined && { separator }),
    modelTexts: graph.texts.map(({ name }) => name),
  };
}

/** Where the tags go and what suggestions are made from, so that a wrong guess is seen at once. */
function understoodOf({ path, dialect, roles, repeated }: RowPlan): string {
  const named = (label: string, columns: readonly number[]) =>
    columns.length === 0 ? '' : `, ${label} ${columns.map((column) => roles.columns[column].name).join(', ')}`;
  const [{ style, indicates }] = roles.tags;
  const isPlain = indicates === undefined && roles.tags.length === 1;
  const how = repeated?.hasRowPerTag ? ' (a row for each)' : isPlain ? ` (${styleName(style)})` : '';
  const ids = roles.id < 0 ? ', no ids' : named('id', [roles.id]);
  const tags = named(
    'tags',
    roles.tags.slice(0, 10).map(({ column }) => column),
  );
  const title = named('title', roles.title < 0 ? [] : [roles.title]);
  return `${path}: ${formatName(dialect)}${tags}${how}${ids}${title}${named('text', roles.texts)}`;
}

/** Which suggestions to add; undefined: none. */
async function suggestionsOf(
  options: Options,
  { model }: Recommender,
  listening: Listener,
): Promise<SuggestOptions | undefined> {
  const { reviews, minConfidence, limit } = options;
  if (reviews !== undefined && minConfidence === undefined) return undefined;
  refuseUnsure(model, minConfidence);
  if (model.confidence === undefined && limit === undefined) {
    throw unsure(model.name, 'say with --limit how many tags to add to each object.');
  }
  const least = minConfidence ?? (model.confidence === undefined ? undefined : DEFAULT_CONFIDENCE);
  const choice = await choiceOf({ ...options, ...(least !== undefined && { minConfidence: least }) });
  warnOfUnknown([...(choice.allow ?? []), ...(choice.deny ?? [])], model.graph.tags, listening);
  return { ...choice, limit: limit ?? DEFAULT_LIMIT };
}

/** Decides, and counts what came of it. */
class Tally implements TagAdder {
  readonly #additions: Additions;
  readonly #isListed: boolean;
  #decided = new Map<FileRow, Addition[]>();
  #gained: { row: FileRow; added: Addition[] }[] = [];
  readonly #counts = { objects: 0, gained: 0, added: 0, reviewed: 0, leftOut: 0 };

  /** `isListed`: whether somebody takes what was gained. */
  constructor(additions: Additions, isListed: boolean) {
    this.#additions = additions;
    this.#isListed = isListed;
  }

  async decide(rows: readonly FileRow[]): Promise<string[][]> {
    const found = await this.#additions.decide(rows);
    for (const [i, row] of rows.entries()) this.#decided.set(row, found[i]);
    return found.map((list) => list.map(({ tag }) => tag));
  }

  placed(row: FileRow, tags: readonly string[], leftOut: readonly string[]): void {
    const added = (this.#decided.get(row) ?? []).filter(({ tag }) => tags.includes(tag));
    this.#decided.delete(row);
    this.#counts.objects++;
    this.#counts.leftOut += leftOut.length;
    if (added.length === 0) return;
    this.#counts.gained++;
    this.#counts.added += added.length;
    this.#counts.reviewed += added.filter(({ isReviewed }) => isReviewed).length;
    if (this.#isListed) this.#gained.push({ row, added });
  }

  /** What was added since the last call. */
  takeGained(): readonly { readonly row: FileRow; readonly added: readonly Addition[] }[] {
    const gained = this.#gained;
    this.#gained = [];
    return gained;
  }

  get summary() {
    return { ...this.#counts, known: this.#additions.numKnown, new: this.#additions.numNew };
  }

  lines(verb: string): string[][] {
    const { objects, gained, added, reviewed, known, new: fresh } = this.summary;
    const from =
      known + fresh === 0 ? '' : fresh === 0 ? ', all in the model' : `, ${withThousands(fresh)} not in the model`;
    const accepted = reviewed === 0 ? '' : `, ${withThousands(reviewed)} of them accepted by curators`;
    return [
      ['objects', `${withThousands(objects)}${from}`],
      [verb, `${counted(added, 'tag')} to ${counted(gained, 'object')}${accepted}`],
    ];
  }

  warn({ path, roles }: RowPlan, { warn }: Listener): void {
    const { leftOut, objects, known } = this.summary;
    const { numUnknown } = this.#additions;
    const columns = roles.tags.map(({ column }) => roles.columns[column].name).join(', ');
    if (leftOut > 0) {
      const isOne = roles.tags.every(({ style }) => style.form === 'single');
      const cure =
        isOne && roles.tags.length === 1 ? ' It has one tag in each cell; to add more, give --separator.' : '';
      warn?.(`${path}: left out ${counted(leftOut, 'tag')} that ${columns} cannot hold.${cure}`);
    }
    if (numUnknown > 0) {
      warn?.(`${counted(numUnknown, 'object')} not in the model gained nothing: only loom suggests to new objects.`);
    } else if (known === 0 && objects > 0 && roles.id >= 0 && this.summary.new > 0) {
      warn?.(`No id in ${path} is one of the model: all suggestions come from titles, texts and tags.`);
    }
  }
}

function counted(count: number, noun: string): string {
  return `${withThousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** What would be added, object by object, and the counts; a long one never lies in memory as a whole. */
async function* difference(plan: RowPlan, tally: Tally, json: boolean, listening: Listener): AsyncGenerator<string> {
  let before = '{"changes": [\n';
  for await (const _ of rewriteFile({ ...plan, dialect: { ...plan.dialect, gzipped: false } }, tally, listening)) {
    for (const { row, added } of tally.takeGained()) {
      if (json) {
        yield before + JSON.stringify(changeOf(row, added));
        before = ',\n';
      } else yield changeText(row, added);
    }
  }
  if (!json) yield `${tally.summary.gained === 0 ? '' : '\n'}${textTable(undefined, tally.lines('to add'))}`;
  else yield `${before === ',\n' ? '' : before}\n],\n${JSON.stringify(tally.summary).slice(1, -1)}}\n`;
}

function changeOf(row: FileRow, added: readonly Addition[]): object {
  const add = added.map(({ tag, confidence, isReviewed }) => ({
    tag,
    ...(confidence !== undefined && { confidence: Number(shortest(confidence)) }),
    ...(isReviewed && { reviewed: true }),
  }));
  const [object, title] = [nameOf(row), row.title];
  return { row: row.number, object, ...(title !== '' && title !== object && { title }), add };
}

function changeText(row: FileRow, added: readonly Addition[]): string {
  const name = nameOf(row);
  const rows = added.map(({ tag, confidence, isReviewed }) => [
    `  + ${tag}`,
    isReviewed ? 'accepted' : confidence === undefined ? '' : percentOf(confidence),
  ]);
  return `${row.title === '' || row.title === name ? name : `${row.title} (${name})`}\n${textTable(undefined, rows)}`;
}

/** The contents, if the file they come from is still what it was when they end. */
async function* unchanged(
  before: Stats,
  contents: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array> {
  yield* contents;
  const after = await stat(path).catch(() => undefined);
  if (after?.mtimeMs === before.mtimeMs && after.size === before.size && after.ino === before.ino) return;
  const got = 'a file that another program changed meanwhile';
  throw new InputError({ file: path, got, expected: 'one that stays as it is', cure: 'Run the command again.' });
}
