// The report of tagloom compare: what has to be known for it besides the results, and the file it becomes. Imported only
// when --report is given.

import type { Features } from '../data/features.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Published } from '../evaluation/report/published.ts';
import { type Report, renderReport } from '../evaluation/report.ts';
import { writeFile } from '../files.ts';
import { dataFacts } from '../graph/data-facts.ts';
import type { Listener } from '../listener.ts';
import { findModel } from '../models/catalogue.ts';
import { resolveSettings, type Settings } from '../settings.ts';
import type { DataChoice, EngineChoice, SettingsOptions, TagMerging } from './options.ts';
import type { TableChoice } from './table-engine.ts';

export interface CompareOptions extends SettingsOptions, EngineChoice, TagMerging, DataChoice, TableChoice {
  readonly models: string[];
  readonly seeds: number;
  readonly trainFractions: number[];
  readonly by: 'pair' | 'object';
  readonly features?: string;
  readonly output?: string;
  readonly k: number[];
  readonly report?: string;
  readonly paper?: string;
  readonly objects: string[];
  readonly json?: true;
}

export interface ComparedData {
  readonly name: string;
  readonly graph: KnowledgeGraph;
  readonly features?: Features | undefined;
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
  readonly published: Published | undefined;
  readonly options: CompareOptions;
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
    published: comparison.published,
  });
  await writeFile(path, page);
}

/** Without the seed: it is that of the split. */
function allSettings(model: string, given: Settings): Settings {
  const { seed, ...settings } = resolveSettings(findModel(model).settings, given) as Settings;
  return given.seed === undefined ? settings : { ...settings, seed };
}

/** The command that makes the same page again; where a finished cell is kept does not matter. */
function commandLine({ folders, objects, options }: Comparison): string {
  const { models, seeds, trainFractions, by, k, report, paper, config, set, mergeTags } = options;
  const given = [
    ...['--models', models.join(','), '--seeds', String(seeds)],
    ...['--train-fractions', trainFractions.join(','), '--k', k.join(',')],
    ...(by === 'pair' ? [] : ['--by', by]),
    ...(config === undefined ? [] : ['--config', config]),
    ...Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ...(mergeTags === undefined ? [] : ['--merge-tags', mergeTags]),
    ...objects.flatMap((object) => ['--objects', object]),
    ...(paper === undefined ? [] : ['--paper', paper]),
    ...['--report', report ?? ''],
  ];
  return ['tagloom', 'compare', ...folders, ...given].map(quoted).join(' ');
}

/** As a shell wants it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
