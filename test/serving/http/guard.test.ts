// Who gets in: tokens and guessing them, pages of other origins, the names the service goes by, and how often.

import { hostname } from 'node:os';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Service } from '../../../src/serving/http/service.ts';
import { get } from './raw-request.ts';
import { ask, post, serviceOf } from './service-under-test.ts';

let service: Service;
beforeAll(async () => {
  service = await serviceOf();
});

describe('a token', () => {
  const review = { object: 'o030', tag: 't001', decision: 'reject' };

  it('is needed for what writes, and for nothing else', async () => {
    const writes = [
      ['POST', '/v1/reviews'],
      ['POST', '/v1/reviews/batch'],
      ['DELETE', '/v1/reviews/1'],
      ['POST', '/v1/suggestions'],
      ['POST', '/v1/suggestions/batch'],
      ['POST', '/v1/model/reload'],
    ] as const;
    for (const [method, url] of writes) {
      const guarded = await serviceOf({ token: 'hush hush' }); // each with its own count of wrong tokens
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
    const guarded = await serviceOf({ token: 'hush hush' });
    expect((await ask(guarded, '/v1/reviews')).json.reviews).toEqual([]);
    expect((await ask(guarded, '/v1/model')).json.guarded).toBe(true);
    const known = await post(guarded, '/v1/reviews', review, { headers: { authorization: 'bearer hush hush' } });
    expect(known.status).toBe(201);
  });
});

describe('guessing the token', () => {
  const guess = (to: Service, token: string | undefined, more: InjectOptions = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return ask(to, '/v1/reviews/1', { method: 'DELETE', ...more, headers: { ...authorization, ...more.headers } });
  };
  const guesses = async (to: Service, count: number, more: InjectOptions = {}) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push((await guess(to, `wrong ${i}`, more)).status);
    return statuses;
  };
  const standStill = () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1e12 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
  };

  it('ends after ten wrong ones in a minute: then not even the right one is looked at', async () => {
    const guarded = await serviceOf({ token: 'hush' });
    await guarded.listen({ port: 0 }); // on this machine alone, where requests are not limited otherwise
    standStill();
    const statuses = await guesses(guarded, 500);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
    vi.setSystemTime(1e12 + 20_000);
    const { status, headers, json } = await guess(guarded, 'hush');
    expect([status, headers['retry-after']]).toEqual([429, '40']);
    expect(json).toMatchObject({ detail: expect.stringMatching(/wrong token/), cure: expect.stringMatching(/40 s/) });
    expect((await ask(guarded, '/v1/model', { headers: { authorization: 'Bearer hush' } })).status).toBe(200);
    vi.setSystemTime(1e12 + 60_000);
    expect((await guess(guarded, 'hush')).status).toBe(404); // in, and there is no such review
    expect(await guesses(guarded, 11)).toEqual([...Array(10).fill(401), 429]);
  });

  it('is counted by address, whatever X-Forwarded-For says; others are not held up', async () => {
    const guarded = await serviceOf({ token: 'hush' });
    standStill();
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) {
      const headers = { 'x-forwarded-for': `10.0.0.${i}`, 'x-real-ip': `10.0.0.${i}`, forwarded: `for=10.0.0.${i}` };
      statuses.push(...(await guesses(guarded, 1, { headers, remoteAddress: '192.0.2.1' })));
    }
    expect(statuses.slice(9)).toEqual([401, 429, 429]);
    expect((await guess(guarded, 'hush', { remoteAddress: '192.0.2.2' })).status).toBe(404);
    expect((await guess(guarded, 'hush', { remoteAddress: '::ffff:192.0.2.1' })).status).toBe(429); // the same client
  });

  it('counts all addresses of one IPv6 network together', async () => {
    const guarded = await serviceOf({ token: 'hush' });
    standStill();
    const statuses: number[] = [];
    for (let i = 1; i <= 12; i++) {
      statuses.push(...(await guesses(guarded, 1, { remoteAddress: `2001:db8:1:2::${i}` })));
    }
    expect(statuses.slice(9)).toEqual([401, 429, 429]);
    expect((await guess(guarded, 'hush', { remoteAddress: '2001:db8:1:3::1' })).status).toBe(404);
  });

  it('counts neither a missing token nor a right one', async () => {
    const guarded = await serviceOf({ token: 'hush' });
    standStill();
    for (let i = 0; i < 30; i++) {
      expect((await guess(guarded, undefined)).status).toBe(401);
      expect((await guess(guarded, 'hush')).status).toBe(404);
    }
  });

  it('counts towards the limit of requests before the token is looked at', async () => {
    const limited = await serviceOf({ token: 'hush', rateLimit: 5 });
    standStill();
    expect(await guesses(limited, 7)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await guess(limited, 'hush')).status).toBe(429);
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
  const hostsOf = (port: string) => ({
    own: [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST', 'localhost.', '127.0.0.2'],
    addresses: ['192.0.2.7', `192.0.2.7:${port}`, '[2001:db8::1]', `[2001:db8::1]:${port}`],
    foreign: [
      ...['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost:x'],
      ...['evil.example:localhost', 'user@localhost', '[localhost]', '[::1].evil.example', '2130706433'],
    ],
  });
  const reads = [
    '/v1/model',
    '/v1/reviews/export',
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/nothing',
    '/',
  ];

  it.each([undefined, 'hush'])('to this machine alone answers to its own names only; token: %s', async (token) => {
    const own = await serviceOf({ token });
    const url = await own.listen({ port: 0 });
    const hosts = hostsOf(new URL(url).port);
    for (const host of hosts.own) {
      expect([host, (await get(url, '/v1/model', { host })).status]).toEqual([host, 200]);
    }
    for (const host of [...hosts.foreign, ...hosts.addresses]) {
      const { status, body } = await get(url, '/v1/reviews/export', { host });
      expect([host, status]).toEqual([host, 421]);
      expect(JSON.parse(body).cure).toMatch(/localhost.*--allow-host/);
    }
    for (const path of reads) {
      const { status } = await get(url, path, { host: 'evil.example' });
      expect([path, status]).toEqual([path, 421]);
    }
  });

  it('to other machines answers to addresses, its own names and those allowed, and to no others', async () => {
    const own = await serviceOf({ allowedHosts: ['tags.example', 'Tags.Internal.'] });
    const url = await own.listen({ host: '0.0.0.0', port: 0 });
    const hosts = hostsOf(new URL(url).port);
    for (const host of [...hosts.own, ...hosts.addresses, 'tags.example', 'TAGS.example:443', 'tags.internal']) {
      expect([host, (await get(url, '/healthz', { host })).status]).toEqual([host, 200]);
    }
    for (const host of [...hosts.foreign, 'sub.tags.example']) {
      expect([host, (await get(url, '/healthz', { host })).status]).toEqual([host, 421]);
    }
    const rebound = { host: 'evil.example', origin: 'http://evil.example' };
    const write = await post(own, '/v1/suggestions', {}, { headers: rebound });
    expect(write.status).toBe(421);
    expect(write.json.cure).toContain('--allow-host evil.example');
  });

  it('at a name of this machine answers to that name', async () => {
    const own = await serviceOf();
    const url = await own.listen({ host: hostname(), port: 0 }).catch(() => undefined);
    if (url === undefined) return; // a machine that does not know its own name
    expect((await ask(own, '/healthz', { headers: { host: `${hostname()}:80` } })).status).toBe(200);
    expect((await ask(own, '/healthz', { headers: { host: 'evil.example' } })).status).toBe(421);
  });

  it('refuses allowed hosts that are no names of hosts', async () => {
    for (const name of ['https://tags.example', 'tags.example:80', 'tags.example/x', '', '*', 'a b']) {
      await expect(serviceOf({ allowedHosts: [name] })).rejects.toThrow(
        /expected the name of a host.*--allow-host tags/,
      );
    }
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
