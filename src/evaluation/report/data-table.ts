// The table of data sets: sizes and densities, and beside them what is published of a data set, if a file with that is given.

import { type Html, html } from '../../html.ts';
import { count, percent, plain, tableBox } from './html.ts';
import { type PublishedFacts, publishedData } from './published.ts';
import type { View } from './view.ts';

interface Row {
  readonly title: string;
  readonly fact: keyof PublishedFacts;
  readonly isShare?: true;
  /** Nothing to say of data without users. */
  readonly ofUsers?: true;
}

const ROWS: readonly Row[] = [
  { title: 'users', fact: 'numUsers', ofUsers: true },
  { title: 'objects', fact: 'numObjects' },
  { title: 'tags', fact: 'numTags' },
  { title: 'Interact (user, object)', fact: 'numInteract', ofUsers: true },
  { title: 'density of Interact', fact: 'interactDensity', isShare: true, ofUsers: true },
  { title: 'sparsity of the object graph', fact: 'objectGraphDensity', isShare: true, ofUsers: true },
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
  const hasUsers = columns.some(({ facts }) => facts.numUsers !== 0);
  const rows = ROWS.filter(({ ofUsers }) => hasUsers || !ofUsers);
  return html`<section aria-labelledby="data"><h2 id="data">Data</h2>
${tableBox({
  id: 'data-sets',
  caption: 'Sizes and densities of the data sets',
  head: tableHead(columns, hasPaper),
  body: html`<tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row">${row.title}</th>${columns.map((column) => cell(column.source, factOf(row, column), row.isShare))}</tr>`,
  )}</tbody>`,
  notes: notes(hasUsers, hasPaper ? published?.dataNote : undefined),
  rows: [
    ['fact', ...columns.map(({ name, source }) => (source === 'here' ? name : `${name} (paper)`))],
    ...rows.map((row) => [row.title, ...columns.map((column) => plain(factOf(row, column) ?? undefined))]),
  ],
})}</section>`;
}

function factOf({ fact, ofUsers }: Row, { facts }: Column): number | null | undefined {
  return ofUsers && facts.numUsers === 0 ? undefined : facts[fact];
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

function notes(hasUsers: boolean, published: string | undefined): Html {
  const ofObjects = hasUsers ? 'of all pairs of objects that some user joins, or ' : '';
  return html`<p class="note">Sparsity of a graph: the share ${ofObjects}of all pairs of tags that
some object carries both of. Density: the share of all possible pairs that are there.${published === undefined ? '' : ` ${published}`}</p>`;
}
