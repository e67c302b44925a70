// Quality by the share of pairs to train on: a line for each model, named at its end.

import { dot, lineY, type Markish, ruleX, text } from '@observablehq/plot';
import { type Html, html } from '../../html.ts';
import type { ModelSummary } from '../experiment.ts';
import { figureBox, metric, metricCell, plain, type Rows, scrollingTable, shortPercent, slug } from './html.ts';
import { colour, draw, NUM_COLOURS } from './svg.ts';
import type { View } from './view.ts';

const WIDTH = 350;
const MARGINS = { marginTop: 10, marginBottom: 36, marginLeft: 40 };
const LINE_HEIGHT = 12; // pixels between two names

interface Point {
  readonly model: string;
  readonly fraction: number;
  readonly mean: number;
  readonly deviation: number;
}

/** Undefined where there is but one fraction. */
export function fractionsSection(view: View): Html | undefined {
  if (view.trainFractions.length < 2) return undefined;
  return html`<section aria-labelledby="fractions"><h2 id="fractions">Quality by training pairs</h2>
${view.panels.map(({ name }) => figureOf(view, name))}</section>`;
}

function figureOf(view: View, name: string): Html {
  const { summaries, models, k } = view;
  const own = summaries.filter(({ data }) => data === name);
  const panels = [
    ['recall', 'Recall'],
    ['ndcg', 'NDCG'],
  ].map(([key, title]) => {
    const label = `${title}@${k}`;
    const points = own.map(({ model, trainFraction, metrics }) => ({
      model,
      fraction: trainFraction,
      ...metrics[`${key}@${k}`],
    }));
    return html`<div class="panel"><h3 class="panel-title">${label}</h3>${drawLines(`${name}: ${label} by training fraction`, points, models)}</div>`;
  });
  return figureBox({
    id: `fractions-${slug(name)}`,
    caption: html`<strong>${name}</strong>: mean over seeds by the share of all pairs that models train on${view.seeds.length > 1 ? '; bars are ± one deviation between seeds' : ''}.`,
    about: `${name}, quality by training fraction`,
    panels,
    asTable: valueTable(view, name, own),
    rows: fractionRows(own),
  });
}

function drawLines(label: string, points: readonly Point[], models: readonly string[]): Html {
  const height = Math.max(260, models.length * LINE_HEIGHT + 70);
  const fractions = [...new Set(points.map(({ fraction }) => fraction))].sort((a, b) => a - b);
  const domain = paddedDomain(points);
  const longest = Math.max(...models.map(({ length }) => length));
  const xLabel = { label: 'pairs to train on', labelArrow: false, labelAnchor: 'center' } as const;
  return draw(label, {
    width: WIDTH,
    height,
    ...MARGINS,
    marginRight: 14 + 6.5 * longest,
    x: { ticks: fractions, tickFormat: shortPercent, ...xLabel },
    y: { domain, grid: true, label: null, ticks: 5 },
    color: { type: 'ordinal', domain: [...models], range: models.map((_, i) => colour(i)) },
    marks: [...lineMarks(points, models), nameMark(namePlaces(points, domain, height))],
  });
}

function lineMarks(points: readonly Point[], models: readonly string[]): Markish[] {
  const isDashed = ({ model }: Point) => models.indexOf(model) >= NUM_COLOURS; // colours come a second time
  const solid = points.filter((point) => !isDashed(point));
  const spread = points.filter(({ deviation }) => deviation > 0);
  const line = { x: 'fraction', y: 'mean', stroke: 'model', strokeWidth: 1.75 };
  return [
    ruleX(spread, { x: 'fraction', y1: lowEnd, y2: highEnd, stroke: 'model', strokeOpacity: 0.6 }),
    lineY(solid, line),
    lineY(points.filter(isDashed), { ...line, strokeDasharray: '4 3' }),
    dot(points, { x: 'fraction', y: 'mean', r: 2.75, fill: 'model', title: pointTitle }),
  ];
}

function nameMark(places: readonly Point[]): Markish {
  const beside = { dx: 8, textAnchor: 'start', fontWeight: 600 } as const;
  return text(places, { x: 'fraction', y: 'mean', text: 'model', fill: 'model', ...beside });
}

const lowEnd = ({ mean, deviation }: Point) => mean - deviation;
const highEnd = ({ mean, deviation }: Point) => mean + deviation;
const pointTitle = ({ model, fraction, mean, deviation }: Point) =>
  `${model} at ${shortPercent(fraction)}: ${metric(mean)}${deviation > 0 ? ` ± ${metric(deviation)}` : ''}`;

function paddedDomain(points: readonly Point[]): [number, number] {
  const [low, high] = [Math.min(...points.map(lowEnd)), Math.max(...points.map(highEnd))];
  const padding = (high - low) * 0.06 || 0.01;
  return [Math.max(0, low - padding), high + padding];
}

/** The last point of each line, moved up or down until no two names overlap. */
function namePlaces(points: readonly Point[], [low, high]: [number, number], height: number): Point[] {
  const [top, bottom] = [MARGINS.marginTop, height - MARGINS.marginBottom];
  const last = Math.max(...points.map(({ fraction }) => fraction));
  const ends = points.filter(({ fraction }) => fraction === last).sort((a, b) => b.mean - a.mean);
  const places = ends.map(({ mean }) => bottom - ((mean - low) / (high - low)) * (bottom - top));
  for (let i = 1; i < places.length; i++) places[i] = Math.max(places[i], places[i - 1] + LINE_HEIGHT);
  places[places.length - 1] = Math.min(places[places.length - 1], bottom);
  for (let i = places.length - 2; i >= 0; i--) places[i] = Math.min(places[i], places[i + 1] - LINE_HEIGHT);
  return ends.map((end, i) => ({ ...end, mean: low + ((bottom - places[i]) / (bottom - top)) * (high - low) }));
}

function valueTable({ models, k, trainFractions }: View, name: string, summaries: readonly ModelSummary[]): Html {
  const columns = ['recall', 'ndcg'].flatMap((key) => trainFractions.map((fraction) => ({ key, fraction })));
  const value = (model: string, { key, fraction }: (typeof columns)[number]) => {
    const found = summaries.find((one) => one.model === model && one.trainFraction === fraction);
    return found === undefined ? html`` : metricCell(found.metrics[`${key}@${k}`], false);
  };
  return scrollingTable({
    id: `fractions-values-${slug(name)}`,
    caption: `Quality by training fraction on ${name}`,
    head: html`<tr><th scope="col" rowspan="2">model</th>${['Recall', 'NDCG'].map((title) => html`<th scope="colgroup" colspan="${trainFractions.length}">${title}@${k}</th>`)}</tr>
<tr>${columns.map(({ fraction }) => html`<th scope="col">${shortPercent(fraction)}</th>`)}</tr>`,
    body: html`<tbody>${models.map((model) => html`<tr><th scope="row">${model}</th>${columns.map((column) => html`<td>${value(model, column)}</td>`)}</tr>`)}</tbody>`,
  });
}

function fractionRows(summaries: readonly ModelSummary[]): Rows {
  const names = Object.keys(summaries[0]?.metrics ?? {});
  return [
    ['model', 'training fraction', 'seeds', ...names.flatMap((name) => [name, `${name} deviation`])],
    ...summaries.map(({ model, trainFraction, numSeeds, metrics }) => [
      model,
      trainFraction,
      numSeeds,
      ...names.flatMap((name) => [plain(metrics[name].mean), plain(metrics[name].deviation)]),
    ]),
  ];
}
