import { describe, expect, it } from 'vitest';
import { type Report, viewOf } from '../../../src/evaluation/report/view.ts';
import { dataFacts } from '../../../src/graph/data-facts.ts';
import { checkerboard } from '../../checkerboard.ts';

describe('viewOf(report)', () => {
  it('has the models in their order, the main fraction, and a panel for each data set', async () => {
    const facts = await dataFacts(checkerboard(6, 4, 4));
    const summary = (data: string, model: string, trainFraction: number) => ({
      ...{ data, model, trainFraction, numSeeds: 1, metrics: {}, groups: [], seconds: 1, againstBest: undefined },
    });
    const report: Report = {
      ...{ when: '', version: '', command: '', seeds: [1], trainFractions: [0.2, 0.8], cells: [] },
      ks: [5, 3],
      dataSets: ['a', 'b'].map((name) => ({ name, facts, settings: {} })),
      summaries: [summary('a', 'mf', 0.2), summary('a', 'dge', 0.8), summary('b', 'mf', 0.8)],
    };
    const view = viewOf(report);
    expect(view).toMatchObject({ models: ['mf', 'dge'], fraction: 0.8, k: 3 });
    expect(view.panels.map(({ name, summaries }) => [name, summaries.map(({ model }) => model)])).toEqual([
      ['a', ['dge']],
      ['b', ['mf']],
    ]);
    expect(viewOf({ ...report, ks: [10, 20] }).k).toBe(10);
  });
});
