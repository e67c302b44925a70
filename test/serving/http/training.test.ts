// Training again while the service answers: what is offered, the comparison, the exchange under load, taking it back, and what
// happens when the process that trains is killed, stopped or cannot write.

import { chmod, copyFile, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ModelName } from '../../../src/models/catalogue.ts';
import { loadModel } from '../../../src/models/model-file.ts';
import type { Service } from '../../../src/serving/http/service.ts';
import { exchangeForBefore } from '../../../src/serving/training/retrained-files.ts';
import { checkerboardDecisions, type Decided } from '../../retraining/decisions.ts';
import { MemoryStore } from './memory-store.ts';
import { ask, graph, modelFile, ownFolder, post, serviceOf } from './service-under-test.ts';

const decisions = checkerboardDecisions(graph);
const TRAINING = '/v1/model/training';

async function copyOf(model?: ModelName): Promise<string> {
  const path = join(await ownFolder(), 'model.tagloom');
  await copyFile(await modelFile(model), path);
  return path;
}

/** Of a copy of the model, with these decisions made. */
async function decidedService(made: readonly Decided[] = decisions, options: Parameters<typeof serviceOf>[0] = {}) {
  const path = await copyOf();
  const { memory, store } = MemoryStore.make();
  await memory.decide(made);
  const service = await serviceOf({ model: path, reviews: store, ...options });
  return { path, memory, service };
}

const facts = async (service: Service) => (await ask(service, TRAINING)).json;
const fingerprintOf = async (service: Service) => (await ask(service, '/v1/model')).json.fingerprint;
const beside = async (path: string) =>
  (await readdir(dirname(path))).filter((name) => name.startsWith(basename(path)) && !name.endsWith('map.json')).sort();

async function until(service: Service, ...states: string[]) {
  return vi.waitUntil(
    async () => {
      const now = await facts(service);
      return states.includes(now.state) ? now : undefined;
    },
    { timeout: 25_000, interval: 20 },
  );
}

describe('training again', () => {
  it('is offered from enough decisions on, trains, compares, is put in use and taken back, as often as one likes', async () => {
    const { path, service } = await decidedService();
    const before = await fingerprintOf(service);
    expect(await facts(service)).toEqual({
      state: 'idle',
      numDecisions: decisions.length,
      offeredFrom: 50,
      isOffered: true,
      canRestore: false,
      fingerprint: before,
    });
    expect((await post(service, TRAINING, {})).status).toBe(202);
    expect(['training', 'comparing', 'ready']).toContain((await facts(service)).state);
    const ready = await until(service, 'ready');
    const { comparison, numLearnt, fingerprint } = ready.trained;
    expect(comparison.accepted.numPairs).toBeGreaterThanOrEqual(20);
    expect(numLearnt).toBe(decisions.length - comparison.accepted.numPairs - comparison.rejected.numPairs);
    expect(comparison.statement).toMatch(new RegExp(`${comparison.accepted.numPairs} accepted tags`));
    expect(ready.fingerprint).toBe(before);

    const used = await ask(service, `${TRAINING}/use`, { method: 'POST' });
    expect([used.status, used.json.state, used.json.canRestore]).toEqual([200, 'idle', true]);
    expect(used.json.numDecisions).toBe(0); // what was held back waits for the next training, and is not news
    expect(await fingerprintOf(service)).toBe(fingerprint);
    expect(await beside(path)).toEqual(['model.tagloom', 'model.tagloom.before', 'model.tagloom.before.json']);

    const restored = await ask(service, '/v1/model/restore', { method: 'POST' });
    expect(restored.json).toMatchObject({
      state: 'ready',
      canRestore: false,
      fingerprint: before,
      trained: { fingerprint },
    });
    expect(await beside(path)).toEqual(['model.tagloom', 'model.tagloom.retrained', 'model.tagloom.retrained.json']);
    expect((await ask(service, `${TRAINING}/use`, { method: 'POST' })).json.fingerprint).toBe(fingerprint);
    expect((await ask(service, '/v1/model/restore', { method: 'POST' })).json.fingerprint).toBe(before);
    expect((await ask(service, TRAINING, { method: 'DELETE' })).json).toMatchObject({ state: 'idle' });
    expect(await beside(path)).toEqual(['model.tagloom']);
    expect(await readFile(path)).toEqual(await readFile(await modelFile()));
  });

  it('leaves decisions as they are: those of the training and those made meanwhile count after it', async () => {
    const { path, service } = await decidedService(decisions.slice(0, 120));
    await post(service, TRAINING, {});
    const later = decisions.slice(120);
    for (const one of later) expect((await post(service, '/v1/reviews', one)).status).toBe(201);
    await until(service, 'ready');
    await ask(service, `${TRAINING}/use`, { method: 'POST' });
    expect((await facts(service)).numDecisions).toBe(later.length);
    for (const { object, tag, decision } of decisions.filter((one) => one.object !== '..')) {
      const { json } = await ask(service, `/v1/objects/${encodeURIComponent(object)}`);
      const isOwn = json.tags.some((one: { tag: string }) => one.tag === tag);
      const isRejected = json.rejected.some((one: { tag: string }) => one.tag === tag);
      expect([isOwn, isRejected]).toEqual(decision === 'accept' ? [true, false] : [false, true]);
    }
    const learnt = await loadModel(path);
    expect(learnt.graph.tagged.size).toBeGreaterThan(graph.tagged.size + 30);
  });

  it('answers every request while models are exchanged', async () => {
    const { service } = await decidedService();
    await post(service, TRAINING, {});
    await until(service, 'ready');
    const url = await service.listen({ port: 0 });
    const statuses = new Map<number, number>();
    const fingerprints = new Set<string>();
    let isOver = false;
    const clients = Array.from({ length: 12 }, async (_, client) => {
      for (let i = client; !isOver; i++) {
        const answer = await fetch(`${url}/v1/objects/o0${20 + (i % 40)}/suggestions?limit=3`);
        await answer.arrayBuffer();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        fingerprints.add(String(answer.headers.get('etag')).slice(1, 33));
      }
    });
    const exchanged = [];
    for (const way of [`${TRAINING}/use`, '/v1/model/restore', `${TRAINING}/use`]) {
      const answer = await fetch(`${url}${way}`, { method: 'POST' });
      exchanged.push([answer.status, (await answer.json()).fingerprint]);
    }
    isOver = true;
    await Promise.all(clients);
    expect(exchanged.map(([status]) => status)).toEqual([200, 200, 200]);
    expect([...statuses.keys()]).toEqual([200]);
    expect([...statuses.values()][0]).toBeGreaterThan(100);
    expect([...fingerprints].sort()).toEqual([...new Set(exchanged.map(([, one]) => one))].sort());
  });

  it('puts a better model in use by itself only if that was asked for', async () => {
    const { service } = await decidedService();
    const before = await fingerprintOf(service);
    await post(service, TRAINING, { useIfBetter: true });
    const { verdict } = (await until(service, 'ready', 'idle')).trained?.comparison ?? { verdict: 'better' };
    expect((await fingerprintOf(service)) !== before).toBe(verdict === 'better');
    expect((await post(service, TRAINING, { useIfWorse: true })).status).toBe(400);
  });
});

describe('two services on one file', () => {
  it('serve the same model soon, whichever put it in use, and the command line as well', async () => {
    const { path, memory, service } = await decidedService(decisions, { followMs: 20 });
    const other = await serviceOf({ model: path, reviews: memory as never, followMs: 20 });
    const before = await fingerprintOf(other);
    await post(service, TRAINING, {});
    await until(service, 'ready');
    const { fingerprint } = (await ask(other, `${TRAINING}/use`, { method: 'POST' })).json;
    await vi.waitUntil(async () => (await fingerprintOf(service)) === fingerprint, { timeout: 25_000, interval: 20 });
    await exchangeForBefore(path); // as "tagloom retrain --restore" does
    for (const one of [service, other]) {
      await vi.waitUntil(async () => (await fingerprintOf(one)) === before, { timeout: 25_000, interval: 20 });
      expect((await facts(one)).state).toBe('ready');
    }
  });
});

describe('what is in the way of training', () => {
  it('is a conflict: nothing to use, nothing to go back to, nothing to stop, nothing decided', async () => {
    const { service } = await decidedService();
    for (const way of [`${TRAINING}/use`, '/v1/model/restore']) {
      const { status, json } = await ask(service, way, { method: 'POST' });
      expect([way, status, json.detail, json.cure]).toEqual([
        way,
        409,
        expect.any(String),
        expect.stringMatching(/\.$/),
      ]);
    }
    expect((await ask(service, TRAINING, { method: 'DELETE' })).status).toBe(409);
    const nothing = await decidedService([]);
    const { status, json } = await post(nothing.service, TRAINING, {});
    expect([status, json.detail]).toEqual([409, expect.stringMatching(/no decision that the model has not learnt/)]);
    expect((await facts(nothing.service)).state).toBe('idle');
  });

  it('is told where the store of reviews is away, and nothing is begun', async () => {
    const { path, memory, service } = await decidedService();
    memory.isAway = true;
    expect((await post(service, TRAINING, {})).status).toBe(503);
    memory.isAway = false;
    expect([(await facts(service)).state, await beside(path)]).toEqual(['idle', ['model.tagloom']]);
  });

  it('is told with the command to run instead', async () => {
    const handed = await serviceOf({ model: await loadModel(await modelFile()) });
    expect((await facts(handed)).obstacle.detail).toMatch(/handed a model/);
    expect((await post(handed, TRAINING, {})).status).toBe(409);
    const { path, service } = await decidedService();
    await chmod(dirname(path), 0o555);
    const isRoot = await copyFile(path, `${path}.probe`).then(
      () => true,
      () => false,
    );
    if (!isRoot) {
      const told = await facts(service);
      expect([told.isOffered, told.obstacle.cure]).toEqual([false, expect.stringMatching(/tagloom train DATA/)]);
      expect((await post(service, TRAINING, {})).status).toBe(409);
    }
    await chmod(dirname(path), 0o755);
  });
});
