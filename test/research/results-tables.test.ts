import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import PAPER from '../../research/paper.json' with { type: 'json' };
import { examplesTable, fillIn, fractionsTable, groupsTable, mainTable } from '../../research/results-tables.mjs';
import { summarize } from '../../src/evaluation/experiment.ts';
import { compareInto } from '../../src/experiments.ts';
import { checkerboard } from '../checkerboard.ts';

async function results() {
  const options = {
    models: ['popularity', 'itemknn'],
    seeds: [1, 2],
    trainFractions: [0.1, 0.8],
    ks: [3, 5],
    data: 'lastfm',
    glimpse: { objects: [] },
    backend: 'reference',
  } as const;
  const cells = await compareInto(checkerboard(40, 20, 16), options);
  return { cells, summaries: summarize(cells, 'recall@3') };
}

describe('tables of results', () => {
  it('show our figures, the distance to the best and what the paper has', async () => {
    const { summaries } = await results();
    const main = summaries.filter(({ trainFraction }) => trainFraction === 0.8);
    const [head, rule, popularity, itemknn, ...rest] = mainTable(main, PAPER).split('\n');
    expect(rest).toEqual([]);
    expect(head).toMatch(/^\| lastfm \| Recall@3 \|.*\| the paper's \|$/);
    expect(rule.split('|')).toHaveLength(head.split('|').length);
    expect(itemknn).toMatch(/^\| itemknn \| (1\.0000|\.\d{4})( ± \.\d{4})? \|.*\| best \|/);
    expect(popularity).toMatch(/\| −\.\d{4} \(−\.\d{4} to −\.\d{4}\) \|/);
    expect(mainTable([{ ...main[0], model: 'dge' }], PAPER)).toContain('| .2494 / .2129 / .3154 / .1772 |');
  });

  it('show groups of objects from cold upwards, and shares of pairs with the best in bold', async () => {
    const { summaries } = await results();
    const groups = groupsTable(summaries.filter(({ trainFraction }) => trainFraction === 0.1));
    expect(groups).toMatch(/^\| lastfm \| cold \| 1–9 \|\n/);
    const fractions = fractionsTable(summaries).split('\n');
    expect(fractions[0]).toBe('| lastfm | 10 % | 80 % |');
    expect(fractions[3]).toMatch(/^\| itemknn \| \*\*.*\*\* \| \*\*.*\*\* \|$/);
  });

  it('show what models suggest, right tags in bold', async () => {
    const { cells } = await results();
    const shown = cells.flatMap(({ data, model, glimpse }) =>
      glimpse ? [{ data, model, examples: glimpse.examples }] : [],
    );
    const table = examplesTable(shown);
    expect(table).toMatch(/^\| lastfm \| popularity \| itemknn \|\n/);
    expect(table).toMatch(/\*\*[^*|]+\*\*/);
  });

  it('go to their places and nowhere else', () => {
    const text = 'a\n<!-- main x -->\nold\n<!-- end of main x -->\nb\n';
    const filled = fillIn(text, 'main x', '| t |');
    expect(filled).toBe('a\n<!-- main x -->\n\n| t |\n\n<!-- end of main x -->\nb\n');
    expect(fillIn(filled, 'main x', '| t |')).toBe(filled);
    expect(() => fillIn(text, 'main y', '')).toThrow(/no place for the table "main y"/);
  });

  it('have their places on the page that npm run reproduce writes', async () => {
    const page = await readFile('docs/results/paper.md', 'utf8');
    for (const data of ['lastfm', 'movielens-1m', 'steam', 'npm']) {
      for (const kind of ['main', 'groups', 'ablation', 'fractions', 'examples']) {
        expect(fillIn(page, `${kind} ${data}`, 'a table')).not.toBe(page);
      }
    }
  });
});
