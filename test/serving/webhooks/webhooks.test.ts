// Webhooks: what is told, signed so that a receiver can check it, in order, at least once, by one instance at a time.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import type { WebhookTimes } from '../../../src/serving/webhooks/webhook-sender.ts';
import { checkWebhooks, startWebhooks } from '../../../src/serving/webhooks/webhooks.ts';
import { emptyStore } from '../people/empty-store.ts';

const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
const SECRET = `whsec_${KEY.toString('base64')}`;
const TIMES = { pollMs: 10, answerMs: 300, retryMs: 10, longestRetryMs: 40, leaseMs: 400, warnAfterMs: 30 };

interface Event {
  readonly type: string;
  readonly object: string;
  readonly decision: string;
  readonly who: string;
  readonly revision: string;
}

interface Told {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Receiver {
  readonly url: string;
  readonly told: Told[];
  /** Of what was answered with 2xx. */
  readonly events: Event[];
  /** What is answered next; 0: nothing at all. */
  answer: number;
}

async function receiver(): Promise<Receiver> {
  const state: Receiver & { url: string } = { url: '', told: [], events: [], answer: 204 };
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    state.told.push({ headers: request.headers, body });
    if (state.answer === 0) return;
    if (state.answer < 300) state.events.push(...JSON.parse(body).data.events);
    response.writeHead(state.answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?key=hush`;
  return state;
}

function telling(store: ReviewStore, urls: readonly string[], times: Partial<WebhookTimes> = {}) {
  const [warned, sent] = [[] as string[], [] as string[]];
  const metrics = { sent: (outcome: string, count: number) => sent.push(`${outcome} ${count}`), waiting: vi.fn() };
  const warn = (message: string) => warned.push(message);
  const running = startWebhooks({ urls, secret: SECRET }, { store, metrics, warn, times: { ...TIMES, ...times } });
  onTestFinished(() => running.close());
  return { ...running, warned, sent, waiting: metrics.waiting };
}

/** A webhook tells what happens after it was set up. */
const begun = (store: ReviewStore, { url }: Receiver) => store.webhooks.begin(url);
const accept = (object: string, curator = 'ann') => ({ object, tag: 't', decision: 'accept', curator }) as const;

describe('a webhook', () => {
  it('gets what was decided and undone, in order, signed as the convention has it', async () => {
    const [store, hook] = [await emptyStore(), await receiver()];
    await store.decide([accept('before')]);
    await begun(store, hook);
    const [{ review }] = await store.decide([accept('o')]);
    await store.undo(review.id, 'bob');
    await store.decide([accept('p')]);
    telling(store, [hook.url]);
    await vi.waitFor(() => expect(hook.events).toHaveLength(3));
    expect(hook.events.map(({ type, object, who, decision }) => [type, object, who, decision])).toEqual([
      ['decided', 'o', 'ann', 'accept'],
      ['undone', 'o', 'bob', 'accept'],
      ['decided', 'p', 'ann', 'accept'],
    ]);
    const revisions = hook.events.map(({ revision }) => Number(revision));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    const [{ headers, body }] = hook.told;
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', KEY).update(content).digest('base64')}`);
    expect(JSON.parse(body)).toMatchObject({ type: 'reviews.changed', timestamp: expect.stringMatching(/Z$/) });
  });

  it('gets at most 100 at a time', async () => {
    const [store, hook] = [await emptyStore(), await receiver()];
    await begun(store, hook);
    await store.decide(Array.from({ length: 250 }, (_, i) => accept(`o${i}`)));
    const { sent } = telling(store, [hook.url]);
    await vi.waitFor(() => expect(hook.events).toHaveLength(250));
    expect(hook.told.map(({ body }) => JSON.parse(body).data.events.length)).toEqual([100, 100, 50]);
    await vi.waitFor(() => expect(sent).toEqual(['delivered 100', 'delivered 100', 'delivered 50']));
    expect(hook.events.map(({ object }) => object)).toEqual(Array.from({ length: 250 }, (_, i) => `o${i}`));
  });

  it('that fails or hangs gets the same again, with the same id, and the operator hears of it once', async () => {
    const [store, hook] = [await emptyStore(), await receiver()];
    await begun(store, hook);
    hook.answer = 500;
    const running = telling(store, [hook.url]);
    await store.decide([accept('o')]); // which it does not hold up
    await vi.waitFor(() => expect(hook.told.length).toBeGreaterThan(2));
    await vi.waitFor(() => expect(running.warned).toHaveLength(1));
    expect(running.warned[0]).toMatch(/^The webhook http:\/\/127\.0\.0\.1:\d+ is behind: it answered 500\./); // no path, no key
    hook.answer = 0;
    const numBefore = hook.told.length;
    await vi.waitFor(() => expect(hook.told.length).toBeGreaterThan(numBefore + 1)); // the first hung, and was given up
    expect(running.waiting).toHaveBeenLastCalledWith(expect.any(String), 1);
    hook.answer = 200;
    await vi.waitFor(() => expect(hook.events).toHaveLength(1));
    expect(new Set(hook.told.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await vi.waitFor(() => expect(running.warned[1]).toMatch(/works again/));
  });

  it('that is gone is switched off, until the service starts again', async () => {
    const [store, hook] = [await emptyStore(), await receiver()];
    await begun(store, hook);
    hook.answer = 410;
    const first = telling(store, [hook.url]);
    await store.decide([accept('o')]);
    await vi.waitFor(() => expect(first.warned).toEqual([expect.stringMatching(/answered 410 and is switched off/)]));
    await first.close();
    expect(hook.told).toHaveLength(1);
    hook.answer = 200;
    telling(store, [hook.url]);
    await vi.waitFor(() => expect(hook.events).toHaveLength(1));
  });

  it('hears nothing twice of two instances, and goes on with the other when one ends', async () => {
    const [store, hook] = [await emptyStore(), await receiver()];
    await begun(store, hook);
    const instances = [telling(store, [hook.url]), telling(store, [hook.url])];
    for (let i = 0; i < 10; i++) await store.decide([accept(`o${i}`)]);
    await vi.waitFor(() => expect(hook.events).toHaveLength(10));
    await instances[0].close();
    for (let i = 10; i < 15; i++) await store.decide([accept(`o${i}`)]);
    await vi.waitFor(() => expect(hook.events).toHaveLength(15));
    await instances[1].close();
    await store.decide([accept('later')]); // while none runs
    telling(store, [hook.url]);
    await vi.waitFor(() => expect(hook.events).toHaveLength(16));
    expect(hook.events.map(({ object }) => object)).toEqual([
      ...Array.from({ length: 15 }, (_, i) => `o${i}`),
      'later',
    ]);
  });

  it("is told apart from others of the same origin, whose paths are nobody's business", async () => {
    const [store, hook] = [await emptyStore(), await receiver()];
    const other = { ...hook, url: `${hook.url}-too` };
    for (const one of [hook, other]) await begun(store, one);
    const { waiting } = telling(store, [hook.url, other.url]);
    await store.decide([accept('o')]);
    const { origin } = new URL(hook.url);
    const names = () => new Set(waiting.mock.calls.map(([name]) => name));
    await vi.waitFor(() => expect(names()).toEqual(new Set([origin, `${origin} (2)`])));
  });

  it('is taken over when an instance dies without a word', async () => {
    const [store, hook] = [await emptyStore(), await receiver()];
    await begun(store, hook);
    expect(await store.webhooks.lease(hook.url, 'dead', 300)).toBeDefined();
    telling(store, [hook.url]);
    await store.decide([accept('o')]);
    await vi.waitFor(() => expect(hook.events).toHaveLength(1));
  });

  it('needs an address that can be asked and a secret that cannot be guessed', () => {
    const check = (url: string, secret: string) => () => checkWebhooks({ urls: [url], secret });
    expect(check('ftp://example.org', SECRET)).toThrow(/expected an http: or https: URL/);
    expect(check('https://ann:hush@example.org', SECRET)).toThrow(
      /^(?!.*hush).*a user or password in the URL of the webhook https:\/\/example\.org, expected none/,
    );
    expect(check('https://example.org', 'short')).toThrow(/got a webhook secret of 5 bytes, expected 16 or more/);
    expect(check('https://example.org', SECRET)).not.toThrow();
  });
});
