import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Schemas, type TagloomClient } from '../../../src/client.ts';
import { DIFFICULT, serviceOf } from './service-under-test.ts';

let client: TagloomClient;
let url: string;
beforeAll(async () => {
  const service = await serviceOf({ token: 'hush' });
  url = await service.listen({ port: 0 });
  client = createClient(`${url}/`, { token: 'hush' });
});

describe('createClient(url, { token })', () => {
  it.each(DIFFICULT.filter((name) => name !== '..'))('asks for %s and gets typed answers', async (id) => {
    const { data } = await client.GET('/v1/objects/{id}/suggestions', {
      params: { path: { id }, query: { limit: 2 } },
    });
    const suggestions: Schemas['Suggestion'][] = data?.suggestions ?? [];
    expect(data?.object).toBe(id);
    expect(suggestions).toHaveLength(2);
  });

  it('writes with its token, and tells problems apart from answers', async () => {
    const body = { object: 'o030', tag: 't001', decision: 'reject', curator: 'Ada' } as const;
    const { data: review, response } = await client.POST('/v1/reviews', { body });
    expect(response.status).toBe(201);
    expect(review).toMatchObject(body);
    const { error } = await client.POST('/v1/reviews', { body: { ...body, decision: 'accept' } });
    expect(error).toMatchObject({ status: 409, review });
    const undone = await client.DELETE('/v1/reviews/{id}', { params: { path: { id: review?.id ?? '' } } });
    expect(undone.data).toEqual(review);
    const { error: unknown } = await client.GET('/v1/objects/{id}', { params: { path: { id: 'nobody' } } });
    expect(unknown).toMatchObject({ status: 404, cure: expect.any(String) });
    const stranger = await createClient(url).POST('/v1/reviews', { body });
    expect(stranger.error?.status).toBe(401);
  });

  it('suggests to a text, with where the words stand that count', async () => {
    const body = { title: 'Twenty', text: 'twenty', limit: 1, explain: true } as const;
    const { data } = await client.POST('/v1/suggest', { body });
    const [{ tag, marks = [] }]: Schemas['TextSuggestion'][] = data?.suggestions ?? [];
    expect(tag).toEqual(expect.any(String));
    for (const { start, end } of marks) expect([start, end]).toEqual([0, 6]);
    const { error } = await client.POST('/v1/suggest', { body: { text: 'a'.repeat(100_001) } });
    expect(error).toMatchObject({ status: 400, detail: expect.stringContaining('text') });
  });

  it('goes through pages', async () => {
    const first = await client.GET('/v1/tags', { params: { query: { limit: 3 } } });
    const second = await client.GET('/v1/tags', { params: { query: { limit: 3, cursor: first.data?.next ?? '' } } });
    const all = await client.GET('/v1/tags', { params: { query: { limit: 6 } } });
    expect([...(first.data?.tags ?? []), ...(second.data?.tags ?? [])]).toEqual(all.data?.tags);
  });
});
