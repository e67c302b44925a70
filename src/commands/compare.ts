// tagloom compare DATA...: models fitted to the same splits and measured on the same hidden pairs.

import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dataName } from '../data/data-set.ts';
import { type Features, readFeatures } from '../data/features.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { InputError } from '../errors.ts';
import { CellStore } from '../evaluation/cell-store.ts';
import { type CellResult, type MetricSpread, type ModelSummary, summarize } from '../evaluation/experiment.ts';
import { findObject } from '../evaluation/glimpse.ts';
import { type Published, readPublished } from '../evaluation/report/published.ts';
import { compareInto } from '../experiments.ts';
import { refuseExistingFile } from '../files.ts';
import type { Listener } from '../listener.ts';
import { checkedModelName, findModel } from '../models/catalogue.ts';
import { optional } from '../optional.ts';
import { resolveSettings, type Settings } from '../settings.ts';
import { refuseRemote } from '../tables/count-data.ts';
import type { CompareOptions, Comparison } from './compare-report.ts';
import {
  DATA_ARGUMENT,
  dataOptions,
  engineOf,
  engineOptions,
  mergeTagsOption,
  parseNumber,
  parseWhole,
  readData,
  settingsFor,
  settingsOptions,
} from './options.ts';
import { countingOptions, readDataThroughTables, usesTables } from './table-engine.ts';
import { type Terminal, textTable } from './terminal.ts';

const REPORT_PACKAGES = ['@observablehq/plot', '@mixmark-io/domino'];

const HELP = `
Every model is fitted once for each seed 1, 2, …, on the same splits. The settings of one model: --set dge.epochs=40;
on one data set: --set lastfm.dge.epochs=40.
Recall, NDCG: the usual ones. NDCG (paper): its ideal list has k right tags, whatever the object has. cold: objects
without a training tag. against the best: mean difference of Recall over all objects and seeds, its 95 % bootstrap
interval, and the p-value of a permutation test. --report shows also the tags that models give to a few objects, chosen
by rule unless --objects names them, and maps of their tags. --paper FILE shows published figures beside them, by the names
of the data folders: {"dataSets": {"lastfm": {"facts": {"numTags": 11946}, "results": {"dge": {"recall@3": 0.2494}}}}}.
With --engine duckdb or spark, data are read through it: folders of tables, globs and, for Spark, addresses (s3a://bucket/shop)
and schemas (table:main.shop). Models are fitted in memory.

Examples:
  $ tagloom compare lastfm --models popularity,itemknn,loom --seeds 3
  $ tagloom compare lastfm --models dge,so-ge,st-ge --set epochs=40 --json
  $ tagloom compare lastfm --models dge,ease --train-fractions 0.2,0.4,0.6,0.8 -o cells     goes on after Ctrl-C
  $ tagloom compare lastfm steam --models dge,mf -o cells --report out.html                 one page for both
`;

export function addCompare(program: Command, terminal: Terminal): void {
  const command = program
    .command('compare')
    .description('compare models on hidden pairs of data sets')
    .argument('<data...>', `data sets: each ${DATA_ARGUMENT}`)
    .option('--models <names>', 'names with commas between, see "tagloom models"', parseNames, [
      'popularity',
      'itemknn',
      'dge',
      'loom',
    ])
    .option('--seeds <n>', 'how many splits', parseWhole, 3)
    .option('--train-fractions <list>', 'shares of the pairs to train on', parseFractions, [0.8])
    .addOption(
      new Option('--by <unit>', 'what is hidden: pairs one by one, or all tags of some objects')
        .choices(['pair', 'object'])
        .default('pair'),
    )
    .option('--features <file>', 'a table with content features of the objects, for models that take them')
    .option('--k <list>', 'lengths of the lists looked at', parseLengths, [3, 5])
    .option('-o, --output <folder>', 'keep finished cells here: a stopped comparison goes on')
    .option('--report <file>', 'write tables and figures as one HTML page')
    .option('--paper <file>', 'a JSON file of published figures, which the report shows beside these')
    .option('--objects <names>', 'objects the report shows, with commas between; may be repeated', collect, [])
    .option('--json', 'print one JSON document');
  const shared = [...dataOptions(), mergeTagsOption(), ...settingsOptions(), ...engineOptions()];
  const runFolder = new Option('--run-folder <folder>', 'where an engine writes tables (default: a temporary one)');
  for (const option of [...shared, ...countingOptions(), runFolder]) command.addOption(option);
  command
    .addHelpText('after', HELP)
    .action((folders: string[], options: CompareOptions) =>
      run(folders, options, terminal, program.version() ?? '(no version)'),
    );
}

async function run(folders: string[], options: CompareOptions, terminal: Terminal, version: string): Promise<void> {
  const { trainFractions, k: ks, report } = options;
  const comparison = await prepare(folders, options, terminal);
  const cells = await terminal.during((listening) => fitAll(comparison, listening));
  const summaries = summarize(cells, `recall@${ks[0]}`);
  if (report !== undefined) {
    const { writeReport } = await loadReport();
    const results = { cells, summaries, version };
    await terminal.during((listening) => writeReport(report, comparison, results, listening));
    terminal.note(`Report written to ${report}`);
  }
  const { dataSets, seeds } = comparison;
  const settings = Object.fromEntries(dataSets.map((one) => [one.name, one.settings]));
  if (options.json) {
    const examples = cells.flatMap(({ data, model, glimpse }) =>
      glimpse ? [{ data, model, examples: glimpse.examples }] : [],
    );
    const answer = { data: folders, trainFractions, by: options.by, seeds, settings, models: summaries };
    return terminal.printJson(report === undefined ? answer : { ...answer, examples });
  }
  for (const { name } of dataSets) {
    for (const trainFraction of trainFractions) {
      const title = [
        ...(dataSets.length > 1 ? [name] : []),
        ...(trainFractions.length > 1 ? [`${withPercent(trainFraction)} of the pairs to train on`] : []),
      ].join(', ');
      const own = summaries.filter((one) => one.data === name && one.trainFraction === trainFraction);
      terminal.print(`${title === '' ? '' : `\n${title}\n`}${comparisonTable(own, ks)}`);
    }
  }
}

/** Reads all that is asked for, so that a mistake shows before hours of fitting, not after. */
async function prepare(folders: string[], options: CompareOptions, terminal: Terminal): Promise<Comparison> {
  if (options.seeds < 1) throw new InputError({ got: 'no seed', expected: '1 or more', cure: 'Pass --seeds 3.' });
  const published = await preparedReport(options);
  const names = dataNames(folders);
  const settings = names.map(() => ({}) as Record<string, Settings>);
  for (const model of options.models) {
    const { settings: known } = findModel(model);
    for (const [i, folder] of folders.entries()) {
      settings[i][model] = await settingsFor(model, dataName(folder), options);
      resolveSettings(known, settings[i][model]);
    }
  }
  const dataSets = [];
  for (const [i, folder] of folders.entries()) {
    if (!usesTables(options)) refuseRemote(folder, 'memory');
    const { graph } = await (usesTables(options) ? readDataThroughTables : readData)(folder, options, terminal);
    const features = await terminal.during((listening) => featuresFor(folders, graph, options, listening));
    dataSets.push({ name: names[i], settings: settings[i], graph, features });
  }
  const objects = objectNames(options, dataSets);
  const seeds = Array.from({ length: options.seeds }, (_, i) => i + 1);
  return { folders, dataSets, seeds, objects, published, options };
}

async function featuresFor(
  folders: readonly string[],
  { objects }: KnowledgeGraph,
  { features, models }: CompareOptions,
  listening: Listener,
): Promise<Features | undefined> {
  if (features === undefined) return undefined;
  if (folders.length > 1) {
    const cure = 'Compare on one data set at a time.';
    throw new InputError({ got: '--features for several data sets', expected: 'one', cure });
  }
  if (!models.some((model) => findModel(model).takesFeatures)) {
    const cure = 'Leave out --features, or add loom.';
    throw new InputError({ got: `--features for ${models.join(', ')}`, expected: 'a model that takes them', cure });
  }
  return readFeatures(features, objects, listening);
}

/** Its plots need packages that are large and rarely wanted. */
function loadReport() {
  return optional('--report', REPORT_PACKAGES, () => import('./compare-report.ts'));
}

/** What a report needs, before anything is fitted: a file that can be written, and published figures. */
async function preparedReport({ report, paper }: CompareOptions): Promise<Published | undefined> {
  if (report === undefined) {
    if (paper === undefined) return undefined;
    const cure = 'Add --report out.html.';
    throw new InputError({ got: '--paper without --report', expected: 'a report to show its figures in', cure });
  }
  await loadReport(); // says what is missing before anything is fitted
  await refuseExistingFile(report, true);
  return paper === undefined ? undefined : readPublished(paper);
}

async function fitAll(comparison: Comparison, listening: Listener): Promise<CellResult[]> {
  const { dataSets, seeds, objects, options } = comparison;
  const { trainFractions, by, k: ks, report } = options;
  const models = options.models.map(checkedModelName);
  const store = options.output === undefined ? undefined : await CellStore.open(options.output);
  const glimpse = report === undefined ? undefined : { objects };
  const cells: CellResult[] = [];
  for (const { name: data, settings, graph, features } of dataSets) {
    const experiment = { models, seeds, trainFractions, by, ks, settings, data, features, store, glimpse };
    cells.push(...(await compareInto(graph, { ...experiment, ...engineOf(options) }, listening)));
  }
  return cells;
}

/** What to call the data sets: their folders' own names or, where two share one, the paths as they were given. */
function dataNames(folders: readonly string[]): string[] {
  const short = folders.map(dataName);
  const names = new Set(short).size === short.length ? short : [...folders];
  if (new Set(folders.map((folder) => resolve(folder))).size < folders.length) {
    throw new InputError({ got: 'a data set twice', expected: 'each once', cure: 'Leave one of them out.' });
  }
  return names;
}

/** The objects to show: a text is taken whole if that is what an object is called, else as a list. */
function objectNames({ objects: texts, report }: CompareOptions, dataSets: Comparison['dataSets']): string[] {
  if (texts.length > 0 && report === undefined) {
    const cure = 'Add --report out.html.';
    throw new InputError({ got: '--objects without --report', expected: 'a report to show them in', cure });
  }
  const isThere = (name: string) => dataSets.some(({ graph }) => findObject(graph, name) >= 0);
  const objects = texts.flatMap((text) => (isThere(text) ? [text] : text.split(',').map((name) => name.trim())));
  const missing = objects.find((name) => !isThere(name));
  if (missing === undefined) return objects;
  const expected = 'the name of an object, or a title that only one bears';
  throw new InputError({ got: `the object "${missing}"`, expected, cure: 'Check its spelling.' });
}

export function comparisonTable(summaries: readonly ModelSummary[], ks: readonly number[]): string {
  const columns = [
    ...ks.flatMap((k) => [
      [`Recall@${k}`, `recall@${k}`],
      [`NDCG@${k}`, `ndcg@${k}`],
      [`NDCG@${k} (paper)`, `paperNdcg@${k}`],
    ]),
  ];
  const rows = summaries.map(({ model, metrics, groups, seconds, againstBest }) => [
    model,
    ...columns.map(([, metric]) => shown(metrics[metric])),
    shown(groups.find(({ group }) => group === 'cold')?.metrics[`recall@${ks[0]}`]),
    `${seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0)} s`,
    againstBest === undefined ? 'best' : difference(againstBest),
  ]);
  const titles = [...columns.map(([title]) => title), `cold Recall@${ks[0]}`];
  return textTable(['model', ...titles, 'fit', 'against the best'], rows);
}

function shown(value: MetricSpread | undefined): string {
  if (value === undefined) return '';
  const { mean, deviation } = value;
  return deviation === 0 ? mean.toFixed(4) : `${mean.toFixed(4)} ± ${deviation.toFixed(4)}`;
}

function difference({
  difference: mean,
  interval: [low, high],
  pValue,
}: NonNullable<ModelSummary['againstBest']>): string {
  const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
  return `${signed(mean)} [${signed(low)}, ${signed(high)}], p ${pValue < 0.001 ? '< 0.001' : pValue.toFixed(3)}`;
}

function withPercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function parseFractions(text: string): number[] {
  return text.split(',').map(parseNumber);
}

function parseNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Expected names with commas between.');
  return [...new Set(names)];
}

function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

function parseLengths(text: string): number[] {
  const lengths = text.split(',').map(parseWhole);
  if (lengths.some((k) => k < 1)) throw new InvalidArgumentError('Expected whole numbers of 1 and more.');
  return lengths;
}
