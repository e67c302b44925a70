import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../../src/data/knowledge-graph.ts';
import { isTooLarge } from '../../../src/models/loom/problem.ts';
import { LOOM_SETTINGS } from '../../../src/models/loom/settings.ts';
import { MAX_SIZE } from '../../../src/models/loom/strengths.ts';
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
