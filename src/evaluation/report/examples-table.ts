// The tags that models put first for a few objects, the right ones marked: what the figures mean, to look at.

import { type Html, html } from '../../html.ts';
import type { Example } from '../glimpse.ts';
import { counted, shortPercent, slug, tableBox } from './html.ts';
import type { Panel, View } from './view.ts';

const MAX_TAGS_SHOWN = 12;

export function examplesSection(view: View): Html | undefined {
  const tables = view.panels.filter(({ cells }) => cells.some(({ glimpse }) => glimpse?.examples.length));
  if (tables.length === 0) return undefined;
  return html`<section aria-labelledby="examples"><h2 id="examples">Some objects</h2>
<p><strong class="right">✓ right</strong>: a test tag of the object. Its training tags are never suggested. <b>*</b> marks a cold object:
it has no training tag.</p>
${tables.map((panel) => examplesTable(view, panel))}</section>`;
}

function examplesTable({ fraction, dataSets }: View, { name, cells }: Panel): Html {
  const hasUsers = dataSets.some((one) => one.name === name && one.facts.numUsers > 0);
  const objects = cells[0].glimpse?.examples ?? [];
  const limit = Math.max(...cells.flatMap(({ glimpse }) => glimpse?.examples.map((one) => one.suggested.length) ?? []));
  const ranks = Array.from({ length: limit }, (_, i) => i + 1);
  return tableBox({
    id: `examples-${slug(name)}`,
    caption: `${name}: the first ${limit} tags by each model, seed ${cells[0].seed}, ${shortPercent(fraction)} of the pairs to train on`,
    head: html`<tr><th scope="col">model</th>${ranks.map((rank) => html`<th scope="col">${rank}</th>`)}</tr>`,
    body: objects.map(
      (
        object,
        i,
      ) => html`<tbody><tr class="object"><th scope="rowgroup" colspan="${limit + 1}">${describe(object, hasUsers)}</th></tr>
${cells.map(({ model, glimpse }) => suggestionRow(model, glimpse?.examples[i], limit))}</tbody>`,
    ),
    rows: [
      ['object', 'cold', 'model', 'rank', 'tag', 'right'],
      ...objects.flatMap((object, i) =>
        cells.flatMap(({ model, glimpse }) =>
          (glimpse?.examples[i]?.suggested ?? []).map((tag, at) => [
            object.title,
            isCold(object) ? 1 : 0,
            model,
            at + 1,
            tag,
            object.testTags.includes(tag) ? 1 : 0,
          ]),
        ),
      ),
    ],
  });
}

function describe(object: Example, hasUsers: boolean): Html {
  const { title, numUsers, trainTags, testTags } = object;
  const known = isCold(object) ? '' : ` Training tags: ${listed(trainTags)}.`;
  const hidden = testTags.length === 0 ? 'No test tags.' : `Test tags: ${listed(testTags)}.`;
  const users = hasUsers ? `${counted(numUsers, 'user')}. ` : '';
  return html`<span class="title">${title}${isCold(object) ? '*' : ''}</span> <span class="facts">${users}${hidden}${known}</span>`;
}

function suggestionRow(model: string, example: Example | undefined, limit: number): Html {
  const tags = Array.from({ length: limit }, (_, i) => example?.suggested[i]);
  const isRight = (tag: string) => example?.testTags.includes(tag);
  return html`<tr><th scope="row">${model}</th>${tags.map((tag) =>
    tag === undefined
      ? html`<td class="text">–</td>`
      : html`<td class="text">${isRight(tag) ? html`<strong class="right">✓\u00a0${tag}</strong>` : tag}</td>`,
  )}</tr>`;
}

function isCold({ trainTags }: Example): boolean {
  return trainTags.length === 0;
}

function listed(tags: readonly string[]): string {
  const more = tags.length - MAX_TAGS_SHOWN;
  return `${tags.slice(0, MAX_TAGS_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
