// A database server that goes away and comes back, and two services that share it.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PostgresServer, secrets, startPostgres, whyNoPostgres } from '../reviews/postgres.ts';
import { ask, post, serviceOf } from './service-under-test.ts';

vi.setConfig({ hookTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

describe.skipIf(whyNoPostgres !== undefined)('a service on a PostgreSQL server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it('answers 503 while the server is away, goes on with what needs none, and 201 when it is back', async () => {
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const service = await serviceOf({ reviews: await server.database('away'), log, logsRequests: true });
    const review = { object: 'o030', tag: 't001', decision: 'reject' };
    expect((await ask(service, '/readyz')).status).toBe(200);
    await server.stop();
    const away = [
      await post(service, '/v1/reviews', review),
      await ask(service, '/v1/reviews'),
      await ask(service, '/v1/reviews/counts'),
      await ask(service, '/v1/reviews/curators'),
      await ask(service, '/readyz'),
    ];
    for (const { status, headers } of away) {
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await ask(service, '/v1/objects/o030/suggestions')).status).toBe(200);
    await server.start();
    expect((await ask(service, '/readyz')).status).toBe(200);
    expect((await post(service, '/v1/reviews', review)).status).toBe(201);
    expect((await ask(service, '/v1/reviews')).json.reviews).toHaveLength(1);
    const told = `${lines.join()}${away.map(({ text }) => text).join()}`;
    for (const secret of [...secrets, String(server.port), 'postgres://']) expect(told).not.toContain(secret);
  });

  it('shares its reviews with others, and one of them wins', async () => {
    const reviews = await server.database('shared');
    const [one, two] = [await serviceOf({ reviews }), await serviceOf({ reviews })];
    const [{ tag }] = (await ask(one, '/v1/objects/o030/suggestions')).json.suggestions;
    const decide = (service: typeof one, curator: string) =>
      post(service, '/v1/reviews', { object: 'o030', tag, decision: 'accept', curator });
    const answers = await Promise.all([decide(one, 'Ada'), decide(two, 'Bob')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    for (const service of [one, two]) {
      // the other hears of it when it asks the next time
      let tags: string[] = [];
      while (!tags.includes(tag)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        tags = (await ask(service, '/v1/objects/o030')).json.tags.map((own: { tag: string }) => own.tag);
      }
    }
    expect((await ask(one, '/v1/objects/o030')).headers.etag).toBe((await ask(two, '/v1/objects/o030')).headers.etag);
  });
});
