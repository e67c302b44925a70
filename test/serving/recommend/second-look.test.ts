// A model with a second stage in use: its reasons in words, and its way into a file and back.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANDIDATE_FEATURES } from '../../../src/models/loom/candidates.ts';
import type { Loom } from '../../../src/models/loom/loom.ts';
import type { SecondStage } from '../../../src/models/loom/second-stage.ts';
import type { Model } from '../../../src/models/model.ts';
import { decodeModel, modelBytes } from '../../../src/models/model-file.ts';
import { train } from '../../../src/pipeline.ts';
import { shortExplanation } from '../../../src/serving/recommend/explanation.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { checkerboard } from '../../checkerboard.ts';

const place = (name: (typeof CANDIDATE_FEATURES)[number]) => CANDIDATE_FEATURES.indexOf(name);

/** A tag that goes with own ones, and one that many objects carry, is likelier. */
const STAGE: SecondStage = {
  start: Float64Array.of(0.5, 1),
  trees: {
    features: Int32Array.of(place('maxLift'), ...Array(6).fill(place('count'))),
    thresholds: Float32Array.of(0.1, 1, 1, 2, 2, 2, 2),
    leaves: Float32Array.of(-1, -1, -0.5, -0.5, 0.5, 0.5, 1, 1),
  },
  middle: new Float32Array(CANDIDATE_FEATURES.length),
};

describe('a second look', () => {
  let model: Model;
  let recommender: Recommender;
  beforeAll(async () => {
    const graph = checkerboard();
    const marks = Uint8Array.from(graph.tagged.heads, (_, i) => (i % 7 === 0 ? 0 : 1)); // what may be suggested
    const plain = await train({ ...graph, tagged: graph.tagged.select(marks) }, { threads: 1 });
    model = { ...plain, fitted: { ...(plain.fitted as Loom), second: STAGE } };
    recommender = await Recommender.open(model);
  });
  afterAll(() => recommender.close());

  it('is told in words, and all parts of the score add up to it', async () => {
    for (const object of ['o000', 'o001', 'o014']) {
      const [first] = await recommender.suggest(object, { limit: 1 });
      const { score, parts, ...rest } = await recommender.explain(object, first.tag);
      if (parts === undefined) throw new Error('loom has parts');
      expect(score).toBe(first.score);
      const { base, ownTags, neighbours, words, mention = 0, profile = 0, again = [] } = parts;
      const sum = [...ownTags, ...neighbours, ...words, ...again].reduce((total, { amount }) => total + amount, 0);
      expect(base + sum + mention + profile).toBeCloseTo(score, 5);
      const texts = again.map(({ text }) => text);
      expect(texts.some((text) => /^often together with t\d+$/.test(text))).toBe(true);
      expect(texts.some((text) => /^carried by \d+ objects$/.test(text))).toBe(true);
      expect(texts).toContain('how often such a score is right');
      const short = shortExplanation({ score, parts, ...rest });
      expect(short.map(({ text }) => text)).not.toContain('how often such a score is right');
    }
  });

  it('leaves tags alone that the object has', async () => {
    const own = model.graph.tags.name(model.graph.tagged.row(0)[0]);
    const { parts } = await recommender.explain('o000', own);
    expect(parts?.again?.map(({ text }) => text)).toEqual(['not among the tags that were looked at again']);
  });

  it('goes into a file and comes back, but not with questions about features that nobody knows', async () => {
    const back = await decodeModel(await modelBytes(model));
    expect((back.fitted as Loom).second).toEqual(STAGE);
    for (const trees of [
      { ...STAGE.trees, features: STAGE.trees.features.with(2, CANDIDATE_FEATURES.length) },
      { ...STAGE.trees, features: STAGE.trees.features.with(1, -1) },
      { ...STAGE.trees, leaves: STAGE.trees.leaves.with(2, Number.NaN) },
      { ...STAGE.trees, leaves: STAGE.trees.leaves.slice(1) },
    ]) {
      const broken = { ...model, fitted: { ...(model.fitted as Loom), second: { ...STAGE, trees } } };
      await expect(Promise.resolve(modelBytes(broken)).then((bytes) => decodeModel(bytes))).rejects.toThrow(
        'loom.second',
      );
    }
  });
});
