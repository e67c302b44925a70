// What a report is made from, and what all its sections look at: summaries by data set at the main fraction.

import type { DataFacts } from '../../graph/data-facts.ts';
import type { Settings } from '../../settings.ts';
import { type CellResult, type ModelSummary, mainFraction } from '../experiment.ts';
import type { Published } from './published.ts';

export interface Report {
  /** Date and time, as they are to be shown. */
  readonly when: string;
  readonly version: string;
  /** The command line that makes it again. */
  readonly command: string;
  readonly ks: readonly number[];
  readonly seeds: readonly number[];
  readonly trainFractions: readonly number[];
  readonly dataSets: readonly ReportData[];
  /** For every data set, fraction and model. */
  readonly summaries: readonly ModelSummary[];
  /** For their glimpses; others do not matter. */
  readonly cells: readonly CellResult[];
  /** Figures of others, to stand beside these. */
  readonly published?: Published | undefined;
}

export interface ReportData {
  readonly name: string;
  readonly facts: DataFacts;
  /** All settings, by model. */
  readonly settings: Readonly<Record<string, Settings>>;
}

export interface View extends Report {
  readonly models: readonly string[];
  /** The share of training pairs that tables are about. */
  readonly fraction: number;
  /** The length of lists that figures are about: 3, if it was looked at. */
  readonly k: number;
  readonly panels: readonly Panel[];
}

/** One data set at the main fraction. */
export interface Panel {
  readonly name: string;
  readonly summaries: readonly ModelSummary[];
  /** Of the first seed, with their glimpses. */
  readonly cells: readonly CellResult[];
}

export function viewOf(report: Report): View {
  const { cells, summaries, ks, trainFractions, dataSets } = report;
  const fraction = mainFraction(trainFractions);
  return {
    ...report,
    models: [...new Set(summaries.map(({ model }) => model))],
    fraction,
    k: ks.includes(3) ? 3 : ks[0],
    panels: dataSets.map(({ name }) => ({
      name,
      summaries: summaries.filter((one) => one.data === name && one.trainFraction === fraction),
      cells: cells.filter(({ data, glimpse }) => data === name && glimpse !== undefined),
    })),
  };
}
