// The table of data sets: sizes and densities, and beside them what is published of a data set, if a file with that is given.

import { count, type Html, html, percent, plain, tableBox } from './html.ts';
import { type PublishedFacts, publishedData } from './published.ts';
import type { View } from './view.ts';

const ROWS: readonly { readonly title: string; readonly fact: keyof PublishedFacts; readonly isShare?: true }[] = [
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
  readonly facts: PublishedFacts;
}

export function dataSection({ dataSets, published }: View): Html {
  const columns = dataSets.flatMap(({ name, facts }): Column[] => {
    const theirs = publishedData(published, name)?.facts;
    const here = { name, source: 'here', facts } as const;
    return theirs === undefined ? [here] : [here, { name, source: 'paper', facts: theirs }];
  });
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
  notes: notes(hasPaper ? published?.dataNote : undefined),
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

function cell(source: Column['source'], value: number | null | undefined, isShare = false): Html {
  const shown = value === undefined ? '' : value === null ? 'not counted' : isShare ? percent(value) : count(value);
  return source === 'paper' ? html`<td class="paper">${shown}</td>` : html`<td>${shown}</td>`;
}

function notes(published: string | undefined): Html {
  return html`<p class="note">Sparsity of a graph: the share of all pairs of objects that some user joins, or of all pairs of tags that
some object carries both of. Density: the share of all possible pairs that are there.${published === undefined ? '' : ` ${published}`}</p>`;
}
