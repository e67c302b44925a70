// The process that trains, and the service it belongs to: neither outlives the other's end in a bad way.

import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { checkerboardDecisions } from '../../retraining/decisions.ts';
import { graph, saveEndless } from '../../retraining/endless-model.ts';
import { withoutSignals } from '../../systems.ts';
import { copyEmptyStore } from '../reviews/embedded.ts';
import { served } from '../served-process.ts';
import { MemoryStore } from './memory-store.ts';
import { ask, ownFolder, post, serviceOf } from './service-under-test.ts';

vi.setConfig({ testTimeout: 60_000 });

const TRAINING = '/v1/model/training';
const decisions = checkerboardDecisions(graph);
let path: string;
beforeAll(async () => {
  path = join(await ownFolder(), 'endless.tagloom');
  await saveEndless(path);
});

const pidOf = async () => JSON.parse(await readFile(`${path}.retrained.lock`, 'utf8')).pid;
const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};
const beside = async () =>
  (await readdir(dirname(path))).filter((name) => name !== `${basename(path)}.reviews` && !name.endsWith('.map.json'));

async function decidedService() {
  const { memory, store } = MemoryStore.make();
  await memory.decide(decisions);
  return serviceOf({ model: path, reviews: store });
}

describe('a training that takes long', () => {
  it('is in a process of low priority, tells how far it is, and lets requests be answered; stopped, it leaves nothing', async () => {
    const service = await decidedService();
    expect((await post(service, TRAINING, {})).status).toBe(202);
    const pid = await pidOf();
    expect(pid).not.toBe(process.pid);
    expect(getPriority(pid)).toBe(constants.priority.PRIORITY_LOW);
    const running = await vi.waitUntil(
      async () => {
        const { json } = await ask(service, TRAINING);
        return json.progress?.done > 1 ? json : undefined;
      },
      { timeout: 25_000, interval: 20 },
    );
    expect(running).toMatchObject({ state: 'training', isOffered: false, progress: { total: 1e6 } });
    expect((await ask(service, '/v1/objects/o030/suggestions')).status).toBe(200);
    expect((await post(service, TRAINING, {})).status).toBe(409);
    for (const way of [`${TRAINING}/use`, '/v1/model/restore']) {
      expect((await ask(service, way, { method: 'POST' })).status).toBe(409);
    }
    expect((await ask(service, TRAINING, { method: 'DELETE' })).json.state).toBe('stopped');
    expect([isGone(pid), await beside()]).toEqual([true, [basename(path)]]);
  });

  it('failed where its process is killed, says so, and can be begun again', async () => {
    const service = await decidedService();
    await post(service, TRAINING, {});
    process.kill(await pidOf(), 'SIGKILL');
    await vi.waitUntil(async () => (await ask(service, TRAINING)).json.state === 'failed', { timeout: 25_000 });
    expect((await ask(service, TRAINING)).json.problem.detail).toBe('The process that trains was killed (SIGKILL).');
    expect(await beside()).toEqual([basename(path)]);
    expect((await post(service, TRAINING, {})).status).toBe(202);
    const pid = await pidOf();
    await service.close();
    expect([isGone(pid), await beside()]).toEqual([true, [basename(path)]]);
  });

  it('is the only one of its model, whichever service is asked', async () => {
    const [service, other] = [await decidedService(), await decidedService()];
    expect((await post(service, TRAINING, {})).status).toBe(202);
    const elsewhere = await post(other, TRAINING, {});
    expect(elsewhere.json).toMatchObject({ status: 409, detail: expect.stringMatching(/process \d+ is training/) });
    expect((await ask(other, TRAINING)).json.state).toBe('training');
    const stopped = await ask(other, TRAINING, { method: 'DELETE' });
    expect(stopped.json).toMatchObject({ status: 409, detail: 'Another process trains the model.' });
    expect((await ask(service, TRAINING, { method: 'DELETE' })).json.state).toBe('stopped');
    expect((await ask(other, TRAINING)).json.state).toBe('idle');
    expect((await post(other, TRAINING, {})).status).toBe(202);
    expect((await ask(other, TRAINING, { method: 'DELETE' })).json.state).toBe('stopped');
  });

  it.skipIf(withoutSignals)(
    'ends with a service that is killed, and the next one starts clean and trains',
    async () => {
      await copyEmptyStore(`${path}.reviews`);
      const headers = { 'content-type': 'application/json' };
      const send = (url: string, body: object) => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const first = await served(path);
      expect((await send(`${first.url}/v1/reviews/batch`, { reviews: decisions })).status).toBe(200);
      expect((await send(`${first.url}${TRAINING}`, {})).status).toBe(202);
      const pid = await pidOf();
      expect(await first.end('SIGKILL')).toBe('SIGKILL');
      await vi.waitUntil(() => isGone(pid), { timeout: 25_000, interval: 10 });
      const second = await served(path);
      await vi.waitUntil(async () => (await beside()).length === 1, { timeout: 25_000, interval: 10 });
      const idle = await (await fetch(`${second.url}${TRAINING}`)).json();
      expect(idle).toMatchObject({ state: 'idle', numDecisions: decisions.length, isOffered: true });
      expect((await send(`${second.url}${TRAINING}`, {})).status).toBe(202);
      const next = await pidOf();
      expect(await second.end('SIGTERM')).toBe(0);
      expect([isGone(next), await beside()]).toEqual([true, [basename(path)]]);
    },
  );

  it.skipIf(withoutSignals)(
    'whose process and service are killed at once leaves a lock that is in nobody’s way',
    async () => {
      const first = await served(path);
      const headers = { 'content-type': 'application/json' };
      expect((await fetch(`${first.url}${TRAINING}`, { method: 'POST', headers, body: '{}' })).status).toBe(202);
      const pid = await pidOf();
      process.kill(pid, 'SIGSTOP'); // it cannot clean up behind itself
      await first.end('SIGKILL');
      process.kill(pid, 'SIGKILL');
      await vi.waitUntil(() => isGone(pid), { timeout: 25_000, interval: 10 });
      expect(await beside()).toContain(`${basename(path)}.retrained.lock`);
      const second = await served(path);
      expect((await fetch(`${second.url}${TRAINING}`, { method: 'POST', headers, body: '{}' })).status).toBe(202);
      await second.end('SIGTERM');
      expect(await beside()).toEqual([basename(path)]);
    },
  );
});
