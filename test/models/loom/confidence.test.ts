// What loom's own fit tells of its suggestions, against fits that really lack the tag or the object.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KnowledgeGraph, taggedObjects } from '../../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { outcomesOfHeld, outcomesOfUnknown } from '../../../src/models/loom/confidence.ts';
import { LOOM } from '../../../src/models/loom/fit.ts';
import { Hindsight } from '../../../src/models/loom/hindsight.ts';
import type { Loom } from '../../../src/models/loom/loom.ts';
import type { Views } from '../../../src/models/loom/views.ts';
import type { Ridge } from '../../../src/models/ridge/solution.ts';
import { resolveSettings } from '../../../src/settings.ts';
import { checkerboard } from '../../checkerboard.ts';

let kernels: Kernels;
beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

async function loomOf(train: KnowledgeGraph): Promise<Loom> {
  const settings = resolveSettings(LOOM.settings, { search: 'off', neighbours: 5, profileWidth: 4 });
  return (await LOOM.fit({ kernels, train, settings, watch: {}, listener: {} })).fitted as Loom;
}

describe('Hindsight', () => {
  const train = checkerboard();
  const objects = taggedObjects(train);
  const numTags = train.tags.size;
  const views = { train, objects } as Views;
  const ones = new Float64Array(numTags).fill(1);
  /** Says that every object has the tags of its colour, as surely as told; how it was asked goes into `asked`. */
  const asked: { readonly hidden: readonly Int32Array[]; readonly keepsRow: boolean }[] = [];
  const knowing = (sureness: number): Ridge => ({
    weightsOf: () => Promise.reject(new Error('not asked for')),
    strongWeightsOf: () => Promise.reject(new Error('not asked for')),
    async without({ rows, hidden, keepsRow }) {
      asked.push({ hidden, keepsRow });
      const scores = new Float32Array(rows.length * numTags);
      for (const [i, row] of rows.entries()) {
        for (const tag of train.tagged.row(objects[row])) scores[i * numTags + tag] = sureness;
      }
      return scores;
    },
    release() {},
  });
  const hindsightOf = (factors = ones) =>
    new Hindsight(views, { tagged: knowing(1), untagged: knowing(0.5) }, factors, 1);

  it('hides one tag in four of few objects, in four rounds each of them once, and knows the others', () => {
    const { rounds } = hindsightOf();
    expect(hindsightOf().rounds).toEqual(rounds);
    const examples = rounds[0];
    for (const [i, { tags }] of examples.entries()) {
      expect(Int32Array.from(rounds.flatMap((round) => [...round[i].hidden])).sort()).toEqual(tags);
    }
    expect(Int32Array.from(examples, ({ object }) => object).sort()).toEqual(objects);
    for (const { object, tags, known, hidden } of examples) {
      expect(tags).toEqual(train.tagged.row(object));
      expect(Int32Array.of(...known, ...hidden).sort()).toEqual(tags);
    }
    const share = examples.reduce((sum, { hidden }) => sum + hidden.length, 0) / train.tagged.size;
    expect(share).toBeGreaterThan(0.18);
    expect(share).toBeLessThan(0.32);
  });

  it('asks fits that know an object without its hidden tags, or not at all, and multiplies by factors', async () => {
    const hindsight = hindsightOf(ones.map(() => 0.5));
    for (const hides of ['some', 'all'] as const) {
      asked.length = 0;
      let count = 0;
      for await (const { example, tagged, untagged } of hindsight.scores(hindsight.rounds[0], hides, {})) {
        for (const [t, score] of tagged.entries()) expect(score).toBe(example.tags.includes(t) ? 0.5 : 0);
        expect(untagged).toEqual(tagged.map((score) => score / 2));
        count++;
      }
      expect(count).toBe(objects.length);
      const expected = hindsight.rounds[0].map(({ tags, hidden }) => (hides === 'all' ? tags : hidden));
      expect(asked.filter((_, i) => i % 2 === 0).flatMap(({ hidden }) => hidden)).toEqual(expected);
      expect(asked.every(({ keepsRow }) => keepsRow === (hides === 'some'))).toBe(true);
    }
  });

  it('tells what became of suggestions to objects without tags, by the mixture of both', async () => {
    const outcomes = await outcomesOfUnknown(hindsightOf(), [0.25, 1], {});
    expect(outcomes.filter(({ isRight }) => isRight).length).toBe(
      objects.reduce((sum, object) => sum + Math.min(10, train.tagged.rowLength(object)), 0),
    );
    for (const { score, isRight, hasTags } of outcomes) {
      expect(score).toBe(isRight ? 0.25 + 0.75 * 0.5 : 0);
      expect(hasTags).toBe(false);
    }
  });
});

describe('outcomesOfHeld', () => {
  it('judges objects the fit never saw, with and without the tags they have', async () => {
    const all = checkerboard();
    const held = Int32Array.of(3, 8, 21, 40);
    const isHeld = new Set(held);
    const marks = Uint8Array.from(all.tagged.heads, (object) => (isHeld.has(object) ? 0 : 1));
    const loom = await loomOf({ ...all, tagged: all.tagged.select(marks) });
    const before = kernels.usedBytes;
    const outcomes = await outcomesOfHeld(kernels, loom, all, held, 1, {});
    expect(kernels.usedBytes).toBe(before);
    expect(outcomes.length).toBeGreaterThanOrEqual(10);
    const best = outcomes.filter(({ score }) => score > 0.5);
    expect(best.length).toBeGreaterThan(0);
    for (const { isRight } of best) expect(isRight).toBe(true);
  });
});
