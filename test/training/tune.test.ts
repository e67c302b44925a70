import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleObjects, split } from '../../src/data/split.ts';
import { NotPositiveDefiniteError } from '../../src/engine/kernels.ts';
import { NonFiniteError, type Tensor } from '../../src/engine/tape/tape.ts';
import { CancelledError, InputError } from '../../src/errors.ts';
import { tune } from '../../src/experiments.ts';
import { MODELS } from '../../src/models/catalogue.ts';
import { linearScale, logScale, type SettingList, type Settings } from '../../src/settings.ts';
import { drawTrials, tunable } from '../../src/training/search-space.ts';
import { TrialStore } from '../../src/training/trial-store.ts';
import { type Clock, type Measured, type SearchOptions, searchTrials } from '../../src/training/tune.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';

const LIST = {
  x: { default: 0.9, min: 0, max: 1, tune: linearScale(0, 1), help: '' },
  penalty: { default: 1, min: 0, max: 1e6, tune: logScale(1e-3, 1e3), help: '' },
  width: { default: 8, min: 1, max: 100, whole: true, tune: logScale(2, 64), help: '' },
  layers: { default: 2, min: 1, max: 9, whole: true, tune: linearScale(1, 4), help: '' },
  kind: { default: 'a', choices: ['a', 'b', 'c'], tune: ['a', 'c'], help: '' },
  seed: { default: 1, min: 0, max: 9, whole: true, help: '' },
} as const satisfies SettingList;

const SHARES = [1 / 4, 1 / 2, 1];

/** Time that passes only when told to. */
class FakeClock implements Clock {
  time = 0;
  #timers = new Set<{ at: number; call: () => void }>();

  now(): number {
    return this.time;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.time + ms, call };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    this.time += ms;
    for (const { at, call } of this.#timers) if (at <= this.time) call();
  }
}

/** The nearer x is to 0.3, the better; blurred on low rungs. It takes 4 s in full, in steps of 100 ms. */
function fake(clock: FakeClock, changes: Partial<SearchOptions> = {}): SearchOptions & { calls: string[] } {
  const calls: string[] = [];
  const evaluate: SearchOptions['evaluate'] = async ({ x }, rung, { signal }) => {
    calls.push(`${x} ${rung}`);
    for (let step = 0; step < 40 * SHARES[rung]; step++) {
      clock.advance(100);
      if (signal?.aborted) throw new CancelledError();
    }
    return quality(Number(x), rung);
  };
  return { shares: SHARES, budgetMs: 1e9, clock, evaluate, calls, ...changes };
}

function quality(x: number, rung: number): number {
  return SHARES[rung] * (1 - Math.abs(x - 0.3)) + [0.01, 0.005, 0][rung] * Math.sin(1000 * x);
}

const trials = (n: number, seed = 1, given: Settings = {}) => drawTrials(LIST, given, n, seed);

describe('drawTrials', () => {
  it('draws within bounds, whole where it should be, of the choices to search, and changes nothing else', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 40 }), (seed, n) => {
        const drawn = trials(n, seed);
        expect(drawn.map(({ number }) => number)).toEqual(drawn.map((_, i) => i));
        for (const { settings } of drawn.slice(1)) {
          expect(Object.keys(settings)).toEqual(['x', 'penalty', 'width', 'layers', 'kind']);
          const { x, penalty, width, layers, kind } = settings as Record<string, number>;
          expect(x >= 0 && x <= 1 && penalty >= 1e-3 && penalty <= 1e3).toBe(true);
          expect(Number.isInteger(width) && width >= 2 && width <= 64).toBe(true);
          expect([1, 2, 3, 4]).toContain(layers);
          expect(['a', 'c']).toContain(kind);
        }
        expect(new Set(drawn.map(({ settings }) => JSON.stringify(settings))).size).toBe(n);
      }),
    );
  });

  it('takes orders of magnitude alike on a log scale, values alike on a linear one', () => {
    const drawn = trials(2001).slice(1);
    const shareOf = (picks: (settings: Record<string, number>) => boolean) =>
      drawn.filter(({ settings }) => picks(settings as Record<string, number>)).length / drawn.length;
    expect(shareOf(({ penalty }) => penalty < 1)).toBeCloseTo(0.5, 1);
    expect(shareOf(({ penalty }) => penalty < 0.01)).toBeCloseTo(1 / 6, 1);
    expect(shareOf(({ x }) => x < 0.25)).toBeCloseTo(0.25, 1);
    expect(shareOf(({ layers }) => layers === 4)).toBeCloseTo(0.25, 1);
    expect(shareOf(({ width }) => width <= 11)).toBeCloseTo(0.5, 1);
  });

  it('begins with the defaults, repeats with its seed, and has the same first trials however many are drawn', () => {
    expect(trials(3)[0].settings).toEqual({ x: 0.9, penalty: 1, width: 8, layers: 2, kind: 'a' });
    expect(trials(20).slice(0, 5)).toEqual(trials(5));
    expect(trials(5, 2)[1]).not.toEqual(trials(5, 1)[1]);
  });

  it('leaves given settings alone, and stops where there is nothing new to draw', () => {
    const drawn = trials(9, 1, { x: 0.5, seed: 3, penalty: 2, width: 4 });
    expect(drawn).toHaveLength(8); // four layers, two kinds
    for (const { settings } of drawn) expect(settings).toMatchObject({ x: 0.5, seed: 3, penalty: 2, width: 4 });
    const { layers, kind } = { layers: 1, kind: 'b' };
    expect(() => trials(9, 1, { x: 0, penalty: 1, width: 8, layers, kind })).toThrow(
      /got a value for x, penalty, width, layers, kind, expected one of them left to search/,
    );
    expect(() => drawTrials({ seed: LIST.seed }, {}, 9, 1)).toThrow(/got a model without a setting to search/);
    expect(() => trials(9, 1, { y: 1 })).toThrow(/got the setting y/);
  });
});

describe('every model', () => {
  it.each(Object.entries(MODELS))('%s is searched within the bounds of its settings', (_, { settings }) => {
    const never = ['seed', 'validation', 'evaluateEvery', 'patience', 'weightsPerTag', 'keep', 'epochs'];
    for (const name of tunable(settings)) {
      const setting = settings[name];
      expect(never).not.toContain(name);
      if ('choices' in setting) {
        expect(setting.tune?.length).toBeGreaterThan(1);
        for (const choice of setting.tune ?? []) expect(setting.choices).toContain(choice);
      } else {
        const { low, high, scale } = setting.tune ?? { low: 0, high: 0, scale: 'linear' };
        expect(low).toBeLessThan(high);
        expect(low).toBeGreaterThanOrEqual(setting.min);
        expect(high).toBeLessThanOrEqual(setting.max);
        if (scale === 'log') expect(low).toBeGreaterThan(0);
        if (setting.whole) expect(Number.isInteger(low) && Number.isInteger(high)).toBe(true);
      }
    }
  });
});

describe('searchTrials', () => {
  it('finds the best, with few evaluations in full', async () => {
    const drawn = trials(40);
    const objective = fake(new FakeClock());
    const { best, trials: results, isCut } = await searchTrials(drawn, objective);
    const values = drawn.map(({ settings }) => quality(Number(settings.x), 2));
    expect(best.trial).toBe(values.indexOf(Math.max(...values)));
    expect(isCut).toBe(false);
    const numOf = (rung: number) => objective.calls.filter((call) => call.endsWith(` ${rung}`)).length;
    expect([numOf(0), numOf(1), numOf(2)]).toEqual([39, 13, 6]); // a third, a third of these; the defaults
    expect(results).toHaveLength(40);
    expect(results[0]).toMatchObject({ trial: best.trial, share: 1, recall: best.recall });
    expect(results.filter(({ share }) => share === 1)).toHaveLength(6);
  });

  it('is never worse than the defaults, which win a tie', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), fc.integer({ min: 2, max: 30 }), fc.nat(200_000), async (seed, n, more) => {
        const budgetMs = 4100 + more; // the defaults take 4 s
        const { best } = await searchTrials(trials(n, seed), fake(new FakeClock(), { budgetMs }));
        expect(best.share).toBe(1);
        expect(best.recall).toBeGreaterThanOrEqual(quality(0.9, 2));
      }),
    );
    const flat = async () => 0.5;
    const { best } = await searchTrials(trials(10), { ...fake(new FakeClock()), evaluate: flat });
    expect(best.trial).toBe(0);
  });

  it('repeats, and counts trials in the order of what they are worth', async () => {
    const [first, second] = [fake(new FakeClock()), fake(new FakeClock())];
    expect(await searchTrials(trials(25), first)).toEqual(await searchTrials(trials(25), second));
    expect(second.calls).toEqual(first.calls);
  });

  it('keeps to the budget and gets the best through to the end within it', async () => {
    for (const budgetMs of [8000, 10_000, 13_000, 20_000, 30_000, 60_000, 100_000]) {
      const clock = new FakeClock();
      const objective = fake(clock, { budgetMs });
      const { best, trials: results, isCut } = await searchTrials(trials(100), objective);
      expect(clock.time).toBeLessThanOrEqual(budgetMs);
      expect(isCut).toBe(true);
      if (budgetMs < 10_000) continue; // 4 s for the defaults, then 1 + 4 s at least
      expect(results.filter(({ share }) => share === 1).length).toBeGreaterThan(1);
      expect(best.trial).toBeGreaterThan(0);
      expect(clock.time).toBeGreaterThan(budgetMs - 12_000); // time is not left lying about
    }
  });

  it('goes straight to the end where there is no time for a rung in between', async () => {
    const clock = new FakeClock();
    const objective = fake(clock, { budgetMs: 10_000 }); // 4 s for the defaults, 1 on the first rung, 4 on the last
    const { trials: results } = await searchTrials(trials(100), objective);
    expect(objective.calls.some((call) => call.endsWith(' 1'))).toBe(false);
    expect(results.filter(({ share }) => share === 1)).toHaveLength(2);
  });

  it('gives up what takes longer than there is time', async () => {
    for (const slowRung of [0, 1, 2]) {
      const clock = new FakeClock();
      const objective = fake(clock, { budgetMs: 60_000 });
      const evaluate: SearchOptions['evaluate'] = async (settings, rung, listener) => {
        const isSlow = rung === slowRung && settings.x !== 0.9;
        for (let i = 0; isSlow && i < 1e4 && !listener.signal?.aborted; i++) clock.advance(100);
        return objective.evaluate(settings, rung, listener);
      };
      const { best, isCut } = await searchTrials(trials(30), { ...objective, evaluate });
      expect([best.trial, isCut]).toEqual([0, true]);
      expect(clock.time).toBeLessThanOrEqual(60_100);
    }
    const clock = new FakeClock();
    await expect(searchTrials(trials(10), fake(clock, { budgetMs: 3000 }))).rejects.toThrow(
      'got a budget of 3 s, expected enough to measure one configuration in full. Give it more time',
    );
  });

  it('counts a trial that fails as failed and goes on; bad input and a stop end it', async () => {
    const failing = (error: Error, fails = (x: number) => x > 0.25 && x < 0.35) => {
      const objective = fake(new FakeClock());
      const evaluate: SearchOptions['evaluate'] = async (settings, rung, listener) => {
        if (fails(Number(settings.x))) throw error;
        return objective.evaluate(settings, rung, listener);
      };
      return searchTrials(trials(40), { ...objective, evaluate });
    };
    const { best, trials: results } = await failing(new NotPositiveDefiniteError(3));
    expect(Math.abs(Number(best.settings.x) - 0.3)).toBeGreaterThan(0.049);
    const failed = results.filter(({ failure }) => failure !== undefined);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0].failure).toBe(new NotPositiveDefiniteError(3).message);
    const { best: without } = await failing(new RangeError('out of memory'), (x) => x === 0.9);
    expect(without.trial).toBeGreaterThan(0); // even where the defaults fail
    await expect(failing(new RangeError('out of memory'), () => true)).rejects.toThrow(
      /got no configuration that can be measured: out of memory, expected at least one/,
    );
    const bad = { got: 'a', expected: 'b', cure: 'c' };
    await expect(failing(new InputError(bad))).rejects.toThrow(InputError);
    const astray = new NonFiniteError({ operation: 'gather', rows: 1, cols: 1 } as Tensor, 3);
    expect((await failing(new InputError(bad, { cause: astray }))).best.trial).toBeGreaterThan(0);
    const { trials: nothing } = await searchTrials(trials(4), {
      ...fake(new FakeClock()),
      evaluate: async ({ x }) => (x === 0.9 ? 0.5 : Number.NaN),
    });
    expect(nothing.filter(({ failure }) => failure?.includes('NaN'))).toHaveLength(3);
  });

  it('tells how far it is', async () => {
    const steps = new Set<string>();
    const progress = (step: string, _done: number, _total: number, detail = '') => steps.add(`${step} | ${detail}`);
    await searchTrials(trials(10), fake(new FakeClock()), { progress });
    expect([...steps].slice(0, 3)).toEqual([
      'the defaults | ',
      'rung 1 of 3, 1 of 9, trial 1 | best so far 0.4000',
      'rung 1 of 3, 2 of 9, trial 2 | best so far 0.4000',
    ]);
  });
});

describe('a search that is stopped', () => {
  const identity = { model: 'fake', settings: {}, seed: 1, data: 'abc' };

  it('goes on from its file to the same result, wherever it was stopped', async () => {
    const path = join(await tempFolder(), 'best.json.trials');
    for (const budgetMs of [25_000, 60_000, 1e9]) {
      const whole = await searchTrials(trials(30), fake(new FakeClock(), { budgetMs }));
      for (const stopAfter of [0, 1, 2, 7, 19, 28]) {
        const numCalls = { first: 0, second: 0 };
        const stop = new AbortController();
        const clock = new FakeClock();
        const objective = fake(clock, { budgetMs });
        const evaluate: SearchOptions['evaluate'] = (settings, rung, listener) => {
          if (numCalls.first++ === stopAfter) stop.abort();
          return objective.evaluate(settings, rung, listener);
        };
        const store = await TrialStore.open(path, identity, false);
        const stopped = searchTrials(trials(30), { ...objective, evaluate, store }, { signal: stop.signal });
        if (stopAfter < 7) await expect(stopped).rejects.toThrow(CancelledError);
        else await stopped.catch(() => {});

        const again = fake(new FakeClock(), { budgetMs, store: await TrialStore.open(path, identity, true) });
        expect(await searchTrials(trials(30), again)).toEqual(whole);
        if (stop.signal.aborted && budgetMs === 1e9) {
          const all = fake(new FakeClock(), { budgetMs });
          await searchTrials(trials(30), all);
          expect(again.calls).toEqual(all.calls.slice(stopAfter)); // nothing twice
        }
      }
    }
  });

  it('takes what it has measured when it gets more time or more trials', async () => {
    const path = join(await tempFolder(), 'best.json.trials');
    const first = fake(new FakeClock(), { budgetMs: 30_000, store: await TrialStore.open(path, identity, false) });
    await searchTrials(trials(20), first);
    const second = fake(new FakeClock(), { store: await TrialStore.open(path, identity, true) });
    const result = await searchTrials(trials(40), second);
    expect(second.calls.filter((call) => first.calls.includes(call))).toEqual([]);
    expect(result).toEqual(await searchTrials(trials(40), fake(new FakeClock())));
  });

  it('refuses the trials of another search, and files of another kind', async () => {
    const path = join(await tempFolder(), 'best.json.trials');
    await TrialStore.open(path, identity, false);
    const open = (changes: object) => TrialStore.open(path, { ...identity, ...changes }, true);
    await expect(open({ model: 'ease', seed: 2 })).rejects.toThrow(
      /got a search with model fake, seed 1, expected a search with model ease, seed 2\. Give the same/,
    );
    await expect(open({ settings: { x: 1 } })).rejects.toThrow(/got a search with no setting given, expected .* x 1/);
    await writeFile(path, `${await readFile(path, 'utf8')}{"half":`);
    await expect(open({})).rejects.toThrow(/got a file of another kind, expected trials/);
  });
});

describe('sampleObjects', () => {
  it('keeps whole objects, the smaller sample within the larger', () => {
    const graph = checkerboard();
    const [quarter, half] = [1 / 4, 1 / 2].map((share) => sampleObjects(graph, share, 1));
    const objectsOf = (heads: Int32Array) => [...new Set(heads)];
    expect(objectsOf(quarter.tagged.heads)).toHaveLength(15);
    expect(objectsOf(half.tagged.heads)).toEqual(expect.arrayContaining(objectsOf(quarter.tagged.heads)));
    expect(new Set(quarter.interact.tails)).toEqual(new Set(quarter.tagged.heads));
    for (const object of objectsOf(quarter.tagged.heads))
      expect(quarter.tagged.row(object)).toEqual(graph.tagged.row(object));
    expect(sampleObjects(graph, 1, 1)).toBe(graph);
  });
});

describe('tune', () => {
  const graph = split(checkerboard(), { trainFraction: 0.8, seed: 1 }).train;

  it('searches a model without epochs on samples of the objects, one with epochs in fewer of them', async () => {
    const options = { budgetMs: 60_000, trials: 5, threads: 1 };
    const knn = await tune(graph, { ...options, model: 'itemknn' });
    const inFull = knn.trials.filter(({ share }: Measured) => share === 1);
    expect(inFull.map(({ trial }) => trial)).toContain(0);
    expect(knn.best.recall).toBe(Math.max(...inFull.map(({ recall }) => recall ?? 0)));
    const seen: string[] = [];
    const progress = (step: string, _done: number, total: number) => seen.push(`${step} ${total}`);
    const settings = { epochs: 8, width: 4, evaluateEvery: 4 };
    await tune(graph, { ...options, model: 'mf', settings }, { progress });
    const epochsOf = (rung: string) => seen.find((step) => step.startsWith(rung) && step.includes('training'));
    expect(epochsOf('the defaults')).toBe('the defaults: training 8');
    expect(epochsOf('rung 1 of 3, 1')).toBe('rung 1 of 3, 1 of 4, trial 1: training 2');
    expect(epochsOf('rung 2 of 3, 1')).toMatch(/: training 4$/);
  });

  it('says what cannot be searched', async () => {
    const settings = { width: 4, regularization: 1, unobservedWeight: 0.1, learningRate: 0.1 };
    await expect(tune(graph, { model: 'popularity', budgetMs: 1000 })).rejects.toThrow(/got a model without a setting/);
    await expect(tune(graph, { model: 'mf', budgetMs: 1000, settings })).rejects.toThrow(/expected one of them left/);
  });
});
