// What every graph network on the tripartite graph owes, and a small one to check formulas on.

import { expect, it } from 'vitest';
import type { Csr } from '../../src/csr.ts';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { Tape, type Tensor } from '../../src/engine/tape/tape.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { nodesOf, tripartiteGraph } from '../../src/graph/tripartite.ts';
import { type Fitted, openScorer } from '../../src/models/fitted.ts';
import type { Fit, FitContext } from '../../src/models/model-kind.ts';
import type { Network, NetworkInputs } from '../../src/models/tripartite-network.ts';
import { Random } from '../../src/random.ts';
import type { Embeddings, TrainingState, Watch } from '../../src/training/trainer.ts';
import { checkerboard } from '../checkerboard.ts';

interface LeastSettings {
  readonly epochs: number;
  readonly batchSize: number;
  readonly seed: number;
  readonly negatives: 'popular' | 'uniform';
}

const parts = split(checkerboard(), { trainFraction: 0.7, seed: 1 });

export async function withKernels<Result>(
  threads: number,
  use: (kernels: Kernels) => Promise<Result>,
): Promise<Result> {
  const kernels = await openKernels({ threads });
  try {
    return await use(kernels);
  } finally {
    kernels.close();
  }
}

export function itIsANetwork<Settings extends LeastSettings>(
  fitTo: (context: FitContext<Settings>) => Promise<Fit>,
  settings: Settings,
): void {
  const learn = async (
    kernels: Kernels,
    changes: Partial<LeastSettings> = {},
    watch: Watch = {},
    train = parts.train,
  ) => (await fitTo({ kernels, train, settings: { ...settings, ...changes }, watch, listener: {} })).fitted;

  it.each(['popular', 'uniform'] as const)('finds the missing squares of a checkerboard (%s)', async (negatives) => {
    await withKernels(1, async (kernels) => {
      const before = kernels.usedBytes;
      expect(await recallOf(kernels, await learn(kernels, { negatives }))).toBeGreaterThan(0.95);
      expect(kernels.usedBytes).toBe(before);
    });
  });

  it('gives the same bytes for the same seed on one thread and on two, and others for another seed', async () => {
    // large enough for two threads to pay
    const { train } = split(checkerboard(600, 60, 400), { trainFraction: 0.7, seed: 1 });
    const fitOn = (threads: number, seed: number) =>
      withKernels(threads, (kernels) => learn(kernels, { epochs: 2, batchSize: 4096, seed }, {}, train));
    const [one, two, other] = [await fitOn(1, 1), await fitOn(2, 1), await fitOn(1, 2)];
    expect(two).toEqual(one);
    expect((other as Embeddings).objects).not.toEqual((one as Embeddings).objects);
  });

  it('goes on from a checkpoint to the same bytes', async () => {
    await withKernels(1, async (kernels) => {
      const states: TrainingState[] = [];
      const save = async (state: TrainingState) => void states.push(state);
      const whole = await learn(kernels, { epochs: 4 }, { checkpoint: { everyMs: -1, save } });
      const resume = states[Math.floor(states.length / 2)];
      expect(resume.step).toBeGreaterThan(0);
      expect(await learn(kernels, { epochs: 4 }, { checkpoint: { everyMs: 1e9, save, resume } })).toEqual(whole);
    });
  });

  it('scores tags never seen in training and objects with neither tags nor users, below what is known', async () => {
    const { train } = parts;
    const rare = graphFrom({
      interact: [...namesOf(train).interact, ['u000', 'oonly']],
      tagged: [...namesOf(train).tagged, ['ogone', 'tgone']],
    });
    const marks = Uint8Array.from(rare.tagged.tails, (tag) => +(rare.tags.name(tag) !== 'tgone'));
    const cut = { ...rare, tagged: rare.tagged.select(marks) };
    await withKernels(1, async (kernels) => {
      const scorer = openScorer(kernels, { fitted: await learn(kernels, {}, {}, cut) }, cut);
      const scores = new Float32Array(cut.objects.size * cut.tags.size);
      await scorer.score(
        Int32Array.from({ length: cut.objects.size }, (_, object) => object),
        scores,
      );
      scorer.release();
      expect(scores.every(Number.isFinite)).toBe(true);
      const unseen = idOf(cut.tags, 'tgone');
      for (let object = 0; object < cut.objects.size; object++) {
        const row = scores.subarray(object * cut.tags.size, (object + 1) * cut.tags.size);
        for (const tag of cut.tagged.row(object)) expect(row[tag]).toBeGreaterThan(row[unseen]);
      }
    });
  });
}

async function recallOf(kernels: Kernels, fitted: Fitted): Promise<number> {
  const scorer = openScorer(kernels, { fitted }, parts.train);
  const evaluation = await evaluate(scorer.score, parts, [5]);
  scorer.release();
  return meanOf(evaluation, 'recall@5');
}

function idOf(vocabulary: { readonly size: number; name(id: number): string }, name: string): number {
  return Array.from({ length: vocabulary.size }, (_, id) => vocabulary.name(id)).indexOf(name);
}

function namesOf({ users, objects, tags, interact, tagged }: KnowledgeGraph) {
  return {
    interact: Array.from(interact.heads, (user, i) => [users.name(user), objects.name(interact.tails[i])] as const),
    tagged: Array.from(tagged.heads, (object, i) => [objects.name(object), tags.name(tagged.tails[i])] as const),
  };
}

export type Rows = number[][];

/** Three objects, two tags and two users; the last object is alone. Weights are random; all comes as plain arrays. */
export async function runSmallNetwork(
  kernels: Kernels,
  normalize: (graph: Csr) => Csr,
  record: (inputs: NetworkInputs) => Network,
): Promise<{ adjacency: Rows; weights: Map<string, Rows>; layers: { objects: Rows; tags: Rows }[] }> {
  const whole = graphFrom({
    interact: [
      ['u0', 'o0'],
      ['u1', 'o0'],
      ['u1', 'o1'],
    ],
    tagged: [
      ['o0', 't0'],
      ['o1', 't0'],
      ['o1', 't1'],
      ['o2', 't1'],
    ],
  });
  const graph = normalize(tripartiteGraph({ ...whole, tagged: whole.tagged.select(Uint8Array.of(1, 1, 1, 0)) }));
  const tape = new Tape(kernels);
  const numNodes = graph.rowStart.length - 1;
  const adjacency = kernels.sparse(numNodes, numNodes, graph);
  const nodes = { objects: kernels.ints(3), tags: kernels.ints(2) };
  kernels.writeInts(nodes.objects, nodesOf(whole).objects);
  kernels.writeInts(nodes.tags, nodesOf(whole).tags);
  const network = record({ tape, adjacency, nodes, seed: 1 });
  const random = new Random(1, 'weights');
  for (const { value } of network.parameters) {
    kernels.write(
      value,
      Float32Array.from({ length: value.rows * value.cols }, () => 2 * random.float() - 1),
    );
  }
  tape.forward();
  const rowsOf = async ({ value, cols }: Tensor) => toRows(await kernels.read(value), cols);
  const named = new Map<string, Rows>();
  for (const parameter of network.parameters) named.set(parameter.operation.slice(10), await rowsOf(parameter));
  const layers = [];
  for (const { objects, tags } of network.layers)
    layers.push({ objects: await rowsOf(objects), tags: await rowsOf(tags) });
  const plain = Array.from({ length: numNodes }, () => new Array<number>(numNodes).fill(0));
  for (let node = 0; node < numNodes; node++)
    for (let e = graph.rowStart[node]; e < graph.rowStart[node + 1]; e++)
      plain[node][graph.columns[e]] = graph.values[e];
  tape.release();
  kernels.release(adjacency, nodes.objects, nodes.tags);
  return { adjacency: plain, weights: named, layers };
}

function toRows(numbers: Float32Array, width: number): Rows {
  return Array.from({ length: numbers.length / width }, (_, r) => [...numbers.subarray(r * width, (r + 1) * width)]);
}

// matrices as plain arrays, the slow and obvious way

export const times = (a: Rows, b: Rows): Rows =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
export const zip = (a: Rows, b: Rows, f: (x: number, y: number) => number): Rows =>
  a.map((row, i) => row.map((value, j) => f(value, b[i][j])));
export const plus = (a: Rows, b: Rows): Rows => zip(a, b, (x, y) => x + y);
export const map = (a: Rows, f: (x: number) => number): Rows => a.map((row) => row.map(f));

export function expectClose(got: Rows, expected: Rows): void {
  expect(got.length).toBe(expected.length);
  for (const [i, row] of expected.entries())
    for (const [j, value] of row.entries()) expect(got[i][j], `${i},${j}`).toBeCloseTo(value, 5);
}
