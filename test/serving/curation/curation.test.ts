import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { split } from '../../../src/data/split.ts';
import { train } from '../../../src/pipeline.ts';
import { Curation, type QueueOptions, type QueuePosition } from '../../../src/serving/curation/curation.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { type NewReview, ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { checkerboard } from '../../checkerboard.ts';
import { copyEmptyStore } from '../reviews/embedded.ts';
import { type PostgresServer, startPostgres, whyNoPostgres } from '../reviews/postgres.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

const { train: graph } = split(checkerboard(), { trainFraction: 0.7, seed: 3 });
const tagsOf = (object: number) => Array.from(graph.tagged.row(object), (tag) => graph.tags.name(tag));
const accept = (object: string, tag: string): NewReview => ({ object, tag, decision: 'accept' });
const reject = (object: string, tag: string): NewReview => ({ object, tag, decision: 'reject' });

const recommenders: Record<string, Recommender> = {};

beforeAll(async () => {
  const settings = { neighbours: 5, profileWidth: 4 };
  recommenders.loom = await Recommender.open(await train(graph, { model: 'loom', settings, threads: 1 }), {
    threads: 1,
  });
  recommenders.popularity = await Recommender.open(await train(graph, { model: 'popularity', threads: 1 }), {
    threads: 1,
  });
});
afterAll(() => {
  for (const recommender of Object.values(recommenders)) recommender.close();
});

async function filled(curation: Curation): Promise<Curation> {
  while (!curation.queue(1).isComplete) await new Promise((resolve) => setImmediate(resolve));
  return curation;
}

/** Until what was decided counts for all objects. */
async function settled(curation: Curation): Promise<Curation> {
  while (!curation.isSettled) await new Promise((resolve) => setImmediate(resolve));
  return curation;
}

function wholeQueue(curation: Curation, pageSize: number, options: QueueOptions = {}) {
  const found = [];
  for (let after: QueuePosition | undefined; ; ) {
    const { suggestions, next } = curation.queue(pageSize, after, options);
    found.push(...suggestions);
    if (next === undefined) return found;
    after = next;
  }
}

describe('curation', () => {
  let folder: string;
  let store: ReviewStore;
  let curation: Curation;
  const name = (object: number) => graph.objects.name(object);

  async function opened(model: 'loom' | 'popularity', where = store): Promise<Curation> {
    const one = await Curation.open(recommenders[model], where);
    onTestFinished(() => one.close());
    return one;
  }

  // one database for all: to open it takes longer than the tests
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
    await copyEmptyStore(folder);
    store = await ReviewStore.open(folder);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    for (const { id } of await store.list({ limit: 10_000 })) await store.undo(id);
    curation = await Curation.open(recommenders.loom, store);
    return () => curation.close();
  });

  it('counts accepted tags as own and never suggests rejected ones again', async () => {
    const plain = await curation.suggest(8, { limit: 20 });
    expect(plain).toEqual(await curation.recommender.suggest(8, { limit: 20 }));
    const before = [8, 9].map((object) => curation.revisionOfSuggestions(object));
    const [{ review }] = await curation.decide([reject(name(8), plain[0].tag)]);
    expect(await curation.suggest(8, { limit: 20 })).toEqual(plain.slice(1)); // the rest stays as it was
    expect(curation.rejectedOf(8)).toEqual([{ tag: plain[0].tag, reviewId: review.id }]);
    expect(curation.revisionOfSuggestions(8)).not.toBe(before[0]);
    expect(curation.revisionOfSuggestions(9)).toBe(before[1]);
    const other = await curation.suggest(9, { limit: 20 });

    const [{ review: accepted }] = await curation.decide([accept(name(8), plain[1].tag)]);
    const after = await curation.suggest(8, { limit: 20 });
    const tags = after.map(({ tag }) => tag);
    expect(tags.sort()).toEqual(
      plain
        .slice(2)
        .map(({ tag }) => tag)
        .sort(),
    );
    expect(after).not.toEqual(plain.slice(2)); // scores are others: it folds in
    expect(curation.revisionOfSuggestions(9)).not.toBe(before[1]);
    expect(await curation.suggest(9, { limit: 20 })).not.toEqual(other); // and learns from it
    const { parts } = await curation.explain(8, graph.tags.idOf(after[0].tag));
    const own = parts?.ownTags.map(({ tag }) => tag) ?? [];
    expect(own.sort()).toEqual([...tagsOf(8), plain[1].tag].sort());
    const sum = (list: readonly { amount: number }[] = []) => list.reduce((total, { amount }) => total + amount, 0);
    const { base = 0, profile = 0 } = parts ?? {};
    const whole = base + profile + sum(parts?.ownTags) + sum(parts?.neighbours) + sum(parts?.words);
    expect(whole).toBeCloseTo(after[0].score, 4);
    const expected = tagsOf(8).map((tag) => ({ tag, from: 'data' }));
    expect(curation.tagsOf(8)).toEqual(
      [...expected, { tag: plain[1].tag, from: 'review', reviewId: accepted.id }].sort((a, b) =>
        a.tag < b.tag ? -1 : 1,
      ),
    );

    for (const { id } of [review, accepted]) expect((await curation.undo(id))?.id).toBe(id);
    expect(await curation.suggest(8, { limit: 20 })).toEqual(plain);
    expect(await curation.undo(review.id)).toBeUndefined();
    expect(curation.tagsOf(8)).toEqual(expected);
  });

  it('lets go of a tag of the data that was rejected, and knows tags and objects the model does not', async () => {
    const [wrong] = tagsOf(4);
    const plain = await curation.suggest(4, { limit: 20 });
    await curation.decide([reject(name(4), wrong), accept(name(4), 'brand new'), accept('nobody', 'x')]);
    const after = await curation.suggest(4, { limit: 20 });
    expect(after).not.toEqual(plain);
    expect(after.map(({ tag }) => tag)).not.toContain(wrong);
    expect(curation.tagsOf(4).map(({ tag }) => tag)).toEqual(['brand new', ...tagsOf(4).slice(1)]);
    expect(curation.tagsOf(4)[0]).toMatchObject({ from: 'review', isUnknown: true });
    expect(curation.rejectedOf(4)).toMatchObject([{ tag: wrong, isRemoved: true }]);
    const { parts } = await curation.explain(4, graph.tags.idOf(after[0].tag));
    expect(parts?.ownTags.map(({ tag }) => tag).sort()).toEqual(tagsOf(4).slice(1));
  });

  it('puts aside what someone is unsure about: no tag of the object, not suggested, open again when undone', async () => {
    await filled(curation);
    const plain = await curation.suggest(8, { limit: 20 });
    const tags = curation.tagsOf(8);
    const unsure = { object: name(8), tag: plain[0].tag, decision: 'unsure' } as const;
    const [{ review }] = await curation.decide([unsure]);
    expect(await curation.suggest(8, { limit: 20 })).toEqual(plain.slice(1)); // scores are the same: nothing was learnt
    expect(curation.tagsOf(8)).toEqual(tags);
    expect(curation.rejectedOf(8)).toEqual([]);
    expect(curation.unsureOf(8)).toEqual([{ tag: plain[0].tag, reviewId: review.id }]);
    const isQueued = () => wholeQueue(curation, 50).some((one) => one.object === name(8) && one.tag === plain[0].tag);
    expect(isQueued()).toBe(false);
    const misses = async () =>
      (await curation.missing(graph.tags.idOf(plain[0].tag), { limit: 60 })).map(({ object }) => object);
    expect(await misses()).not.toContain(name(8));
    await curation.undo(review.id);
    expect(isQueued()).toBe(true);
    expect(await misses()).toContain(name(8));
    await curation.decide([unsure]);
    await curation.decide([accept(name(8), plain[0].tag)]);
    expect(curation.unsureOf(8)).toEqual([]);
    expect(curation.tagsOf(8).map(({ tag }) => tag)).toContain(plain[0].tag);
    const [own] = tagsOf(9);
    await curation.decide([{ object: name(9), tag: own, decision: 'unsure' }]);
    expect(curation.tagsOf(9)).toContainEqual({ tag: own, from: 'data' }); // a doubt takes nothing away
  });

  it('without folding in does not suggest accepted tags again, and leaves the rest as it was', async () => {
    curation.close();
    curation = await Curation.open(recommenders.popularity, store);
    const plain = await curation.suggest(8, { limit: 20 });
    expect(plain.length).toBeGreaterThan(2);
    await curation.decide([accept(name(8), plain[0].tag), reject(name(8), plain[2].tag)]);
    expect(await curation.suggest(8, { limit: 20 })).toEqual([plain[1], ...plain.slice(3)]);
    expect(await curation.suggest(8, { limit: 1 })).toEqual([plain[1]]);
    const queue = wholeQueue(await filled(curation), 7);
    expect(queue.map(({ score }) => score)).toEqual(queue.map(({ score }) => score).sort((a, b) => b - a));
    expect(curation.queue(5, undefined, { minConfidence: 0.1 })).toMatchObject({ suggestions: [], numOpen: 0 });
  });

  it('finds who misses a tag, but for decided ones, with the scores suggestions have', async () => {
    const tag = graph.tags.idOf('t003');
    const plain = await curation.missing(tag, { limit: 60 });
    await curation.decide([accept(plain[0].object, 't003'), reject(plain[2].object, 't003')]);
    const one = graph.objects.idOf(plain[4].object);
    const [other] = (await curation.suggest(one, { limit: 20 })).filter((suggestion) => suggestion.tag !== 't003');
    await curation.decide([accept(plain[4].object, other.tag)]);
    const after = await curation.missing(tag, { limit: 60 });
    const left = plain.filter((_, i) => i !== 0 && i !== 2).map(({ object }) => object);
    expect(after.map(({ object }) => object).sort()).toEqual(left.sort());
    const found = (await curation.suggest(one, { limit: 20 })).find((suggestion) => suggestion.tag === 't003');
    const amended = after.find(({ object }) => object === plain[4].object);
    expect(amended?.score).toBeCloseTo(found?.score ?? Number.NaN, 4);
    expect(amended?.score).not.toBeCloseTo(plain[4].score, 4);
    expect(await curation.missing(tag, { limit: 3 })).toEqual(after.slice(0, 3));
  });

  it('queues the most confident suggestions over all objects, page by page', async () => {
    await filled(curation);
    const expected = [];
    for (let object = 0; object < graph.objects.size; object++) {
      for (const one of await curation.suggest(object, { limit: 5 }))
        expected.push({ object: name(object), title: name(object), ...one });
    }
    expected.sort(
      (a, b) =>
        (b.confidence ?? 0) - (a.confidence ?? 0) ||
        b.score - a.score ||
        (a.object < b.object ? -1 : a.object > b.object ? 1 : a.tag < b.tag ? -1 : 1),
    );
    for (const size of [1, 7, 1000]) expect(wholeQueue(curation, size)).toEqual(expected);
    expect(curation.queue(3)).toMatchObject({ numOpen: expected.length, isComplete: true });
    const least = expected[40].confidence ?? 0;
    const sure = expected.filter(({ confidence = 0 }) => confidence >= least);
    expect(wholeQueue(curation, 10, { minConfidence: least })).toEqual(sure);
    expect(curation.queue(1, undefined, { minConfidence: least }).numOpen).toBe(sure.length);
    const tagged = expected.filter(({ tag }) => tag === 't004');
    expect(tagged.length).toBeGreaterThan(2);
    expect(wholeQueue(curation, 2, { tag: 't004' })).toEqual(tagged);
    expect(curation.queue(1, undefined, { tag: 't004' }).numOpen).toBe(tagged.length);
    expect(curation.queue(1, undefined, { tag: 'unknown' })).toEqual({
      ...{ suggestions: [], numOpen: 0, numLikely: 0 },
      isComplete: true,
    });
  });

  it('drops decided suggestions from the queue, brings in what follows, and never loses its place', async () => {
    await filled(curation);
    const { suggestions, next } = curation.queue(6);
    const rest = wholeQueue(curation, 1000).slice(6);
    await curation.decide(suggestions.map(({ object, tag }) => reject(object, tag))); // the position itself vanishes
    const { suggestions: following } = curation.queue(1000, next);
    const decided = new Set(suggestions.map(({ object }) => object));
    const untouched = (list: readonly { object: string }[]) => list.filter(({ object }) => !decided.has(object));
    expect(untouched(following)).toEqual(untouched(rest));
    for (const { object, tag } of wholeQueue(curation, 50)) {
      expect(suggestions).not.toContainEqual(expect.objectContaining({ object, tag }));
    }
    const [first] = curation.queue(1).suggestions;
    await curation.decide([accept(first.object, first.tag)]);
    const id = graph.objects.idOf(first.object);
    const again = (await curation.suggest(id, { limit: 5 })).map(({ tag, score }) => ({ tag, score }));
    const queued = wholeQueue(curation, 50).filter(({ object }) => object === first.object);
    expect(queued.map(({ tag, score }) => ({ tag, score }))).toEqual(again);
    const numOpen = curation.queue(1).numOpen;
    const [review] = await curation.store.list({ object: first.object, tag: first.tag, limit: 1 });
    await curation.undo(review.id);
    expect(wholeQueue(curation, 50)).toContainEqual(first);
    expect(curation.queue(1).numOpen).toBeGreaterThanOrEqual(numOpen);
  });

  it('is as good as new when decisions come in while it is being filled', async () => {
    const asked = await Promise.all([0, 31, 59].map((object) => curation.suggest(object, { limit: 2 })));
    const one = await opened('loom');
    expect(one.queue(1).isComplete).toBe(false);
    const reviews = asked.flatMap(([first, second], i) => [
      accept(name([0, 31, 59][i]), first.tag),
      reject(name([0, 31, 59][i]), second.tag),
    ]);
    await Promise.all(reviews.map((review) => one.decide([review])));
    const expected = wholeQueue(await filled(await opened('loom')), 100);
    expect(wholeQueue(await settled(one), 100)).toEqual(expected);
    for (const { object, tag } of reviews) {
      expect(expected).not.toContainEqual(expect.objectContaining({ object, tag }));
    }
  });

  it('knows earlier reviews from the start, and stops filling when closed', async () => {
    const [{ tag }] = await curation.suggest(8, { limit: 1 });
    await curation.decide([reject(name(8), tag)]);
    const again = await opened('loom');
    expect(again.rejectedOf(8)).toHaveLength(1);
    expect(again.revisionOf(8)).toBe(curation.revisionOf(8));
    expect((await again.suggest(8, { limit: 20 })).map((one) => one.tag)).not.toContain(tag);
    await again.close();
    expect(again.queue(1).isComplete).toBe(false);
  });
});

describe.skipIf(whyNoPostgres !== undefined)('two curations on one server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  it('learn of each other, also after the server was away', async () => {
    const url = await server.database('shared');
    const curations = [];
    for (const _ of [0, 1]) {
      const store = await ReviewStore.open(url);
      const curation = await Curation.open(recommenders.loom, store, { pollMs: 5 });
      onTestFinished(async () => {
        await curation.close();
        await store.close();
      });
      curations.push(await filled(curation));
    }
    const [one, other] = curations;
    const [{ object, tag }] = one.queue(1).suggestions;
    const id = graph.objects.idOf(object);
    const learnt = async (from: Curation, to: Curation) => {
      while (to.revisionOf(id) !== from.revisionOf(id)) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const [{ review }] = await one.decide([accept(object, tag)]);
    await learnt(one, other);
    expect(other.tagsOf(id)).toContainEqual({ tag, from: 'review', reviewId: review.id });
    expect(await other.suggest(id, { limit: 5 })).toEqual(await one.suggest(id, { limit: 5 }));
    await server.stop();
    await expect(other.undo(review.id)).rejects.toThrow(/does not answer/);
    await server.start();
    await other.undo(review.id);
    await learnt(other, one);
    expect(one.tagsOf(id)).toEqual(other.tagsOf(id));
    expect(wholeQueue(await settled(one), 100)).toEqual(wholeQueue(await settled(other), 100));
  });
});
