// Which objects lack a tag, by the scan that leaves most out early: the same as ranking every object by all its scores.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { split } from '../../../src/data/split.ts';
import type { Model } from '../../../src/models/model.ts';
import { train } from '../../../src/pipeline.ts';
import { type Amendments, isHidden, ownTags } from '../../../src/serving/recommend/amendments.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { checkerboard } from '../../checkerboard.ts';

const ids = (...list: number[]) => Int32Array.from(list);
/** Some gain a tag, one loses all it has. */
const AMENDMENTS: Amendments = new Map([
  [3, { added: ids(0, 5), rejected: ids() }],
  [10, { added: ids(), rejected: Int32Array.from({ length: 20 }, (_, tag) => tag) }],
  [31, { added: ids(2), rejected: ids(4) }],
]);

describe('missing(tag) of loom', () => {
  let model: Model;
  let recommender: Recommender;
  beforeAll(async () => {
    const graph = split(checkerboard(), { trainFraction: 0.5, seed: 3, by: 'object' }).train; // half have no tags
    model = await train(graph, { settings: { neighbours: 5, profileWidth: 4, search: 'off' }, threads: 1 });
    recommender = await Recommender.open(model, { threads: 1 });
  });
  afterAll(() => recommender.close());

  /** By the scores of all tags, object by object, and a sort of all. */
  async function plain(tag: number, amendments: Amendments, minConfidence: number) {
    const { tagged, objects, tags } = model.graph;
    const found: { id: number; score: number; confidence: number }[] = [];
    for (let id = 0; id < objects.size; id++) {
      if (isHidden({ tagged }, id, tag, amendments)) continue;
      const allow = new Set([tags.name(tag)]);
      const [one] = await recommender.suggest(id, { limit: 1, allow }, amendments);
      if (one !== undefined && (one.confidence ?? 0) >= minConfidence)
        found.push({ id, score: one.score, confidence: one.confidence ?? 0 });
    }
    return found.sort((a, b) => b.confidence - a.confidence || b.score - a.score || a.id - b.id);
  }

  it('lists what a plain ranking does, with and without reviews, for any limit and confidence', async () => {
    const { objects, tags, tagged } = model.graph;
    expect(ownTags(tagged, 10, AMENDMENTS)).toHaveLength(0);
    for (const amendments of [new Map(), AMENDMENTS] as Amendments[]) {
      for (let tag = 0; tag < tags.size; tag += 3) {
        for (const minConfidence of [0, 0.4]) {
          const expected = await plain(tag, amendments, minConfidence);
          for (const limit of [1, 7, 100]) {
            const found = await recommender.missing(tag, { limit, minConfidence }, amendments);
            const wanted = expected.slice(0, limit);
            expect(found.map(({ object }) => object)).toEqual(wanted.map(({ id }) => objects.name(id)));
            for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(wanted[i].score, 5);
          }
        }
      }
    }
  });
});
