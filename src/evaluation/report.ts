// A comparison as one page of HTML that stands alone: tables and figures for these models and data. It has
// no scripts and its security policy forbids every request, so it can be mailed, archived and opened anywhere. The same
// results give the same bytes. Loaded only when a report is wanted: the libraries behind its figures are large.

import { createHash } from 'node:crypto';
import { Html, html } from '../html.ts';
import { dataSection } from './report/data-table.ts';
import { examplesSection } from './report/examples-table.ts';
import { fractionsSection } from './report/fractions-figure.ts';
import { groupsSection } from './report/groups-figure.ts';
import { shortPercent, tableBox } from './report/html.ts';
import { mapsSection } from './report/maps-figure.ts';
import { resultsSection, variantsSection } from './report/results-table.ts';
import { STYLE } from './report/style.ts';
import { type Report, type View, viewOf } from './report/view.ts';

export type { Report } from './report/view.ts';

const SECTIONS: readonly { readonly id: string; readonly title: string; make(view: View): Html | undefined }[] = [
  { id: 'reading', title: 'How to read it', make: readingSection },
  { id: 'data', title: 'Data', make: dataSection },
  { id: 'results', title: 'Results', make: resultsSection },
  { id: 'fractions', title: 'By training pairs', make: fractionsSection },
  { id: 'groups', title: 'By training tags', make: groupsSection },
  { id: 'variants', title: 'What each graph adds', make: variantsSection },
  { id: 'examples', title: 'Some objects', make: examplesSection },
  { id: 'maps', title: 'Maps of tags', make: mapsSection },
];

export function renderReport(report: Report): string {
  const view = viewOf(report);
  const made = SECTIONS.map(({ id, title, make }) => ({ id, title, section: make(view) }));
  const sections = made.flatMap(({ section }) => (section === undefined ? [] : [section]));
  const links = made
    .filter(({ section }) => section !== undefined)
    .map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  const title = `${view.models.length} models on ${view.dataSets.map(({ name }) => name).join(', ')}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="tagloom ${view.version}">
<title>${title} · tagloom</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header><h1>${title}</h1>
<p class="meta">tagloom ${view.version}, ${view.when}</p>
${settingsOf(view)}
<nav aria-label="Contents"><ul>${links}</ul></nav>
</header>
<main>
${sections}
</main>
</body>
</html>
`.text;
}

/** Nothing may be loaded; the one style sheet is known by its hash. */
function policy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
}

function settingsOf(view: View): Html {
  const { command, models, seeds, trainFractions, ks, dataSets } = view;
  return html`<dl>
<dt>data</dt><dd>${dataSets.map(({ name }) => name).join(', ')}</dd>
<dt>models</dt><dd>${models.join(', ')}</dd>
<dt>seeds</dt><dd>${seeds.join(', ')}</dd>
<dt>pairs to train on</dt><dd>${trainFractions.map(shortPercent).join(', ')}</dd>
<dt>lengths of lists</dt><dd>${ks.join(', ')}</dd>
</dl>
<code class="command">${command.split(/ (?=--)/).map((part) => html`<span>${part}</span> `)}</code>
${settingsTable(view)}`;
}

/** A line for each model, or one for each way it was set. */
function settingsTable({ models, dataSets }: View): Html | undefined {
  const lines = new Map<string, { model: string; settings: string; data: string[] }>();
  for (const model of models) {
    for (const { name, settings: byModel } of dataSets) {
      const settings = Object.entries(byModel[model] ?? {}).map(([setting, value]) => `${setting} = ${value}`);
      const key = [model, ...settings].join('\n');
      const line = lines.get(key) ?? { model, settings: settings.join(', '), data: [] };
      lines.set(key, line);
      line.data.push(name);
    }
  }
  const rows = dataSets.flatMap(({ name, settings }) =>
    models.flatMap((model) =>
      Object.entries(settings[model] ?? {}).map(([setting, value]) => [name, model, setting, value]),
    ),
  );
  if (rows.length === 0) return undefined;
  return html`<details><summary>All settings of the models</summary>${tableBox({
    id: 'settings',
    caption: 'Settings of the models; where a model has a seed, it is that of the split',
    head: html`<tr><th scope="col">model</th><th scope="col">settings</th><th scope="col">on</th></tr>`,
    body: html`<tbody>${[...lines.values()].map(
      ({ model, settings, data }) =>
        html`<tr><th scope="row">${model}</th><td class="text">${settings}</td><td>${data.join(', ')}</td></tr>`,
    )}</tbody>`,
    rows: [['data', 'model', 'setting', 'value'], ...rows],
  })}</details>`;
}

function readingSection({ ks, seeds }: View): Html {
  const deviation = seeds.length > 1 ? ' “±” is the standard deviation between seeds.' : '';
  return html`<section aria-labelledby="reading"><h2 id="reading">How to read it</h2>
<p>Some pairs of an object and a tag are hidden (test pairs), the same for every model; models learn from the others. Each model then ranks all tags
for every object with a test pair, except the tags the object has in training, which are masked; ties go to the name that comes
first in byte order. <b>Recall@k</b> is the share of an object’s hidden tags among its first k. <b>NDCG@k</b> also asks how early they
come, against an ideal list with as many right tags as there can be. <b>paper NDCG@k</b> is the variant in the tables of the paper on DGE (Li et al.): its ideal list has k right tags,
whatever the object has, so it sinks as k grows. All are means over objects.${deviation} <b>Against the best</b>: the mean difference of Recall@${ks[0]} to
the best model, object by object, with its 95 % bootstrap interval and the two-sided p-value of a sign-flip permutation test, not
corrected for the number of comparisons. <b>Fit</b>: median time to train, on the machine that made this page.</p></section>`;
}
