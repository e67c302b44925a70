import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CellStore } from '../../src/evaluation/cell-store.ts';
import { type CellResult, mainFraction, summarize } from '../../src/evaluation/experiment.ts';
import { compareInto } from '../../src/experiments.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';

const cell = (facts: Partial<CellResult>): CellResult => ({
  data: 'd',
  model: 'm',
  seed: 1,
  trainFraction: 0.8,
  metrics: { 'recall@3': 0.5 },
  groups: [],
  values: [0, 1],
  seconds: 1,
  ...facts,
});

describe('mainFraction(trainFractions)', () => {
  it('is the first of 0.8 and more, else the largest', () => {
    expect(mainFraction([0.2, 0.8, 0.9])).toBe(0.8);
    expect(mainFraction([0.9, 0.8])).toBe(0.9);
    expect(mainFraction([0.1, 0.6, 0.4])).toBe(0.6);
  });
});

describe('summarize(results, decides)', () => {
  it('takes means and deviations over seeds, and counts the objects of a group', () => {
    const group = (numObjects: number, recall: number) => ({
      groups: [{ group: 'cold', numObjects, metrics: { 'recall@3': recall } }],
    });
    const [summary] = summarize(
      [
        cell({ seed: 2, metrics: { 'recall@3': 0.7 }, seconds: 3, ...group(30, 0.2) }),
        cell({ seed: 1, seconds: 1, ...group(10, 0.4) }),
        cell({ seed: 3, metrics: { 'recall@3': 0.6 }, seconds: 2 }),
      ],
      'recall@3',
    );
    expect(summary).toMatchObject({ numSeeds: 3, seconds: 2, againstBest: undefined });
    expect(summary.metrics['recall@3'].mean).toBeCloseTo(0.6, 12);
    expect(summary.metrics['recall@3'].deviation).toBeCloseTo(0.1, 12);
    expect(summary.groups).toHaveLength(1);
    expect(summary.groups[0].numObjects).toBeCloseTo(40 / 3, 12); // the third seed has none
    expect(summary.groups[0].metrics['recall@3'].mean).toBeCloseTo(0.3, 12);
  });

  it('keeps data sets and fractions apart, and holds models against the best of their own', () => {
    const summaries = summarize(
      [
        cell({ model: 'a', metrics: { 'recall@3': 0.9 }, values: [1, 0.8] }),
        cell({ model: 'b', metrics: { 'recall@3': 0.5 } }),
        cell({ model: 'b', data: 'e' }),
        cell({ model: 'b', trainFraction: 0.2 }),
      ],
      'recall@3',
    );
    expect(
      summaries.map(({ data, trainFraction, model, againstBest }) => [
        data,
        trainFraction,
        model,
        againstBest?.difference,
      ]),
    ).toEqual([
      ['d', 0.8, 'a', undefined],
      ['d', 0.8, 'b', expect.closeTo(-0.4, 12)],
      ['e', 0.8, 'b', undefined],
      ['d', 0.2, 'b', undefined],
    ]);
  });
});

describe('a glimpse for a report', () => {
  const OPTIONS = {
    models: ['popularity', 'mf'],
    seeds: [1, 2],
    trainFractions: [0.1, 0.3],
    ks: [3],
    settings: { mf: { epochs: 2, width: 4 } },
    backend: 'reference',
  } as const;

  it('is taken of the first seed at the main fraction, and of embeddings a map, too', async () => {
    const cells = await compareInto(checkerboard(), { ...OPTIONS, glimpse: { objects: [] } });
    const seen = cells.filter(({ glimpse }) => glimpse !== undefined);
    expect(seen.map(({ model, seed, trainFraction }) => [model, seed, trainFraction])).toEqual([
      ['popularity', 1, 0.3],
      ['mf', 1, 0.3],
    ]);
    const [popularity, mf] = seen.map(({ glimpse }) => glimpse);
    expect(popularity?.map).toBeUndefined();
    expect(mf?.map?.points).toHaveLength(20);
    expect(mf?.examples.map(({ title }) => title)).toEqual(popularity?.examples.map(({ title }) => title));
    for (const { suggested, trainTags, testTags } of popularity?.examples ?? []) {
      expect(suggested).toHaveLength(5);
      expect(suggested.filter((tag) => trainTags.includes(tag))).toEqual([]);
      expect(testTags.length).toBeGreaterThan(0);
    }
    expect((await compareInto(checkerboard(), OPTIONS)).some(({ glimpse }) => glimpse)).toBe(false);
  });

  it('is of the objects that were named', async () => {
    const options = { ...OPTIONS, models: ['popularity'], glimpse: { objects: ['o007', 'nobody', 'O012'] } } as const;
    const [example] = (await compareInto(checkerboard(), options)).flatMap(({ glimpse }) => glimpse ?? []);
    expect(example.examples.map(({ title }) => title)).toEqual(['o007', 'o012']);
  });

  it('is kept with its cell: figures are found with and without it, and nothing is fitted twice', async () => {
    const folder = await tempFolder({});
    const store = await CellStore.open(folder);
    let numFits = 0;
    const listener = { progress: (step: string) => void (step.endsWith('evaluating') && numFits++) };
    const run = (objects?: string[]) =>
      compareInto(checkerboard(), { ...OPTIONS, store, ...(objects && { glimpse: { objects } }) }, listener);
    const first = await run([]);
    expect(await readdir(folder)).toHaveLength(8 + 2); // cells, glimpses
    numFits = 0;
    const again = await run([]);
    expect(again.map(({ glimpse }) => glimpse)).toEqual(first.map(({ glimpse }) => glimpse));
    expect((await run()).map(({ metrics }) => metrics)).toEqual(first.map(({ metrics }) => metrics));
    expect(numFits).toBe(0);
    await run(['o001']); // others to show: only the two that are shown are fitted again
    expect(await readdir(folder)).toHaveLength(8 + 4);
    expect(numFits).toBe(2);
  });
});
