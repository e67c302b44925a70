// Adam on whole matrices and on given rows.

import { it } from 'vitest';
import type { AdamSettings, AdamState } from '../../../src/engine/kernels.ts';
import { ELEMENT, EXACT, type Expected, plus } from './expected.ts';
import type { RunShapes, RunTrial, Trial } from './trial.ts';

export function describeAdam(trial: RunTrial, everyShape: RunShapes): void {
  const makeState = (t: Trial, n: number, m: number): AdamState => {
    const [weights, gradient, mean, variance] = [1, 2, 3, 4].map(() => t.numbers(n * m));
    gradient.set([0, 1e15, -1e15, 1e-20, 1e-30].slice(0, gradient.length));
    return {
      weights: t.output(n, m, weights),
      gradient: t.input(n, m, gradient),
      mean: t.output(n, m, mean.fill(0, 0, 1)), // nothing in the first place ever moved
      variance: t.output(n, m, variance.map(Math.abs).fill(0, 0, 1)),
    };
  };
  const check = async (t: Trial, state: AdamState, settings: AdamSettings, isMoved: (row: number) => boolean) => {
    const { learningRate, beta1, beta2, epsilon, step } = settings;
    const moved = (i: number, row: number) => {
      const [w, g, m, v] = [state.weights, state.gradient, state.mean, state.variance].map((x) => t.values(x)[i]);
      const [mean, variance] = [plus(beta1 * m, (1 - beta1) * g), beta2 * v + (1 - beta2) * g * g];
      const change = (x: number) =>
        (learningRate * x) / (1 - beta1 ** step) / (Math.sqrt(variance / (1 - beta2 ** step)) + epsilon);
      const weight: Expected = [w - change(mean[0]), Math.abs(w) + 10 * change(mean[1])];
      return isMoved(row) ? { weight, mean, variance } : { weight: w, mean: m, variance: v };
    };
    const tolerance = (row: number) => (isMoved(row) ? ELEMENT : EXACT);
    await t.near(state.weights, tolerance, (i, r) => moved(i, r).weight);
    await t.near(state.mean, tolerance, (i, r) => moved(i, r).mean);
    await t.near(state.variance, tolerance, (i, r) => moved(i, r).variance);
  };

  const settings = { learningRate: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
  const move = async (t: Trial, n: number, m: number, step: number) => {
    const state = makeState(t, n, m);
    t.kernels.adam(state, { ...settings, step });
    await check(t, state, { ...settings, step }, () => true);
  };

  it('adam moves weights as published', async () => {
    await everyShape((t, n, m) => move(t, n, m, 3));
  });

  it.each([1, 2, 1000, 100_000])('adam corrects its bias as published, at step %i', async (step) => {
    await trial((t) => move(t, 5, 17, step));
  });

  it('adamRows does the same to the given rows and leaves every bit of the others', async () => {
    await everyShape(async (t, n, m) => {
      const rows = Int32Array.from({ length: n }, (_, r) => r).filter((r) => r % 3 === 1);
      const state = makeState(t, n, m);
      t.kernels.adamRows(state, t.ints(t.random.shuffle(rows)), { ...settings, step: 7 });
      await check(t, state, { ...settings, step: 7 }, (row) => row % 3 === 1);
    });
  });
}
