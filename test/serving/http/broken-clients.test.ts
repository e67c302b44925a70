// Clients that are slow, broken or too much: each gets a problem with strict headers, or is cut off, and nobody else notices.

import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { STRICT_HEADERS } from '../../../src/serving/http/guard.ts';
import { openService } from '../../../src/serving/http/service.ts';
import type { Review } from '../../../src/serving/reviews/review-store.ts';
import { MemoryStore } from './memory-store.ts';
import { get, raw } from './raw-request.ts';
import { modelFile, serviceOf } from './service-under-test.ts';

/** The parts of one answer as it came over the wire. */
function parsed(answer: string) {
  const [head, body] = answer.split('\r\n\r\n', 2);
  const [first, ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0].toLowerCase(), line.replace(/^.*?: */, '')]),
  );
  return { status: Number(first.split(' ')[1]), reason: first.split(' ').slice(2).join(' '), headers, body };
}

/** An answer that says what to do, with the headers that every answer has. */
function expectProblem(answer: string, status: number, detail = /\w/): void {
  const { headers, body, ...found } = parsed(answer);
  expect(found).toEqual({ status, reason: STATUS_CODES[status] });
  expect(headers).toMatchObject(STRICT_HEADERS);
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(JSON.parse(body)).toMatchObject({
    status,
    title: STATUS_CODES[status],
    detail: expect.stringMatching(detail),
  });
  expect(JSON.parse(body).cure).toMatch(/\.$/);
}

describe('requests that never reach a route', () => {
  let url: string;
  beforeAll(async () => {
    url = await (await serviceOf({ timeouts: { headersMs: 200, requestMs: 300, checkMs: 20 } })).listen({ port: 0 });
  });
  const end = 'Host: localhost\r\nConnection: close\r\n\r\n';

  it.each([
    ['no HTTP at all', 'HELLO\r\n\r\n', 400, /HTTP/],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, /HTTP/],
    ['a header without a name', `GET /healthz HTTP/1.1\r\n: x\r\n${end}`, 400, /HTTP/],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /Host/],
    ['an empty Host', 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 421, /Host/],
    ['two lengths', `POST /v1/suggest HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${end}`, 400, /HTTP/],
    ['an expectation', `GET /healthz HTTP/1.1\r\nExpect: a-miracle\r\n${end}`, 417, /100-continue/],
    ['headers that do not come', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow:', 408, /in time/],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', 405, /CONNECT/],
    ['a long URL', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${end}`, 431, /16 KB/],
    ['a method that a path does not have', `DELETE /v1/model HTTP/1.1\r\n${end}`, 405, /GET/],
    ['a method nobody knows', `PROPFIND /v1/model HTTP/1.1\r\n${end}`, 405, /GET/],
    ['an address of another service', `GET http://evil.example/v1/model HTTP/1.1\r\n${end}`, 421, /evil.example/],
    ['a path that is none', `GET /v1/objects/% HTTP/1.1\r\n${end}`, 400, /%/],
  ])('get a problem and strict headers: %s', async (_what, text, status, detail) => {
    expectProblem(await raw(url, text), status, detail);
  });

  const post = 'POST /v1/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  it.each([
    ['headers', 431, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n', `X-Header: ${'a'.repeat(8000)}\r\n`],
    ['a body', 413, `${post}Content-Length: 10000000\r\n\r\n`, ' '.repeat(8000)],
  ])('get it also where the client goes on sending %s for a while', async (_what, status, head, piece) => {
    const { port } = new URL(await (await serviceOf()).listen({ port: 0 })); // with more time than others have here
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const errors: string[] = [];
    socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code ?? ''));
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes));
    const closed = once(socket, 'close');
    socket.write(head);
    for (let numMore = 3; numMore > 0 && !socket.destroyed; numMore -= answer === '' ? 0 : 1) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.end();
    await closed;
    expect(errors).toEqual([]);
    expectProblem(answer, status);
  });

  it('do not write into an answer that has begun', async () => {
    const { memory, store } = MemoryStore.make();
    memory.all = async function* () {
      yield { object: 'o030', tag: 't001' } as Review;
      await new Promise(() => {}); // the rest never comes
    };
    const own = await serviceOf({ reviews: store });
    const socket = connect(Number(new URL(await own.listen({ port: 0 })).port), '127.0.0.1');
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    let answer = '';
    socket.on('data', (bytes) => {
      if (answer === '') socket.write('HELLO\r\n\r\n');
      answer += bytes;
    });
    socket.write('GET /v1/reviews/export HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await closed;
    expect(answer.match(/HTTP\/1.1 /g)).toEqual(['HTTP/1.1 ']);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it('are told what the path takes, and OPTIONS as well', async () => {
    const allowed = 'GET, HEAD, OPTIONS';
    expect(parsed(await raw(url, `PUT /v1/model HTTP/1.1\r\n${end}`)).headers.allow).toBe(allowed);
    const options = parsed(await raw(url, `OPTIONS /v1/reviews/7 HTTP/1.1\r\n${end}`));
    expect([options.status, options.headers.allow]).toEqual([204, 'DELETE, OPTIONS']);
    expect(options.headers).toMatchObject(STRICT_HEADERS);
    expectProblem(await raw(url, `OPTIONS /nothing HTTP/1.1\r\n${end}`), 404);
    const head = parsed(await raw(url, `HEAD /nothing HTTP/1.1\r\n${end}`));
    expect([head.status, head.body]).toEqual([404, '']);
    expect(head.headers).toMatchObject(STRICT_HEADERS);
  });

  it('are answered where they ask for another protocol, and nothing after them waits', async () => {
    const upgrade = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    const answer = await raw(url, `${upgrade}GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${end}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is);
    expect(answer).not.toContain('408');
  });

  it('may wait to be told to go on', async () => {
    const body = '{"tags":["t001"]}';
    const head = `POST /v1/suggest HTTP/1.1\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n`;
    const answer = await raw(url, `${head}Content-Length: ${body.length}\r\n${end}${body}`);
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  it('are taken without a Host in HTTP/1.0, as health checks send them', async () => {
    expect(await raw(url, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
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
