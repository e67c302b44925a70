import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { evaluate, meanOf } from '../../src/evaluation/evaluate.ts';
import { buildGraph } from '../../src/graph/dual-graphs.ts';
import { type SparseScores, sparseScorer } from '../../src/models/forms/sparse-scores.ts';
import { fitMad, MAD_SETTINGS, type MadSettings } from '../../src/models/mad.ts';
import { resolveSettings } from '../../src/settings.ts';
import { checkerboard } from '../checkerboard.ts';

let kernels: Kernels;

beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

const settings = resolveSettings(MAD_SETTINGS, { objectShift: 0.5 });

/** All objects by all tags, 0 where a tag is not kept. */
function scoresOf({ rowStart, columns, values }: SparseScores, train: KnowledgeGraph): Float32Array {
  const numTags = train.tags.size;
  const scores = new Float32Array(train.objects.size * numTags);
  for (let object = 0; object < train.objects.size; object++) {
    for (let e = rowStart[object]; e < rowStart[object + 1]; e++) scores[object * numTags + columns[e]] = values[e];
  }
  return scores;
}

/** MAD_SETTINGS as it is published, all objects by all labels, the dummy label last. */
async function plainMad(train: KnowledgeGraph, settings: MadSettings): Promise<number[][]> {
  const graph = await buildGraph(train.interact, { ...settings, shift: settings.objectShift });
  const [numObjects, numTags] = [train.objects.size, train.tags.size];
  const objects = Array.from({ length: numObjects }, (_, o) => o);
  const w = objects.map((v) => {
    const row = new Array<number>(numObjects).fill(0);
    for (let e = graph.rowStart[v]; e < graph.rowStart[v + 1]; e++) row[graph.columns[e]] = graph.values[e];
    return row;
  });
  const probabilities = objects.map((v) => {
    const total = w[v].reduce((sum, weight) => sum + weight, 0);
    const h = w[v].reduce((sum, weight) => (weight > 0 ? sum - (weight / total) * Math.log(weight / total) : sum), 0);
    const c = Math.log(2) / Math.log(2 + Math.exp(h));
    const d = train.tagged.rowLength(v) > 0 ? (1 - c) * Math.sqrt(h) : 0;
    const z = Math.max(c + d, 1);
    return { goesOn: c / z, injects: d / z, abandons: 1 - c / z - d / z };
  });
  const p = (v: number) => probabilities[v];
  const y: number[][] = objects.map((v) =>
    Array.from({ length: numTags + 1 }, (_, l) => (train.tagged.has(v, l) ? 1 : 0)),
  );
  const { injection: mu1, continuation: mu2, abandonment: mu3 } = settings;
  let labels = y;
  for (let round = 0; round < 200; round++) {
    labels = objects.map((v) => {
      const pull = objects.map((u) => p(v).goesOn * w[v][u] + p(u).goesOn * w[u][v]);
      const m = mu1 * p(v).injects + mu2 * pull.reduce((sum, value) => sum + value, 0) + mu3;
      return y[v].map((own, label) => {
        const neighbours = pull.reduce((sum, value, u) => sum + value * labels[u][label], 0);
        const dummy = label === numTags ? p(v).abandons : 0;
        return (mu1 * p(v).injects * own + mu2 * neighbours + mu3 * dummy) / m;
      });
    });
  }
  return labels.map((row) => row.slice(0, numTags));
}

describe('fitMad', () => {
  it.each([1e-4, 0.1])('agrees with a plain implementation, dummy label and all, at μ2 = %f', async (continuation) => {
    const { train } = split(checkerboard(20, 8, 15), { trainFraction: 0.3, seed: 1 });
    const given = { ...settings, injection: 0.9, abandonment: 1.1, continuation, neighbours: 4 };
    const fitted = await fitMad(kernels, train, { ...given, rounds: 100 });
    const expected = await plainMad(train, given);
    const got = scoresOf(fitted, train);
    for (const [object, row] of expected.entries()) {
      for (const [tag, value] of row.entries()) {
        const score = train.tagged.has(object, tag) ? 0 : value;
        expect(Math.abs(got[object * row.length + tag] - score)).toBeLessThanOrEqual(1e-5 * score);
      }
    }
  });

  it('finds the missing squares of a checkerboard and leaves no memory behind', async () => {
    const before = kernels.usedBytes;
    const parts = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
    const fitted = await fitMad(kernels, parts.train, settings);
    const evaluation = await evaluate(sparseScorer(fitted, parts.train).score, parts, [5]);
    expect(meanOf(evaluation, 'recall@5')).toBeGreaterThan(0.95);
    expect(kernels.usedBytes).toBe(before);
  });

  it('keeps the best tags of an object, none that it has', async () => {
    const { train } = split(checkerboard(40, 150), { trainFraction: 0.2, seed: 1 }); // more than one block of tags
    const all = scoresOf(await fitMad(kernels, train, { ...settings, keep: 1000 }), train);
    const few = await fitMad(kernels, train, { ...settings, keep: 7 });
    for (let object = 0; object < train.objects.size; object++) {
      const row = all.subarray(object * train.tags.size, (object + 1) * train.tags.size);
      const tags = Array.from(row.keys()).filter((tag) => row[tag] > 0);
      expect(tags.some((tag) => train.tagged.has(object, tag))).toBe(false);
      const best = tags.sort((a, b) => row[b] - row[a] || a - b).slice(0, 7);
      const [start, end] = [few.rowStart[object], few.rowStart[object + 1]];
      expect([...few.columns.subarray(start, end)]).toEqual(best.sort((a, b) => a - b));
      expect([...few.values.subarray(start, end)]).toEqual(best.map((tag) => row[tag]));
    }
  });

  it('gives the same bytes on one thread and on two', async () => {
    const { train } = split(checkerboard(), { trainFraction: 0.7, seed: 1 });
    const two = await openKernels({ threads: 2 });
    expect(await fitMad(two, train, settings)).toEqual(await fitMad(kernels, train, settings));
    two.close();
  });

  it('survives tags never seen, objects with neither tags nor users, and no tags at all', async () => {
    const whole = graphFrom({
      interact: [['u', 'a'], ['u', 'b'], ['u', 'c'], ['v', 'c'], ['v', 'd']], // biome-ignore format: pairs
      tagged: [['a', 's'], ['a', 't'], ['b', 's'], ['lonely', 'unseen']], // biome-ignore format: pairs
    });
    const train = { ...whole, tagged: whole.tagged.select(Uint8Array.of(1, 1, 1, 0)) };
    const scores = scoresOf(await fitMad(kernels, train, settings), train);
    expect(scores.every(Number.isFinite)).toBe(true);
    expect(scores[whole.objects.idOf('c') * 3 + whole.tags.idOf('t')]).toBeGreaterThan(0);
    expect(scores[whole.objects.idOf('lonely') * 3 + whole.tags.idOf('t')]).toBe(0);
    const none = { ...whole, tagged: whole.tagged.select(new Uint8Array(4)) };
    expect((await fitMad(kernels, none, settings)).columns).toHaveLength(0);
  });

  it('stops when asked to and leaves no memory behind', async () => {
    const before = kernels.usedBytes;
    const run = fitMad(kernels, checkerboard(), settings, { signal: AbortSignal.abort() });
    await expect(run).rejects.toThrow('Stopped on request.');
    expect(kernels.usedBytes).toBe(before);
  });
});
