// Who may ask what: roles over the whole OpenAPI document, tokens of users, a proxy's header, and names that decisions are made in.

import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Access, addAccess, needs } from '../../../src/serving/http/access.ts';
import type { Api } from '../../../src/serving/http/api.ts';
import type { Service, ServiceOptions } from '../../../src/serving/http/service.ts';
import { mayDo, ROLES, type Role } from '../../../src/serving/people/roles.ts';
import { type Document, type Drawn, documentOf, requestOf } from './arbitrary-requests.ts';
import { MemoryStore } from './memory-store.ts';
import { type Answer, ask, at, graph, post, serviceOf } from './service-under-test.ts';

const as = (token: string): InjectOptions => ({ headers: { authorization: `Bearer ${token}` } });
const review = { object: 'o030', tag: 't001', decision: 'reject' };

interface Staff {
  readonly service: Service;
  /** Of a user of each role. */
  readonly tokens: Readonly<Record<Role, string>>;
}

/** A service with a user of each role, each named like the role. */
async function staffed(options: Partial<ServiceOptions> = {}): Promise<Staff> {
  const service = await serviceOf(options);
  const first = await post(service, '/v1/users', { name: 'administrate', role: 'administrate' });
  expect(first.status, first.text).toBe(201);
  const tokens: Record<string, string> = { administrate: first.json.token };
  for (const role of ['read', 'review']) {
    const added = await post(service, '/v1/users', { name: role, role }, as(first.json.token));
    tokens[role] = added.json.token;
  }
  return { service, tokens: tokens as Record<Role, string> };
}

const isRefusal = ({ status, json }: Answer) => status === 403 && /this needs the role/.test(json.detail);

describe('every operation of the document', () => {
  let staff: Staff;
  let document: Document;
  beforeAll(async () => {
    staff = await staffed();
    document = await documentOf(staff.service);
  });

  const send = ({ options }: Drawn, headers: Record<string, string>) =>
    ask(staff.service, options.url, { ...options, headers: { ...options.headers, ...headers } });

  it('refuses every role below the one it names, and who sends no token or a wrong one', {
    timeout: 60_000,
  }, async () => {
    const met = new Set<string>();
    const property = fc.asyncProperty(requestOf(document), fc.constantFrom(...ROLES), async (drawn, role) => {
      const { operationId, 'x-role': needed } = drawn.operation;
      const none = await send(drawn, {});
      if (none.status === 404 || none.status === 405) return; // a path that leads elsewhere
      if (needed === 'open') {
        expect(none.status, operationId).toBeLessThan(400);
        return;
      }
      expect([operationId, none.status]).toEqual([operationId, 401]);
      if (mayDo(role, needed)) return;
      const answer = await send(drawn, { authorization: `Bearer ${staff.tokens[role]}` });
      expect([operationId, role, answer.status, isRefusal(answer)]).toEqual([operationId, role, 403, true]);
      met.add(`${operationId} ${role}`);
    });
    await fc.assert(property, { numRuns: 800 });
    for (const one of [
      'decide read',
      'undo read',
      'claim read',
      'addUser review',
      'reloadModel review',
      'listUsers read',
    ])
      expect([...met]).toContain(one);
  });

  it('lets the role that it names, and each above it, in', async () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(new Set(operations.map(({ operation }) => operation['x-role']))).toEqual(new Set(['open', ...ROLES]));
    for (const { path, method, operation } of operations) {
      const url = path.replaceAll(/\{\w+\}/g, 'nothing');
      const needed = operation['x-role'];
      for (const role of ROLES.filter((one) => needed === 'open' || mayDo(one, needed))) {
        if (operation.operationId === 'reloadModel') continue; // takes seconds
        const answer = await ask(staff.service, url, {
          method: method.toUpperCase() as 'GET',
          ...as(staff.tokens[role]),
        });
        expect([operation.operationId, role, answer.status === 401 || isRefusal(answer)]).toEqual([
          operation.operationId,
          role,
          false,
        ]);
      }
    }
  });

  it('says what it needs, in words as well', () => {
    const { post: decide } = document.paths['/v1/reviews'] as unknown as Record<string, Record<string, unknown>>;
    expect(decide['x-role']).toBe('review');
    expect(decide.description).toMatch(/role review/);
    expect(decide.security).toEqual([{}, { token: [] }]);
  });
});

describe('a route', () => {
  it('that declares no role keeps the service from starting', async () => {
    const { default: Fastify } = await import('fastify');
    const users = { hasUsers: false, users: [], everyone: [], named: () => undefined, ofToken: () => undefined };
    const access = new Access({ ...users, change: async () => undefined as never }, {});
    const app = Fastify();
    addAccess(app as unknown as Api, access);
    app.get('/fine', { config: needs('open') }, async () => 'fine');
    app.get('/silent', async () => 'silent');
    await expect(app.ready()).rejects.toThrow(/GET \/silent declares no role/);
  });

  it('of the page stays open, as health and the reference do', async () => {
    const { service } = await staffed();
    for (const url of ['/', '/healthz', '/readyz', '/openapi.json', '/docs'])
      expect([url, (await ask(service, url)).status]).toEqual([url, 200]);
    expect((await ask(service, '/metrics')).status).toBe(401);
    expect((await ask(service, '/nowhere')).status).toBe(404);
  });
});

describe('users', () => {
  it('close the service as soon as there is one, and it stays closed', async () => {
    const service = await serviceOf();
    expect((await ask(service, '/v1/me')).json).toEqual({ role: 'administrate', isOpen: true });
    const early = await post(service, '/v1/users', { name: 'bob', role: 'review' });
    expect(early.status).toBe(409); // nobody could add another
    const { json } = await post(service, '/v1/users', { name: 'ann', role: 'administrate' });
    expect(json.user).toEqual({ name: 'ann', role: 'administrate', createdAt: expect.any(String) });
    for (const method of ['GET', 'HEAD'] as const)
      expect((await ask(service, '/v1/queue', { method })).status).toBe(401);
    expect((await ask(service, '/v1/me', as(json.token))).json).toEqual({
      name: 'ann',
      role: 'administrate',
      isOpen: false,
    });
    expect((await ask(service, '/v1/users/ann', { method: 'DELETE', ...as(json.token) })).status).toBe(409);
    expect((await ask(service, '/v1/users', as(json.token))).text).not.toContain(json.token);
  });

  it('lose and gain rights at once', async () => {
    const { service, tokens } = await staffed();
    const admin = as(tokens.administrate);
    const me = (token: string) => ask(service, '/v1/me', as(token));
    await ask(service, '/v1/users/review', { method: 'PATCH', payload: { role: 'read' }, ...admin });
    expect((await post(service, '/v1/reviews', review, as(tokens.review))).status).toBe(403);
    const renewed = await ask(service, '/v1/users/review', {
      method: 'PATCH',
      payload: { renewToken: true },
      ...admin,
    });
    expect((await me(tokens.review)).status).toBe(401);
    expect((await me(renewed.json.token)).json).toMatchObject({ name: 'review', role: 'read' });
    await ask(service, '/v1/users/review', { method: 'DELETE', ...admin });
    expect((await me(renewed.json.token)).status).toBe(401);
    expect((await ask(service, '/v1/users', admin)).json.users.map(({ name }: { name: string }) => name)).toEqual([
      'administrate',
      'read',
    ]);
    const again = await post(service, '/v1/users', { name: 'review', role: 'review' }, admin);
    expect((await me(again.json.token)).json.name).toBe('review');
  });

  it('get the role asked for, even where another instance has just given them another', async () => {
    const { memory, store } = MemoryStore.make();
    await memory.users.add('bob', 'review', { by: '', mayLeaveNone: true });
    const [here, there] = [
      await serviceOf({ reviews: store, token: 'hush' }),
      await serviceOf({ reviews: store, token: 'hush' }),
    ];
    const give = (service: Service, role: Role) =>
      ask(service, '/v1/users/bob', { method: 'PATCH', payload: { role }, ...as('hush') });
    await give(there, 'administrate');
    await give(here, 'review'); // as which it knows bob
    expect(await memory.users.all()).toMatchObject([{ name: 'bob', role: 'review' }]);
  });

  it('are guessed no faster than the token of the service', async () => {
    const { service, tokens } = await staffed();
    for (let i = 0; i < 10; i++) expect((await ask(service, '/v1/me', as(`guess ${i}`))).status).toBe(401);
    const answer = await ask(service, '/v1/me', as(tokens.review));
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('beside --token leave it an administrator without a name', async () => {
    const service = await serviceOf({ token: 'hush' });
    expect((await ask(service, '/v1/queue')).status).toBe(200); // as ever with the token alone
    expect((await ask(service, '/v1/users')).status).toBe(401);
    expect((await ask(service, '/v1/me')).json).toEqual({ role: 'read', isOpen: false });
    expect((await ask(service, '/v1/me', as('hush'))).json).toEqual({ role: 'administrate', isOpen: false });
    const { json } = await post(service, '/v1/users', { name: 'bob', role: 'review' }, as('hush'));
    expect((await ask(service, '/v1/queue')).status).toBe(401);
    expect((await post(service, '/v1/reviews', review, as(json.token))).json.curator).toBe('bob');
    const signed = { ...review, tag: 't003', curator: 'Eve' };
    expect((await post(service, '/v1/reviews', signed, as('hush'))).json.curator).toBe('Eve');
  });

  it('let anyone read with --public, and nobody write', async () => {
    const { service, tokens } = await staffed({ isPublic: true });
    expect((await ask(service, '/v1/queue')).status).toBe(200);
    expect((await ask(service, '/v1/me')).json).toEqual({ role: 'read', isOpen: false });
    expect((await post(service, '/v1/reviews', review)).status).toBe(401);
    expect((await ask(service, '/v1/log')).status).toBe(401);
    expect((await ask(service, '/v1/queue', as('wrong'))).status).toBe(401); // not taken for anyone else
    expect((await ask(service, '/v1/me', as(tokens.review))).json.name).toBe('review');
  });
});

describe('a name that was proved', () => {
  it('signs decisions and undos, and no other can be given', async () => {
    const { service, tokens } = await staffed();
    const bob = as(tokens.review);
    expect((await post(service, '/v1/reviews', { ...review, curator: 'Eve' }, bob)).status).toBe(403);
    const made = await post(service, '/v1/reviews', { ...review, curator: ' review ' }, bob);
    expect([made.status, made.json.curator]).toEqual([201, 'review']);
    const batch = { reviews: [{ ...review, tag: 't003', curator: 'Eve' }] };
    expect((await post(service, '/v1/reviews/batch', batch, bob)).status).toBe(403);
    const unsigned = { ...review, tag: 't005', curator: ' ' };
    expect((await post(service, '/v1/reviews', unsigned, bob)).json.curator).toBe('review');
    const undo = (query: string) => ask(service, at`/v1/reviews/${made.json.id}` + query, { method: 'DELETE', ...bob });
    expect((await undo('?curator=Eve')).status).toBe(403);
    expect((await undo('')).status).toBe(200);
    const { entries } = (await ask(service, '/v1/log', bob)).json;
    expect(entries.map(({ who, action }: { who: string; action: string }) => [who, action])).toEqual([
      ['review', 'undo'],
      ['review', 'reject'],
      ['review', 'reject'],
    ]);
  });
});

describe('a header of a proxy', () => {
  const proxy = { header: 'X-Forwarded-User', from: ['10.0.0.0/8', 'fd00::/8'] };
  const named = (name: string, from = '10.1.2.3', more: Record<string, string> = {}): InjectOptions => ({
    headers: { 'x-forwarded-user': name, ...more },
    remoteAddress: from,
  });

  it('names who asks, where it comes from the proxy', async () => {
    const service = await serviceOf({ proxy });
    for (const from of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::7'])
      expect((await ask(service, '/v1/me', named('Ann', from))).json).toEqual({
        name: 'Ann',
        role: 'review',
        isOpen: false,
      });
    expect((await post(service, '/v1/reviews', review, named('Ann'))).json.curator).toBe('Ann');
    expect((await ask(service, '/v1/users', named('Ann'))).status).toBe(403);
  });

  it('is not believed from anywhere else', async () => {
    const service = await serviceOf({ proxy, token: 'hush' });
    const property = fc.asyncProperty(fc.oneof(fc.ipV4(), fc.ipV6()), async (from) => {
      fc.pre(!/^(10\.|fd)|^::ffff:/i.test(from) && !from.startsWith('0'));
      const answer = await ask(service, '/v1/me', named('Ann', from));
      expect([from, answer.status]).toEqual([from, 401]);
    });
    await fc.assert(property, { numRuns: 100 });
    const spoofed = named('Ann', '192.0.2.1', { authorization: 'Bearer hush' });
    expect((await ask(service, '/v1/me', spoofed)).json).toEqual({ role: 'administrate', isOpen: false }); // by the token alone
  });

  it('must be there, once, and goes before a token', async () => {
    const service = await serviceOf({ proxy, token: 'hush' });
    const from = { remoteAddress: '10.0.0.1' };
    expect((await ask(service, '/v1/queue', from)).status).toBe(401);
    expect((await ask(service, '/v1/queue', named(' '))).status).toBe(401);
    expect((await ask(service, '/v1/queue', { ...from, ...as('hush') })).status).toBe(200); // a program with a token
    const both = named('Ann', '10.0.0.1', { authorization: 'Bearer hush' });
    expect((await ask(service, '/v1/me', both)).json).toMatchObject({ name: 'Ann', role: 'review' });
    const stranger = named('Ann', '10.0.0.1', { authorization: 'Bearer an-id-token-of-the-proxy' });
    expect((await ask(service, '/v1/me', stranger)).status).toBe(200);
  });

  it('gives the role of the user of that name, else that of its own header, else the default', async () => {
    const service = await serviceOf({ proxy: { ...proxy, roleHeader: 'X-Groups' }, token: 'hush' });
    const roleOf = async (name: string, groups?: string) => {
      const more = groups === undefined ? {} : { 'x-groups': groups };
      const { status, json } = await ask(service, '/v1/me', named(name, '10.0.0.1', more));
      return status === 200 ? json.role : status;
    };
    expect(await roleOf('Ann')).toBe(403); // who is in no group has no role
    expect(await roleOf('Ann', 'staff, read,review')).toBe('review');
    await post(service, '/v1/users', { name: 'Ann', role: 'administrate' }, as('hush'));
    expect(await roleOf('Ann', 'read')).toBe('administrate');
    await ask(service, '/v1/users/Ann', { method: 'DELETE', ...as('hush') });
    expect(await roleOf('Ann', 'administrate')).toBe(403); // removed is removed
    const plain = await serviceOf({ proxy: { ...proxy, role: 'read' } });
    expect((await ask(plain, '/v1/me', named('Bob'))).json.role).toBe('read');
    const bosses = await serviceOf({ proxy: { ...proxy, role: 'administrate' } });
    const added = await post(bosses, '/v1/users', { name: 'Cleo', role: 'review' }, named('Ann'));
    expect(added.status).toBe(201); // Ann still administrates
  });

  it('lets whom it gives no role read with --public, as anyone may', async () => {
    const service = await serviceOf({ proxy: { ...proxy, roleHeader: 'X-Groups' }, isPublic: true });
    for (const more of [{}, { authorization: 'Bearer an-id-token-of-the-proxy' }])
      expect((await ask(service, '/v1/me', named('Ann', '10.0.0.1', more))).json).toEqual({
        name: 'Ann',
        role: 'read',
        isOpen: false,
      });
    expect((await ask(service, '/v1/queue', named('Ann'))).status).toBe(200);
    expect((await post(service, '/v1/reviews', review, named('Ann'))).status).toBe(403);
  });

  it('that makes nobody an administrator leaves the last one among the users', async () => {
    const { store } = MemoryStore.make();
    const open = await serviceOf({ reviews: store });
    const { json } = await post(open, '/v1/users', { name: 'Ann', role: 'administrate' });
    const service = await serviceOf({ reviews: store, proxy });
    const change = (method: 'PATCH' | 'DELETE', payload: object) =>
      ask(service, '/v1/users/Ann', { method, payload, ...as(json.token) });
    expect((await change('PATCH', { role: 'review' })).status).toBe(409);
    expect((await change('DELETE', {})).status).toBe(409);
  });

  it('needs to know where the proxy is', async () => {
    for (const from of [[], ['proxy.local'], ['10.0.0.0/33'], ['10.0.0.0/x'], ['fd00::/129']])
      await expect(serviceOf({ proxy: { ...proxy, from } })).rejects.toThrow(/ADDRESS|--trust-proxy/);
  });
});

describe('claims', () => {
  const session = (letter: string) => letter.repeat(20);
  const claim = (service: Service, body: object, options: InjectOptions = {}) =>
    post(service, '/v1/queue/claims', body, options);
  const keysOf = ({ json }: Answer) => json.pairs.map(({ object, tag }: Record<string, string>) => `${object} ${tag}`);

  /** A service whose queue is whole: no better card comes into it. */
  const complete = async () => {
    const service = await serviceOf();
    await vi.waitUntil(async () => (await ask(service, '/v1/queue')).json.isComplete, { timeout: 10_000 });
    return service;
  };

  it('give each session other cards, renew them, and leave out what was skipped', async () => {
    const service = await complete();
    const first = await claim(service, { session: session('a'), limit: 3, curator: 'Ann' });
    expect(first.json.suggestions).toHaveLength(3);
    expect(Object.keys(first.json.pairs[0])).toEqual(['object', 'tag']);
    expect(first.json.suggestions[0]).toMatchObject({ ...first.json.pairs[0], title: expect.any(String) });
    const second = await claim(service, { session: session('b'), limit: 3, curator: 'Bob' });
    expect(keysOf(second).filter((key: string) => keysOf(first).includes(key))).toEqual([]);
    expect(keysOf(await claim(service, { session: session('a'), limit: 3 }))).toEqual(keysOf(first));
    const [skipped, ...others] = first.json.pairs;
    const next = await claim(service, { session: session('a'), limit: 3, without: [skipped], curator: 'Ann' });
    expect(next.json.pairs.slice(0, 2)).toEqual(others);
    const live = (await ask(service, `/v1/live?session=${session('b')}`)).json;
    expect(live.atWork).toEqual([{ who: 'Ann', numSessions: 1 }]);
    expect(live.held).toHaveLength(3);
    await ask(service, `/v1/queue/claims/${session('a')}`, { method: 'DELETE' });
    expect((await ask(service, `/v1/live?session=${session('b')}`)).json.held).toEqual([]);
  });

  it('go by the order asked for, even where nobody has asked for the queue in it', async () => {
    const service = await complete();
    const { pairs } = (await claim(service, { session: session('a'), limit: 9, order: 'useful' })).json;
    const { suggestions } = (await ask(service, '/v1/queue?order=useful&limit=9')).json;
    expect(pairs).toEqual(suggestions.map(({ object, tag }: Record<string, string>) => ({ object, tag })));
  });

  it('can be of chosen cards, in their order', async () => {
    const service = await serviceOf();
    const { suggestions } = (await ask(service, '/v1/queue?limit=4')).json;
    const pairs = suggestions.map(({ object, tag }: Record<string, string>) => ({ object, tag }));
    await claim(service, { session: session('a'), pairs: [pairs[1]] });
    const answer = await claim(service, {
      session: session('b'),
      pairs: [...pairs, { object: 'gone', tag: 'gone' }],
      limit: 2,
    });
    expect(answer.json.pairs).toEqual([pairs[0], pairs[2]]);
    expect(answer.json.suggestions).toBeUndefined();
  });

  it('are in the name that was proved', async () => {
    const { service, tokens } = await staffed();
    const body = { session: session('a') };
    expect((await claim(service, { ...body, curator: 'Eve' }, as(tokens.review))).status).toBe(403);
    expect((await claim(service, body, as(tokens.review))).status).toBe(200);
    const { atWork } = (await ask(service, '/v1/live', as(tokens.read))).json;
    expect(atWork).toEqual([{ who: 'review', numSessions: 1 }]);
  });
});

describe('what goes on', () => {
  it('tells the decisions and undos of others, counts of today, and 304 when nothing happened', async () => {
    const service = await serviceOf();
    const today = '2026-03-04T00:00:00Z';
    const start = (await ask(service, '/v1/live')).json;
    expect(start).toMatchObject({ changes: [], held: [], numOpen: expect.any(Number) });
    const { json: made } = await post(service, '/v1/reviews', {
      ...review,
      object: graph.objects.name(30),
      curator: 'Kim',
    });
    const url = `/v1/live?after=${start.revision}&today=${today}&curator=Kim`;
    const live = await ask(service, url);
    expect(live.json.changes).toEqual([{ review: made, isUndone: false }]);
    expect(live.json.today).toEqual({
      everyone: { accepted: 0, rejected: 1, unsure: 0 },
      mine: { accepted: 0, rejected: 1, unsure: 0 },
    });
    expect((await ask(service, url, { headers: { 'if-none-match': String(live.headers.etag) } })).status).toBe(304);
    await ask(service, `/v1/reviews/${made.id}`, { method: 'DELETE' });
    const after = (await ask(service, `/v1/live?after=${live.json.revision}`)).json;
    expect(after.changes).toEqual([{ review: made, isUndone: true }]);
  });
});
