// Loading the model anew, while people ask, and when the file is damaged.

import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelName } from '../../../src/models/catalogue.ts';
import { Curation } from '../../../src/serving/curation/curation.ts';
import { MemoryStore } from './memory-store.ts';
import { type Answer, ask, modelFile, ownFolder, post, serviceOf } from './service-under-test.ts';

const reloading = (service: Parameters<typeof ask>[0]) => ask(service, '/v1/model/reload', { method: 'POST' });

async function copyOf(model?: ModelName): Promise<string> {
  const path = join(await ownFolder(), 'model.tagloom');
  await copyFile(await modelFile(model), path);
  return path;
}

describe('POST /v1/model/reload', () => {
  it('takes up another model under load, and drops no request', async () => {
    const path = await copyOf();
    const service = await serviceOf({ model: path });
    const url = await service.listen({ port: 0 });
    const fingerprints = new Set<string>();
    const statuses = new Map<number, number>();
    let isOver = false;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let i = client; !isOver; i++) {
        const object = `o0${20 + (i % 40)}`;
        const answer = await fetch(`${url}/v1/objects/${object}/suggestions?limit=3`);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect((await answer.json()).object).toBe(object);
        fingerprints.add(String(answer.headers.get('etag')).slice(1, 33));
      }
    });
    const loaded: Answer[] = [];
    for (const model of ['itemknn', 'loom', 'itemknn', 'loom'] as const) {
      await copyFile(await modelFile(model), path);
      loaded.push(await reloading(service));
    }
    isOver = true;
    await Promise.all(clients);
    expect(loaded.map(({ status, json }) => [status, json.name])).toEqual([
      [200, 'itemknn'],
      [200, 'loom'],
      [200, 'itemknn'],
      [200, 'loom'],
    ]);
    expect([...statuses.keys()]).toEqual([200]);
    expect([...fingerprints].sort()).toEqual([...new Set(loaded.map(({ json }) => json.fingerprint))].sort());
  });

  it('leaves the old one at work where the file is damaged or gone, and says so', async () => {
    const path = await copyOf();
    const service = await serviceOf({ model: path });
    const before = (await ask(service, '/v1/model')).json;
    const suggestions = (await ask(service, '/v1/objects/o030/suggestions')).json;
    const whole = await readFile(path);
    const flipped = Buffer.from(whole);
    flipped[flipped.length - 5] ^= 1;
    for (const damaged of [
      flipped,
      whole.subarray(0, whole.length / 2),
      Buffer.from('no model at all'),
      Buffer.alloc(0),
    ]) {
      await writeFile(path, damaged);
      const { status, json } = await reloading(service);
      expect(status).toBe(422);
      expect(json.detail).toMatch(/The model before it goes on\.$/);
      expect(json.cure).toMatch(/\.$/);
      expect((await ask(service, '/v1/model')).json).toEqual(before);
      expect((await ask(service, '/v1/objects/o030/suggestions')).json).toEqual(suggestions);
    }
    await writeFile(path, whole);
    const { status, json } = await reloading(service);
    expect(status).toBe(200);
    expect(json.fingerprint).toBe(before.fingerprint);
    await expect((await serviceOf({ model: join(await ownFolder(), 'none') }).catch((error) => error)).message).toMatch(
      /none/,
    );
  });

  it('keeps reviews, those made meanwhile as well', async () => {
    const { memory, store } = MemoryStore.make();
    const service = await serviceOf({ model: await copyOf(), reviews: store });
    const [one, two] = (await ask(service, '/v1/objects/o030/suggestions')).json.suggestions;
    const turns = async () => {
      for (let i = 0; i < 100; i++) await new Promise(setImmediate);
    };
    let open = () => {};
    memory.gate = new Promise<void>((resolve) => (open = resolve));
    const opened = Curation.open;
    let numOpened = 0;
    let second: Promise<Answer> | undefined;
    Curation.open = async (...args) => {
      numOpened++;
      const curation = await opened.apply(Curation, args); // it has read all reviews there are
      second = post(service, '/v1/reviews', { object: 'o030', tag: two.tag, decision: 'reject' });
      await turns();
      return curation;
    };
    onTestFinished(() => {
      Curation.open = opened;
    });
    // one decision is on its way when the model is loaded anew, and one comes just before the new model is in service
    const first = post(service, '/v1/reviews', { object: 'o030', tag: one.tag, decision: 'accept' });
    while (memory.numWaiting === 0) await new Promise(setImmediate);
    const reload = reloading(service);
    await turns();
    expect(numOpened).toBe(0);
    open();
    expect((await first).status).toBe(201);
    expect((await reload).status).toBe(200);
    expect((await second)?.status).toBe(201);
    expect(numOpened).toBe(1);
    const { tags, rejected } = (await ask(service, '/v1/objects/o030')).json;
    expect(tags.map((tag: { tag: string }) => tag.tag)).toContain(one.tag);
    expect(rejected.map((tag: { tag: string }) => tag.tag)).toEqual([two.tag]);
  });

  it('is refused where the service was handed a model, and 503 where the store is away', async () => {
    const { loadModel } = await import('../../../src/models/model-file.ts');
    const handed = await serviceOf({ model: await loadModel(await modelFile()) });
    expect(await reloading(handed)).toMatchObject({
      status: 422,
      json: { detail: expect.stringMatching(/handed a model/) },
    });
    const { memory, store } = MemoryStore.make();
    const service = await serviceOf({ reviews: store });
    memory.isAway = true;
    expect((await reloading(service)).status).toBe(503);
    expect((await ask(service, '/v1/objects/o030/suggestions')).status).toBe(200);
    memory.isAway = false;
    expect((await reloading(service)).status).toBe(200);
  });

  it('answers each of several who ask at once, and service.reload() does the same', async () => {
    const service = await serviceOf({ model: await copyOf() });
    const answers = await Promise.all([reloading(service), reloading(service), reloading(service)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { loadedAt } = (await ask(service, '/v1/model')).json;
    await service.reload();
    expect((await ask(service, '/v1/model')).json.loadedAt >= loadedAt).toBe(true);
  });
});
