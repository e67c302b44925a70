import { describe, expect, it } from 'vitest';
import { train } from '../../../src/pipeline.ts';
import type { Service } from '../../../src/serving/http/service.ts';
import { proposeSynonyms } from '../../../src/serving/vocabulary/proposals.ts';
import { catalogueOf } from '../vocabulary/catalogue-of-synonyms.ts';
import { ask, serviceOf } from './service-under-test.ts';

const TOPICS = [
  [['parser', 'parsing'], ['lexer'], ['grammar'], ['javascript'], ['syntax']],
  [['color', 'colour'], ['console'], ['ansi'], ['javascript'], ['shell']],
  [['internationalization', 'i18n'], ['locale'], ['javascript'], ['plural'], ['translation']],
];
const PATH = '/v1/vocabulary/proposals';
const catalogue = catalogueOf({ topics: TOPICS, objectsPerTopic: 60, seed: 1 });
const model = await train(catalogue, { model: 'popularity', threads: 1 });

async function complete(service: Service): Promise<void> {
  await expect.poll(async () => (await ask(service, PATH)).json.isComplete, { interval: 5 }).toBe(true);
}

describe('GET /v1/vocabulary/proposals', () => {
  it('answers at once that it is at work, and later with all proposals', async () => {
    const service = await serviceOf({ model });
    const first = await ask(service, PATH);
    expect(first.status).toBe(200);
    expect(first.json).toEqual({ proposals: [], isComplete: false, done: 0 });
    expect(first.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    expect((await ask(service, '/v1/tags')).status).toBe(200);
    await complete(service);
    const answer = await ask(service, PATH);
    expect(answer.json).toEqual({ proposals: await proposeSynonyms(catalogue), isComplete: true });
    const again = await ask(service, PATH, { headers: { 'if-none-match': String(answer.headers.etag) } });
    expect(again.status).toBe(304);
  });

  it('gives pages that make up the whole list, and less likely pairs where they are asked for', async () => {
    const service = await serviceOf({ model });
    await complete(service);
    const whole = (await ask(service, `${PATH}?minScore=0.3&limit=100`)).json.proposals;
    expect(whole).toEqual(await proposeSynonyms(catalogue, { minScore: 0.3 }));
    const likely = (await ask(service, `${PATH}?minScore=0.97`)).json.proposals;
    expect(likely).toEqual(await proposeSynonyms(catalogue, { minScore: 0.97 }));
    expect(likely.length).toBeLessThan(whole.length);
    const pages: unknown[] = [];
    for (let next: string | undefined, i = 0; i === 0 || next !== undefined; i++) {
      const cursor = next === undefined ? '' : `&cursor=${next}`;
      const page = (await ask(service, `${PATH}?minScore=0.3&limit=2${cursor}`)).json;
      pages.push(...page.proposals);
      next = page.next;
    }
    expect(pages).toEqual(whole);
    expect(pages.length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['limit=0', 'limit'],
    ['minScore=0.1', 'minScore'],
    ['minScore=2', 'minScore'],
    ['cursor=nonsense', 'cursor'],
    ['from=parser', 'from'],
  ])('refuses %s with a cure', async (query, word) => {
    const service = await serviceOf({ model });
    const answer = await ask(service, `${PATH}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ detail: expect.stringContaining(word), cure: expect.stringMatching(/\w/) });
  });
});
