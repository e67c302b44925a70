// Models that score by evidence alone: what an object without any gets.

import { describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { neighbourScorer } from '../../src/models/forms/neighbours.ts';
import { sparseScorer } from '../../src/models/forms/sparse-scores.ts';
import { fitItemKnn } from '../../src/models/itemknn.ts';
import { type Scorer, topTags } from '../../src/models/scorer.ts';

// x is on three objects, y on two, z and w on one; a and b share a user, c, d and e have none
const whole = graphFrom({
  interact: [
    ['u', 'a'],
    ['u', 'b'],
  ],
  tagged: [
    ['a', 'w'],
    ['b', 'z'],
    ['c', 'x'],
    ['c', 'y'],
    ['d', 'x'],
    ['d', 'y'],
    ['e', 'unseen'],
    ['e', 'x'],
  ],
});
const { objects, tags, tagged } = whole;
/** Nobody carries "unseen" in training. */
const train: KnowledgeGraph = {
  ...whole,
  tagged: tagged.select(Uint8Array.from(tagged.tails, (tag) => +(tags.name(tag) !== 'unseen'))),
};

/** What is suggested, in its order. */
async function suggested(scorer: Scorer, object: string): Promise<string[]> {
  const row = new Float32Array(tags.size);
  await scorer.score(Int32Array.of(objects.idOf(object)), row);
  const best = topTags(row, train.tagged.row(objects.idOf(object)), tags.size);
  return best.filter((tag) => row[tag] > scorer.floor).map((tag) => tags.name(tag));
}

const itemKnn = async () =>
  neighbourScorer(await fitItemKnn(train, { neighbours: 5, weighting: 'cosine', objectShift: 1 }), train);

const sparse = () => {
  const rowStart = Int32Array.of(0, 1, 2, 2, 2, 2); // a has z, b has w
  const columns = Int32Array.of(tags.idOf('z'), tags.idOf('w'));
  return sparseScorer({ form: 'scores', rowStart, columns, values: Float32Array.of(0.01, 0.02) }, train);
};

describe.each([
  ['neighbours', itemKnn],
  ['sparse scores', sparse],
])('%s', (_, open) => {
  it('suggests popular tags to an object without evidence', async () => {
    expect(await suggested(await open(), 'e')).toEqual(['y', 'w', 'z']);
    expect(await suggested(await open(), 'c')).toEqual(['w', 'z']);
  });

  it('suggests nothing but what evidence speaks for to an object that has some', async () => {
    expect(await suggested(await open(), 'a')).toEqual(['z']);
    expect(await suggested(await open(), 'b')).toEqual(['w']);
  });

  it('counts only evidence where the objects for one tag are asked for', async () => {
    const scorer = await open();
    const column = await scorer.scoreObjects?.(tags.idOf('z'));
    const row = new Float32Array(tags.size);
    await scorer.score(Int32Array.of(objects.idOf('a')), row);
    expect(column?.[objects.idOf('a')]).toBe(row[tags.idOf('z')]);
    expect(Array.from(column ?? []).filter((score) => score > scorer.floor)).toHaveLength(1);
  });
});
