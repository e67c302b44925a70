// A catalogue of texts, links and pictures that nobody ever clicked on: objects carry them, and nothing speaks of users.

import { beforeAll, describe, expect, it } from 'vitest';
import { NameTable } from '../../../src/data/vocabulary.ts';
import { train } from '../../../src/pipeline.ts';
import type { Service } from '../../../src/serving/http/service.ts';
import { listedFields } from '../../../src/serving/http/shown-fields.ts';
import { ask, post, serviceOf } from './service-under-test.ts';
import { catalogue, KINDS, LONG } from './text-catalogue.ts';

interface Marked {
  readonly column?: string;
  readonly start: number;
  readonly end: number;
  readonly amount: number;
}

/** The word that counts most. */
function strongestIn(text: string, marks: readonly Marked[]): string {
  const [{ start, end }] = [...marks].sort((a, b) => b.amount - a.amount);
  return text.slice(start, end);
}

const USERS = /users?|interact|profile/i;
let service: Service;
let plain: Service; // a model without parts
beforeAll(async () => {
  const graph = catalogue();
  const settings = { search: 'off', neighbours: 5 };
  service = await serviceOf({ model: await train(graph, { model: 'loom', settings, threads: 1 }) });
  plain = await serviceOf({ model: await train(graph, { model: 'popularity' }) });
});

describe('objects', () => {
  it('carry texts, whole, and link and picture as the data has them', async () => {
    const { json } = await ask(service, '/v1/objects/p00');
    expect(json.texts).toEqual({ description: LONG });
    expect(json).toMatchObject({ link: 'https://shop.example/p00', image: 'javascript:alert(1)' });
  });

  it('have no field for what they have not', async () => {
    const { json } = await ask(service, '/v1/objects/p01');
    expect(Object.keys(json).sort()).toEqual(['id', 'rejected', 'tags', 'title', 'unsure']);
    const { text } = await ask(service, '/v1/objects/p02');
    expect(text).toContain('"texts":{"description":"For water","__proto__":"notes"}');
  });

  it.each([
    ['/v1/objects?query=p00', (json: { objects: unknown[] }) => json.objects],
    ['/v1/tags/coffee/objects', (json: { objects: unknown[] }) => json.objects],
    ['/v1/objects/p03/similar?limit=100', (json: { objects: unknown[] }) => json.objects],
    ['/v1/tags/tea/missing?limit=100', (json: { objects: unknown[] }) => json.objects],
  ])('carry the beginning of long texts in %s', async (path, rowsOf) => {
    const { json } = await ask(service, path);
    const row = (rowsOf(json) as { id: string; texts: Record<string, string> }[]).find(({ id }) => id === 'p00');
    expect(row).toMatchObject({ link: 'https://shop.example/p00' });
    const { description } = row?.texts ?? {};
    expect(description).toHaveLength(200 + 1 - (LONG.slice(0, 200).length - LONG.slice(0, 200).trimEnd().length));
    expect(description.endsWith('…')).toBe(true);
    expect(LONG.startsWith(description.slice(0, -1))).toBe(true);
  });

  it('carry it in the queue, too', async () => {
    const { json } = await ask(service, '/v1/queue?limit=500');
    const row = json.suggestions.find(({ object }: { object: string }) => object === 'p27');
    expect(row).toMatchObject({ texts: { description: 'For coffee' }, link: 'https://shop.example/p27' });
  });

  it('never cut a character in two', () => {
    for (const text of ['🦊'.repeat(150), `a${'🦊'.repeat(150)}`, 'é'.repeat(201), '日'.repeat(500)]) {
      const graph = { ...catalogue(), texts: [{ name: 't', texts: NameTable.from([text]) }] };
      const cut = listedFields({ ...graph, links: undefined, images: undefined } as never, 0).texts?.t ?? '';
      expect(cut.length).toBeGreaterThan(199);
      expect(cut.length).toBeLessThan(202);
      expect(cut).not.toMatch(/\p{Surrogate}/u);
      expect(text.startsWith(cut.slice(0, -1))).toBe(true);
    }
    const short = { ...catalogue(), texts: [{ name: 't', texts: NameTable.from(['é'.repeat(200)]) }] };
    expect(listedFields(short, 0).texts?.t).toBe('é'.repeat(200));
  });
});

describe('data without users', () => {
  it.each([
    '/v1/model',
    '/v1/objects/p00',
    '/v1/objects/p00/similar',
    '/v1/objects/p00/explanation?tag=garden',
    '/v1/objects/p00/suggestions?explain=true',
  ])('is described without a word about users by %s', async (path) => {
    for (const one of [service, plain]) {
      const { status, json } = await ask(one, path);
      expect(status).toBe(200);
      const { settings: _, ...answer } = json;
      expect(JSON.stringify(answer)).not.toMatch(USERS);
    }
  });

  it('has similar objects by tags alone', async () => {
    const { json } = await ask(service, '/v1/objects/p00/similar');
    expect(json.objects.length).toBeGreaterThan(0);
    for (const { similarity, byTags } of json.objects) expect(similarity).toBe(byTags);
  });

  it('has explanations whose parts still add up', async () => {
    const { json } = await ask(service, '/v1/objects/p27/explanation?tag=coffee');
    const { parts, score } = json;
    const sum = (list: { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
    const rest = parts.base + (parts.mention ?? 0) + (parts.content ?? 0);
    expect(rest + sum(parts.ownTags) + sum(parts.neighbours) + sum(parts.words)).toBeCloseTo(score, 5);
  });

  it('says where the words stand that count', async () => {
    const { json } = await ask(service, '/v1/objects/p27/explanation?tag=coffee');
    const inTitle = json.marks.filter(({ column }: Marked) => column === undefined);
    expect(strongestIn('Mug for coffee', inTitle)).toBe('coffee');
  });
});

describe('POST /v1/suggest', () => {
  it('suggests to a text, with the words that count and where they stand', async () => {
    const body = { title: 'Pot for tea', text: 'It holds a litre', explain: true, limit: 1, allow: KINDS };
    const { json } = await post(service, '/v1/suggest', body);
    expect(json.suggestions).toHaveLength(1);
    const [{ tag, confidence, explanation, words, marks }] = json.suggestions;
    expect([tag, confidence]).toEqual(['tea', expect.any(Number)]);
    expect(explanation[0]).toEqual({ text: expect.any(String), amount: expect.any(Number) });
    expect(words.map(({ word }: { word: string }) => word)).toContain('tea');
    expect(
      strongestIn(
        'Pot for tea',
        marks.filter(({ column }: Marked) => column === undefined),
      ),
    ).toBe('tea');
    for (const { column, end } of marks) if (column !== undefined) expect(end).toBeLessThanOrEqual(16);
  });

  it('answers without explanations by default, and nothing of users', async () => {
    const { json } = await post(service, '/v1/suggest', { title: 'tea', users: ['ann'], tags: ['nothing'] });
    expect(Object.keys(json).sort()).toEqual(['suggestions', 'unknownColumns', 'unknownTags']);
    expect(json.unknownTags).toEqual(['nothing']);
    expect(Object.keys(json.suggestions[0]).sort()).toEqual(['confidence', 'score', 'tag']);
  });

  it('is what POST /v1/suggestions answers', async () => {
    const body = { title: 'Pot for tea', text: 'For tea', explain: true };
    const [one, other] = [await post(service, '/v1/suggest', body), await post(service, '/v1/suggestions', body)];
    expect(one.text).toBe(other.text);
  });

  it('names columns that the model does not know', async () => {
    const { json } = await post(service, '/v1/suggest', { text: { description: 'tea', summary: 'tea' } });
    expect(json.unknownColumns).toEqual(['summary']);
  });

  it.each([
    [{ text: 'a'.repeat(100_001) }, 'text must not have more than 100000 characters'],
    [{ text: { description: 'a'.repeat(100_001) } }, 'text.description must not have more than 100000 characters'],
    [
      { text: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`c${i}`, ''])) },
      'text must not have more than 100',
    ],
    [{ text: 5 }, 'text must be string or object.'],
    [{ text: null }, 'text must be string or object.'],
    [{ text: ['tea'] }, 'text must be string or object.'],
    [{ text: { description: 5 } }, 'text.description must be string.'],
    [{ text: { 'for/tea~': 5 } }, 'text.for/tea~ must be string.'],
    [{ text: { description: 'tea\0' } }, 'text.description must not hold the character NUL'],
    [{ tags: ['tea', '\0'] }, 'tags[1] must not hold the character NUL'],
    [{ title: 'tea', txt: 'tea' }, 'unknown field "txt". Did you mean "text"?'],
    [{ title: 'tea', colour: 'red' }, 'unknown field "colour".'],
    [{ title: 'tea', explain: 'yes' }, 'explain must be boolean'],
    [{ title: 'tea', minConfidence: 2 }, 'minConfidence must be <= 1'],
  ])('refuses what is too long, of another kind or unknown (%#)', async (body, detail) => {
    const { status, json, headers } = await post(service, '/v1/suggest', body);
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(json.detail).toContain(detail);
  });

  it('refuses more than a megabyte as a whole', async () => {
    const { status, json } = await post(service, '/v1/suggest', { text: 'a'.repeat(1 << 20) });
    expect([status, json.cure]).toEqual([413, expect.any(String)]);
  });

  it('says which model can where this one cannot', async () => {
    const { status, json } = await post(plain, '/v1/suggest', { text: 'tea' });
    expect(status).toBe(400);
    expect(json.detail).toContain('expected loom');
  });

  it('takes a text of the largest size, of mark-up and of nothing', async () => {
    for (const text of ['tea <b> '.repeat(12_500), '<'.repeat(100_000), '&'.repeat(100_000), '', ' \n ', '🦊']) {
      const { status } = await post(service, '/v1/suggest', { title: 'tea', text, explain: true });
      expect(status).toBe(200);
    }
  });
});
