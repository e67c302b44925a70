// The paper's table of data sets, for these data sets; beside those it has as well, what it says of them.

import type { DataFacts } from '../../graph/data-facts.ts';
import { PAPER_DATA, type PaperData } from '../paper-figures.ts';
import { type Html, html, tableBox } from './html.ts';
import { count, percent, plain } from './numbers.ts';
import type { View } from './view.ts';

const ROWS: readonly { readonly title: string; readonly fact: keyof PaperData; readonly isShare?: true }[] = [
  { title: 'users', fact: 'numUsers' },
  { title: 'objects', fact: 'numObjects' },
  { title: 'tags', fact: 'numTags' },
  { title: 'Interact (user, object)', fact: 'numInteract' },
  { title: 'density of Interact', fact: 'interactDensity', isShare: true },
  { title: 'sparsity of the object graph', fact: 'objectGraphDensity', isShare: true },
  { title: 'TaggedWith (object, tag)', fact: 'numTagged' },
  { title: 'density of TaggedWith', fact: 'taggedDensity', isShare: true },
  { title: 'sparsity of the tag graph', fact: 'tagGraphDensity', isShare: true },
];

interface Column {
  readonly name: string;
  readonly source: 'here' | 'paper';
  readonly facts: Pick<DataFacts, keyof PaperData>;
}

export function dataSection({ dataSets }: View): Html {
  const columns = dataSets.flatMap(({ name, facts }): Column[] => [
    { name, source: 'here', facts },
    ...(Object.hasOwn(PAPER_DATA, name) ? [{ name, source: 'paper', facts: PAPER_DATA[name] } as const] : []),
  ]);
  const hasPaper = columns.some(({ source }) => source === 'paper');
  return html`<section aria-labelledby="data"><h2 id="data">Data</h2>
${tableBox({
  id: 'data-sets',
  caption: 'Sizes and densities of the data sets',
  head: tableHead(columns, hasPaper),
  body: html`<tbody>${ROWS.map(
    ({ title, fact, isShare }) =>
      html`<tr><th scope="row">${title}</th>${columns.map(({ source, facts }) => cell(source, facts[fact], isShare))}</tr>`,
  )}</tbody>`,
  notes: notes(hasPaper),
  rows: [
    ['fact', ...columns.map(({ name, source }) => (source === 'here' ? name : `${name} (paper)`))],
    ...ROWS.map(({ title, fact }) => [title, ...columns.map(({ facts }) => plain(facts[fact] ?? undefined))]),
  ],
})}</section>`;
}

function tableHead(columns: readonly Column[], hasPaper: boolean): Html {
  const names = [...new Set(columns.map(({ name }) => name))];
  const span = (name: string) => columns.filter((one) => one.name === name).length;
  const blank = html`<td${hasPaper ? html` rowspan="2"` : undefined}></td>`;
  const first = names.map((name) => html`<th scope="colgroup" colspan="${span(name)}">${name}</th>`);
  if (!hasPaper) return html`<tr>${blank}${names.map((name) => html`<th scope="col">${name}</th>`)}</tr>`;
  const second = columns.map(
    ({ source }) => html`<th scope="col"${source === 'paper' ? html` class="paper"` : undefined}>${source}</th>`,
  );
  return html`<tr>${blank}${first}</tr><tr>${second}</tr>`;
}

function cell(source: Column['source'], value: number | null, isShare = false): Html {
  const shown = value === null ? 'not counted' : isShare ? percent(value) : count(value);
  return source === 'paper' ? html`<td class="paper">${shown}</td>` : html`<td>${shown}</td>`;
}

function notes(hasPaper: boolean): Html {
  const paper = hasPaper
    ? html` The paper samples neighbours where we count all, so its graphs are thinner. Its columns stand beside data sets of
the same name: where the other counts differ, the data differ, and only models can be compared, not absolute figures.`
    : undefined;
  return html`<p class="note">Sparsity of a graph: the share of all pairs of objects that some user joins, or of all pairs of tags that
some object carries both of. Density: the share of all possible pairs that are there.${paper}</p>`;
}
