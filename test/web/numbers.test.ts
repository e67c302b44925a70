import { describe, expect, it } from 'vitest';
import { figureAmong, percent } from '../../web/src/numbers.ts';

const figures = (...rows: [confidence: number, score: number][]) =>
  rows.map((_, i) => {
    const all = rows.map(([confidence, score]) => ({ confidence, score }));
    const { figure, tie } = figureAmong(all, i);
    return tie === undefined ? figure : `${figure} (${tie})`;
  });

describe('percent(share)', () => {
  it('is never 100 %, and 0 % only for nothing', () => {
    expect([1, 0.994, 0.5, 0.004, 0].map(percent)).toEqual(['99 %', '99 %', '50 %', '< 1 %', '0 %']);
  });
});

describe('figureAmong(rows, index)', () => {
  it('is the percentage where those beside it have another', () => {
    expect(figures([0.9, 3], [0.8, 2], [0.7, 1])).toEqual(['90 %', '80 %', '70 %']);
    expect(figures([0.9, 3])).toEqual(['90 %']);
  });

  it('has a decimal where a row beside it rounds to the same', () => {
    expect(figures([0.874, 3], [0.871, 2], [0.7, 1])).toEqual(['87.4 %', '87.1 %', '70 %']);
    expect(figures([0.004, 3], [0.0004, 2])).toEqual(['0.4 %', '< 0.1 %']);
    expect(figures([0.9994, 3], [0.9982, 2])).toEqual(['99.9 %', '99.8 %']);
  });

  it('has the score, which broke the tie, where decimals are the same', () => {
    expect(figures([0.99, 0.832], [0.99, 0.8217], [0.99, 0.8])).toEqual([
      '99 % (0.832)',
      '99 % (0.822)',
      '99 % (0.800)',
    ]);
    expect(figures([0.99, 0.9], [0.99, 0.8], [0.987, 0.7])).toEqual(['99 % (0.900)', '99.0 % (0.800)', '98.7 %']);
  });

  it('is the score of a model without confidence', () => {
    expect(figureAmong([{ score: 0.12345 }, { score: 0.1234 }], 0)).toEqual({ figure: '0.123' });
  });
});
