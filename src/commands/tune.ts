// tagloom tune DATA --model NAME: searches the settings of a model on pairs kept back from the data, and writes the best
// ones as a file that --config reads. What was measured lies beside it, so that a stopped search goes on.

import { rm, stat } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dataName } from '../data/data-set.ts';
import { CancelledError, InputError } from '../errors.ts';
import { tune } from '../experiments.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import { checkedModelName, findModel, MODELS } from '../models/catalogue.ts';
import { resolveSettings, type Settings } from '../settings.ts';
import { drawTrials } from '../training/search-space.ts';
import type { Measured, SearchResult } from '../training/tune.ts';
import {
  DATA_ARGUMENT,
  type DataChoice,
  dataOptions,
  type EngineChoice,
  engineOf,
  engineOptions,
  mergeTagsOption,
  parseWhole,
  readData,
  type SettingsOptions,
  settingsFor,
  settingsOptions,
  type TagMerging,
} from './options.ts';
import { type Terminal, textTable } from './terminal.ts';

interface Options extends SettingsOptions, EngineChoice, TagMerging, DataChoice {
  readonly model: string;
  readonly budget: Budget;
  readonly trials: number;
  readonly seed: number;
  readonly output?: string;
  readonly resume?: true;
  readonly force?: true;
  readonly json?: true;
}

interface Budget {
  readonly text: string;
  readonly ms: number;
}

const NUM_SHOWN = 10;

const HELP = `
Configurations are drawn at random and measured by Recall@3 on a tenth of the pairs, which no fit sees. All get a quarter
of the epochs (or of the objects, where a model has no epochs), the best third half of them, the best third of these all.
The defaults are measured in full first, so the result is never worse there. What --set or --config gives is not searched.
The best of many looks a little better than it is: for an honest figure, split off test pairs before, and tune on the rest.
FILE.trials keeps what was measured. After Ctrl-C, or for more time or trials, the same command with --resume goes on.

Examples:
  $ tagloom tune lastfm --model ease --budget 5m -o ease.json
  $ tagloom train lastfm --model ease --config ease.json -o lastfm.tagloom
  $ tagloom compare lastfm --models ease,dge --config ease.json
  $ tagloom tune lastfm --model dge --budget 2h --trials 100 --set objective=softmax -o dge.json
`;

export function addTune(program: Command, terminal: Terminal): void {
  const command = program
    .command('tune')
    .description('search for better settings of a model')
    .argument('<data>', DATA_ARGUMENT)
    .requiredOption('--model <name>', 'which one')
    .addOption(
      new Option('--budget <time>', 'to spend, such as 90s, 5m or 2h')
        .argParser(parseBudget)
        .default(parseBudget('5m'), '5m'),
    )
    .option('--trials <n>', 'configurations to try, at most', parseTrials, 50)
    .option('--seed <n>', 'decides what is drawn and which pairs are kept back', parseWhole, 1)
    .option('-o, --output <file>', 'the settings file to write')
    .addOption(new Option('--resume', 'go on from the trials of an earlier search').conflicts('force'))
    .option('--force', 'replace the file, and forget its trials, if they are there')
    .option('--json', 'print one JSON document');
  for (const option of [...dataOptions(), mergeTagsOption(), ...settingsOptions(), ...engineOptions()])
    command.addOption(option);
  command.addHelpText('after', HELP).action((folder: string, options: Options) => run(folder, options, terminal));
}

async function run(folder: string, options: Options, terminal: Terminal): Promise<void> {
  const { budget, trials, seed, output } = options;
  const model = checkedModelName(options.model);
  const given = await settingsFor(model, dataName(folder), options);
  drawTrials(MODELS[model].settings, given, 1, seed); // says at once what cannot be searched
  const store = await decideOnTrials(options);
  const started = performance.now();
  const { graph } = await readData(folder, options, terminal);
  const result = await terminal.during(async (listening) => {
    const search = { model, settings: given, budgetMs: budget.ms, trials, seed, ...(store && { store }) };
    return tune(graph, { ...search, ...engineOf(options) }, listening).catch((error) => {
      if (error instanceof CancelledError) terminal.note(howToGoOn(store?.path));
      throw error;
    });
  });
  const config = { [model]: result.best.settings };
  if (output !== undefined) await writeFile(output, `${JSON.stringify(config, null, 2)}\n`);
  if (options.json) {
    const seconds = (performance.now() - started) / 1000;
    const told = { model, data: folder, seed, budgetSeconds: budget.ms / 1000, seconds, ...(output && { output }) };
    return terminal.printJson({ ...told, config, isCut: result.isCut, best: result.best, trials: result.trials });
  }
  terminal.print(trialsTable(result, model, given));
  terminal.print(summary(result, options));
  terminal.print(
    output === undefined
      ? `Best settings:\n${JSON.stringify(config, null, 2)}`
      : `Written to ${output}; use it with: tagloom train ${folder} --model ${model} --config ${output}`,
  );
}

/** An earlier search is neither thrown away nor gone on from unless the person says which. */
async function decideOnTrials(options: Options): Promise<{ path: string; resume: boolean } | undefined> {
  const { output } = options;
  const [resume, force] = [options.resume ?? false, options.force ?? false];
  if (output === undefined) {
    if (!resume) return undefined;
    const cure = 'Add -o FILE, as in the search that was stopped.';
    throw new InputError({ got: '--resume without -o', expected: 'the file whose trials to go on from', cure });
  }
  const path = `${output}.trials`;
  if (!resume) await refuseExistingFile(output, force);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (resume && !isThere) {
    const cure = 'Leave out --resume to start over.';
    throw new InputError({ file: path, got: 'no trials', expected: 'those of an earlier search', cure });
  }
  if (isThere && force) await rm(path);
  else if (isThere && !resume) {
    const cure = 'Add --resume to go on from them, or --force to start over.';
    throw new InputError({ file: path, got: 'the trials of an earlier search', expected: 'none', cure });
  }
  return { path, resume };
}

function howToGoOn(path: string | undefined): string {
  return path === undefined
    ? 'tagloom: nothing was kept; with -o FILE, a stopped search can go on.'
    : `tagloom: ${path} holds what was measured; the same command with --resume goes on from it.`;
}

/** The best trials, and the defaults wherever they stand. */
function trialsTable({ trials }: SearchResult, model: string, given: Settings): string {
  const usual: Settings = resolveSettings(findModel(model).settings, given);
  const shown = trials.filter(({ trial }, i) => i < NUM_SHOWN || trial === 0);
  const rows = shown.map(({ trial, recall, share, seconds, settings, failure }) => [
    trial === 0 ? 'defaults' : `${trial}`,
    recall === undefined ? 'failed' : recall.toFixed(4),
    share === 1 ? 'all' : `1/${1 / share}`,
    `${seconds.toFixed(1)} s`,
    failure ?? differing(settings, usual),
  ]);
  return textTable(['trial', 'validation Recall@3', 'share', 'time', 'settings'], rows);
}

function differing(settings: Settings, usual: Settings): string {
  return Object.entries(settings)
    .filter(([name, value]) => value !== usual[name])
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function summary({ trials, best, isCut }: SearchResult, { budget, output }: Options): string {
  const numOf = (picks: (one: Measured) => boolean) => trials.filter(picks).length;
  const numFailed = numOf(({ failure }) => failure !== undefined);
  const failed = numFailed === 0 ? '' : `, ${numFailed} failed`;
  const sentences = [
    `${trials.length} trials measured, ${numOf(({ share }) => share === 1)} of them in full${failed}.`,
  ];
  if (isCut) {
    const early = trials.some(({ share, trial }) => share === 1 && trial > 0)
      ? ''
      : ' before any but the defaults got so far';
    const more = output === undefined ? 'give it more' : 'a larger one with --resume goes on';
    sentences.push(`The budget of ${budget.text} was spent${early}: ${more}.`);
  }
  if (best.trial === 0) sentences.push('None was better than the defaults.');
  return sentences.join(' ');
}

function parseBudget(text: string): Budget {
  const match = /^(\d+(?:\.\d+)?) ?(s|m|h)$/.exec(text.trim());
  const ms = match === null ? 0 : Number(match[1]) * { s: 1000, m: 60_000, h: 3_600_000 }[match[2] as 's' | 'm' | 'h'];
  if (!(ms > 0)) throw new InvalidArgumentError('Expected a time such as 90s, 5m or 2h.');
  return { text, ms };
}

function parseTrials(text: string): number {
  const value = parseWhole(text);
  if (value < 2) throw new InvalidArgumentError('Expected 2 or more: the defaults and one to hold against them.');
  return value;
}
