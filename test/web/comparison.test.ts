import { describe, expect, it } from 'vitest';
import { mainFraction, metricLabel, metricNames, resultsOf } from '../../web/src/about/comparison.ts';

const cell = {
  data: 'npm',
  trainFraction: 0.8,
  model: 'loom',
  seconds: 3,
  metrics: { 'coverage@3': { mean: 0.2, deviation: 0 }, 'recall@3': { mean: 0.5, deviation: 0.1 }, 'ndcg@3': 0.4 },
  groups: [{ group: 'cold', numObjects: 4, metrics: { 'recall@3': { mean: 0.1, deviation: 0 } } }],
  reliability: {
    bins: [
      { from: 0, to: 0.1, size: 0, confidence: 0, right: 0 },
      { size: 5, confidence: 0.9, right: 0.8 },
    ],
  },
};

describe('resultsOf', () => {
  it('reads what "tagloom compare --json" wrote', () => {
    expect(resultsOf([cell])).toEqual([
      {
        data: 'npm',
        trainFraction: 0.8,
        model: 'loom',
        seconds: 3,
        metrics: {
          'coverage@3': { mean: 0.2, deviation: 0 },
          'recall@3': { mean: 0.5, deviation: 0.1 },
          'ndcg@3': { mean: 0.4, deviation: 0 },
        },
        groups: [{ group: 'cold', metrics: { 'recall@3': { mean: 0.1, deviation: 0 } } }],
        bins: [{ confidence: 0.9, right: 0.8, size: 5 }],
      },
    ]);
  });

  it('leaves out what is no result, and takes the rest', () => {
    expect(resultsOf([null, 7, 'x', [], {}, { model: 1 }])).toEqual([]);
    expect(resultsOf([{ model: 'ease', metrics: { recall: 'high' }, groups: [1], reliability: null }])).toEqual([
      { data: '', trainFraction: 1, model: 'ease', seconds: undefined, metrics: {}, groups: [], bins: [] },
    ]);
  });
});

describe('what charts are about', () => {
  it('is recall first, then NDCG, then the rest', () => {
    expect(metricNames(resultsOf([cell]))).toEqual(['recall@3', 'ndcg@3', 'coverage@3']);
    expect(metricLabel('paperNdcg@3')).toBe('NDCG of the paper@3');
    expect(metricLabel('mrr@5')).toBe('mrr@5');
    expect(metricLabel('calibrationError')).toBe('Calibration error');
  });

  it("is the paper's share of training pairs, or the largest", () => {
    expect(mainFraction([0.2, 0.8, 0.9])).toBe(0.8);
    expect(mainFraction([0.2, 0.4])).toBe(0.4);
  });
});
