// What loom's own fit tells of its suggestions, against fits that really lack the tag or the object.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KnowledgeGraph, taggedObjects } from '../../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { Judging, outcomesOfHeld } from '../../../src/models/loom/confidence.ts';
import { LOOM } from '../../../src/models/loom/fit.ts';
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

describe('Judging', () => {
  const train = checkerboard();
  const objects = taggedObjects(train);
  const numTags = train.tags.size;
  const views = { train, objects } as Views;
  const ones = new Float64Array(numTags).fill(1);
  /** Says that every object has the tags of its colour, as surely as told, whether a fit lacks the tag or the object. */
  const knowing = (sureness: number): Ridge => ({
    weightsOf: () => Promise.reject(new Error('not asked for')),
    strongWeightsOf: () => Promise.reject(new Error('not asked for')),
    async without(rows) {
      const scores = new Float32Array(rows.length * numTags);
      for (const [i, row] of rows.entries()) {
        for (const tag of train.tagged.row(objects[row])) scores[i * numTags + tag] = sureness;
      }
      return { row: scores, target: scores.slice(), bare: scores.map((score) => -score / 2) };
    },
    release() {},
  });
  const outcomesOf = async (mixing: readonly number[], factors = ones) => {
    const judging = new Judging(views, mixing, factors, 1);
    await judging.hear(knowing(0.5), false, {});
    await judging.hear(knowing(1), true, {});
    return judging.outcomes(async (asked) => new Float32Array(asked.length * numTags).fill(3));
  };

  it('counts a suggestion as right if the object has the tag, and leaves out tags that were told', async () => {
    const outcomes = await outcomesOf([0, 1]);
    for (const { score, isRight, hasTags } of outcomes) expect(isRight).toBe(score === (hasTags ? 1 : 0.5));
    // as if a fifth of the tags were hidden: a quarter of those that are left is to be found
    const right = outcomes.filter(({ hasTags, isRight }) => hasTags && isRight).length;
    const share = right / train.tagged.size;
    expect(share).toBeGreaterThan(0.18);
    expect(share).toBeLessThan(0.32);
    expect(await outcomesOf([0, 1])).toEqual(outcomes);
  });

  it('takes every object as one without tags, too', async () => {
    const untagged = (await outcomesOf([0, 1])).filter(({ hasTags }) => !hasTags);
    expect(untagged.filter(({ isRight }) => isRight).length).toBe(
      objects.reduce((sum, object) => sum + Math.min(10, train.tagged.rowLength(object)), 0),
    );
  });

  it('mixes what both fits say as scores are mixed, and multiplies them by the factors of tags', async () => {
    const outcomes = await outcomesOf(
      [0, 0.5],
      ones.map(() => 0.5),
    );
    const scores = (hasTags: boolean) =>
      new Set(outcomes.filter((one) => one.hasTags === hasTags).map(({ score }) => score));
    expect(scores(true)).toEqual(new Set([0, 0.375]));
    expect(scores(false)).toEqual(new Set([0.25]));
  });

  it('mixes them for objects without tags, with what weights with own tags say of these', async () => {
    // three quarters of 0.5 and a quarter of 3 less 1 / 2; of wrong tags a quarter of 3
    const quarter = (await outcomesOf([0.25, 1])).filter(({ hasTags }) => !hasTags);
    for (const { score, isRight } of quarter) expect(score).toBe(isRight ? 0.75 * 0.5 + 0.25 * 2.5 : 0.75);
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
