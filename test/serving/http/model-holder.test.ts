import { expect, it, onTestFinished, vi } from 'vitest';
import { loadModel } from '../../../src/models/model-file.ts';
import { ModelHolder } from '../../../src/serving/http/model-holder.ts';
import { Recommender } from '../../../src/serving/recommend/recommender.ts';
import { MemoryStore } from './memory-store.ts';
import { modelFile } from './service-under-test.ts';

it('a model that was replaced serves those who began with it, and is closed after the last of them', async () => {
  const path = await modelFile();
  const loads: number[] = [];
  const options = { cacheBytes: 0, warn: () => {}, onLoad: (seconds: number) => loads.push(seconds) };
  const holder = await ModelHolder.open(path, await loadModel(path), MemoryStore.make().store, options);
  const close = vi.spyOn(Recommender.prototype, 'close');
  onTestFinished(() => close.mockRestore());

  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const [before, old] = await holder.use(
    async (loaded) => [await loaded.curation.suggest(30, { limit: 5 }), loaded] as const,
  );
  const running = [1, 2].map(() =>
    holder.use(async (loaded) => {
      await gate;
      return { loaded, suggestions: await loaded.curation.suggest(30, { limit: 5 }) };
    }),
  );
  await holder.reload();
  expect(loads).toHaveLength(1);
  for (let i = 0; i < 500; i++) await new Promise(setImmediate); // time enough to close it, were nobody there
  expect(close).not.toHaveBeenCalled();
  const fresh = await holder.use((loaded) => loaded);
  expect(fresh).not.toBe(old);
  open();
  for (const { loaded, suggestions } of await Promise.all(running)) {
    expect(loaded).toBe(old);
    expect(suggestions).toEqual(before);
  }
  while (close.mock.calls.length === 0) await new Promise(setImmediate);
  expect(close.mock.contexts).toEqual([old.recommender]);
  await expect(holder.use(() => Promise.reject(new Error('as it was thrown')))).rejects.toThrow('as it was thrown');
  await holder.close(); // would wait for ever for a use that was not ended
  expect(close.mock.contexts).toEqual([old.recommender, fresh.recommender]);
});

it('a model that was replaced and cannot be closed in order is told of, and takes nothing with it', async () => {
  const path = await modelFile();
  const warn = vi.fn();
  const options = { cacheBytes: 0, warn, onLoad: () => {} };
  const holder = await ModelHolder.open(path, await loadModel(path), MemoryStore.make().store, options);
  const old = await holder.use((loaded) => loaded);
  vi.spyOn(old.maps, 'close').mockRejectedValue(new Error('no such thread'));
  const close = vi.spyOn(old.recommender, 'close');
  await holder.reload();
  await vi.waitFor(() =>
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/could not be closed.*no such thread/)),
  );
  expect(close).toHaveBeenCalledTimes(1); // its threads and memory are given back all the same
  await holder.close();
});
