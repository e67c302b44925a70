import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../../src/data/knowledge-graph.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';

const names = Array.from({ length: 9 }, (_, i) => `o${i}`);
const graph = graphFrom({
  interact: names.map((name) => ['u', name] as const),
  tagged: [
    ['o0', 'x'],
    ['o1', 'y'],
  ],
});

/** A model without confidence whose scores of x are these, by object. */
async function withScores(scores: readonly number[]): Promise<Recommender> {
  const tags = Float32Array.of(1, 0); // (x, y), width 1
  const fitted = { form: 'embeddings', width: 1, objects: Float32Array.from(scores), tags, base: new Float32Array(2) };
  const model = { name: 'some', settings: {}, graph, fitted: fitted as typeof fitted & { form: 'embeddings' } };
  return Recommender.open({ ...model, metrics: {} }, { threads: 1 });
}

describe('missing(tag, limit)', () => {
  it('goes by the score where a model has no confidence, however small or large scores are', async () => {
    for (const offset of [-40, 0, 40]) {
      const recommender = await withScores(names.map((_, i) => offset + 0.5 * ((i * 4) % 9)));
      const found = await recommender.missing(0, { limit: 20 });
      expect(found.map(({ object }) => object)).toEqual(['o2', 'o4', 'o6', 'o8', 'o1', 'o3', 'o5', 'o7']);
      expect(await recommender.missing(0, { limit: 3 })).toEqual(found.slice(0, 3));
      expect(await recommender.missing(0, { limit: 3, minConfidence: 0.1 })).toEqual([]);
      recommender.close();
    }
  });
});
