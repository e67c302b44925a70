// The queue when suggestions cannot be ranked for a while, or a store cannot be read: it recovers, and says so meanwhile.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadModel } from '../../../src/models/model-file.ts';
import { Curation } from '../../../src/serving/curation/curation.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { MemoryStore } from '../http/memory-store.ts';
import { ask, modelFile, post, serviceOf } from '../http/service-under-test.ts';

const best = Recommender.prototype.suggestMany;
afterEach(() => vi.restoreAllMocks());

/** Makes ranking fail for as long as `fails` says so. */
function failing(fails: (objects: ArrayLike<number>) => boolean) {
  return vi.spyOn(Recommender.prototype, 'suggestMany').mockImplementation(function (
    this: Recommender,
    objects,
    ...rest
  ) {
    if (fails(objects)) return Promise.reject(new Error('out of memory'));
    return best.call(this, objects, ...rest);
  });
}

describe('a queue that cannot be filled', () => {
  it('is tried again until it can, while /readyz says that it is not ready', async () => {
    let isBroken = true;
    failing(() => isBroken);
    const warnings: string[] = [];
    const service = await serviceOf({ warn: (message) => warnings.push(message) });
    await vi.waitFor(async () => expect((await ask(service, '/readyz')).status).toBe(503));
    const { json, headers } = await ask(service, '/readyz');
    expect(json.detail).toMatch(/suggestions of \d+ objects could not be ranked/i);
    expect(json.detail).not.toContain('out of memory');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const queue = await ask(service, '/v1/queue');
    expect(queue.status).toBe(200);
    expect(queue.json.isComplete).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(warnings).toEqual([expect.stringMatching(/out of memory/)]); // once, however often it is tried
    isBroken = false;
    await vi.waitFor(async () => expect((await ask(service, '/v1/queue')).json.isComplete).toBe(true), 10_000);
    expect((await ask(service, '/v1/queue')).json.numOpen).toBeGreaterThan(0);
    expect((await ask(service, '/readyz')).status).toBe(200);
  });

  it('gives way to those who ask meanwhile: it waits for several times as long as a block takes', async () => {
    const BLOCK_MS = 5;
    const began: number[] = [];
    failing(() => {
      began.push(performance.now());
      while (performance.now() < began[began.length - 1] + BLOCK_MS); // what a large model takes
      return false;
    });
    const recommender = await Recommender.open(await loadModel(await modelFile()), { threads: 1 });
    const curation = await Curation.open(recommender, MemoryStore.make().store);
    while (!curation.queue(1).isComplete) {
      curation.giveWay();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(began.length).toBeGreaterThan(2);
    expect(began[began.length - 1] - began[began.length - 2]).toBeGreaterThan(5 * BLOCK_MS);
    await curation.close();
    recommender.close();
  });

  it('holds what can be ranked where one block never can', async () => {
    failing((objects) => Array.from(objects).includes(20));
    const recommender = await Recommender.open(await loadModel(await modelFile()), { threads: 1 });
    const curation = await Curation.open(recommender, MemoryStore.make().store);
    await vi.waitFor(() => expect(curation.queue(500).numOpen).toBeGreaterThan(20), 10_000);
    expect(curation.numUnranked).toBeGreaterThan(0);
    expect(curation.numUnranked).toBeLessThanOrEqual(16);
    expect(curation.queue(1).isComplete).toBe(false);
    await curation.close();
    recommender.close();
  });

  it('keeps a decision whose object cannot be ranked again at once, and ranks it later', async () => {
    const service = await serviceOf();
    await vi.waitFor(async () => expect((await ask(service, '/v1/queue')).json.isComplete).toBe(true), 10_000);
    const [{ object, tag }] = (await ask(service, '/v1/queue')).json.suggestions;
    let isBroken = true;
    failing(() => isBroken);
    expect((await post(service, '/v1/reviews', { object, tag, decision: 'reject' })).status).toBe(201);
    expect((await ask(service, '/readyz')).status).toBe(503);
    isBroken = false;
    await vi.waitFor(async () => expect((await ask(service, '/readyz')).status).toBe(200), 10_000);
    const open = (await ask(service, '/v1/queue?limit=500')).json.suggestions;
    expect(open.filter((one: { object: string }) => one.object === object)).toHaveLength(5);
  });

  it('is not ready while the decisions of other instances cannot be read', async () => {
    const { memory, store } = MemoryStore.make();
    Object.assign(memory, { isShared: true });
    const recommender = await Recommender.open(await loadModel(await modelFile()), { threads: 1 });
    const curation = await Curation.open(recommender, store, { pollMs: 10 });
    memory.isAway = true;
    await vi.waitFor(async () => expect(await curation.isUpToDate()).toBe(false));
    memory.isAway = false;
    expect(await curation.isUpToDate()).toBe(true);
    await curation.close();
    recommender.close();
  });
});
