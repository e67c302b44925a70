// Far more requests than the suite draws, over sockets, several at a time, with headers that clients get wrong. How many, and of
// which model: TAGLOOM_REQUESTS=200000 TAGLOOM_MODEL=npm.tagloom. It prints how long the slowest answers took.

import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { loadModel } from '../../src/models/model-file.ts';
import { type Drawn, documentOf, holds, requestOf } from '../serving/http/arbitrary-requests.ts';
import { type Answer, graph, serviceOf, storeFolder } from '../serving/http/service-under-test.ts';

const MAP_THREAD = new URL('../../dist/serving/map/map-thread.js', import.meta.url);
const NUM_REQUESTS = Number(process.env.TAGLOOM_REQUESTS ?? 15_000);
const { TAGLOOM_MODEL: MODEL } = process.env;
const SEEDS = [1, 2, 3, 4]; // each draws its own requests, at the same time as the others
const PATIENCE_MS = 60_000; // longer than any limit of the service: whoever waits this long was forgotten
const HEADERS = [
  { 'if-none-match': '*' },
  { 'if-none-match': 'W/"x", "y"' },
  { accept: 'text/html' },
  { 'accept-encoding': 'gzip' },
  { expect: '100-continue' },
  { expect: 'a-miracle' },
  { host: 'evil.example' },
  { host: 'localhost' },
  { origin: 'https://evil.example' },
  { authorization: 'Bearer wrong' },
  { connection: 'close' },
  { connection: 'upgrade', upgrade: 'websocket' },
  { 'x-forwarded-for': '192.0.2.1' },
  { 'x-long': 'a'.repeat(20_000) },
  { 'transfer-encoding': 'chunked' },
];

const agent = new Agent({ keepAlive: true, maxSockets: SEEDS.length });
afterAll(() => agent.destroy());

/** One request over a socket, and how long it took. */
function send(
  url: string,
  { url: path, method, headers, payload }: Drawn['options'],
): Promise<Answer & { ms: number }> {
  const began = performance.now();
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ ...{ hostname, port, path, method, agent }, headers: headers as Record<string, string> });
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('error', reject).on('end', () => {
        const { statusCode: status = 0, headers: found } = response;
        const isJson = /json/.test(String(found['content-type'])) && text !== '';
        const ms = performance.now() - began;
        resolve({ status, headers: found, text, json: isJson ? JSON.parse(text) : undefined, ms });
      });
    });
    asked.on('error', reject);
    asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error(`No answer in ${PATIENCE_MS} ms: ${method} ${path}`)));
    asked.end(payload as string | undefined);
  });
}

it(
  `any of ${NUM_REQUESTS} requests gets an answer the document foretells, on a real store`,
  async () => {
    const service = await serviceOf({
      ...{ mapThread: MAP_THREAD, reviews: await storeFolder() },
      ...(MODEL !== undefined && { model: MODEL }),
    });
    const url = await service.listen({ port: 0 });
    const document = await documentOf(service);
    const of = MODEL === undefined ? graph : (await loadModel(MODEL)).graph;
    // loading a model of a real size again takes seconds, thousands of times
    const without = MODEL === undefined ? [] : ['reloadModel'];
    const slowest = new Map<string, { ms: number; path: string }>();
    const counts = new Map<string, number>();
    const run = (seed: number) => {
      const property = fc.asyncProperty(requestOf(document, { of, without, headers: HEADERS }), async (drawn) => {
        let ms = 0;
        const became = await holds(
          async (options) => {
            const answer = await send(url, options);
            ({ ms } = answer);
            return answer;
          },
          document,
          drawn,
        );
        counts.set(became, (counts.get(became) ?? 0) + 1);
        if (ms > (slowest.get(became)?.ms ?? 0)) slowest.set(became, { ms, path: drawn.options.url.slice(0, 120) });
      });
      return fc.assert(property, { numRuns: Math.ceil(NUM_REQUESTS / SEEDS.length), seed, endOnFailure: true });
    };
    await Promise.all(SEEDS.map(run));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThanOrEqual(NUM_REQUESTS);
    const worst = [...slowest].sort(([, a], [, b]) => b.ms - a.ms).slice(0, 10);
    const lines = worst.map(([became, { ms, path }]) => `${ms.toFixed(0).padStart(6)} ms  ${became}  ${path}`);
    process.stdout.write(`${total} requests, ${counts.size} kinds of answers; the slowest:\n${lines.join('\n')}\n`);
  },
  3 * 3_600_000,
);
