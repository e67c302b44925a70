import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { type Split, split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { Tape, type Tensor } from '../../src/engine/tape/tape.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { embeddingScorer } from '../../src/models/forms/embeddings.ts';
import { TRANS_E, TRANS_E_SETTINGS, transE } from '../../src/models/transe.ts';
import { TRANS_H, TRANS_H_SETTINGS, transH } from '../../src/models/transh.ts';
import { headShare, type Recorder, type Translation } from '../../src/models/translations.ts';
import { TRANS_R, TRANS_R_SETTINGS, transR } from '../../src/models/transr.ts';
import { resolveSettings } from '../../src/settings.ts';
import { PairFeed } from '../../src/training/pair-feed.ts';
import type { Embeddings, TrainingState, Watch } from '../../src/training/trainer.ts';
import { checkerboard } from '../checkerboard.ts';

type Changes = Readonly<Record<string, number | string>>;
type FitModel = (kernels: Kernels, train: KnowledgeGraph, changes?: Changes, watch?: Watch) => Promise<Embeddings>;

const small = { width: 16, batchSize: 128, epochs: 60 };
const models: readonly [string, FitModel][] = [
  [
    'TransE',
    async (kernels, train, changes = {}, watch = {}) => {
      const settings = resolveSettings(TRANS_E_SETTINGS, { ...small, ...changes });
      return (await TRANS_E.fit({ kernels, train, settings, watch, listener: {} })).fitted as Embeddings;
    },
  ],
  [
    'TransH',
    async (kernels, train, changes = {}, watch = {}) => {
      const settings = resolveSettings(TRANS_H_SETTINGS, { ...small, ...changes });
      return (await TRANS_H.fit({ kernels, train, settings, watch, listener: {} })).fitted as Embeddings;
    },
  ],
  [
    'TransR',
    async (kernels, train, changes = {}, watch = {}) => {
      const settings = resolveSettings(TRANS_R_SETTINGS, { ...small, relationWidth: 12, ...changes });
      return (await TRANS_R.fit({ kernels, train, settings, watch, listener: {} })).fitted as Embeddings;
    },
  ],
];

async function withKernels<T>(threads: number, use: (kernels: Kernels) => Promise<T>): Promise<T> {
  const kernels = await openKernels({ threads });
  try {
    return await use(kernels);
  } finally {
    kernels.close();
  }
}

async function recallOf(kernels: Kernels, embeddings: Embeddings, parts: Split): Promise<number> {
  const scorer = embeddingScorer(kernels, embeddings);
  const evaluation = await evaluate(scorer.score, parts, [5]);
  scorer.release();
  return meanOf(evaluation, 'recall@5');
}

/** All scores, by object and tag. */
async function scoresOf(kernels: Kernels, embeddings: Embeddings): Promise<number[][]> {
  const scorer = embeddingScorer(kernels, embeddings);
  const numObjects = embeddings.objects.length / embeddings.width;
  const scores = new Float32Array(numObjects * embeddings.base.length);
  await scorer.score(
    Int32Array.from({ length: numObjects }, (_, object) => object),
    scores,
  );
  scorer.release();
  return rowsOf(scores, embeddings.base.length);
}

/** The graph with the tagged pairs a test picks. */
function withTagged(graph: KnowledgeGraph, picks: (object: number, tag: number) => boolean): KnowledgeGraph {
  const { heads, tails } = graph.tagged;
  return { ...graph, tagged: graph.tagged.select(Uint8Array.from(heads, (o, i) => Number(picks(o, tails[i])))) };
}

// plain arithmetic to compare with
const rowsOf = (values: Float32Array, width: number) =>
  Array.from({ length: values.length / width }, (_, i) => [...values.subarray(i * width, (i + 1) * width)]);
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const unit = (x: readonly number[]) => x.map((value) => value / Math.sqrt(dot(x, x)));
const squaredGap = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + (x - b[i]) ** 2, 0);
const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;

function expectClose(got: readonly number[], expected: readonly number[]): void {
  expect(got).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(got[i]).toBeCloseTo(value, 5);
}

describe.each(models)('%s', (_name, fitModel) => {
  const board = checkerboard();
  const parts = split(board, { trainFraction: 0.7, seed: 1 });

  it('finds the missing squares of a checkerboard and leaves no memory behind', async () => {
    await withKernels(1, async (kernels) => {
      const before = kernels.usedBytes;
      const fitted = await fitModel(kernels, parts.train);
      expect(await recallOf(kernels, fitted, parts)).toBeGreaterThan(0.95);
      expect(kernels.usedBytes).toBe(before);
    });
  });

  it('learns from users: objects without tags get those of their colour', async () => {
    const cold = [6, 15, 24, 33, 42, 51];
    await withKernels(1, async (kernels) => {
      const fitted = await fitModel(
        kernels,
        withTagged(board, (object) => !cold.includes(object)),
      );
      const scores = await scoresOf(kernels, fitted);
      const hits = cold.flatMap((object) => {
        const ranked = [...scores[object].keys()].sort((a, b) => scores[object][b] - scores[object][a]);
        return ranked.slice(0, 5).map((tag) => Number(tag % 2 === object % 2));
      });
      expect(mean(hits)).toBeGreaterThan(0.8); // by chance: 0.5
    });
  });

  it('gives the same bytes for the same seed on one thread and on two, and others for another seed', async () => {
    const train = (threads: number, seed: number) =>
      withKernels(threads, (kernels) => fitModel(kernels, parts.train, { epochs: 3, seed }));
    const [one, two, other] = [await train(1, 1), await train(2, 1), await train(1, 2)];
    expect(two).toEqual(one);
    expect(other.objects).not.toEqual(one.objects);
  });

  it('stopped after a few steps and resumed ends in the same bytes', async () => {
    const states: TrainingState[] = [];
    const save = async (state: TrainingState) => void states.push(structuredClone(state));
    const run = (checkpoint: NonNullable<Watch['checkpoint']>) =>
      withKernels(1, (kernels) => fitModel(kernels, parts.train, { epochs: 3 }, { checkpoint }));
    const whole = await run({ everyMs: -1, save });
    expect(await run({ everyMs: 1e9, save, resume: states[4] })).toEqual(whole);
  });

  it('scores tags never seen in training and objects with neither tags nor users', async () => {
    const graph = graphFrom({
      interact: [['u', 'a'], ['u', 'b']], // biome-ignore format: pairs
      tagged: [['a', 'x'], ['b', 'y'], ['b', 'z']], // biome-ignore format: pairs
      objects: [['lonely', 'Lonely']],
    });
    const unseen = graph.tags.size - 1;
    for (const train of [
      withTagged(graph, (_, tag) => tag !== unseen),
      { ...graph, interact: graph.interact.select(new Uint8Array(graph.interact.size)) },
    ]) {
      const scores = await withKernels(1, async (kernels) => scoresOf(kernels, await fitModel(kernels, train)));
      expect(scores).toHaveLength(3);
      expect(scores.flat().every(Number.isFinite)).toBe(true);
    }
  });

  // a large batch is picked from all vectors projected, a small one is picked, then projected
  it.each([1000, 8])(
    'ranks by squared distance, and minimises ranking and margin of it, %i pairs a step',
    async (batchSize) => {
      const train = { ...board, interact: board.interact.select(new Uint8Array(board.interact.size)) };
      const settings = { batchSize, corruption: 'bernoulli', seed: 1 } as const;
      const weights = { margin: 0.7, rankingWeight: 0.3 };
      let loss = Number.NaN;
      const watch: Watch = {
        onEpoch: (report) => {
          loss = report.loss;
        },
      };
      await withKernels(1, async (kernels) => {
        // steps that go nowhere: the last one has the loss of the start
        const changes = { ...settings, ...weights, epochs: 1, learningRate: 1e-9 };
        const fitted = await fitModel(kernels, train, changes, watch);
        const from = rowsOf(fitted.objects, fitted.width).map((row) => row.map((x) => x / 2));
        const to = rowsOf(fitted.tags, fitted.width);
        const distance = (o: number, t: number) => squaredGap(from[o], to[t]);

        const scores = await scoresOf(kernels, fitted);
        for (const [o, row] of scores.entries()) {
          expectClose(row, to.map((_, t) => dot(from[o], from[o]) - distance(o, t))); // biome-ignore format: one thought
        }

        const samples = new PairFeed(kernels, train.tagged, { ...settings, otherEnds: 'TaggedWith' });
        samples.fill(samples.stepsPerEpoch - 1);
        const ids = await Promise.all(
          [samples.heads, samples.tails, samples.otherHeads, samples.otherTails].map((x) => kernels.readInts(x)),
        );
        const losses = Array.from(ids[0], (h, i) => {
          const [t, otherH, otherT] = [ids[1][i], ids[2][i], ids[3][i]];
          const hinge = (wrong: number) => Math.max(0, weights.margin + distance(h, t) - wrong);
          const ranking = Math.log(1 + Math.exp(distance(h, t) - distance(h, otherT)));
          const share = train.tags.size / (train.tags.size + train.objects.size); // all have a pair
          const margins = share * hinge(distance(otherH, t)) + (1 - share) * hinge(distance(h, otherT));
          return weights.rankingWeight * ranking + (1 - weights.rankingWeight) * margins;
        });
        expect(losses).toHaveLength(Math.min(batchSize, train.tagged.size));
        expect(loss).toBeCloseTo(mean(losses), 5);
      });
    },
  );
});

describe('a translation', () => {
  const e = [
    [3, 4, 0],
    [1, -2, 2],
  ];

  /** What a model makes of the rows of e and of its r, with parameters of the given values, by name. */
  async function record(make: (recorder: Recorder) => Translation, values: Readonly<Record<string, number[][]>>) {
    return withKernels(1, async (kernels) => {
      const tape = new Tape(kernels);
      const learn = (rows: number, cols: number, name: string) => {
        const made = tape.parameter(rows, cols, name);
        expect([values[name].length, values[name][0].length]).toEqual([rows, cols]);
        kernels.write(made.value, values[name].flat());
        return made;
      };
      const { project, r } = make({ tape, learn });
      const projected = project(learn(2, 3, 'e'));
      tape.forward();
      const read = async (x: Tensor) => rowsOf(await kernels.read(x.value), x.cols);
      return { projected: await read(projected), r: (await read(r))[0] };
    });
  }

  it('of TransE brings vectors to length 1', async () => {
    const { projected, r } = await record((recorder) => transE(recorder, 'x', 3), { e, 'x r': [[5, 6, 7]] });
    expectClose(projected.flat(), [0.6, 0.8, 0, 1 / 3, -2 / 3, 2 / 3]);
    expectClose(r, [5, 6, 7]);
  });

  it('of TransH takes them, and its step, to the plane with normal w', async () => {
    const [w, d] = [[2, -1, 2], [5, 6, 7]]; // biome-ignore format: vectors
    const { projected, r } = await record((recorder) => transH(recorder, 'x', 3), { e, 'x w': [w], 'x d': [d] });
    const toPlane = (x: readonly number[]) => x.map((value, i) => value - dot(unit(w), x) * unit(w)[i]);
    expectClose(projected.flat(), e.flatMap((row) => toPlane(unit(row)))); // biome-ignore format: one thought
    expectClose(r, toPlane(d));
    for (const x of [...projected, r]) expect(dot(x, w)).toBeCloseTo(0, 5);
  });

  it('of TransR leads into a space of its own, at length 1', async () => {
    const m = [[1, 2], [0, -1], [3, 1]]; // biome-ignore format: a matrix
    const make = (recorder: Recorder) => transR(recorder, 'x', { width: 3, relationWidth: 2 });
    const { projected, r } = await record(make, { e, 'x M': m, 'x r': [[5, 6]] });
    expectClose(projected.flat(), [...unit([3, 2]), ...unit([7, 6])]);
    expectClose(r, [5, 6]);
  });
});

describe('headShare', () => {
  it('replaces rather the end with fewer of its kind, or either', () => {
    const { tagged } = checkerboard();
    expect(headShare(tagged, { corruption: 'uniform' })).toBe(0.5);
    expect(headShare(tagged, { corruption: 'bernoulli' })).toBeCloseTo(20 / (60 + 20), 10);
  });
});
