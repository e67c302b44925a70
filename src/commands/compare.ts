// tagloom compare DATA: models fitted to the same splits and measured on the same hidden pairs.

import { basename, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { readFolder } from '../data/folder.ts';
import { InputError } from '../errors.ts';
import type { ModelSummary, Spread } from '../evaluation/experiment.ts';
import type { Settings } from '../models/model.ts';
import { CellStore, compare, summarize } from '../pipeline.ts';
import { modelKind } from '../training/models.ts';
import { type EngineChoice, engineOf, engineOptions } from './engine-option.ts';
import { parseNumber, parseWhole } from './number-option.ts';
import { type SettingsOptions, settingsFor, settingsOptions } from './settings-option.ts';
import type { Terminal } from './terminal.ts';
import { textTable } from './text-table.ts';

interface Options extends SettingsOptions, EngineChoice {
  readonly models: string[];
  readonly seeds: number;
  readonly trainFractions: number[];
  readonly output?: string;
  readonly k: number[];
  readonly json?: true;
}

const HELP = `
Every model is fitted once for each seed 1, 2, …, on the same splits. The settings of one model: --set dge.epochs=40.
Recall, NDCG: the usual ones. NDCG (paper): its ideal list has k right tags, whatever the object has. cold: objects
without a training tag. against the best: mean difference of Recall over all objects and seeds, its 95 % bootstrap
interval, and the p-value of a permutation test.

Examples:
  $ tagloom compare lastfm --models popularity,itemknn,dge --seeds 3
  $ tagloom compare lastfm --models dge,so-ge,st-ge --set epochs=40 --json
  $ tagloom compare lastfm --models dge,ease --train-fractions 0.2,0.4,0.6,0.8 -o cells     goes on after Ctrl-C
`;

export function addCompare(program: Command, terminal: Terminal): void {
  const command = program
    .command('compare')
    .description('compare models on hidden pairs of a data set')
    .argument('<data>', 'a data set folder')
    .option('--models <names>', 'names with commas between, see "tagloom models"', parseNames, [
      'popularity',
      'itemknn',
      'dge',
    ])
    .option('--seeds <n>', 'how many splits', parseWhole, 3)
    .option('--train-fractions <list>', 'shares of the pairs to train on', parseFractions, [0.8])
    .option('--k <list>', 'lengths of the lists looked at', parseLengths, [3, 5])
    .option('-o, --output <folder>', 'keep finished cells here: a stopped comparison goes on')
    .option('--json', 'print one JSON document');
  for (const option of [...settingsOptions(), ...engineOptions()]) command.addOption(option);
  command.addHelpText('after', HELP).action((folder: string, options: Options) => run(folder, options, terminal));
}

async function run(folder: string, options: Options, terminal: Terminal): Promise<void> {
  const { models, trainFractions, k: ks } = options;
  if (options.seeds < 1) throw new InputError({ got: 'no seed', expected: '1 or more', cure: 'Pass --seeds 3.' });
  const settings: Record<string, Settings> = {};
  for (const model of models) {
    modelKind(model);
    settings[model] = await settingsFor(model, options);
  }
  const seeds = Array.from({ length: options.seeds }, (_, i) => i + 1);
  const store = options.output === undefined ? undefined : await CellStore.open(options.output);
  const cells = await terminal.during(async (listening) => {
    const graph = await readFolder(folder, listening);
    const data = basename(resolve(folder));
    return compare(
      graph,
      { models, seeds, trainFractions, ks, settings, data, store, ...engineOf(options) },
      listening,
    );
  });
  const summaries = summarize(cells, `recall@${ks[0]}`);
  if (options.json) return terminal.printJson({ data: folder, trainFractions, seeds, settings, models: summaries });
  for (const trainFraction of trainFractions) {
    if (trainFractions.length > 1) terminal.print(`\n${withPercent(trainFraction)} of the pairs to train on`);
    terminal.print(
      comparisonTable(
        summaries.filter((one) => one.trainFraction === trainFraction),
        ks,
      ),
    );
  }
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

function shown(value: Spread | undefined): string {
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

function parseLengths(text: string): number[] {
  const lengths = text.split(',').map(parseWhole);
  if (lengths.some((k) => k < 1)) throw new InvalidArgumentError('Expected whole numbers of 1 and more.');
  return lengths;
}
