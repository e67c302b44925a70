import { describe, expect, it } from 'vitest';
import { graphFrom } from '../../../src/data/knowledge-graph.ts';
import { train } from '../../../src/pipeline.ts';
import { similarNames } from '../../../src/serving/recommend/name-finder.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { checkerboard } from '../../checkerboard.ts';

const graph = graphFrom({
  interact: [
    ['u1', '52'],
    ['u1', '53'],
    ['u2', '53'],
    ['u2', '54'],
  ],
  tagged: [
    ['52', 'rock'],
    ['53', 'pop'],
    ['54', 'pop'],
    ['54', 'jazz'],
  ],
  objects: [
    ['52', 'Radiohead'],
    ['53', 'Twins'],
    ['54', 'Twins'],
  ],
});

async function withRecommender<T>(use: (recommender: Recommender) => Promise<T>): Promise<T> {
  const settings = { objectShift: 0.1 };
  const recommender = await Recommender.open(await train(graph, { model: 'itemknn', settings, threads: 1 }), {
    threads: 1,
  });
  try {
    return await use(recommender);
  } finally {
    recommender.close();
  }
}

describe('Recommender', () => {
  it('finds objects by id, and by title in any case where only one bears it', async () => {
    await withRecommender(async (recommender) => {
      expect(recommender.find('54')).toBe(2);
      expect(recommender.find('radiohead')).toBe(0);
      expect(() => recommender.find('twins')).toThrow('got "twins", a title of 2 objects, expected one of "53", "54".');
      expect(() => recommender.find('Radiohed')).toThrow(
        'got the object "Radiohed", expected something like "Radiohead" (52). Check the name.',
      );
      expect(() => recommender.find('something else entirely')).toThrow('expected one of 3 objects');
    });
  });

  it('suggests what neighbours have and the object has not, and nothing without evidence', async () => {
    await withRecommender(async (recommender) => {
      expect((await recommender.suggest(0, { limit: 5 })).map(({ tag }) => tag)).toEqual(['pop']); // never jazz: no path leads there
      expect((await recommender.suggest(1, { limit: 5 })).map(({ tag }) => tag)).toEqual(['jazz', 'rock']);
      expect(await recommender.suggest(0, { limit: 0 })).toEqual([]);
      await expect(recommender.suggest(3, { limit: 1 })).rejects.toThrow('Got object 3 when expected 0 to 2.');
    });
  });

  it('streams all objects, as one by one', async () => {
    const model = await train(checkerboard(600, 10), { model: 'itemknn', threads: 1 });
    const recommender = await Recommender.open(model, { threads: 1 });
    const streamed = [];
    for await (const one of recommender.suggestAll({ limit: 2 })) streamed.push(one);
    expect(streamed.map(({ object }) => object)).toEqual(model.graph.objects.names.toArray());
    expect(streamed[511].suggestions).toEqual(await recommender.suggest(511, { limit: 2 }));
    recommender.close();
  });
});

describe('nearestNames', () => {
  it('puts names that hold the text before those a few letters away, and leaves out strangers', () => {
    const names = ['react', 'react-dom', 'preact', 'redux', 'raect', 'webpack'];
    expect(similarNames('react', names)).toEqual(['react', 'react-dom', 'preact']);
    expect(similarNames('raect', ['react', 'webpack', 'raect-router'])).toEqual(['raect-router', 'react']);
    expect(similarNames('zzzzzz', names)).toEqual([]);
  });
});
