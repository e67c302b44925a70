// The main table of results, one for each data set, and the table of DGE's variants: means and deviations over seeds, the
// best in bold, each model's distance to the best, and published figures beside ours if a file with them is given.

import { type Html, html } from '../../html.ts';
import type { ModelSummary } from '../experiment.ts';
import {
  duration,
  metric,
  metricCell,
  plain,
  pValue,
  type Rows,
  shortPercent,
  signed,
  slug,
  tableBox,
} from './html.ts';
import { type Published, publishedData, publishedResult } from './published.ts';
import type { Panel, View } from './view.ts';

const VARIANTS = ['dge', 'so-ge', 'st-ge'];

interface Column {
  readonly metric: string;
  readonly title: string;
  readonly best: number;
  /** Published figures by model; empty where there are none for this column. */
  readonly paper: ReadonlyMap<string, number>;
}

export function resultsSection(view: View): Html {
  return html`<section aria-labelledby="results"><h2 id="results">Results</h2>
${view.panels.map((panel) => html`<h3>${panel.name}</h3>${resultsTable(view, panel)}`)}</section>`;
}

function resultsTable({ ks, fraction, seeds, published }: View, { name, summaries }: Panel): Html {
  const columns = columnsOf({ published, ks }, name, summaries);
  const others = [`Recall@${ks[0]} against the best`, 'p', 'fit'];
  return tableBox({
    id: `results-${slug(name)}`,
    caption: `Quality of ${summaries.length} models on ${name}, ${shortPercent(fraction)} of the pairs to train on, ${seedsText(seeds)}`,
    head: tableHead(columns, others),
    body: html`<tbody>${summaries.map((one) => resultRow(one, columns))}</tbody>`,
    notes: publishedNote(published, name, columns),
    rows: resultRows(summaries, columns),
  });
}

function columnsOf(
  { published, ks }: Pick<View, 'published' | 'ks'>,
  data: string,
  summaries: readonly ModelSummary[],
): Column[] {
  return ks.flatMap((k) =>
    [
      ['recall', 'Recall'],
      ['ndcg', 'NDCG'],
      ['paperNdcg', 'paper NDCG'],
    ].map(([key, title]) => {
      const metric = `${key}@${k}`;
      const paper = summaries.map(({ model }) => [model, publishedResult(published, data, model, metric)] as const);
      return {
        metric,
        title: `${title}@${k}`,
        best: Math.max(...summaries.map(({ metrics }) => metrics[metric].mean)),
        paper: new Map(paper.filter((pair): pair is [string, number] => pair[1] !== undefined)),
      };
    }),
  );
}

function tableHead(columns: readonly Column[], others: readonly string[]): Html {
  const hasPaper = columns.some(({ paper }) => paper.size > 0);
  const rows = hasPaper ? html` rowspan="2"` : undefined;
  const top = columns.map(({ title, paper }) =>
    paper.size > 0 ? html`<th scope="colgroup" colspan="2">${title}</th>` : html`<th scope="col"${rows}>${title}</th>`,
  );
  const below = columns
    .filter(({ paper }) => paper.size > 0)
    .map(() => html`<th scope="col">here</th><th scope="col" class="paper">paper</th>`);
  const rest = others.map((title) => html`<th scope="col"${rows}>${title}</th>`);
  return html`<tr><th scope="col"${rows}>model</th>${top}${rest}</tr>${hasPaper ? html`<tr>${below}</tr>` : undefined}`;
}

function resultRow({ model, metrics, seconds, againstBest }: ModelSummary, columns: readonly Column[]): Html {
  const against =
    againstBest === undefined
      ? html`<td>best</td><td></td>`
      : html`<td>${signed(againstBest.difference)} <small>[${signed(againstBest.interval[0])}, ${signed(againstBest.interval[1])}]</small></td><td>${pValue(againstBest.pValue)}</td>`;
  return html`<tr><th scope="row">${model}</th>${metricCells(model, metrics, columns)}${against}<td>${duration(seconds)}</td></tr>`;
}

function metricCells(model: string, metrics: ModelSummary['metrics'], columns: readonly Column[]): Html[] {
  return columns.flatMap((column) => {
    const own = html`<td>${metricCell(metrics[column.metric], metrics[column.metric].mean === column.best)}</td>`;
    if (column.paper.size === 0) return [own];
    const figure = column.paper.get(model);
    return [own, html`<td class="paper">${figure === undefined ? '' : metric(figure)}</td>`];
  });
}

function resultRows(summaries: readonly ModelSummary[], columns: readonly Column[]): Rows {
  const head = columns.flatMap(({ metric, paper }) => [
    metric,
    `${metric} deviation`,
    ...(paper.size > 0 ? [`${metric} in the paper`] : []),
  ]);
  return [
    ['model', 'seeds', ...head, 'difference to the best', 'low', 'high', 'p', 'seconds'],
    ...summaries.map(({ model, numSeeds, metrics, againstBest, seconds }) => [
      model,
      numSeeds,
      ...columns.flatMap(({ metric, paper }) => [
        plain(metrics[metric].mean),
        plain(metrics[metric].deviation),
        ...(paper.size > 0 ? [paper.get(model)] : []),
      ]),
      ...[againstBest?.difference, againstBest?.interval[0], againstBest?.interval[1], againstBest?.pValue].map(plain),
      plain(seconds),
    ]),
  ];
}

function publishedNote(published: Published | undefined, data: string, columns: readonly Column[]): Html | undefined {
  const notes = [published?.title, published?.note, publishedData(published, data)?.note];
  const text = notes.filter((note) => note !== undefined).join(' ');
  if (text === '' || columns.every(({ paper }) => paper.size === 0)) return undefined;
  return html`<p class="note">paper: ${text}</p>`;
}

/** Undefined unless a variant was compared with another. */
export function variantsSection({ panels, ks, published }: View): Html | undefined {
  const tables = panels.flatMap(({ name, summaries }) => {
    const variants = VARIANTS.flatMap((model) => summaries.filter((one) => one.model === model));
    return variants.length < 2 ? [] : [{ name, variants, columns: columnsOf({ published, ks }, name, variants) }];
  });
  if (tables.length === 0) return undefined;
  const others = (columns: readonly Column[]) => [
    `Recall@${ks[0]} against dge`,
    ...(columns[0].paper.size > 0 ? ['the same in the paper'] : []),
  ];
  return html`<section aria-labelledby="variants"><h2 id="variants">What each graph adds</h2>
<p>so-ge is dge without the tag graph, st-ge is dge without the object graph. Percentages are against dge.</p>
${tables.map(({ name, variants, columns }) =>
  tableBox({
    id: `variants-${slug(name)}`,
    caption: `${name}: variants of dge`,
    head: tableHead(columns, others(columns)),
    body: html`<tbody>${variants.map((one) => variantRow(one, variants, columns))}</tbody>`,
    notes: publishedNote(published, name, columns),
    rows: resultRows(variants, columns),
  }),
)}</section>`;
}

function variantRow(one: ModelSummary, variants: readonly ModelSummary[], columns: readonly Column[]): Html {
  const [first] = columns;
  const dge = variants.find(({ model }) => model === 'dge');
  const isDge = one.model === 'dge';
  const ours = isDge ? '' : change(one.metrics[first.metric].mean, dge?.metrics[first.metric].mean);
  const theirs = isDge ? '' : change(first.paper.get(one.model), first.paper.get('dge'));
  const published = first.paper.size > 0 ? html`<td class="paper">${theirs}</td>` : undefined;
  return html`<tr><th scope="row">${one.model}</th>${metricCells(one.model, one.metrics, columns)}<td>${ours}</td>${published}</tr>`;
}

function change(value: number | undefined, base: number | undefined): string {
  if (value === undefined || base === undefined || base === 0) return '';
  const share = value / base - 1;
  return `${share < 0 ? '−' : '+'}${(100 * Math.abs(share)).toFixed(1)} %`;
}

function seedsText(seeds: readonly number[]): string {
  return seeds.length === 1 ? `seed ${seeds[0]}` : `${seeds.length} seeds`;
}
