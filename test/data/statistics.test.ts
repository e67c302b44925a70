import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { statistics } from '../../src/data/statistics.ts';

describe('statistics', () => {
  it('counts a small data set by hand', () => {
    const facts = statistics(
      graphFrom({
        interact: [
          ['u', 'a'],
          ['u', 'b'],
          ['v', 'b'],
          ['v', 'c'],
        ],
        tagged: [
          ['a', 'x'],
          ['a', 'y'],
          ['b', 'x'],
          ['d', 'x'],
        ],
        objects: [
          ['a', 'Same'],
          ['b', 'Same'],
          ['e', 'Alone'],
        ],
      }),
    );
    expect(facts).toMatchObject({
      numObjects: 5,
      numTags: 2,
      numUsers: 2,
      numInteract: 4,
      numTagged: 4,
      interactDensity: 0.4,
      taggedDensity: 0.4,
      tagsPerObject: { mean: 4 / 3, median: 1, p90: 2, max: 2 },
      usersPerObject: { mean: 4 / 3, median: 1, p90: 2, max: 2 },
      objectsPerTag: { mean: 2, median: 3, p90: 3, max: 3 },
      numObjectsWithoutTags: 2, // c and e
      numObjectsWithoutUsers: 2, // d and e
      numTaggedWithoutUsers: 1, // d
      numObjectsWithNeither: 1, // e
      numSharedTitles: 2,
      numTagsOnOneObject: 1,
      numTagsOnFewObjects: 2,
      topTenthShare: 0.75,
      topTags: [
        { tag: 'x', numObjects: 3 },
        { tag: 'y', numObjects: 1 },
      ],
    });
  });
});
