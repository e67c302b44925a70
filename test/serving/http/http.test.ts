// What is about HTTP and not about tags: ETags, headers, who may ask, limits, slow and broken clients, draining.

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openService, type Service } from '../../../src/serving/http/service.ts';
import { MemoryStore } from './memory-store.ts';
import { ask, at, graph, modelFile, post, serviceOf } from './service-under-test.ts';

let service: Service;
beforeAll(async () => {
  service = await serviceOf();
});

/** Sends bytes as they are and gives back all that comes until the other side ends. */
async function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}); // it may be cut off while it writes
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

/** With the path as it is: no client makes that of "..". */
function get(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path, headers }, (response) => {
      let body = '';
      response.on('data', (bytes) => (body += bytes));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

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
    const dependent = [...ofObject, '/v1/reviews', '/v1/reviews/counts', '/v1/tags?limit=100'];
    const others = ['/v1/objects/o031', '/v1/objects/o031/suggestions', '/v1/model'];
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

describe('a token', () => {
  const review = { object: 'o030', tag: 't001', decision: 'reject' };

  it('is needed for what writes, and for nothing else', async () => {
    const guarded = await serviceOf({ token: 'hush hush' });
    const writes = [
      ['POST', '/v1/reviews'],
      ['POST', '/v1/reviews/batch'],
      ['DELETE', '/v1/reviews/1'],
      ['POST', '/v1/suggestions'],
      ['POST', '/v1/suggestions/batch'],
      ['POST', '/v1/model/reload'],
    ] as const;
    for (const [method, url] of writes) {
      for (const authorization of [
        undefined,
        'Bearer',
        'Bearer hush',
        'Bearer hush hush hush',
        'Basic hush hush',
        'hush hush',
      ]) {
        const headers = authorization === undefined ? {} : { authorization };
        const answer = await ask(guarded, url, { method, headers, ...(method === 'POST' && { payload: review }) });
        expect([url, authorization, answer.status]).toEqual([url, authorization, 401]);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
        expect(answer.json.cure).toMatch(/Authorization: Bearer/);
        expect(answer.text).not.toContain('hush');
      }
    }
    expect((await ask(guarded, '/v1/reviews')).json.reviews).toEqual([]);
    expect((await ask(guarded, '/v1/model')).json.guarded).toBe(true);
    const known = await post(guarded, '/v1/reviews', review, { headers: { authorization: 'bearer hush hush' } });
    expect(known.status).toBe(201);
  });
});

describe('pages of other origins', () => {
  it('may change nothing, whatever they send', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:81']) {
      const answer = await ask(service, '/v1/model/reload', {
        method: 'POST',
        headers: { origin, host: 'localhost:80' },
      });
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
    const own = { origin: 'http://localhost:8080', host: 'localhost:8080' };
    expect((await post(service, '/v1/suggestions', {}, { headers: own })).status).toBe(200);
  });

  it('may ask where --cors names them', async () => {
    const origin = 'https://curators.example';
    const open = await serviceOf({ cors: origin });
    const read = await ask(open, '/v1/model', { headers: { origin } });
    expect(read.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' });
    expect(
      (await ask(open, '/v1/model', { headers: { origin: 'https://evil.example' } })).headers[
        'access-control-allow-origin'
      ],
    ).toBeUndefined();
    expect((await post(open, '/v1/suggestions', {}, { headers: { origin } })).status).toBe(200);
    expect((await post(open, '/v1/suggestions', {}, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    const asks = {
      origin,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization',
    };
    const preflight = await ask(open, '/v1/reviews/1', { method: 'OPTIONS', headers: asks });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE');
    expect(preflight.headers['access-control-allow-headers']).toContain('authorization');
    const none = await ask(service, '/v1/reviews/1', { method: 'OPTIONS', headers: asks });
    expect(none.headers['access-control-allow-methods']).toBeUndefined();
  });
});

describe('listening', () => {
  it('to this machine alone answers to its own names only, unless there is a token', async () => {
    const url = await service.listen({ port: 0 });
    const { port } = new URL(url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST']) {
      expect([host, (await get(url, '/v1/model', { host })).status]).toEqual([host, 200]);
    }
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example']) {
      const { status, body } = await get(url, '/v1/model', { host });
      expect([host, status]).toEqual([host, 421]);
      expect(JSON.parse(body).cure).toMatch(/localhost/);
    }
    const guarded = await serviceOf({ token: 'hush' });
    const behind = await guarded.listen({ port: 0 });
    expect((await get(behind, '/v1/model', { host: 'tags.example' })).status).toBe(200);
  });

  it('takes names no client can send as they are: "." and ".." in a path', async () => {
    const own = await serviceOf();
    const url = await own.listen({ port: 0 });
    for (const path of ['/v1/objects/..', '/v1/objects/%2e%2e', '/v1/objects/%2E.']) {
      const { status, body } = await get(url, path);
      expect([path, status]).toEqual([path, 200]);
      expect(JSON.parse(body).id).toBe('..');
    }
    expect(JSON.parse((await get(url, '/v1/objects/../suggestions')).body).object).toBe('..');
  });

  it('refuses a port that is taken, with a cure', async () => {
    const [one, two] = [await serviceOf(), await serviceOf()];
    const port = Number(new URL(await one.listen({ port: 0 })).port);
    await expect(two.listen({ port })).rejects.toThrow(/which another program holds.* --port 0/);
    await expect((await serviceOf()).listen({ host: '203.0.113.1', port: 0 })).rejects.toThrow(
      /expected an address of this machine/,
    );
  });

  it('limits the requests of a client in a second, where told and where others may connect', async () => {
    const statusesOf = async (own: Service, count: number) => {
      const statuses: number[] = [];
      for (let i = 0; i < count; i++) statuses.push((await ask(own, '/healthz')).status);
      return statuses;
    };
    const [limited, exposed, local] = [await serviceOf({ rateLimit: 3 }), await serviceOf(), await serviceOf()];
    await exposed.listen({ host: '0.0.0.0', port: 0 });
    await local.listen({ port: 0 });
    vi.useFakeTimers({ toFake: ['Date'], now: 1e12 }); // a second that lasts
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect(await statusesOf(limited, 5)).toEqual([200, 200, 200, 429, 429]);
    const { headers, json } = await ask(limited, '/v1/model');
    expect(headers['retry-after']).toBe('1');
    expect(json).toMatchObject({ status: 429, title: 'Too Many Requests' });
    vi.setSystemTime(1e12 + 1001);
    expect(await statusesOf(limited, 4)).toEqual([200, 200, 200, 429]);
    expect((await statusesOf(exposed, 102)).slice(98)).toEqual([200, 200, 429, 429]);
    expect(new Set(await statusesOf(local, 102))).toEqual(new Set([200]));
  });
});

describe('clients that are slow, broken or too much', () => {
  const timeouts = { requestMs: 300, headersMs: 200, idleMs: 400, checkMs: 20 };

  it('are cut off when a request does not come in', async () => {
    const own = await serviceOf({ timeouts });
    const url = await own.listen({ port: 0 });
    expect(await raw(url, 'GET /v1/model HTTP/1.1\r\nHost: localhost\r\nX-Slow:')).toMatch(/^HTTP\/1.1 408 /);
    const half =
      'POST /v1/suggestions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    expect(await raw(url, half)).toMatch(/^(HTTP\/1.1 408 .*)?$/s);
    expect(await raw(url, '')).toMatch(/^(HTTP\/1.1 408 .*)?$/s);
    expect((await get(url, '/healthz')).status).toBe(200);
  });

  it('get a problem for what is no HTTP', async () => {
    const own = await serviceOf({ timeouts });
    const url = await own.listen({ port: 0 });
    const answer = await raw(url, 'HELLO\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1])).toMatchObject({ status: 400, cure: expect.any(String) });
    expect(await raw(url, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
    expect((await get(url, '/healthz')).status).toBe(200);
  });

  it('are stopped at a megabyte, long before they have sent it all', async () => {
    const own = await serviceOf({ timeouts });
    const url = await own.listen({ port: 0 });
    const head = 'POST /v1/suggestions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    expect(await raw(url, `${head}Content-Length: 1000000000\r\n\r\n{`)).toMatch(/^HTTP\/1.1 413 /);
    const chunk = `${(1 << 16).toString(16)}\r\n${' '.repeat(1 << 16)}\r\n`;
    expect(await raw(url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('that hang up in the middle leave nothing behind', async () => {
    const own = await openService({ model: await modelFile(), reviews: MemoryStore.make().store }, { page: '' });
    const url = await own.listen({ port: 0 });
    for (let i = 0; i < 20; i++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(`GET /v1/tags/t003/missing HTTP/1.1\r\nHost: localhost\r\n\r\n`, () => socket.destroy());
      await once(socket, 'close');
    }
    expect((await get(url, '/healthz')).status).toBe(200);
    await own.close(); // would wait for ever for a request that never ends
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
