// Recall by the number of tags an object has in training: a small panel for each group, a bar for each model. Panels
// stand side by side where there is room and below one another where there is not, with one scale for all.

import { axisX, barX, type Markish, ruleX, ruleY, text } from '@observablehq/plot';
import { type Html, html } from '../../html.ts';
import type { ModelSummary } from '../experiment.ts';
import { counted, figureBox, metric, plain, type Rows, shortPercent, slug } from './html.ts';
import { colour, draw } from './svg.ts';
import type { Panel, View } from './view.ts';

const WIDTH = 320;
const ROW_HEIGHT = 18;

interface Bar {
  readonly model: string;
  readonly mean: number;
  readonly deviation: number;
}

/** Undefined where all objects are of one group. */
export function groupsSection(view: View): Html | undefined {
  const figures = view.panels.filter(({ summaries }) => groupNames(summaries).length > 1);
  if (figures.length === 0) return undefined;
  return html`<section aria-labelledby="groups"><h2 id="groups">Quality by number of training tags</h2>
${figures.map((panel) => figureOf(view, panel))}</section>`;
}

function figureOf({ k, models, fraction, seeds }: View, { name, summaries }: Panel): Html {
  const groups = groupNames(summaries).map((group) => ({
    group,
    numObjects: Math.max(...summaries.map((one) => find(one, group)?.numObjects ?? 0)),
    bars: summaries.flatMap((one): Bar[] => {
      const recall = find(one, group)?.metrics[`recall@${k}`];
      return recall === undefined ? [] : [{ model: one.model, ...recall }];
    }),
  }));
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ mean, deviation }) => mean + deviation)));
  const panels = groups.map(({ group, numObjects, bars }) => {
    const title = group === 'cold' ? 'cold: no training tag' : `${group} training tags`;
    return html`<div class="panel"><h3 class="panel-title">${title} <small>(${counted(numObjects, 'object')})</small></h3>${drawBars(`${name}: Recall@${k}, ${title}`, bars, models, most)}</div>`;
  });
  return figureBox({
    id: `groups-${slug(name)}`,
    caption: html`<strong>${name}</strong>: Recall@${k} of objects by how many tags they have in training, ${shortPercent(fraction)} of the pairs; the best in bold${seeds.length > 1 ? ', lines are ± one deviation between seeds' : ''}.`,
    about: `${name}, quality by number of training tags`,
    panels,
    rows: groupRows(summaries),
  });
}

function drawBars(label: string, bars: readonly Bar[], models: readonly string[], most: number): Html {
  const shown = models.filter((model) => bars.some((bar) => bar.model === model));
  return draw(label, {
    width: WIDTH,
    height: shown.length * ROW_HEIGHT + 26,
    marginTop: 4,
    marginBottom: 22,
    marginLeft: 14 + 6.5 * Math.max(...shown.map(({ length }) => length)),
    marginRight: 50, // for the figure behind the longest bar
    x: { domain: [0, most || 1], label: null },
    y: { domain: shown, label: null, tickSize: 0, padding: 0.25 },
    color: { type: 'ordinal', domain: [...models], range: models.map((_, i) => colour(i)) },
    marks: [axisX({ ticks: 4, tickSize: 3 }), ...barMarks(bars)],
  });
}

function barMarks(bars: readonly Bar[]): Markish[] {
  const best = Math.max(...bars.map(({ mean }) => mean));
  const isBest = ({ mean }: Bar) => mean === best;
  const low = ({ mean, deviation }: Bar) => Math.max(0, mean - deviation);
  const high = ({ mean, deviation }: Bar) => mean + deviation;
  const title = ({ model, mean }: Bar) => `${model}: ${metric(mean)}`;
  const figure = { x: high, y: 'model', text: ({ mean }: Bar) => metric(mean), dx: 4, textAnchor: 'start' } as const;
  return [
    barX(bars, { x: 'mean', y: 'model', fill: 'model', fillOpacity: 0.85, title }),
    ruleY(
      bars.filter(({ deviation }) => deviation > 0),
      { x1: low, x2: high, y: 'model', stroke: 'currentColor' },
    ),
    ruleX([0], { stroke: 'currentColor' }),
    text(
      bars.filter((bar) => !isBest(bar)),
      figure,
    ),
    text(bars.filter(isBest), { ...figure, fontWeight: 700 }),
  ];
}

function groupNames(summaries: readonly ModelSummary[]): string[] {
  return [...new Set(summaries.flatMap(({ groups }) => groups.map(({ group }) => group)))];
}

function find({ groups }: ModelSummary, wanted: string) {
  return groups.find(({ group }) => group === wanted);
}

function groupRows(summaries: readonly ModelSummary[]): Rows {
  const names = Object.keys(summaries[0]?.groups[0]?.metrics ?? {});
  return [
    ['training tags', 'objects', 'model', ...names.flatMap((name) => [name, `${name} deviation`])],
    ...summaries.flatMap(({ model, groups }) =>
      groups.map(({ group, numObjects, metrics }) => [
        group,
        plain(numObjects),
        model,
        ...names.flatMap((name) => [plain(metrics[name].mean), plain(metrics[name].deviation)]),
      ]),
    ),
  ];
}
