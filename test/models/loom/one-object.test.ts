// One object at a time takes steps of the engine that many objects do not: the scores are the same bits, whatever is known of it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { CANDIDATE_FEATURES } from '../../../src/models/loom/candidates.ts';
import type { Loom } from '../../../src/models/loom/loom.ts';
import { LoomScorer } from '../../../src/models/loom/score.ts';
import type { SecondStage } from '../../../src/models/loom/second-stage.ts';
import type { Facts } from '../../../src/models/scorer.ts';
import { train } from '../../../src/pipeline.ts';
import { Random } from '../../../src/random.ts';

const NUM_TREES = 40;

/** Trees that ask about everything that is known of a candidate. */
function someStage(): SecondStage {
  const random = new Random(3, 'stage');
  const ofTrees = (count: number) => ({ length: NUM_TREES * count });
  return {
    start: Float64Array.of(0.5, 1),
    trees: {
      features: Int32Array.from(ofTrees(7), () => random.below(CANDIDATE_FEATURES.length)),
      thresholds: Float32Array.from(ofTrees(7), () => [-0.5, -0.1, 0, 0.1, 0.2, 0.5, 1, 2, 3][random.below(9)]),
      leaves: Float32Array.from(ofTrees(8), () => random.float() - 0.5),
    },
    middle: new Float32Array(CANDIDATE_FEATURES.length),
  };
}

/** Objects with users, with titles, with neither; some without tags. */
function someData(numTags: number): KnowledgeGraph {
  const random = new Random(numTags, 'data');
  const name = (prefix: string, i: number) => `${prefix}${String(i).padStart(3, '0')}`;
  const interact: [string, string][] = [];
  const tagged: [string, string][] = [];
  const objects: [string, string][] = [];
  for (let o = 0; o < 70; o++) {
    for (let u = o % 3; o % 11 > 0 && u < 40; u += 3)
      if (random.below(3) > 0) interact.push([name('u', u), name('o', o)]);
    for (let t = o % 3; o % 7 > 0 && t < numTags; t += 3)
      if (random.below(4) === 0) tagged.push([name('o', o), name('t', t)]);
    objects.push([name('o', o), o % 5 > 0 ? `a thing of t${String(o % numTags).padStart(3, '0')}, number ${o}` : '']);
  }
  for (let t = 0; t < numTags; t++) tagged.push([name('o', 1 + (t % 6)), name('t', t)]);
  return graphFrom({ interact, tagged, objects });
}

let [fast, plain]: Kernels[] = [];
beforeAll(async () => {
  [fast, plain] = [await openKernels({ threads: 1 }), await openKernels({ threads: 1 })];
  Object.defineProperty(plain, 'singleRows', { value: undefined });
});
afterAll(() => {
  fast.close();
  plain.close();
});

const isSame = (a: Float32Array, b: Float32Array) => a.length === b.length && a.every((one, i) => Object.is(one, b[i]));

describe.each([12, 90, 200])('of %i tags', (numTags) => {
  const graph = someData(numTags);
  let fitted: Loom;
  beforeAll(async () => {
    const settings = { neighbours: 5, profileWidth: 8, search: 'off' };
    fitted = (await train(graph, { model: 'loom', settings, threads: 1 })).fitted as Loom;
  });
  const all = Int32Array.from({ length: graph.objects.size }, (_, object) => object);
  const amended = new Map([
    [1, new Int32Array(0)],
    [7, Int32Array.of(0, 1, 5)],
    [11, Int32Array.of(2)],
  ]);
  const tagsOf = (object: number) => amended.get(object) ?? graph.tagged.row(object);

  async function rowsOf(scorer: LoomScorer, isTogether: boolean): Promise<Float32Array> {
    const scores = new Float32Array(all.length * numTags);
    if (isTogether) await scorer.score(all, scores, tagsOf);
    else
      for (const object of all) {
        const row = scores.subarray(object * numTags, (object + 1) * numTags);
        await scorer.score(Int32Array.of(object), row, tagsOf);
      }
    return scores;
  }

  const stages = [undefined, someStage()];
  const mixings = [Float32Array.of(0, 1), Float32Array.of(0.25, 0.5, 0.75, 1)];
  it.each(stages.flatMap((second) => mixings.map((mixing) => ({ second, mixing }))))(
    'one object alone has the scores that it has by plain steps, also after something was learnt',
    async ({ second, mixing }) => {
      const loom: Loom = { ...fitted, second, mixing };
      const scorers = [fast, plain].map((kernels) => new LoomScorer(kernels, loom, graph));
      const [one, other] = scorers;
      const before = await rowsOf(one, false);
      expect(isSame(before, await rowsOf(other, false))).toBe(true);
      // many together take other products, which may differ in the last bits
      expect(isSame(await rowsOf(one, true), await rowsOf(other, true))).toBe(true);
      const decided = Int32Array.of(0, 3, numTags - 1);
      for (const scorer of scorers) {
        if (scorer.learn === undefined) throw new Error('this model learns');
        scorer.learn(20, decided);
        scorer.learn(31, new Int32Array(0));
      }
      const after = await rowsOf(one, false);
      expect(isSame(after, await rowsOf(other, false))).toBe(true);
      expect(isSame(after, before)).toBe(false);
      for (const scorer of scorers) scorer.release();
    },
  );

  it('one that the model never saw has the scores that it has by plain steps, and they are explained', async () => {
    const scorers = [fast, plain].map((kernels) => new LoomScorer(kernels, { ...fitted, second: someStage() }, graph));
    const known: Facts[] = [
      { tags: [], users: [] },
      { tags: [1, 4], users: [0, 3, 9], title: 'a thing of t003' },
      { tags: [2], users: [], title: 'another thing' },
      { tags: graph.tagged.row(8), users: [1, 2], object: 8, title: graph.titles.at(8) },
    ];
    for (const facts of known) {
      const rows = await Promise.all(
        scorers.map(async (scorer) => {
          const row = new Float32Array(numTags).fill(Number.NaN);
          await scorer.scoreUnseen(facts, row);
          return row;
        }),
      );
      expect(isSame(rows[0], rows[1])).toBe(true);
      for (const scorer of scorers) expect(isSame((await scorer.explain(facts)).scores, rows[0])).toBe(true);
    }
    for (const scorer of scorers) scorer.release();
  });

  it('gives back all of the memory it took of the engine', async () => {
    const scorer = new LoomScorer(fast, { ...fitted, second: someStage() }, graph);
    await rowsOf(scorer, false);
    const usedBytes = fast.usedBytes;
    await rowsOf(scorer, false);
    expect(fast.usedBytes).toBe(usedBytes);
    scorer.release();
    const again = new LoomScorer(fast, { ...fitted, second: someStage() }, graph);
    await rowsOf(again, false);
    expect(fast.usedBytes).toBe(usedBytes);
    again.release();
  });
});
