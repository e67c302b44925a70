// Loading a model again in a thread: what becomes of files that never end, of those who ask at once, and of a service that closes.

import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { graphFromItems } from '../../../src/data/items.ts';
import { CancelledError } from '../../../src/errors.ts';
import { loadModel, saveModel } from '../../../src/models/model-file.ts';
import { modelFingerprint } from '../../../src/models/model-fingerprint.ts';
import { train } from '../../../src/pipeline.ts';
import { ModelHolder } from '../../../src/serving/http/model-holder.ts';
import { readied, readyInThread } from '../../../src/serving/http/readied-model.ts';
import { MemoryStore } from './memory-store.ts';
import { ask, modelFile, ownFolder, serviceOf } from './service-under-test.ts';

const ENDLESS = new URL('data:text/javascript,for(;;);');
const reloading = (service: Parameters<typeof ask>[0]) => ask(service, '/v1/model/reload', { method: 'POST' });

it.each(['loom', 'itemknn', 'popularity'] as const)('a thread hands over %s as it is in the file', async (name) => {
  const path = await modelFile(name);
  const found = await readyInThread(path, [], {}, new AbortController().signal);
  const wanted = readied(await loadModel(path));
  expect(found).toEqual(wanted);
  const { objects } = found.model.graph;
  for (let id = 0; id < objects.size; id++) expect(objects.idOf(objects.name(id))).toBe(id);
  expect(objects.idOf('nothing of this name')).toBe(-1);
});

it('a thread hands over texts that lie in a file beside the model, and says so where it is missing', async () => {
  const folder = await ownFolder();
  const path = join(folder, 'shop.tagloom');
  const items = ['tent', 'stove', 'rope'].map((text, i) => ({ id: `o${i}`, text, tags: [`t${i % 2}`] }));
  const model = await train(graphFromItems(items), { model: 'popularity', threads: 1 });
  await saveModel(path, model, {}, { objectsFileFrom: 0 });
  const found = await readyInThread(path, [], {}, new AbortController().signal);
  expect(found.model.graph.texts[0].texts.toArray()).toEqual(['tent', 'stove', 'rope']);
  expect(found.fingerprint).toBe(modelFingerprint(model));
  for (const name of await readdir(folder)) if (name.includes('.objects-')) await rm(join(folder, name));
  await expect(readyInThread(path, [], {}, new AbortController().signal)).rejects.toThrow(
    /\.objects-.*got no such file/,
  );
});

it('a file that does not load within the limit is given up, and the model before it answers all the while', async () => {
  const service = await serviceOf({ modelThread: ENDLESS, loadLimitMs: 300 });
  const before = (await ask(service, '/v1/model')).json;
  let isOver = false;
  const reload = reloading(service).finally(() => {
    isOver = true;
  });
  let numAnswers = 0;
  while (!isOver) {
    expect((await ask(service, '/healthz')).status).toBe(200);
    expect((await ask(service, '/v1/objects/o030/suggestions')).status).toBe(200);
    numAnswers++;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { status, json } = await reload;
  expect(status).toBe(422);
  expect(json.detail).toMatch(/a file that was not read within 0\.3 s.*The model before it goes on/);
  expect(numAnswers).toBeGreaterThan(2);
  expect((await ask(service, '/v1/model')).json).toEqual(before);
});

it('reloads that are asked for while one runs become one, which reads the file after they asked', async () => {
  const path = join(await ownFolder(), 'model.tagloom');
  await copyFile(await modelFile('loom'), path);
  const loads: number[] = [];
  const options = { cacheBytes: 0, warn: () => {}, onLoad: (seconds: number) => loads.push(seconds) };
  const holder = await ModelHolder.open(path, await loadModel(path), MemoryStore.make().store, options);
  const first = holder.reload();
  await copyFile(await modelFile('itemknn'), path);
  const others = Array.from({ length: 20 }, () => holder.reload());
  expect(new Set(others).size).toBe(1);
  await first.catch(() => {}); // may have met the file while it was copied
  const numBefore = loads.length;
  await Promise.all(others);
  expect(loads.length - numBefore).toBe(1);
  expect(await holder.use(({ model }) => model.name)).toBe('itemknn');
  await copyFile(await modelFile('loom'), path);
  await holder.reload();
  expect(await holder.use(({ model }) => model.name)).toBe('loom');
  await holder.close();
  await expect(holder.reload()).rejects.toThrow(CancelledError);
});

it('a service that closes ends what is being loaded and tells those who wait', async () => {
  const service = await serviceOf({ modelThread: ENDLESS });
  await service.listen({ port: 0 });
  const waiting = Array.from({ length: 60 }, () => reloading(service));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await service.close(); // would wait for a minute each
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers[0].json.detail).toBe('The service is closing.');
});
