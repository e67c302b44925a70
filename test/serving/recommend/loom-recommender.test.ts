import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featuresFrom } from '../../../src/data/features.ts';
import { graphFrom } from '../../../src/data/knowledge-graph.ts';
import { split } from '../../../src/data/split.ts';
import { loadModel, saveModel } from '../../../src/models/model-file.ts';
import { train } from '../../../src/pipeline.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { checkerboard } from '../../checkerboard.ts';
import { tempFolder } from '../../temp-folder.ts';

const { train: graph } = split(checkerboard(), { trainFraction: 0.7, seed: 3 });
let recommender: Recommender;

beforeAll(async () => {
  const model = await train(graph, { model: 'loom', settings: { neighbours: 5, profileWidth: 4 }, threads: 1 });
  recommender = await Recommender.open(model, { threads: 1 });
});
afterAll(() => recommender.close());

const usersOf = (object: number) => Array.from(graph.interact.reversed().row(object), (user) => graph.users.name(user));
const tagsOf = (object: number) => Array.from(graph.tagged.row(object), (tag) => graph.tags.name(tag));

describe('a recommender with loom', () => {
  it('says the same from a file, and no confidence where data is too small to know it', async () => {
    const path = join(await tempFolder(), 'model');
    await saveModel(path, recommender.model);
    const loaded = await Recommender.open(await loadModel(path), { threads: 1 });
    expect(await loaded.suggest(5, { limit: 5 })).toEqual(await recommender.suggest(5, { limit: 5 }));
    loaded.close();
    const tiny = graphFrom({ interact: [['u', 'a']], tagged: [['a', 'x']] });
    expect((await train(tiny, { model: 'loom', threads: 1 })).confidence).toBeUndefined();
  });

  it('keeps content features in the file, and suggests by them to objects it never saw', async () => {
    const colour = (o: number) => (o % 2 === 0 ? 'even' : 'odd');
    const tagged = Array.from({ length: 60 }, (_, o) => [`o${o}`, colour(o)] as const);
    const plain = graphFrom({ interact: [], tagged });
    const values = Array.from({ length: 60 }, (_, o) => [`o${o}`, colour(o), 3 + (o % 4)] as const);
    const features = featuresFrom(plain.objects, values);
    const model = await train(plain, { model: 'loom', settings: { wordCount: 0 }, features, threads: 1 });
    const path = join(await tempFolder(), 'model');
    await saveModel(path, model);
    const loaded = await Recommender.open(await loadModel(path), { threads: 1 });
    const [odd] = await loaded.suggestFor({ features: { odd: 5, unheard: 1 } }, { limit: 1 });
    const [even] = await loaded.suggestFor({ features: { even: 5 } }, { limit: 1 });
    expect([odd.tag, even.tag]).toEqual(['odd', 'even']);
    const tag = loaded.findTag('odd');
    const { parts } = await loaded.explain({ features: { odd: 5 } }, tag);
    expect(parts?.content).toBeGreaterThan(0.2);
    expect((parts?.content ?? 0) + (parts?.base ?? 0)).toBeCloseTo(odd.score, 4);
    loaded.close();
  });

  it('says how sure it is, and leaves out what is less', async () => {
    const all = await recommender.suggest(4, { limit: 10 });
    expect(all.length).toBeGreaterThan(3);
    for (const { confidence } of all) expect(confidence).toSatisfy((p: number) => p >= 0 && p <= 1);
    const sure = await recommender.suggest(4, { limit: 10, minConfidence: all[2].confidence ?? 1 });
    expect(sure).toEqual(all.filter(({ confidence = 0 }) => confidence >= (all[2].confidence ?? 1)));
    expect(sure.length).toBeGreaterThan(0);
    expect(sure.length).toBeLessThan(all.length);
  });

  it('explains every score by parts that add up to it', async () => {
    for (const object of [0, 7, 31]) {
      for (const { tag, score } of await recommender.suggest(object, { limit: 5 })) {
        const { parts, score: again } = await recommender.explain(object, graph.tags.idOf(tag));
        expect(again).toBeCloseTo(score, 4);
        const sum = (list: readonly { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
        const { base = 0, ownTags = [], neighbours = [], words = [], profile = 0 } = parts ?? {};
        expect(Math.abs(base + sum(ownTags) + sum(neighbours) + sum(words) + profile - score)).toBeLessThan(1e-4);
        expect(ownTags.map((one) => one.tag).sort()).toEqual(tagsOf(object));
        for (const { amount, tags, numSharedUsers, cosine } of neighbours) {
          expect(sum(tags)).toBeCloseTo(amount, 6);
          expect(numSharedUsers).toBeGreaterThan(0);
          expect(cosine).toBeGreaterThan(0);
        }
      }
    }
  });

  it('explains many tags of one object as it explains each alone', async () => {
    const tags = Array.from({ length: graph.tags.size }, (_, tag) => tag);
    const plain = await Recommender.open(await train(graph, { model: 'itemknn' }), { threads: 1 });
    const facts = { users: usersOf(6), tags: ['t004'], title: 'o004' };
    for (const [of, abouts] of [[recommender, [0, 7, facts]] as const, [plain, [0, 7]] as const]) {
      for (const about of abouts) {
        const together = await of.explainer(about);
        for (const tag of [...tags, ...tags.reverse()]) {
          expect(together(tag)).toEqual(await of.explain(about, tag));
        }
      }
    }
    plain.close();
  });

  it('counts the users on every path to a tag, the most similar objects first', async () => {
    const [object, tag] = [7, graph.tags.idOf('t003')];
    const { throughUsers = [] } = await recommender.explain(object, tag, { maxPaths: 100 });
    const own = usersOf(object);
    const carriers = Array.from({ length: 60 }, (_, o) => o).filter(
      (o) => o !== object && tagsOf(o).includes('t003') && usersOf(o).some((user) => own.includes(user)),
    );
    expect(throughUsers.map((one) => one.object).sort()).toEqual(carriers.map((o) => graph.objects.name(o)));
    for (const path of throughUsers) {
      const others = usersOf(graph.objects.idOf(path.object));
      expect(path.numSharedUsers).toBe(own.filter((user) => others.includes(user)).length);
    }
    const weights = throughUsers.map(({ weight }) => weight);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
  });

  it('suggests to an object it never saw, from tags, users or both', async () => {
    const users = usersOf(6);
    const even = (suggestions: readonly { tag: string }[]) =>
      suggestions.filter(({ tag }) => Number(tag.slice(1)) % 2 === 0).length;
    for (const facts of [{ users }, { users, tags: ['t004', 'nobody knows'] }]) {
      const suggestions = await recommender.suggestFor(facts, { limit: 3 });
      expect(even(suggestions), JSON.stringify(facts)).toBe(3);
      for (const { tag } of suggestions) expect(facts.tags ?? []).not.toContain(tag);
    }
    const [nothing, something] = [
      await recommender.suggestFor({}, { limit: 3 }),
      await recommender.suggestFor({ tags: ['t004'] }, { limit: 3 }),
    ];
    expect(nothing).toHaveLength(3);
    expect(something).not.toEqual(nothing);
    const forgetful = await Recommender.open(await train(graph, { model: 'popularity' }), { threads: 1 });
    await expect(forgetful.suggestFor({ users }, { limit: 3 })).rejects.toThrow(
      /got a popularity model, expected loom/,
    );
    forgetful.close();
  });

  it('hears allow and deny lists, and puts common tags later where novelty is asked for', async () => {
    const plain = await recommender.suggest(8, { limit: 3 });
    const allowed = await recommender.suggest(8, { limit: 3, allow: new Set([plain[2].tag, 'unknown']) });
    expect(allowed.map(({ tag }) => tag)).toEqual([plain[2].tag]);
    const denied = await recommender.suggest(8, { limit: 3, deny: new Set([plain[0].tag]) });
    expect(denied.map(({ tag }) => tag)).not.toContain(plain[0].tag);
    expect(denied).toHaveLength(3);
    const count = (tag: string) => graph.tagged.reversed().rowLength(graph.tags.idOf(tag));
    const likely = (await recommender.suggest(8, { limit: 20 })).filter(({ score }) => score > 0);
    const [rarest] = await recommender.suggest(8, { limit: 1, novelty: 100 });
    expect(count(rarest.tag)).toBe(Math.min(...likely.map(({ tag }) => count(tag))));
  });

  it('fills the limit with what is sure enough, however new other tags are', async () => {
    const sure = await recommender.suggest(8, { limit: 20, minConfidence: 0.5 });
    expect(sure.length).toBeGreaterThan(1);
    const byNovelty = await recommender.suggest(8, { limit: sure.length, minConfidence: 0.5, novelty: 50 });
    expect(byNovelty.map(({ tag }) => tag).sort()).toEqual(sure.map(({ tag }) => tag).sort());
  });

  it('finds the objects that miss a tag, with the scores suggestions have', async () => {
    const tag = graph.tags.idOf('t003');
    const missing = await recommender.missing(tag, { limit: 8 });
    expect(missing.length).toBe(8);
    for (const { object, score } of missing) {
      expect(tagsOf(graph.objects.idOf(object))).not.toContain('t003');
      const suggestions = await recommender.suggest(graph.objects.idOf(object), { limit: 20 });
      expect(suggestions.find((one) => one.tag === 't003')?.score).toBeCloseTo(score, 4);
    }
    const sure = missing.map(({ confidence = 0 }) => confidence);
    expect(sure).toEqual([...sure].sort((a, b) => b - a));
    const isOdd = (name: string) => Number(name.slice(1)) % 2 === 1;
    const numOdd = Array.from({ length: 60 }, (_, o) => o).filter((o) => o % 2 && !tagsOf(o).includes('t003')).length;
    expect(missing.filter(({ object }) => isOdd(object))).toHaveLength(Math.min(8, numOdd));
  });

  it('finds what is alike', () => {
    const objects = recommender.similarObjects(2, { limit: 5 });
    expect(objects).toHaveLength(5);
    for (const { object, similarity, byUsers, byTags } of objects) {
      expect(Number(object.slice(1)) % 2).toBe(0);
      expect(similarity).toBeCloseTo(((byUsers ?? Number.NaN) + byTags) / 2, 6);
    }
    for (const { tag } of recommender.similarTags(1, { limit: 3 })) expect(Number(tag.slice(1)) % 2).toBe(1);
    expect(() => recommender.findTag('t0003')).toThrow(/got the tag "t0003", expected something like .*"t003"/);
  });
});
