// The routes that only read: objects, tags, suggestions, the model.

import { beforeAll, describe, expect, it } from 'vitest';
import { loadModel } from '../../../src/models/model-file.ts';
import type { Service } from '../../../src/serving/http/service.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { tempFolder } from '../../temp-folder.ts';
import { ask, at, DIFFICULT, graph, modelFile, post, serviceOf } from './service-under-test.ts';

let service: Service;
let recommender: Recommender;
beforeAll(async () => {
  service = await serviceOf();
  recommender = await Recommender.open(await loadModel(await modelFile()), { threads: 1 });
});

const rounded = (value: number) => Number(value.toPrecision(7));
const tagsOf = (name: string) =>
  Array.from(graph.tagged.row(graph.objects.idOf(name)), (tag) => graph.tags.name(tag)).sort();
/** Names that a URL can hold: of "." and ".." every client makes something else. */
const inUrls = DIFFICULT.filter((name) => name !== '..');

/** Follows `next` to the end. */
async function pages(path: string, key: string): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let next = '' as string | undefined; next !== undefined; ) {
    const cursor = next === '' ? '' : `&cursor=${next}`;
    const { json, status } = await ask(service, `${path}${cursor}`);
    expect(status).toBe(200);
    found.push(json[key]);
    next = json.next;
  }
  return found;
}

describe('GET /v1/model', () => {
  it('says what is served, and how large it is', async () => {
    const { status, json } = await ask(service, '/v1/model');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      name: 'loom',
      settings: { neighbours: 5, profileWidth: 4 },
      numObjects: graph.objects.size,
      numTags: graph.tags.size,
      numUsers: graph.users.size,
      numTagged: graph.tagged.size,
      numInteractions: graph.interact.size,
      knowsConfidence: true,
      foldsIn: true,
      guarded: false,
    });
    expect(json.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(json.fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(new Date(json.loadedAt).toISOString()).toBe(json.loadedAt);
  });

  it('says so of a model that is not sure of itself and cannot fold in', async () => {
    const plain = await serviceOf({ model: await modelFile('itemknn') });
    const { json } = await ask(plain, '/v1/model');
    expect(json).toMatchObject({ name: 'itemknn', knowsConfidence: false, foldsIn: false });
    const unsure = await ask(plain, at`/v1/objects/${'a b'}/suggestions?minConfidence=0.5`);
    expect(unsure).toMatchObject({ status: 400, json: { cure: 'Leave out minConfidence, or serve loom.' } });
    const unseen = await post(plain, '/v1/suggestions', { tags: ['t001'] });
    expect(unseen).toMatchObject({
      status: 400,
      json: { detail: expect.stringMatching(/an? itemknn model, expected loom/) },
    });
    const known = await ask(plain, '/v1/objects/o030/suggestions?limit=3&explain=true');
    expect(known.json.suggestions).not.toEqual([]);
    expect(known.json.suggestions[0].explanation.length).toBeGreaterThan(0);
    const why = await ask(plain, at`/v1/objects/o030/explanation?tag=${known.json.suggestions[0].tag}`);
    expect(why.json.parts).toBeUndefined();
    expect(why.json.throughTags.length).toBeGreaterThan(0);
  });
});

describe('GET /v1/comparison', () => {
  it('gives the results the service was started with, and 404 without', async () => {
    expect(await ask(service, '/v1/comparison')).toMatchObject({
      status: 404,
      json: { cure: expect.stringMatching(/--results/) },
    });
    const models = [{ data: 'npm', model: 'loom', metrics: { 'recall@3': { mean: 0.5, deviation: 0.1 } } }];
    const folder = await tempFolder({ 'results.json': JSON.stringify({ data: ['npm'], models }), 'bad.json': '[1' });
    const compared = await serviceOf({ results: `${folder}/results.json` });
    expect(await ask(compared, '/v1/comparison')).toMatchObject({ status: 200, json: { cells: models } });
    await expect(serviceOf({ results: `${folder}/bad.json` })).rejects.toThrow(
      /expected what "tagloom compare --json" prints/,
    );
    await expect(serviceOf({ results: `${folder}/none.json` })).rejects.toThrow(/got no such file/);
  });
});

describe('GET /v1/objects', () => {
  it('lists all by id, in pages that make up the whole', async () => {
    const found = await pages('/v1/objects?limit=7', 'objects');
    const ids = found.flat().map((one) => (one as { id: string }).id);
    expect(ids).toEqual(graph.objects.names.toArray());
    expect(found.slice(0, -1).every((page) => page.length === 7)).toBe(true);
  });

  it('finds by id and by title, in any case', async () => {
    const { json } = await ask(service, '/v1/objects?query=BABEL');
    expect(json.objects).toEqual([{ id: '@babel/core', title: '@babel/core!', numTags: tagsOf('@babel/core').length }]);
    expect((await ask(service, '/v1/objects?query=twenty')).json.objects[0].id).toBe('o020');
    expect((await ask(service, '/v1/objects?query=nobody-is-called-this')).json).toEqual({ objects: [] });
    const found = await pages('/v1/objects?query=o0&limit=4', 'objects');
    expect(found.flat().length).toBeGreaterThan(10);
  });

  it.each([
    ['limit=0', 'limit must be >= 1'],
    ['limit=101', 'limit must be <= 100'],
    ['limit=5.5', 'limit must be integer'],
    ['limit=', 'limit must be integer'],
    ['limit=ten', 'limit must be integer'],
    ['limit=1&limit=2', 'limit must be integer'],
    ['lmit=3', 'unknown field "lmit"'],
    ['query=%00', 'must not hold the character NUL'],
    ['query=%FF', 'A % in the URL does not begin an escaped character'],
    ['query=%ED%A0%80', 'A % in the URL does not begin an escaped character'], // half of a surrogate pair
    ['cursor=abc', 'The cursor is not one that this list gave'],
    ['cursor=', 'The cursor is not one that this list gave'],
  ])('refuses ?%s', async (query, detail) => {
    const { status, headers, json } = await ask(service, `/v1/objects?${query}`);
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(json.detail).toContain(detail);
    expect(json.cure).toMatch(/\.$/);
  });

  it('refuses a cursor of another list', async () => {
    const { next } = (await ask(service, '/v1/tags?limit=2')).json;
    expect((await ask(service, `/v1/tags?limit=2&cursor=${next}`)).status).toBe(200);
    expect((await ask(service, `/v1/objects?cursor=${next}`)).status).toBe(400);
  });
});

describe('GET /v1/objects/{id}', () => {
  it.each(inUrls)('answers for %s', async (id) => {
    const { status, json } = await ask(service, at`/v1/objects/${id}`);
    expect(status).toBe(200);
    const numUsers = graph.interact.reversed().rowLength(graph.objects.idOf(id));
    expect(json).toMatchObject({ id, title: `${id}!`, numUsers, rejected: [] });
    expect(json.tags.map((one: { tag: string }) => one.tag).sort()).toEqual(tagsOf(id));
    for (const { from } of json.tags) expect(from).toBe('data');
  });

  it.each(['nobody', 'o020 ', 'O020', '<img src=x onerror=alert(1)> Twenty'])(
    'knows no "%s": ids are exact',
    async (id) => {
      const { status, json } = await ask(service, at`/v1/objects/${id}`);
      expect(status).toBe(404);
      expect(json.detail).toBe(`There is no object ${JSON.stringify(id)}.`);
      expect((await ask(service, json.cure.replace(/^Look for it: GET /, ''))).status).toBe(200);
    },
  );

  it('refuses NUL and broken escapes', async () => {
    for (const path of ['%00', 'a%00b', '%', '%FF', '%ED%A0%80', '%u0041']) {
      const { status, json } = await ask(service, `/v1/objects/${path}`);
      expect([path, status]).toEqual([path, 400]);
      expect(json.status).toBe(400);
    }
  });
});

describe('GET /v1/objects/{id}/suggestions', () => {
  it.each(inUrls)('gives %s what the recommender does', async (id) => {
    const { status, json } = await ask(service, at`/v1/objects/${id}/suggestions?limit=5`);
    expect(status).toBe(200);
    const expected = await recommender.suggest(graph.objects.idOf(id), { limit: 5 });
    expect(expected.length).toBeGreaterThan(0);
    expect(json).toEqual({
      object: id,
      suggestions: expected.map(({ tag, score, confidence = 0 }) => ({
        ...{ tag, score: rounded(score), confidence: rounded(confidence) },
      })),
    });
  });

  it('hears limit, minConfidence and novelty, and keeps such answers apart', async () => {
    const path = '/v1/objects/o030/suggestions';
    const object = graph.objects.idOf('o030');
    const tags = ({ json }: { json: { suggestions: { tag: string }[] } }) => json.suggestions.map(({ tag }) => tag);
    const expected = async (limit: number, options = {}) =>
      (await recommender.suggest(object, { ...options, limit: limit })).map(({ tag }) => tag);
    for (let again = 0; again < 2; again++) {
      expect(tags(await ask(service, path))).toEqual(await expected(10));
      expect(tags(await ask(service, `${path}?limit=2`))).toEqual(await expected(2));
      expect(tags(await ask(service, `${path}?novelty=50`))).toEqual(await expected(10, { novelty: 50 }));
      expect(tags(await ask(service, `${path}?minConfidence=0.5`))).toEqual(await expected(10, { minConfidence: 0.5 }));
    }
    expect(await expected(10, { minConfidence: 0.5 })).not.toEqual(await expected(10));
  });

  it('gives a short explanation where asked, the largest part first', async () => {
    const { json } = await ask(service, '/v1/objects/o030/suggestions?limit=3&explain=true');
    for (const { explanation } of json.suggestions) {
      expect(explanation.length).toBeGreaterThan(0);
      expect(explanation.length).toBeLessThanOrEqual(3);
      const amounts = explanation.map((one: { amount: number }) => one.amount);
      expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
      expect(Math.min(...amounts)).toBeGreaterThan(0);
      for (const { text } of explanation)
        expect(text).toMatch(/^(has |like |“.*” in its name$|its users$|its content$|common everywhere$)/);
    }
  });

  it.each(['explain=1', 'explain=TRUE', 'minConfidence=1.1', 'minConfidence=NaN', 'novelty=-1', 'limit=101'])(
    'refuses ?%s',
    async (query) => {
      expect((await ask(service, `/v1/objects/o030/suggestions?${query}`)).status).toBe(400);
    },
  );

  it('answers 404 for nobody', async () => {
    expect((await ask(service, '/v1/objects/nobody/suggestions')).status).toBe(404);
  });
});

describe('GET /v1/objects/{id}/explanation', () => {
  it('gives parts that add up to the score', async () => {
    const [{ tag, score }] = await recommender.suggest(graph.objects.idOf('ä/ö'), { limit: 1 });
    const { status, json } = await ask(service, at`/v1/objects/${'ä/ö'}/explanation?tag=${tag}`);
    expect(status).toBe(200);
    expect(json.tag).toBe(tag);
    expect(json.score).toBeCloseTo(score, 4);
    const { base, ownTags, neighbours, words, profile, content = 0 } = json.parts;
    const sum = [...ownTags, ...neighbours, ...words].reduce((total, { amount }) => total + amount, 0);
    expect(base + sum + profile + content).toBeCloseTo(score, 4);
    expect(ownTags.map((one: { tag: string }) => one.tag).sort()).toEqual(tagsOf('ä/ö'));
  });

  it('answers 404 for unknown names and 400 without a tag', async () => {
    expect((await ask(service, '/v1/objects/nobody/explanation?tag=t001')).status).toBe(404);
    expect((await ask(service, '/v1/objects/o030/explanation?tag=nothing')).json.detail).toMatch(/no tag "nothing"/);
    expect((await ask(service, '/v1/objects/o030/explanation')).status).toBe(400);
  });
});

describe('GET /v1/objects/{id}/similar', () => {
  it('gives what is alike, best first', async () => {
    const { json } = await ask(service, at`/v1/objects/${'🦊'}/similar?limit=5`);
    const expected = recommender.similarObjects(graph.objects.idOf('🦊'), { limit: 5 });
    expect(json.objects.map((one: { id: string }) => one.id)).toEqual(expected.map(({ object }) => object));
    for (const { similarity, byUsers, byTags } of json.objects)
      expect(similarity).toBeCloseTo((byUsers + byTags) / 2, 6);
    expect((await ask(service, '/v1/objects/nobody/similar')).status).toBe(404);
  });
});

describe('GET /v1/tags', () => {
  it('lists the most used first, in pages that make up the whole', async () => {
    const found = (await pages('/v1/tags?limit=6', 'tags')).flat() as { tag: string; numObjects: number }[];
    expect(found.map(({ tag }) => tag).sort()).toEqual(graph.tags.names.toArray().sort());
    const counts = found.map(({ numObjects }) => numObjects);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
  });

  it('finds tags, answers for one, and for those like it', async () => {
    expect((await ask(service, '/v1/tags?query=%C3%84%2F')).json.tags.map((one: { tag: string }) => one.tag)).toEqual([
      'ä/ö',
    ]);
    const numObjects = graph.tagged.reversed().rowLength(graph.tags.idOf('ä/ö'));
    expect((await ask(service, at`/v1/tags/${'ä/ö'}`)).json).toEqual({ tag: 'ä/ö', numObjects });
    const similar = (await ask(service, '/v1/tags/t003/similar?limit=3')).json.tags;
    expect(similar).toEqual(
      recommender
        .similarTags(graph.tags.idOf('t003'), { limit: 3 })
        .map((one) => ({ ...one, similarity: rounded(one.similarity) })),
    );
    for (const path of ['', '/objects', '/missing', '/similar']) {
      expect([path, (await ask(service, `/v1/tags/nothing${path}`)).status]).toEqual([path, 404]);
    }
  });

  it('lists the objects that carry a tag, and those that should', async () => {
    const carriers = (await pages('/v1/tags/t003/objects?limit=5', 'objects')).flat() as { id: string }[];
    const expected = Array.from(graph.tagged.reversed().row(graph.tags.idOf('t003')), (id) => graph.objects.name(id));
    expect(carriers.map(({ id }) => id)).toEqual(expected);
    const missing = (await pages('/v1/tags/t003/missing?limit=9', 'objects')).flat() as { id: string }[];
    const all = await recommender.missing(graph.tags.idOf('t003'), { limit: 1000 });
    expect(missing.map(({ id }) => id)).toEqual(all.map(({ object }) => object));
    const sure = (await ask(service, '/v1/tags/t003/missing?limit=500&minConfidence=0.5')).json.objects;
    expect(sure).toHaveLength(all.filter(({ confidence = 0 }) => confidence >= 0.5).length);
    expect((await ask(service, '/v1/tags/t003/missing?limit=501')).status).toBe(400);
    const beyond = Buffer.from(JSON.stringify(['missing', 2 ** 31])).toString('base64url');
    expect((await ask(service, `/v1/tags/t003/missing?cursor=${beyond}`)).json).toEqual({ objects: [] });
  });
});

describe('POST /v1/suggestions', () => {
  it('suggests to an object nobody saw, and names what it does not know', async () => {
    const facts = { tags: ['t003', 'nothing'], users: ['u001', 'u003', 'nobody'], title: 'odd' };
    const { status, json } = await post(service, '/v1/suggestions', { ...facts, limit: 3 });
    expect(status).toBe(200);
    expect(json.unknownTags).toEqual(['nothing']);
    expect(json.unknownUsers).toEqual(['nobody']);
    const expected = await recommender.suggestFor(facts, { limit: 3 });
    expect(json.suggestions.map((one: { tag: string }) => one.tag)).toEqual(expected.map(({ tag }) => tag));
  });

  it('hears allow and deny', async () => {
    const allowed = await post(service, '/v1/suggestions', { users: ['u001'], allow: ['t005', 'nothing'] });
    expect(allowed.json.suggestions.map((one: { tag: string }) => one.tag)).toEqual(['t005']);
    const denied = await post(service, '/v1/suggestions', { users: ['u001'], deny: ['t005'], limit: 100 });
    expect(denied.json.suggestions.map((one: { tag: string }) => one.tag)).not.toContain('t005');
  });

  it.each([
    ['a number for a name', { tags: [5] }],
    ['text for a list', { tags: 'a' }],
    ['a limit of text', { limit: '5' }],
    ['null', { title: null }],
    ['an unknown field', { tag: ['a'] }],
    ['too many names', { tags: Array(1001).fill('a') }],
    ['an empty name', { tags: [''] }],
    ['half of a surrogate pair', { title: '\ud800' }],
    ['NUL', { users: ['a\0'] }],
    ['a list', []],
  ])('refuses %s', async (_, body) => {
    const { status, json } = await post(service, '/v1/suggestions', body);
    expect(status).toBe(400);
    expect(json.detail).toMatch(/^In the body: /);
  });

  it('refuses what is no JSON, or another type, or too large', async () => {
    const send = (payload: string, type?: string) =>
      ask(service, '/v1/suggestions', {
        method: 'POST',
        payload,
        headers: type === undefined ? {} : { 'content-type': type },
      });
    expect((await send('{"tags":', 'application/json')).status).toBe(400);
    expect((await send('', 'application/json')).status).toBe(400);
    expect((await send('{"__proto__": {"limit": 1}}', 'application/json')).status).toBe(400);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/html']) {
      expect(await send('{}', type)).toMatchObject({
        status: 415,
        json: { cure: expect.stringMatching(/application\/json/) },
      });
    }
    const large = await send(JSON.stringify({ title: 'x'.repeat(1 << 20) }), 'application/json');
    expect(large).toMatchObject({ status: 413, json: { status: 413, cure: 'Send less than a megabyte at a time.' } });
    expect((await send('['.repeat(100_000), 'application/json')).status).toBe(400);
  });
});

describe('POST /v1/suggestions/batch', () => {
  it('answers for each object in its turn, and says beside it what is wrong with one', async () => {
    const objects = ['@babel/core', 'nobody', '..', '🦊'];
    const { status, json } = await post(service, '/v1/suggestions/batch', { objects, limit: 2 });
    expect(status).toBe(200);
    expect(json.results.map((one: { object: string }) => one.object)).toEqual(objects);
    for (const [i, name] of objects.entries()) {
      if (name === 'nobody') expect(json.results[i].problem).toMatchObject({ status: 404, cure: expect.any(String) });
      else {
        const expected = await recommender.suggest(graph.objects.idOf(name), { limit: 2 });
        expect(json.results[i].suggestions.map((one: { tag: string }) => one.tag)).toEqual(
          expected.map(({ tag }) => tag),
        );
      }
    }
  });

  it('takes a thousand and no more', async () => {
    const objects = Array.from({ length: 1000 }, (_, i) => graph.objects.name(i % graph.objects.size));
    const { json } = await post(service, '/v1/suggestions/batch', { objects, limit: 1 });
    expect(json.results).toHaveLength(1000);
    expect((await post(service, '/v1/suggestions/batch', { objects: [...objects, 'one more'] })).status).toBe(400);
    expect((await post(service, '/v1/suggestions/batch', { objects: [] })).json).toEqual({ results: [] });
    expect((await post(service, '/v1/suggestions/batch', {})).status).toBe(400);
  });
});

describe('everything else', () => {
  it('answers 404 and 405 with a problem', async () => {
    for (const [method, url, wanted, title] of [
      ['GET', '/v1/nothing', 404, 'Not Found'],
      ['GET', '/v2/model', 404, 'Not Found'],
      ['POST', '/v1/model', 405, 'Method Not Allowed'],
      ['PUT', '/v1/reviews', 405, 'Method Not Allowed'],
    ] as const) {
      const { status, headers, json } = await ask(service, url, { method });
      expect(status).toBe(wanted);
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(json).toMatchObject({ title, status: wanted, detail: expect.stringContaining(method) });
    }
  });

  it('is up, ready, and counts what it did', async () => {
    expect(await ask(service, '/healthz')).toMatchObject({ status: 200, json: { status: 'ok' } });
    expect(await ask(service, '/readyz')).toMatchObject({ status: 200, json: { status: 'ok' } });
    const before = await ask(service, '/metrics');
    await ask(service, '/v1/objects/o030/suggestions?limit=2');
    await ask(service, '/v1/objects/nobody/suggestions');
    const { text, headers } = await ask(service, '/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    const count = (metrics: string, name: string) =>
      Number(
        metrics
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    expect(count(text, 'tagloom_suggestions_total') - count(before.text, 'tagloom_suggestions_total')).toBe(2);
    const route =
      'tagloom_request_duration_seconds_count{method="GET",route="/v1/objects/:id/suggestions",status="404"}';
    expect(count(text, route) - count(before.text, route)).toBe(1);
    expect(count(text, 'tagloom_model_load_seconds')).toBeGreaterThan(0);
    expect(text).toContain('process_resident_memory_bytes');
  });
});
