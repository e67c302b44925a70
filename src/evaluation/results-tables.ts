// The results of comparisons as Markdown, for RESULTS.md, which `npm run reproduce` writes them into.

import type { ModelSummary, Spread } from './experiment.ts';
import type { Example } from './glimpse.ts';
import { paperResult } from './paper-figures.ts';

const METRICS = [
  ['Recall@3', 'recall@3'],
  ['NDCG@3 (paper)', 'paperNdcg@3'],
  ['Recall@5', 'recall@5'],
  ['NDCG@5 (paper)', 'paperNdcg@5'],
] as const;
const RECALL = 'recall@3';

/** Puts a table between `<!-- name -->` and `<!-- end of name -->`; the rest stays as it is. */
export function fillIn(markdown: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [markdown.indexOf(start), markdown.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`got no place for the table "${name}", expected ${start} and ${end}`);
  return `${markdown.slice(0, from + start.length)}\n\n${table}\n\n${markdown.slice(to)}`;
}

/** Models of one data set: our figures, cold objects, the distance to the best, and the paper's figures. */
export function mainTable(summaries: readonly ModelSummary[]): string {
  const titles = METRICS.map(([title]) => title);
  const rows = summaries.map(({ data, model, metrics, groups, seconds, againstBest }) => [
    model,
    ...METRICS.map(([, metric]) => withDeviation(metrics[metric])),
    short(recallOf(groups, 'cold')),
    againstBest === undefined ? 'best' : difference(againstBest),
    seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0),
    paperFigures(data, model),
  ]);
  const head = [summaries[0].data, ...titles, 'cold Recall@3', 'Recall@3 against the best', 'fit, s', "the paper's"];
  return markdownTable(head, rows);
}

/** Recall@3 by the number of training tags of the objects. */
export function groupsTable(summaries: readonly ModelSummary[]): string {
  const names = [...new Set(summaries.flatMap(({ groups }) => groups.map(({ group }) => group)))];
  names.sort((a, b) => fewestTags(a) - fewestTags(b));
  const rows = summaries.map(({ model, groups }) => [model, ...names.map((name) => short(recallOf(groups, name)))]);
  return markdownTable([summaries[0].data, ...names], rows);
}

/** Recall@3 by the share of pairs to train on; the best of each in bold. */
export function fractionsTable(summaries: readonly ModelSummary[]): string {
  const fractions = [...new Set(summaries.map(({ trainFraction }) => trainFraction))].sort((a, b) => a - b);
  const models = [...new Set(summaries.map(({ model }) => model))];
  const recall = (model: string, fraction: number) => {
    const cell = summaries.find((one) => one.model === model && one.trainFraction === fraction);
    const shown = short(cell?.metrics[RECALL].mean);
    return cell !== undefined && cell.againstBest === undefined ? `**${shown}**` : shown;
  };
  const rows = models.map((model) => [model, ...fractions.map((fraction) => recall(model, fraction))]);
  return markdownTable([summaries[0].data, ...fractions.map((one) => `${Math.round(100 * one)} %`)], rows);
}

export interface ModelExamples {
  readonly data: string;
  readonly model: string;
  readonly examples: readonly Example[];
}

/** The first tags that models give to the same objects; hidden tags of an object in bold, a star after a cold one. */
export function examplesTable(models: readonly ModelExamples[]): string {
  const rows = models[0].examples.map(({ title, trainTags, testTags }, i) => [
    trainTags.length === 0 ? `${title} \\*` : title,
    ...models.map(({ examples }) =>
      examples[i].suggested.map((tag) => (testTags.includes(tag) ? `**${tag}**` : tag)).join(', '),
    ),
  ]);
  return markdownTable([models[0].data, ...models.map(({ model }) => model)], rows, '---');
}

function recallOf(groups: ModelSummary['groups'], name: string): number | undefined {
  return groups.find(({ group }) => group === name)?.metrics[RECALL].mean;
}

function fewestTags(group: string): number {
  return group === 'cold' ? 0 : Number.parseInt(group, 10);
}

function paperFigures(data: string, model: string): string {
  const figures = METRICS.map(([, metric]) => paperResult(data, model, metric));
  return figures.includes(undefined) ? '' : figures.map(short).join(' / ');
}

function difference({ difference: mean, interval, pValue }: NonNullable<ModelSummary['againstBest']>): string {
  const signed = (value: number) => `${value < 0 ? '−' : '+'}${short(Math.abs(value))}`;
  return `${signed(mean)} (${interval.map(signed).join(' to ')})${pValue < 0.05 ? '' : `, p ${pValue.toFixed(2)}`}`;
}

function withDeviation({ mean, deviation }: Spread): string {
  return deviation === 0 ? short(mean) : `${short(mean)} ± ${short(deviation)}`;
}

function short(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(4).replace(/^0/, '');
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[], alignment = '---:'): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : alignment))), ...rows.map(line)].join('\n');
}
