// What loom's own fit tells of its suggestions, against fits that really lack the tag or the object.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KnowledgeGraph, taggedObjects } from '../../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { outcomesOfFit, outcomesOfHeld } from '../../../src/models/loom/confidence.ts';
import { LOOM } from '../../../src/models/loom/fit.ts';
import type { Loom } from '../../../src/models/loom/loom.ts';
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

describe('outcomesOfFit', () => {
  const train = checkerboard();
  const objects = taggedObjects(train);
  const numTags = train.tags.size;
  /** Says that every object has the tags of its colour, whether a fit lacks the tag or the object. */
  const knowing: Ridge = {
    weightsOf: () => Promise.reject(new Error('not asked for')),
    strongWeightsOf: () => Promise.reject(new Error('not asked for')),
    async without(rows) {
      const scores = new Float32Array(rows.length * numTags);
      for (const [i, row] of rows.entries()) {
        for (const tag of train.tagged.row(objects[row])) scores[i * numTags + tag] = 1;
      }
      return { row: scores, target: scores.slice() };
    },
    release() {},
  };

  it('counts a suggestion as right if the object has the tag, and leaves out tags that were told', async () => {
    const factors = new Float64Array(numTags).fill(1);
    const judging = { seed: 1, factors };
    const loom = await loomOf(train);
    const outcomes = await outcomesOfFit(knowing, { ...loom, weights: none(loom) }, train, objects, judging, {});
    expect(outcomes.length).toBeGreaterThan(objects.length);
    for (const { score, isRight, hasTags } of outcomes) if (hasTags) expect(isRight).toBe(score === 1);
    // as if a fifth of the tags were hidden: a quarter of those that are left is to be found
    const right = outcomes.filter(({ hasTags, isRight }) => hasTags && isRight).length;
    const share = right / train.tagged.size;
    expect(share).toBeGreaterThan(0.18);
    expect(share).toBeLessThan(0.32);
    expect(await outcomesOfFit(knowing, { ...loom, weights: none(loom) }, train, objects, judging, {})).toEqual(
      outcomes,
    );
  });

  it('multiplies scores by the factors of tags before it ranks them', async () => {
    const factors = Float64Array.from({ length: numTags }, () => 0.5);
    const loom = await loomOf(train);
    const outcomes = await outcomesOfFit(
      knowing,
      { ...loom, weights: none(loom) },
      train,
      objects,
      { seed: 1, factors },
      {},
    );
    expect(new Set(outcomes.map(({ score }) => score))).toEqual(new Set([0, 0.5]));
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

/** No weights at all: own tags say nothing. */
function none({ weights }: Loom): Loom['weights'] {
  return { rowStart: new Int32Array(weights.rowStart.length), columns: new Int32Array(0), values: new Float32Array(0) };
}
