// The results of comparisons as Markdown tables, which `npm run reproduce` writes into docs/results/paper.md.
// @ts-check

/** @import { ModelSummary, MetricSpread } from '../src/evaluation/experiment.ts' */
/** @import { Example } from '../src/evaluation/glimpse.ts' */
/** @import { Published } from '../src/evaluation/report/published.ts' */

const METRICS = [
  ['Recall@3', 'recall@3'],
  ['NDCG@3 (paper)', 'paperNdcg@3'],
  ['Recall@5', 'recall@5'],
  ['NDCG@5 (paper)', 'paperNdcg@5'],
];
const RECALL = 'recall@3';

/**
 * Puts a table between `<!-- name -->` and `<!-- end of name -->`; the rest stays as it is.
 * @param {string} markdown
 * @param {string} name
 * @param {string} table
 */
export function fillIn(markdown, name, table) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [markdown.indexOf(start), markdown.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`got no place for the table "${name}", expected ${start} and ${end}`);
  return `${markdown.slice(0, from + start.length)}\n\n${table}\n\n${markdown.slice(to)}`;
}

/**
 * Models of one data set: our figures, cold objects, the distance to the best, and the paper's figures.
 * @param {readonly ModelSummary[]} summaries
 * @param {Published} paper
 */
export function mainTable(summaries, paper) {
  const titles = METRICS.map(([title]) => title);
  const rows = summaries.map(({ data, model, metrics, groups, seconds, againstBest }) => [
    model,
    ...METRICS.map(([, metric]) => withDeviation(metrics[metric])),
    short(recallOf(groups, 'cold')),
    againstBest === undefined ? 'best' : difference(againstBest),
    seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0),
    paperFigures(paper, data, model),
  ]);
  const head = [summaries[0].data, ...titles, 'cold Recall@3', 'Recall@3 against the best', 'fit, s', "the paper's"];
  return markdownTable(head, rows);
}

/**
 * Recall@3 by the number of training tags of the objects.
 * @param {readonly ModelSummary[]} summaries
 */
export function groupsTable(summaries) {
  const names = [...new Set(summaries.flatMap(({ groups }) => groups.map(({ group }) => group)))];
  names.sort((a, b) => fewestTags(a) - fewestTags(b));
  const rows = summaries.map(({ model, groups }) => [model, ...names.map((name) => short(recallOf(groups, name)))]);
  return markdownTable([summaries[0].data, ...names], rows);
}

/**
 * Recall@3 by the share of pairs to train on; the best of each in bold.
 * @param {readonly ModelSummary[]} summaries
 */
export function fractionsTable(summaries) {
  const fractions = [...new Set(summaries.map(({ trainFraction }) => trainFraction))].sort((a, b) => a - b);
  const models = [...new Set(summaries.map(({ model }) => model))];
  /** @type {(model: string, fraction: number) => string} */
  const recall = (model, fraction) => {
    const cell = summaries.find((one) => one.model === model && one.trainFraction === fraction);
    const shown = short(cell?.metrics[RECALL].mean);
    return cell !== undefined && cell.againstBest === undefined ? `**${shown}**` : shown;
  };
  const rows = models.map((model) => [model, ...fractions.map((fraction) => recall(model, fraction))]);
  return markdownTable([summaries[0].data, ...fractions.map((one) => `${Math.round(100 * one)} %`)], rows);
}

/**
 * The first tags that models give to the same objects; hidden tags of an object in bold, a star after a cold one.
 * @param {readonly { data: string, model: string, examples: readonly Example[] }[]} models
 */
export function examplesTable(models) {
  const rows = models[0].examples.map(({ title, trainTags, testTags }, i) => [
    trainTags.length === 0 ? `${title} \\*` : title,
    ...models.map(({ examples }) =>
      examples[i].suggested.map((tag) => (testTags.includes(tag) ? `**${tag}**` : tag)).join(', '),
    ),
  ]);
  return markdownTable([models[0].data, ...models.map(({ model }) => model)], rows, '---');
}

/**
 * @param {ModelSummary['groups']} groups
 * @param {string} name
 */
function recallOf(groups, name) {
  return groups.find(({ group }) => group === name)?.metrics[RECALL].mean;
}

/** @param {string} group */
function fewestTags(group) {
  return group === 'cold' ? 0 : Number.parseInt(group, 10);
}

/**
 * @param {Published} paper
 * @param {string} data
 * @param {string} model
 */
function paperFigures(paper, data, model) {
  const published = paper.dataSets[data]?.results?.[model];
  return published === undefined ? '' : METRICS.map(([, metric]) => short(published[metric])).join(' / ');
}

/** @param {NonNullable<ModelSummary['againstBest']>} against */
function difference({ difference: mean, interval, pValue }) {
  /** @type {(value: number) => string} */
  const signed = (value) => `${value < 0 ? '−' : '+'}${short(Math.abs(value))}`;
  return `${signed(mean)} (${interval.map(signed).join(' to ')})${pValue < 0.05 ? '' : `, p ${pValue.toFixed(2)}`}`;
}

/** @param {MetricSpread} spread */
function withDeviation({ mean, deviation }) {
  return deviation === 0 ? short(mean) : `${short(mean)} ± ${short(deviation)}`;
}

/** @param {number | undefined} value */
function short(value) {
  return value === undefined ? '' : value.toFixed(4).replace(/^0/, '');
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function markdownTable(head, rows, alignment = '---:') {
  /** @type {(cells: readonly string[]) => string} */
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : alignment))), ...rows.map(line)].join('\n');
}
