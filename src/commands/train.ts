// tagloom train DATA --model NAME -o FILE: fits a model and saves it. A checkpoint lies beside the file while it trains;
// Ctrl-C leaves it there, and --resume goes on from it.

import { rm, stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { LoadedCatalogue } from '../data/catalogue/read-catalogue.ts';
import { dataName } from '../data/data-set.ts';
import { readFeatures } from '../data/features.ts';
import { CancelledError, InputError } from '../errors.ts';
import { refuseExistingFile, whileReserved } from '../files.ts';
import type { CountedData } from '../graph/counted-users.ts';
import { checkedModelName, MODELS, type ModelName } from '../models/catalogue.ts';
import { userCountsOf } from '../models/fitted.ts';
import type { UserCounts } from '../models/loom/loom.ts';
import { LOOM_SETTINGS } from '../models/loom/settings.ts';
import { trainFile } from '../pipeline.ts';
import type { ReviewCounts } from '../serving/reviews/reviewed-graph.ts';
import { resolveSettings, type Settings } from '../settings.ts';
import type { StageSettings } from '../tables/stages/stage.ts';
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
import { type Reviewing, reviewsOption, withDecided } from './reviews.ts';
import {
  emitStatements,
  forgetRun,
  readThroughTables,
  refuseTooLarge,
  type TableChoice,
  tableOptions,
  usesTables,
} from './table-engine.ts';
import { type Terminal, textTable, withThousands } from './terminal.ts';

interface Options extends SettingsOptions, EngineChoice, TagMerging, Reviewing, DataChoice, TableChoice {
  readonly model: string;
  readonly output: string;
  readonly features?: string;
  readonly seed?: number;
  readonly json?: true;
}

const DEFAULT_MODEL: ModelName = 'loom';

const HELP = `
DATA is one file with a row for each object, or a folder of tables (tagged and, optionally, interact and objects). The columns
of a file are found by their names and contents; the first lines say what was understood, and --id, --title, --text, --tags and
--separator correct it. Objects without tags count: they are suggested to.
"tagloom models" lists the models, "tagloom models dge" the settings of one.
Ctrl-C, or a crash, leaves FILE.checkpoint; the same command with --resume goes on from it to the same result.
Where data do not fit into memory, --engine duckdb counts them on disk: DATA is then a folder of tables, or a glob, and a table may
be many files (tagged/part-0.parquet). A stopped run leaves FILE.run; --resume goes on from it.
--engine spark counts on a cluster: DATA may also be an address (s3a://bucket/shop, with tables in s3a://bucket/shop/tagged and so
on) or a schema of the catalogue (table:main.shop). The run folder must be one that all workers see, or an address.
With --reviews, accepted pairs count as if the data had them, and rejected ones are taken out and never suggested. Tags that were
merged or renamed are learnt by their names now, and objects carry what their tags imply (tagloom vocabulary).

Examples:
  $ tagloom train products.csv -o shop.tagloom
  $ tagloom train products.csv --tags keywords,genre --text abstract --separator ";" -o shop.tagloom
  $ zcat articles.jsonl.gz | tagloom train - -o articles.tagloom
  $ tagloom train lastfm -o lastfm.tagloom
  $ tagloom train lastfm --model dge --set epochs=40 --set objectShift=1 -o lastfm.tagloom
  $ tagloom train lastfm --seed 2 -o lastfm-2.tagloom
  $ tagloom train films --features films/embeddings.parquet -o films.tagloom
  $ tagloom train films --reviews reviews -o films.tagloom --force
  $ tagloom train lake/shop --engine duckdb --memory-limit 8GB -o shop.tagloom
  $ tagloom train s3a://lake/shop --engine spark --spark sc://spark.example:15002 --run-folder s3a://lake/run -o shop.tagloom
`;

export function addTrain(program: Command, terminal: Terminal): void {
  const command = program
    .command('train')
    .description('fit a model to a data set and save it')
    .argument('<data>', DATA_ARGUMENT)
    .option('--model <name>', 'which one', DEFAULT_MODEL)
    .requiredOption('-o, --output <file>', 'the model file to write')
    .option('--features <file>', 'a table with content features of the objects')
    .option('--seed <n>', 'a whole number; the same as --set seed=N (default: 1)', parseWhole)
    .addOption(new Option('--resume', 'go on from the checkpoint of a stopped run').conflicts('force'))
    .option('--force', 'replace the file, and forget a checkpoint, if one is there')
    .option('--json', 'print one JSON document');
  const shared = [...dataOptions(), mergeTagsOption(), reviewsOption(), ...settingsOptions(), ...engineOptions()];
  for (const option of [...shared, ...tableOptions()]) command.addOption(option);
  command.addHelpText('after', HELP).action((folder: string, options: Options) => run(folder, options, terminal));
}

async function run(folder: string, options: Options, terminal: Terminal): Promise<void> {
  const { output } = options;
  const name = checkedModelName(options.model);
  const kind = MODELS[name];
  const settings = withSeed(await settingsFor(name, dataName(folder), options), name, options, terminal);
  if (options.features !== undefined && !kind.takesFeatures) {
    const able = Object.entries(MODELS).flatMap(([model, { takesFeatures }]) => (takesFeatures ? [model] : []));
    const cure = `Leave out --features, or train ${able.slice(0, -1).join(', ')} or ${able.at(-1)}.`;
    throw new InputError({ got: `--features for ${name}`, expected: 'a model that takes them', cure });
  }
  if (options.emitSql !== undefined) {
    return emitStatements(folder, output, stageSettings(name, settings, options), options, terminal);
  }
  await refuseTooLarge(folder, output, options, terminal);
  if (!options.resume) await refuseExistingFile(output, options.force ?? false);
  await whileReserved(output, () => fitFile(folder, { name, settings }, options, terminal));
}

async function fitFile(
  folder: string,
  { name, settings }: { readonly name: ModelName; readonly settings: Settings },
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const { output } = options;
  const checkpoint = `${output}.checkpoint`;
  if (!usesTables(options)) await decideOnCheckpoint(checkpoint, options);
  const started = performance.now();
  let counts: ReviewCounts | undefined;
  const { graph: data, understood, counted: ofEngine } = await readAll(folder, { name, settings }, options, terminal);
  const facts = await terminal.during((listening) => {
    const loadAll = async () => {
      const decided = await withDecided(data, options, listening);
      counts = decided.counts;
      const features = options.features && (await readFeatures(options.features, decided.graph.objects, listening));
      return { ...decided, counted: ofEngine, ...(features ? { features } : {}) };
    };
    const training = { model: name, settings, ...engineOf(options) };
    const resumed = { checkpoint: { path: checkpoint, resume: options.resume ?? false } };
    const run = { ...training, ...(usesTables(options) ? {} : resumed) };
    return trainFile(loadAll, output, run, listening).catch(async (error) => {
      if (error instanceof CancelledError && (await exists(checkpoint))) {
        terminal.note(`tagloom: ${checkpoint} holds what was learnt; the same command with --resume goes on from it.`);
      }
      throw error;
    });
  });
  if (usesTables(options)) await forgetRun(output, options);
  const seconds = (performance.now() - started) / 1000;
  const { size } = await stat(output);
  if (options.json) {
    const { settings: used, metrics } = facts;
    const made = { model: name, output, bytes: size, seconds, settings: used, metrics, reviews: counts };
    return terminal.printJson({ ...made, data: understood });
  }
  const { users, objects, tags, tagged, interact } = facts.graph;
  const left = userCountsOf(facts);
  const rows = [
    ['model', name],
    [
      'data',
      `${counted(objects.size, 'object')}, ${counted(tags.size, 'tag')}, ${counted(tagged.size, 'tagged pair')}`,
    ],
    ...(users.size === 0 ? [] : [['', `${counted(users.size, 'user')}, ${counted(interact.size, 'interaction')}`]]),
    ...(left === undefined ? [] : [['', leftOutText(left)]]),
    ...(counts === undefined ? [] : [['reviews', reviewsText(counts)]]),
    ...Object.entries(facts.metrics).map(([metric, value]) => [
      metric,
      metric.includes('@') ? value.toFixed(4) : `${value}`,
    ]),
    ['time', `${seconds.toFixed(1)} s`],
    ['written', `${output}, ${(size / 1e6).toFixed(1)} MB`],
  ];
  terminal.print(textTable(undefined, rows));
}

interface Read extends LoadedCatalogue {
  readonly counted?: CountedData;
}

/** The data, and what a table engine counted of them. */
function readAll(
  folder: string,
  { name, settings }: { readonly name: ModelName; readonly settings: Settings },
  options: Options,
  terminal: Terminal,
): Promise<Read> {
  if (!usesTables(options)) return readData(folder, options, terminal);
  return readThroughTables(folder, options.output, stageSettings(name, settings, options), options, terminal);
}

/** What the statements of table engines depend on: they count for loom. */
function stageSettings(name: ModelName, settings: Settings, { engine }: Options): StageSettings {
  if (name !== 'loom') {
    const [got, cure] = [`--engine ${engine ?? 'for SQL'} for ${name}`, 'Train loom, or use --engine memory.'];
    throw new InputError({ got, expected: 'loom', cure });
  }
  const { neighbours, userDamping, sampleRows, rareCount } = resolveSettings(LOOM_SETTINGS, settings);
  return { neighbours, damping: userDamping, rows: sampleRows, rareCount };
}

/** With the seed of --seed. It goes over a --config file, but not over --set: one of the two is a mistake. */
function withSeed(settings: Settings, name: ModelName, { seed, set }: Options, terminal: Terminal): Settings {
  if (seed === undefined) return settings;
  const also = Object.keys(set).find((key) => key === 'seed' || key.endsWith('.seed'));
  if (also !== undefined) {
    const got = `--seed ${seed} and --set ${also}=${set[also]}`;
    throw new InputError({ got, expected: 'one seed', cure: `Leave out --set ${also}.` });
  }
  if ('seed' in MODELS[name].settings) return { ...settings, seed };
  terminal.note(`tagloom: nothing in ${name} is random, so --seed changes nothing.`);
  return settings;
}

function leftOutText({ numUsers, numInteractions }: UserCounts): string {
  return `${counted(numUsers, 'user')}, ${counted(numInteractions, 'interaction')}, learnt from and not in the file`;
}

function reviewsText({ added, removed, rejected }: ReviewCounts): string {
  return `${counted(added, 'pair')} added, ${withThousands(removed)} taken out, ${withThousands(rejected)} never to be suggested`;
}

/** An earlier run's work is neither thrown away nor gone on from unless the person says which. */
async function decideOnCheckpoint(path: string, { resume, force }: Options): Promise<void> {
  const found = await exists(path);
  if (resume && !found) {
    const cure = 'Leave out --resume to start over.';
    throw new InputError({ file: path, got: 'no checkpoint', expected: 'one of a stopped run', cure });
  }
  if (found && force) await rm(path);
  else if (found && !resume) {
    const cure = 'Add --resume to go on from it, or --force to start over.';
    throw new InputError({ file: path, got: 'the checkpoint of a stopped run', expected: 'none', cure });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function counted(count: number, noun: string): string {
  return `${withThousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}
