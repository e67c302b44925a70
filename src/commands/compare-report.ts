// The report of tagloom compare: what has to be known for it besides the results, and the file it becomes. Imported only
// when --report is given.

import { constants } from 'node:fs';
import { access, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { InputError } from '../errors.ts';
import { type Report, renderReport } from '../evaluation/report.ts';
import { dataFacts } from '../graph/data-facts.ts';
import type { Listener } from '../listener.ts';
import type { Settings } from '../models/model.ts';
import { resolveSettings } from '../training/config.ts';
import { modelKind } from '../training/models.ts';
import type { EngineChoice } from './engine-option.ts';
import type { TagMerging } from './merge-tags-option.ts';
import type { SettingsOptions } from './settings-option.ts';

export interface CompareOptions extends SettingsOptions, EngineChoice, TagMerging {
  readonly models: string[];
  readonly seeds: number;
  readonly trainFractions: number[];
  readonly output?: string;
  readonly k: number[];
  readonly report?: string;
  readonly objects: string[];
  readonly json?: true;
}

export interface ComparedData {
  readonly name: string;
  readonly graph: KnowledgeGraph;
  /** Given ones, by model. */
  readonly settings: Readonly<Record<string, Settings>>;
}

/** What is compared: read and checked before anything is fitted. */
export interface Comparison {
  readonly folders: readonly string[];
  readonly dataSets: readonly ComparedData[];
  readonly seeds: readonly number[];
  /** That the report shows, by name or title; none: chosen by rule. */
  readonly objects: readonly string[];
  readonly options: CompareOptions;
}

/** Before the work, not after it: a file that cannot be written. */
export async function refuseUnwritable(path: string): Promise<void> {
  const refuse = (got: string) =>
    new InputError({ file: path, got, expected: 'a file that can be written', cure: 'Pass another path to --report.' });
  if ((await stat(path).catch(() => undefined))?.isDirectory()) throw refuse('a folder');
  await access(dirname(resolve(path)), constants.W_OK).catch(() => {
    throw refuse('a folder that is not there or is locked');
  });
}

export async function writeReport(
  path: string,
  comparison: Comparison,
  { cells, summaries, version }: Pick<Report, 'cells' | 'summaries' | 'version'>,
  listening: Listener,
): Promise<void> {
  const { seeds, options } = comparison;
  const dataSets = [];
  for (const { name, graph, settings: given } of comparison.dataSets) {
    const settings = Object.fromEntries(options.models.map((model) => [model, allSettings(model, given[model])]));
    dataSets.push({ name, settings, facts: await dataFacts(graph, listening) });
  }
  const page = renderReport({
    when: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    version,
    command: commandLine(comparison),
    ks: options.k,
    seeds,
    trainFractions: options.trainFractions,
    dataSets,
    summaries,
    cells,
  });
  const partial = `${path}.partial-${process.pid}`;
  try {
    await writeFile(partial, page);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Without the seed: it is that of the split. */
function allSettings(model: string, given: Settings): Settings {
  const { seed, ...settings } = resolveSettings(modelKind(model).settings, given) as Settings;
  return given.seed === undefined ? settings : { ...settings, seed };
}

/** The command that makes the same page again; where a finished cell is kept does not matter. */
function commandLine({ folders, objects, options }: Comparison): string {
  const { models, seeds, trainFractions, k, report, config, set, mergeTags } = options;
  const given = [
    ...['--models', models.join(','), '--seeds', String(seeds)],
    ...['--train-fractions', trainFractions.join(','), '--k', k.join(',')],
    ...(config === undefined ? [] : ['--config', config]),
    ...Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ...(mergeTags === undefined ? [] : ['--merge-tags', mergeTags]),
    ...objects.flatMap((object) => ['--objects', object]),
    ...['--report', report ?? ''],
  ];
  return ['tagloom', 'compare', ...folders, ...given].map(quoted).join(' ');
}

/** As a shell wants it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
