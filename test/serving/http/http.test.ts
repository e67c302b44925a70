// What is about HTTP and not about tags: ETags, headers, errors inside, logs, draining.

import { beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from '../../../src/serving/http/service.ts';
import { MemoryStore } from './memory-store.ts';
import { ask, at, graph, modelFile, post, serviceOf } from './service-under-test.ts';

let service: Service;
beforeAll(async () => {
  service = await serviceOf();
});

describe('ETags', () => {
  const paths = [
    '/v1/model',
    '/v1/objects?limit=3',
    '/v1/objects/o030',
    '/v1/objects/o030/suggestions',
    '/v1/objects/o030/explanation?tag=t001',
    '/v1/objects/o030/similar',
    '/v1/tags',
    '/v1/tags/t003',
    '/v1/tags/t003/objects',
    '/v1/tags/t003/missing',
    '/v1/tags/t003/similar',
    '/v1/reviews',
    '/openapi.json',
  ];

  it.each(paths)('of %s spare sending it again', async (path) => {
    const { status, headers } = await ask(service, path);
    expect(status).toBe(200);
    const etag = String(headers.etag);
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(headers['cache-control']).toBe('no-cache');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(service, path, { headers: { 'if-none-match': known } });
      expect([known, again.status, again.text]).toEqual([known, 304, '']);
      expect(again.headers.etag).toBe(etag);
    }
    const other = await ask(service, path, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
    expect(other.headers.etag).toBe(etag);
  });

  it('change with the reviews that an answer depends on, and with no others', async () => {
    const own = await serviceOf();
    const etag = async (path: string) => (await ask(own, path)).headers.etag;
    const ofObject = ['/v1/objects/o030', '/v1/objects/o030/suggestions', '/v1/objects?limit=100'];
    const learnt = '/v1/objects/o031/suggestions'; // from the decision on another object
    const dependent = [...ofObject, '/v1/reviews', '/v1/reviews/counts', '/v1/tags?limit=100', learnt];
    const others = ['/v1/objects/o031', '/v1/model'];
    const before = await Promise.all([...dependent, ...others].map(etag));
    const { tag } = (await ask(own, '/v1/objects/o030/suggestions')).json.suggestions[0];
    const { json } = await post(own, '/v1/reviews', { object: 'o030', tag, decision: 'accept' });
    const after = await Promise.all([...dependent, ...others].map(etag));
    for (const [i, path] of [...dependent, ...others].entries()) {
      expect([path, after[i] === before[i]]).toEqual([path, others.includes(path)]);
    }
    await ask(own, `/v1/reviews/${json.id}`, { method: 'DELETE' });
    expect(await etag('/v1/objects/o030')).not.toBe(after[0]);
  });

  it('differ between models of the same data', async () => {
    const { headers } = await ask(service, '/v1/objects/o030/suggestions');
    const other = await serviceOf({ model: await modelFile('itemknn') });
    expect((await ask(other, '/v1/objects/o030/suggestions')).headers.etag).not.toBe(headers.etag);
  });

  it('are not on what may not be kept', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/v1/objects/nobody', '/v1/reviews/export']) {
      const { headers } = await ask(service, path);
      expect([path, headers.etag, headers['cache-control']]).toEqual([path, undefined, 'no-store']);
    }
  });
});

describe('headers', () => {
  it.each(['/', '/v1/model', '/v1/objects/nobody', '/nothing', '/v1/objects/%', '/openapi.json'])(
    'keep browsers strict on %s',
    async (path) => {
      const { headers } = await ask(service, path);
      const policy = String(headers['content-security-policy']);
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        expect(policy.split('; ')).toContain(part);
      }
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers.server).toBeUndefined();
    },
  );

  it('HEAD answers like GET, without a body', async () => {
    const [head, whole] = [await ask(service, '/v1/tags', { method: 'HEAD' }), await ask(service, '/v1/tags')];
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.etag).toBe(whole.headers.etag);
  });
});

describe('errors inside', () => {
  it('are logged with their stack and answered without', async () => {
    const lines: string[] = [];
    const { memory, store } = MemoryStore.make();
    const own = await serviceOf({ reviews: store, log: (line) => lines.push(line) });
    memory.list = () => {
      throw new TypeError('the secret inside');
    };
    const { status, text, json } = await ask(own, '/v1/reviews');
    expect(status).toBe(500);
    expect(json.title).toBe('Internal Server Error');
    expect(text).not.toMatch(/secret|TypeError|at .*\.ts/);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0])).toMatchObject({
      route: '/v1/reviews',
      stack: expect.stringMatching(/the secret inside\n +at /),
    });
  });

  it('of a store that is away are 503 until it is back; what needs no store goes on', async () => {
    const lines: string[] = [];
    const { memory, store } = MemoryStore.make();
    const own = await serviceOf({ reviews: store, log: (line) => lines.push(line) });
    const review = { object: 'o030', tag: 't001', decision: 'reject' };
    memory.isAway = true;
    const away = [
      await ask(own, '/readyz'),
      await ask(own, '/v1/reviews'),
      await ask(own, '/v1/reviews/export'),
      await post(own, '/v1/reviews', review),
      await post(own, '/v1/reviews/batch', { reviews: [review] }),
      await ask(own, '/v1/reviews/1', { method: 'DELETE' }),
    ];
    for (const { status, headers, json } of away) {
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(json.cure).toBe('Try again in a few seconds.');
    }
    for (const path of [
      '/healthz',
      '/v1/model',
      '/v1/objects/o030/suggestions',
      '/v1/queue',
      at`/v1/objects/${'ä/ö'}`,
    ]) {
      expect((await ask(own, path)).status).toBe(200);
    }
    expect(`${lines.join()}${away.map(({ text }) => text).join()}`).not.toContain('secret-host');
    memory.isAway = false;
    expect((await ask(own, '/readyz')).status).toBe(200);
    expect((await post(own, '/v1/reviews', review)).status).toBe(201);
  });
});

describe('logs', () => {
  it('have a line for each request where asked for, and never a token, a query or a body', async () => {
    const lines: string[] = [];
    const own = await serviceOf({ log: (line) => lines.push(line), logsRequests: true, token: 'hush' });
    const headers = { authorization: 'Bearer hush' };
    await post(
      own,
      '/v1/reviews?x=hidden-query',
      { object: 'hidden-body', tag: 't001', decision: 'accept' },
      { headers },
    );
    await ask(own, '/v1/model', { headers });
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', '/v1/reviews', 404],
      ['GET', '/v1/model', 200],
    ]);
    for (const { ms } of logged) expect(ms).toBeGreaterThanOrEqual(0);
    expect(lines.join('')).not.toMatch(/hush|hidden/);
  });
});

describe('close()', () => {
  /** A service with a request that runs until `open` is called. */
  async function withRunning(drainMs: number) {
    const { memory, store } = MemoryStore.make();
    const own = await openService({ model: await modelFile(), reviews: store }, { page: '', timeouts: { drainMs } });
    const url = await own.listen({ port: 0 });
    let open = () => {};
    memory.gate = new Promise<void>((resolve) => (open = resolve));
    const review = { object: graph.objects.name(40), tag: 't001', decision: 'reject' };
    const headers = { 'content-type': 'application/json' };
    const running = fetch(`${url}/v1/reviews`, { method: 'POST', headers, body: JSON.stringify(review) });
    while (memory.numWaiting === 0) await new Promise(setImmediate);
    return { memory, own, url, review, running, open: () => open() };
  }

  it('finishes what runs, takes nothing more, and closes the store last', async () => {
    const { memory, own, url, review, running, open } = await withRunning(2 ** 31 - 1);
    const closing = own.close();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(memory.isClosed).toBe(false);
    open();
    const answer = await running;
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject(review);
    await closing; // though the client would keep its connection
    expect(memory.isClosed).toBe(true);
    await own.close(); // twice is once
  });

  it('cuts off what takes too long', async () => {
    const { own, running, open } = await withRunning(30);
    const closing = own.close();
    await expect(running).rejects.toThrow();
    open();
    await closing;
  });
});
