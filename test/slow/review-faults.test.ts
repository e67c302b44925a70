// Services that share a store of reviews, killed, paused, resumed and doubled at random moments while clients decide: what was
// acknowledged is there, and nothing twice. It prints what was acknowledged, lost and doubled, and how many faults there were.
//   TAGLOOM_FAULT_SECONDS    for how long, for each store (default 30)
//   TAGLOOM_FAULT_DECISIONS  how many decisions are to be acknowledged (default one a second); it goes on until there are so
//                            many, for three times as long at most
// Ten minutes and 20,000 decisions for the embedded store; for PostgreSQL, -t PostgreSQL instead:
//   TAGLOOM_SLOW=1 TAGLOOM_FAULT_SECONDS=600 TAGLOOM_FAULT_DECISIONS=20000 \
//     node node_modules/vitest/vitest.mjs run test/slow/review-faults.test.ts -t embedded

import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { Random } from '../../src/random.ts';
import { type Decision, ReviewStore } from '../../src/serving/reviews/review-store.ts';
import { graphFrom } from '../../src/tagloom.ts';
import { emptyStoreFolder } from '../serving/reviews/embedded.ts';
import { startPostgres, whyNoPostgres } from '../serving/reviews/postgres.ts';
import { type Served, served } from '../serving/served-process.ts';

const SECONDS = Number(process.env.TAGLOOM_FAULT_SECONDS ?? 30);
const TARGET = Number(process.env.TAGLOOM_FAULT_DECISIONS ?? SECONDS);
const NUM_TAGS = 150;
const NUM_OBJECTS = Math.max(400, 4 * SECONDS, Math.ceil((4 * TARGET) / NUM_TAGS)); // more pairs than can be decided
const NUM_CLIENTS = 8;
const ANSWER_MS = 4_000; // that a client waits for one that may be paused
vi.setConfig({ testTimeout: (3 * SECONDS + 240) * 1000 });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function modelFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  const tagged = names('o', NUM_OBJECTS).map((object, i) => [object, `t${i % NUM_TAGS}`] as const);
  const model = await train(graphFrom({ interact: [], tagged }), { model: 'popularity', threads: 1 });
  await saveModel(join(folder, 'model.tagloom'), model);
  return join(folder, 'model.tagloom');
}

async function serving(model: string, reviews: string): Promise<Served> {
  const service = await served(model, '--reviews', reviews);
  onTestFinished(() => void service.child.kill('SIGKILL'));
  return service;
}

/** Clients that decide pair after pair at any of the services until told to stop, and what was acknowledged to them. */
class Clients {
  readonly acknowledged = new Map<string, { readonly id: string; readonly decision: Decision }>();
  targets: readonly string[] = [];
  #next = 0;
  #isStopped = false;
  readonly #random = new Random(1, 'which service to ask');
  readonly #running = Array.from({ length: NUM_CLIENTS }, () => this.#run());

  /** Whether the faults may end: the time is over and enough was acknowledged, or will never be. */
  isDone(beganMs: number): boolean {
    const seconds = (performance.now() - beganMs) / 1000;
    return seconds >= 3 * SECONDS || (seconds >= SECONDS && this.acknowledged.size >= TARGET);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && this.#next < NUM_OBJECTS * NUM_TAGS) {
      const i = this.#next++;
      const pair = { object: `o${i % NUM_OBJECTS}`, tag: `t${Math.floor(i / NUM_OBJECTS)}` };
      while (!this.#isStopped && !(await this.#isDecided(pair, i % 3 === 0 ? 'reject' : 'accept'))) await pause(20);
    }
  }

  async #isDecided(pair: { object: string; tag: string }, decision: Decision): Promise<boolean> {
    const target = this.targets[this.#random.below(Math.max(1, this.targets.length))];
    if (target === undefined) return false;
    const answer = await postReview(target, { ...pair, decision }).catch(() => undefined);
    if (answer === undefined) return false;
    if (answer.status === 503) return false;
    expect([200, 201]).toContain(answer.status); // 200: decided before, but nobody heard
    this.acknowledged.set(`${pair.object} ${pair.tag}`, { id: answer.id, decision });
    return true;
  }
}

async function postReview(url: string, body: object): Promise<{ status: number; id: string }> {
  const answer = await fetch(`${url}/v1/reviews`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, curator: 'Ada' }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return { status: answer.status, id: (await answer.json()).id };
}

/** None lost, none changed, none twice. */
async function check(
  where: string,
  { acknowledged }: Clients,
  numFaults: Readonly<Record<string, number>>,
): Promise<void> {
  const store = await ReviewStore.open(where);
  const found = new Map<string, { id: string; decision: Decision }>();
  let numFound = 0;
  for (const decision of ['accept', 'reject'] as const) {
    for await (const { id, object, tag } of store.all(decision)) {
      found.set(`${object} ${tag}`, { id, decision });
      numFound++;
    }
  }
  await store.close();
  const lost = [...acknowledged].filter(([pair, { id, decision }]) => {
    const kept = found.get(pair);
    return kept?.id !== id || kept.decision !== decision;
  });
  const told = { acknowledged: acknowledged.size, lost: lost.length, double: numFound - found.size, ...numFaults };
  process.stdout.write(`${where.replace(/:.*/, '')}: ${JSON.stringify(told)}\n`);
  expect(lost).toEqual([]);
  expect(numFound).toBe(found.size);
  expect(acknowledged.size).toBeGreaterThanOrEqual(TARGET);
}

/** As if the holder were in a container nobody sees into, and silent for long. */
async function estrange(folder: string): Promise<void> {
  const path = join(folder, 'reviews.lock');
  const holder = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, `${JSON.stringify({ ...holder, space: 'another container' })}\n`);
  await utimes(path, 0, 0);
}

it('an embedded store loses nothing and keeps nothing twice', async () => {
  const [model, folder] = [await modelFile(), await emptyStoreFolder()];
  const random = new Random(1, 'faults');
  const clients = new Clients();
  const start = () => serving(model, folder);
  const numFaults = { killed: 0, refused: 0, resumed: 0, takenOver: 0 };
  let holder = await start();
  const beganMs = performance.now();
  while (!clients.isDone(beganMs)) {
    clients.targets = [holder.url];
    await pause(random.below(2000));
    const fault = random.below(3);
    if (fault === 0) {
      await holder.end('SIGKILL');
      holder = await start();
      numFaults.killed++;
    } else if (fault === 1) {
      await expect(start()).rejects.toThrow(`that process ${holder.child.pid} uses`);
      numFaults.refused++;
    } else {
      const second = await takeOver(holder, folder, clients, start, 500 + random.below(8000));
      numFaults[second === undefined ? 'resumed' : 'takenOver']++;
      holder = second ?? holder;
    }
  }
  await clients.stop();
  expect(await holder.end('SIGTERM')).toBe(0);
  await check(folder, clients, numFaults);
});

/** Pauses the holder, starts another, resumes the first some time later: from then on it refuses, for good. */
async function takeOver(
  first: Served,
  folder: string,
  clients: Clients,
  start: () => Promise<Served>,
  resumeMs: number,
): Promise<Served | undefined> {
  first.child.kill('SIGSTOP');
  await estrange(folder);
  const resumed = pause(resumeMs).then(() => first.child.kill('SIGCONT'));
  const second = await start().catch((error) => void expect(String(error)).toMatch(/that process \d+ uses/));
  await resumed;
  if (second === undefined) return undefined; // it was back before the other looked
  clients.targets = [first.url, second.url];
  await pause(500);
  expect((await postReview(first.url, { object: 'o0', tag: 't0', decision: 'accept' })).status).toBe(503);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(503);
  expect(first.errors()).toMatch(/warning: process \d+ took over the reviews in/);
  await first.end('SIGKILL');
  return second;
}

it.skipIf(whyNoPostgres !== undefined)('a PostgreSQL server loses nothing and keeps nothing twice', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const [model, url] = [await modelFile(), await server.database('faults')];
  const random = new Random(2, 'faults');
  const clients = new Clients();
  const start = () => serving(model, url);
  const numFaults = { killed: 0, paused: 0, joined: 0, crashed: 0 };
  const services = [await start(), await start()];
  const beganMs = performance.now();
  while (!clients.isDone(beganMs)) {
    clients.targets = services.map((service) => service.url);
    await pause(random.below(2000));
    const [fault, i] = [random.below(8), random.below(services.length)];
    if (fault < 3 && services.length > 1) {
      const [killed] = services.splice(i, 1);
      await killed.end('SIGKILL');
      numFaults.killed++;
    } else if (fault < 6) {
      services[i].child.kill('SIGSTOP');
      await pause(random.below(3000));
      services[i].child.kill('SIGCONT');
      numFaults.paused++;
    } else if (fault === 6 && services.length > 1) {
      await server.stop();
      await server.start();
      numFaults.crashed++;
    }
    if (services.length < 2) {
      services.push(await start());
      numFaults.joined++;
    }
  }
  await clients.stop();
  for (const service of services) expect(await service.end('SIGTERM')).toBe(0);
  await check(url, clients, numFaults);
});
