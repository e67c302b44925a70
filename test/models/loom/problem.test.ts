import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../../src/data/knowledge-graph.ts';
import { isTooLarge, keptFeatures } from '../../../src/models/loom/problem.ts';
import { LOOM_SETTINGS } from '../../../src/models/loom/settings.ts';
import { givenStrengths, MAX_SIZE } from '../../../src/models/loom/strengths.ts';
import { TextSpace } from '../../../src/models/loom/text-space.ts';
import type { Views } from '../../../src/models/loom/views.ts';
import type { RidgeProblem } from '../../../src/models/ridge/problem.ts';
import { resolveSettings } from '../../../src/settings.ts';

describe('isTooLarge', () => {
  /** Five objects for each tag, one tag for each object. */
  function isTooLargeWith({ numTags, users }: { numTags: number; users: boolean }): boolean {
    const perTag = 5;
    const objects = Array.from({ length: numTags * perTag }, (_, o) => `${o}`);
    const graph = graphFrom({
      tagged: objects.map((object, o) => [object, `tag ${o % numTags}`]),
      interact: users ? objects.map((object) => ['someone', object]) : [],
    });
    const rows = { numRows: objects.length, hasUsers: users };
    return isTooLarge(graph, rows, resolveSettings(LOOM_SETTINGS, { ownCount: perTag, neighbourCount: perTag }));
  }

  it('counts the tags of neighbours only where there are users', () => {
    const half = MAX_SIZE / 2 + 1;
    expect(isTooLargeWith({ numTags: half, users: true })).toBe(true);
    expect(isTooLargeWith({ numTags: half, users: false })).toBe(false);
    expect(isTooLargeWith({ numTags: MAX_SIZE + 1, users: false })).toBe(true);
  });
});

describe('keptFeatures', () => {
  it('leaves out words that can explain next to nothing, where there are thousands of features', () => {
    const settings = resolveSettings(LOOM_SETTINGS);
    const train = graphFrom({ interact: [], tagged: [['a', 'x']] });
    const numWords = 4000;
    // word w is in the text of one object; every second is too weak
    const problem = {
      numSparse: 1 + numWords,
      sparse: {
        rowStart: Int32Array.from({ length: numWords + 1 }, (_, row) => row),
        columns: Int32Array.from({ length: numWords }, (_, w) => 1 + w),
        values: Float32Array.from({ length: numWords }, (_, w) => Math.sqrt(w % 2 === 0 ? 0.06 : 0.04)),
      },
    } as RidgeProblem;
    const views = { train, space: { width: numWords }, objects: new Int32Array(numWords) } as Views;
    const strengths = givenStrengths(settings, new TextSpace({ parts: [], features: undefined }), false);
    const kept = keptFeatures(problem, views, strengths, settings);
    expect(kept).toEqual(Int32Array.from({ length: numWords / 2 }, (_, i) => 1 + 2 * i));
  });
});
