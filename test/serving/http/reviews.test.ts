// The routes of reviews, on a real store: an embedded database.

import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Service } from '../../../src/serving/http/service.ts';
import { type Answer, ask, at, DIFFICULT, graph, post, serviceOf, storeFolder } from './service-under-test.ts';

vi.setConfig({ hookTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

let service: Service;
beforeAll(async () => {
  service = await serviceOf({ reviews: await storeFolder() });
});

const decide = (object: string, tag: string, decision: string, curator?: string) =>
  post(service, '/v1/reviews', { object, tag, decision, ...(curator !== undefined && { curator }) });
const undo = (id: string) => ask(service, `/v1/reviews/${id}`, { method: 'DELETE' });
const suggestionsOf = async (object: string) =>
  (await ask(service, at`/v1/objects/${object}/suggestions?limit=100`)).json.suggestions.map(
    (one: { tag: string }) => one.tag,
  );
/** Waits until all objects are in the queue. */
async function wholeQueue(query = ''): Promise<Answer['json']> {
  for (;;) {
    const { json } = await ask(service, `/v1/queue?limit=500${query}`);
    if (json.isComplete) return json;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('POST /v1/reviews', () => {
  it('accepts: the tag is the object’s own from then on, until it is undone', async () => {
    const [first] = await suggestionsOf('o030');
    const { status, json, headers } = await decide('o030', first, 'accept', 'Ada');
    expect(status).toBe(201);
    expect(json).toEqual({
      ...{ id: expect.any(String), object: 'o030', tag: first, decision: 'accept', curator: 'Ada', note: '' },
      decidedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(headers.location).toBe(`/v1/reviews/${json.id}`);
    expect(await suggestionsOf('o030')).not.toContain(first);
    const { tags, rejected } = (await ask(service, '/v1/objects/o030')).json;
    expect(tags).toContainEqual({ tag: first, from: 'review', reviewId: json.id });
    expect(rejected).toEqual([]);

    expect(await undo(json.id)).toMatchObject({ status: 200, json });
    expect((await suggestionsOf('o030'))[0]).toBe(first);
    expect((await ask(service, '/v1/objects/o030')).json.tags.map((one: { tag: string }) => one.tag)).not.toContain(
      first,
    );
    expect(await undo(json.id)).toMatchObject({ status: 404, json: { detail: 'There is no such review.' } });
  });

  it('rejects: the tag is never suggested again', async () => {
    const before = await suggestionsOf('o031');
    const { json } = await decide('o031', before[0], 'reject');
    expect(await suggestionsOf('o031')).toEqual(before.slice(1));
    expect((await ask(service, '/v1/objects/o031')).json.rejected).toEqual([{ tag: before[0], reviewId: json.id }]);
    expect(json.curator).toBe('');
  });

  it('lets who was first win: 200 for the same again, 409 for all others', async () => {
    const [tag] = await suggestionsOf('o032');
    const first = await decide('o032', tag, 'accept', 'Ada');
    expect(await decide('o032', tag, 'accept', ' Ada ')).toMatchObject({ status: 200, json: first.json });
    for (const [decision, curator] of [
      ['reject', 'Ada'],
      ['accept', 'Bob'],
      ['accept', undefined],
    ] as const) {
      const { status, headers, json } = await decide('o032', tag, decision, curator);
      expect(status).toBe(409);
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(json).toMatchObject({ status: 409, detail: 'Ada was first, and chose to accept it.', review: first.json });
      expect(Object.keys(json.review)).toEqual(Object.keys(first.json));
    }
  });

  it.each([
    ['an unknown object', { object: 'nobody', tag: 't001', decision: 'accept' }, 404],
    ['to reject an unknown tag', { object: 'o030', tag: 'nothing', decision: 'reject' }, 404],
    ['to be unsure about an unknown tag', { object: 'o030', tag: 'nothing', decision: 'unsure' }, 404],
    ['a blank tag', { object: 'o030', tag: ' ', decision: 'accept' }, 400],
    ['a long note', { object: 'o030', tag: 't001', decision: 'accept', note: 'x'.repeat(1001) }, 400],
    ['an unknown decision', { object: 'o030', tag: 't001', decision: 'maybe' }, 400],
    ['no decision', { object: 'o030', tag: 't001' }, 400],
    ['a long curator', { object: 'o030', tag: 't001', decision: 'accept', curator: 'x'.repeat(201) }, 400],
    ['NUL', { object: 'o030\0', tag: 't001', decision: 'accept' }, 400],
    ['something nobody asked for', { object: 'o030', tag: 't001', decision: 'accept', id: '5' }, 400],
  ])('refuses %s', async (_, body, status) => {
    const before = (await ask(service, '/v1/reviews?limit=100')).json;
    expect((await post(service, '/v1/reviews', body)).status).toBe(status);
    expect((await ask(service, '/v1/reviews?limit=100')).json).toEqual(before);
  });

  it('takes HTML, SQL and any other text for what it is', async () => {
    for (const text of DIFFICULT) {
      const { status, json } = await decide(text, text === '..' ? 't001' : 't003', 'reject', text);
      expect([text, status]).toEqual([text, 201]);
      expect(json).toMatchObject({ object: text, curator: text });
      const listed = await ask(service, `/v1/reviews?object=${encodeURIComponent(text)}`);
      expect(listed.json.reviews).toEqual([json]);
    }
    const tags = DIFFICULT.filter((name) => graph.tags.idOf(name) >= 0);
    expect(tags.length).toBeGreaterThan(5);
    for (const tag of tags) {
      const { json } = await decide('o059', tag, 'accept');
      expect((await ask(service, `/v1/reviews?tag=${encodeURIComponent(tag)}`)).json.reviews).toContainEqual(json);
    }
  });
});

describe('POST /v1/reviews/batch', () => {
  it('keeps all, and says which were not new', async () => {
    const [one, two, three] = await suggestionsOf('o040');
    const first = await decide('o040', two, 'reject', 'Bob');
    const reviews = [one, two, three, one].map((tag) => ({ object: 'o040', tag, decision: 'accept' }));
    const { status, json } = await post(service, '/v1/reviews/batch', { reviews });
    expect(status).toBe(200);
    expect(json.results.map((result: { isNew: boolean }) => result.isNew)).toEqual([true, false, true, false]);
    expect(json.results[1].review).toEqual(first.json);
    expect(json.results[3].review).toEqual(json.results[0].review);
    expect(await suggestionsOf('o040')).not.toContain(three);
  });

  it('keeps none where one is wrong', async () => {
    const [tag] = await suggestionsOf('o041');
    const reviews = [
      { object: 'o041', tag, decision: 'accept' },
      { object: 'nobody', tag, decision: 'accept' },
    ];
    expect((await post(service, '/v1/reviews/batch', { reviews })).status).toBe(404);
    expect((await ask(service, '/v1/reviews?object=o041')).json.reviews).toEqual([]);
  });

  it('takes a thousand and no more', async () => {
    const one = { object: 'o042', tag: 't001', decision: 'reject' };
    const { json } = await post(service, '/v1/reviews/batch', { reviews: Array(1000).fill(one) });
    expect(json.results.filter((result: { isNew: boolean }) => result.isNew)).toHaveLength(1);
    expect(json.results).toHaveLength(1000);
    expect((await post(service, '/v1/reviews/batch', { reviews: Array(1001).fill(one) })).status).toBe(400);
    expect((await post(service, '/v1/reviews/batch', { reviews: [] })).json).toEqual({ results: [] });
  });
});

describe('GET /v1/reviews', () => {
  it('lists the newest first, in pages that make up the whole, and filters', async () => {
    const all = (await ask(service, '/v1/reviews?limit=100')).json.reviews;
    expect(all.length).toBeGreaterThan(10);
    const times = all.map((one: { decidedAt: string }) => one.decidedAt);
    expect(times).toEqual([...times].sort().reverse());
    const found = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { json }: Answer = await ask(service, `/v1/reviews?limit=4${next === '' ? '' : `&cursor=${next}`}`);
      found.push(...json.reviews);
      next = json.next;
    }
    expect(found).toEqual(all);
    const rejected = (await ask(service, '/v1/reviews?limit=100&decision=reject')).json.reviews;
    expect(rejected).toEqual(all.filter((one: { decision: string }) => one.decision === 'reject'));
    expect((await ask(service, '/v1/reviews?decision=maybe')).status).toBe(400);
    expect((await ask(service, '/v1/reviews?object=nobody')).json).toEqual({ reviews: [] });
    for (const place of ['x', '-1', '99999999999999999999', '1; drop table tagloom.reviews']) {
      const cursor = Buffer.from(JSON.stringify(['reviews', place])).toString('base64url');
      expect((await ask(service, `/v1/reviews?cursor=${cursor}`)).status).toBe(400);
    }
  });
});

describe('GET /v1/reviews/export', () => {
  it('writes the pairs as a tagged.tsv', async () => {
    const { status, headers, text } = await ask(service, '/v1/reviews/export');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/tab-separated-values; charset=utf-8');
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(head).toBe('object\ttag');
    const accepted = (await ask(service, '/v1/reviews?limit=100&decision=accept')).json.reviews;
    const expected = accepted.map(({ object, tag }: { object: string; tag: string }) => `${object}\t${tag}`);
    expect(lines.sort()).toEqual(expected.sort());
    expect((await ask(service, '/v1/reviews/export?decision=reject')).text).toContain(
      '<script>alert(1)</script>\tt003\n',
    );
    expect((await ask(service, '/v1/reviews/export?decision=all')).status).toBe(400);
  });
});

describe('GET /v1/queue', () => {
  it('gives what is open, the most confident first, in pages that make up the whole', async () => {
    const { suggestions, numOpen } = await wholeQueue();
    expect(numOpen).toBe(suggestions.length);
    const sure = suggestions.map((one: { confidence: number }) => one.confidence);
    expect(sure).toEqual([...sure].sort((a, b) => b - a));
    const found = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { json }: Answer = await ask(service, `/v1/queue?limit=50${next === '' ? '' : `&cursor=${next}`}`);
      found.push(...json.suggestions);
      next = json.next;
    }
    expect(found).toEqual(suggestions);
  });

  it('loses what is decided, and filters by tag and confidence', async () => {
    const { suggestions, numOpen } = await wholeQueue();
    const [{ object, tag }] = suggestions;
    await decide(object, tag, 'reject');
    const after = await wholeQueue();
    const pairs = after.suggestions.map((one: { object: string; tag: string }) => `${one.object}\t${one.tag}`);
    expect(pairs).not.toContain(`${object}\t${tag}`);
    expect(after.numOpen).toBeGreaterThanOrEqual(numOpen - 1);
    const ofTag = await wholeQueue('&tag=t003');
    expect(ofTag.suggestions).toEqual(after.suggestions.filter((one: { tag: string }) => one.tag === 't003'));
    const sure = await wholeQueue('&minConfidence=0.5');
    expect(sure.suggestions).toEqual(after.suggestions.filter((one: { confidence: number }) => one.confidence >= 0.5));
    expect((await ask(service, '/v1/queue?tag=nothing')).status).toBe(404);
    expect((await ask(service, '/v1/queue?limit=501')).status).toBe(400);
    expect((await ask(service, '/v1/queue?cursor=abc')).status).toBe(400);
  });
});

describe('what reviews change elsewhere', () => {
  it('moves objects from those that miss a tag to those that carry it', async () => {
    const missing = (await ask(service, '/v1/tags/t005/missing?limit=500')).json.objects;
    const [{ id }, { id: other }] = missing;
    await decide(id, 't005', 'accept');
    await decide(other, 't005', 'reject');
    const ids = (answer: Answer) => answer.json.objects.map((one: { id: string }) => one.id);
    const left = ids(await ask(service, '/v1/tags/t005/missing?limit=500'));
    expect(left).not.toContain(id);
    expect(left).not.toContain(other);
    expect(left).toHaveLength(missing.length - 2);
    const carriers = ids(await ask(service, '/v1/tags/t005/objects?limit=100'));
    expect(carriers).toContain(id);
    expect(carriers).not.toContain(other);
    expect(carriers).toEqual([...carriers].sort((a, b) => graph.objects.idOf(a) - graph.objects.idOf(b)));
  });

  it('counts', async () => {
    const { text } = await ask(service, '/metrics');
    expect(text).toMatch(/^tagloom_reviews_total\{decision="accept"\} \d+$/m);
    expect(text).toMatch(/^tagloom_reviews_total\{decision="reject"\} \d+$/m);
    expect(text).toMatch(/^tagloom_reviews_undone_total 1$/m);
  });
});
