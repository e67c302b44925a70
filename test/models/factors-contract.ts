// What every factorising model must do, and how its loss is held against one written out in plain numbers.

import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import type { Tape, Tensor } from '../../src/engine/tape/tape.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { openScorer } from '../../src/models/fitted.ts';
import type { fitMf } from '../../src/models/mf.ts';
import type { FitContext } from '../../src/models/model-kind.ts';
import { Random } from '../../src/random.ts';
import type { TrainingState } from '../../src/training/trainer.ts';
import { checkerboard } from '../checkerboard.ts';

const parts = split(checkerboard(), { trainFraction: 0.7, seed: 1 });

export function describeFactors<Values extends { epochs: number; seed: number }>(
  name: string,
  fitTo: (context: FitContext<Values>) => ReturnType<typeof fitMf>,
  settings: Values,
): void {
  const start = (kernels: Kernels, changes: Partial<FitContext<Values>> = {}) =>
    fitTo({ kernels, train: parts.train, settings, watch: {}, listener: {}, ...changes });

  describe(name, () => {
    it('finds the missing squares of a checkerboard and leaves no memory behind', async () => {
      await withKernels(1, async (kernels) => {
        const before = kernels.usedBytes;
        const { fitted } = await start(kernels);
        const scorer = openScorer(kernels, { fitted }, parts.train);
        expect(meanOf(await evaluate(scorer.score, parts, [5]), 'recall@5')).toBeGreaterThan(0.95);
        scorer.release();
        expect(kernels.usedBytes).toBe(before);
      });
    });

    it('gives the same bytes for the same seed on one thread and on two, and others for another seed', async () => {
      const fitOn = async (threads: number, seed: number) =>
        (await withKernels(threads, (kernels) => start(kernels, { settings: { ...settings, epochs: 3, seed } })))
          .fitted;
      const one = await fitOn(1, 1);
      expect(await fitOn(2, 1)).toEqual(one);
      expect(await fitOn(1, 2)).not.toEqual(one);
    });

    it('goes on from a checkpoint to the same bytes', async () => {
      await withKernels(1, async (kernels) => {
        const states: TrainingState[] = [];
        const save = async (state: TrainingState) => void states.push(state);
        const short = { ...settings, epochs: 4 };
        const { fitted } = await start(kernels, { settings: short, watch: { checkpoint: { everyMs: -1, save } } });
        const checkpoint = { everyMs: 1e9, save, resume: states[Math.floor(states.length / 2)] };
        expect((await start(kernels, { settings: short, watch: { checkpoint } })).fitted).toEqual(fitted);
      });
    });

    it('survives tags never seen in training and objects with neither tags nor users', async () => {
      const graph = graphFrom({
        interact: [['u', 'a']],
        tagged: [
          ['a', 'rock'],
          ['a', 'pop'],
          ['b', 'rock'],
          ['c', 'unseen'],
        ],
        objects: [['lonely', 'Lonely']],
      });
      const unseen = graph.tags.idOf('unseen');
      const train = {
        ...graph,
        tagged: graph.tagged.select(Uint8Array.from(graph.tagged.tails, (t) => +(t !== unseen))),
      };
      await withKernels(1, async (kernels) => {
        const { fitted } = await start(kernels, { train });
        const scorer = openScorer(kernels, { fitted }, train);
        const scores = new Float32Array(graph.objects.size * graph.tags.size);
        await scorer.score(
          Int32Array.from({ length: graph.objects.size }, (_, object) => object),
          scores,
        );
        expect(scores.every(Number.isFinite)).toBe(true);
        scorer.release();
      });
    });
  });
}

/** The tape's loss and its gradients by all parameters are those of a function of their numbers, row by row. */
export async function expectLoss(
  kernels: Kernels,
  { tape, parameters }: { tape: Tape; parameters: readonly Tensor[] },
  lossOf: (values: readonly number[][]) => number,
): Promise<void> {
  const random = new Random(1, 'a place to be');
  const values = parameters.map(({ rows, cols }) =>
    Array.from({ length: rows * cols }, () => Math.fround(2 * random.float() - 1)),
  );
  for (const [p, { value }] of parameters.entries()) kernels.write(value, values[p]);
  tape.run();
  expect(await tape.loss()).toBeCloseTo(lossOf(values), 4);
  const step = 1e-4;
  for (const [p, { gradient, operation }] of parameters.entries()) {
    const slopes = values[p].map((number, i) => {
      const lossAt = (moved: number) => lossOf(values.with(p, values[p].with(i, moved)));
      return (lossAt(number + step) - lossAt(number - step)) / (2 * step);
    });
    const got = await kernels.read(gradient as NonNullable<typeof gradient>);
    for (const [i, slope] of slopes.entries()) expect(got[i], `${operation}, number ${i}`).toBeCloseTo(slope, 3);
  }
}

export async function withKernels<T>(threads: number, use: (kernels: Kernels) => Promise<T>): Promise<T> {
  const kernels = await openKernels({ threads });
  try {
    return await use(kernels);
  } finally {
    kernels.close();
  }
}

/** Row r of a matrix with `width` columns. */
export function row(values: readonly number[], r: number, width: number): number[] {
  return values.slice(r * width, (r + 1) * width);
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, number, i) => total + number * b[i], 0);
}

export function intsOf(kernels: Kernels, values: readonly number[]) {
  const ints = kernels.ints(values.length);
  kernels.writeInts(ints, values);
  return ints;
}
