// What curators do beside accepting and rejecting suggestions, over the API and on a real store: doubts, notes, tags added and
// removed by hand, who decided how much, a queue by groups, and counts that are right at once.

import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Service } from '../../../src/serving/http/service.ts';
import { type Answer, ask, at, graph, modelFile, post, serviceOf, storeFolder } from './service-under-test.ts';

vi.setConfig({ hookTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

interface Named {
  readonly tag: string;
  readonly object: string;
}

let service: Service;
beforeAll(async () => {
  service = await serviceOf({ reviews: await storeFolder() });
});

const decide = (object: string, tag: string, decision: string, more: object = {}) =>
  post(service, '/v1/reviews', { object, tag, decision, ...more });
const undo = (id: string) => ask(service, `/v1/reviews/${id}`, { method: 'DELETE' });
const factsOf = async (object: string) => (await ask(service, at`/v1/objects/${object}`)).json;
const tagsOf = async (object: string) => (await factsOf(object)).tags.map(({ tag }: Named) => tag);
const suggestionsOf = async (object: string): Promise<string[]> =>
  (await ask(service, at`/v1/objects/${object}/suggestions?limit=100`)).json.suggestions.map(({ tag }: Named) => tag);
async function wholeQueue(query = ''): Promise<Answer['json']> {
  for (;;) {
    const { json } = await ask(service, `/v1/queue?limit=500${query}`);
    if (json.isComplete) return json;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a doubt', () => {
  it('puts a suggestion aside until a verdict takes its place', async () => {
    const before = await suggestionsOf('o030');
    const tags = await tagsOf('o030');
    const { status, json } = await decide('o030', before[0], 'unsure', { curator: 'Ada', note: 'Ask Kim.' });
    expect(status).toBe(201);
    expect(json).toMatchObject({ decision: 'unsure', note: 'Ask Kim.' });
    expect(await suggestionsOf('o030')).toEqual(before.slice(1));
    expect(await tagsOf('o030')).toEqual(tags);
    expect((await factsOf('o030')).unsure).toEqual([{ tag: before[0], reviewId: json.id }]);
    const queued = (await wholeQueue()).suggestions.filter(({ object }: Named) => object === 'o030');
    expect(queued.map(({ tag }: Named) => tag)).not.toContain(before[0]);
    expect((await ask(service, '/v1/reviews?decision=unsure')).json.reviews).toEqual([json]);

    const other = await decide('o030', before[0], 'unsure', { curator: 'Bob' });
    expect(other).toMatchObject({ status: 409, json: { detail: 'Ada was first, and is not sure about it.' } });
    expect(await decide('o030', before[0], 'reject', { curator: 'Bob' })).toMatchObject({ status: 201 });
    expect(await undo(json.id), 'it gave way').toMatchObject({ status: 404 });
    expect(await decide('o030', before[0], 'unsure')).toMatchObject({ status: 409 });
    expect(await factsOf('o030')).toMatchObject({ unsure: [], rejected: [{ tag: before[0] }] });
  });

  it('is in no export', async () => {
    const [tag] = await suggestionsOf('o031');
    await decide('o031', tag, 'unsure');
    for (const verdict of ['accept', 'reject']) {
      expect((await ask(service, `/v1/reviews/export?decision=${verdict}`)).text).not.toContain('o031');
    }
    expect((await ask(service, '/v1/reviews/export?decision=unsure')).status).toBe(400);
  });

  it('is undone like any decision', async () => {
    const [tag, ...rest] = await suggestionsOf('o032');
    const { json } = await decide('o032', tag, 'unsure');
    expect(await undo(json.id)).toMatchObject({ status: 200, json });
    expect(await suggestionsOf('o032')).toEqual([tag, ...rest]);
  });
});

describe('a tag', () => {
  it('that nobody has heard of is added by hand, and is the object’s own at once', async () => {
    const plain = await suggestionsOf('o033');
    const { status, json } = await decide('o033', ' brand new ', 'accept', { curator: 'Ada' });
    expect(status).toBe(201);
    expect(json.tag).toBe('brand new');
    expect((await factsOf('o033')).tags).toContainEqual({
      ...{ tag: 'brand new', from: 'review', reviewId: json.id },
      isUnknown: true,
    });
    expect(await suggestionsOf('o033')).toEqual(plain);
    expect((await ask(service, '/v1/reviews/export')).text).toContain('o033\tbrand new\n');
    const batch = [{ object: 'o034', tag: 'brand new', decision: 'accept' }];
    expect((await post(service, '/v1/reviews/batch', { reviews: batch })).status).toBe(200);
    batch[0] = { object: 'o034', tag: 'newer still', decision: 'reject' };
    expect((await post(service, '/v1/reviews/batch', { reviews: batch })).status).toBe(404);
    expect((await undo(json.id)).status).toBe(200);
    expect(await tagsOf('o033')).not.toContain('brand new');
  });

  it('that the data has is removed by rejecting it, and comes back when that is undone', async () => {
    const [wrong, ...others] = await tagsOf('o035');
    const { json } = await decide('o035', wrong, 'reject');
    expect(await factsOf('o035')).toMatchObject({ rejected: [{ tag: wrong, reviewId: json.id, isRemoved: true }] });
    expect(await tagsOf('o035')).toEqual(others);
    expect(await suggestionsOf('o035')).not.toContain(wrong);
    await undo(json.id);
    expect(await tagsOf('o035')).toEqual([wrong, ...others]);
    expect((await factsOf('o035')).rejected).toEqual([]);
  });

  it('says how many objects carry it, right after each decision', async () => {
    const numObjects = async () => (await ask(service, '/v1/tags/t005')).json.numObjects;
    const carriers = async () => (await ask(service, '/v1/tags/t005/objects?limit=100')).json.objects;
    const before = await numObjects();
    expect(before).toBe((await carriers()).length);
    const missing = (await ask(service, '/v1/tags/t005/missing?limit=3')).json.objects;
    const reviews = missing.map(({ id }: { id: string }) => ({ object: id, tag: 't005', decision: 'accept' }));
    const { results } = (await post(service, '/v1/reviews/batch', { reviews })).json;
    expect(await numObjects()).toBe(before + 3);
    const listed = (await ask(service, '/v1/tags?query=t005')).json.tags;
    expect(listed).toContainEqual({ tag: 't005', numObjects: before + 3 });
    const own = graph.objects.name(Array.from(graph.tagged.reversed().row(graph.tags.idOf('t005')))[0]);
    const { json: removed } = await decide(own, 't005', 'reject');
    expect(await numObjects()).toBe(before + 2);
    expect(await carriers()).toHaveLength(before + 2);
    await undo(removed.id);
    for (const { review } of results) await undo(review.id);
    expect(await numObjects()).toBe(before);
  });
});

describe('GET /v1/reviews?curator=&since=', () => {
  it('finds by who decided and when, and counts', async () => {
    const [one, two] = await suggestionsOf('o040');
    await decide('o040', one, 'accept', { curator: 'Zoe' });
    const { json: last } = await decide('o040', two, 'unsure', { curator: 'Zoe', note: 'later' });
    const ofZoe = (await ask(service, '/v1/reviews?curator=Zoe')).json.reviews;
    expect(ofZoe.map(({ tag }: Named) => tag)).toEqual([two, one]);
    const since = encodeURIComponent(last.decidedAt);
    expect((await ask(service, `/v1/reviews?curator=Zoe&since=${since}`)).json.reviews).toEqual([last]);
    const nameless = (await ask(service, '/v1/reviews?curator=')).json.reviews;
    expect(new Set(nameless.map(({ curator }: { curator: string }) => curator))).toEqual(new Set(['']));
    const counts = async (query: string) => (await ask(service, `/v1/reviews/counts?${query}`)).json;
    expect(await counts('curator=Zoe')).toEqual({ accepted: 1, rejected: 0, unsure: 1 });
    expect(await counts(`curator=Zoe&since=${since}`)).toEqual({ accepted: 0, rejected: 0, unsure: 1 });
    expect(await counts('since=9999-12-31T23:59:59Z')).toEqual({ accepted: 0, rejected: 0, unsure: 0 });
    expect((await counts('')).accepted).toBeGreaterThan(1);
    const { curators } = (await ask(service, '/v1/reviews/curators')).json;
    expect(curators).toContainEqual({ curator: 'Zoe', numReviews: 2 });
    expect((await ask(service, '/v1/reviews/curators?limit=1')).json.curators).toHaveLength(1);
  });

  it.each(['yesterday', '2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-03-04', ''])(
    'refuses "%s" for a time',
    async (since) => {
      for (const path of ['/v1/reviews', '/v1/reviews/counts']) {
        expect((await ask(service, `${path}?since=${encodeURIComponent(since)}`)).status).toBe(400);
      }
    },
  );
});

describe('GET /v1/queue', () => {
  it.each(['object', 'tag'] as const)('groups by %s, in pages that make up the whole', async (group) => {
    const plain = (await wholeQueue()).suggestions;
    const names = [...new Set(plain.map((one: Named) => one[group]))]; // in the order of their best
    const expected = names.flatMap((name) => plain.filter((one: Named) => one[group] === name));
    const found = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const query = `group=${group}&limit=40${next === '' ? '' : `&cursor=${next}`}`;
      const { json }: Answer = await ask(service, `/v1/queue?${query}`);
      expect(json.numOpen).toBe(plain.length);
      found.push(...json.suggestions);
      next = json.next;
    }
    expect(found).toEqual(expected);
    expect((await ask(service, '/v1/queue?group=user')).status).toBe(400);
  });

  it('counts what is likely, without what was decided', async () => {
    const { suggestions: likely, numLikely } = await wholeQueue('&minConfidence=0.5');
    expect(numLikely).toBe(likely.length);
    expect((await wholeQueue()).numOpen).toBeGreaterThan(numLikely);
    await decide(likely[0].object, likely[0].tag, 'reject');
    const after = await wholeQueue('&minConfidence=0.5'); // others may be in it by now: the model learns from it
    expect(after.numOpen).toBe(after.suggestions.length);
    expect(after.numLikely).toBe(after.suggestions.length);
    const isRejected = ({ object, tag }: Named) => object === likely[0].object && tag === likely[0].tag;
    expect(after.suggestions.filter(isRejected)).toEqual([]);
  });

  it('knows nothing of what is likely where the model does not', async () => {
    const plain = await serviceOf({ model: await modelFile('popularity') });
    expect((await ask(plain, '/v1/queue')).json).not.toHaveProperty('numLikely');
  });
});
