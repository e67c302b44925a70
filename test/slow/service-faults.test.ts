// The service killed without warning, again and again, while reviews come in: what was acknowledged is there, and nothing twice.

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Random } from '../../src/random.ts';
import { graph, modelFile, ownFolder } from '../serving/http/service-under-test.ts';
import { copyEmptyStore } from '../serving/reviews/embedded.ts';
import { type Served, served } from '../serving/served-process.ts';

const NUM_REVIEWS = 1000;
const NUM_KILLS = 6;
const NUM_CLIENTS = 8;

it('kill -9 during 1,000 accepts loses none that was acknowledged, and keeps none twice', async () => {
  const path = join(await ownFolder(), 'model.tagloom');
  await cp(await modelFile(), path);
  await copyEmptyStore(`${path}.reviews`);
  const pairs = Array.from({ length: NUM_REVIEWS }, (_, i) => ({
    object: graph.objects.name(i % graph.objects.size),
    tag: graph.tags.name(Math.floor(i / graph.objects.size)),
  }));
  const key = ({ object, tag }: { object: string; tag: string }) => `${object}\t${tag}`;
  const random = new Random(1, 'moments to kill at');
  const acknowledged = new Map<string, string>(); // pair → id
  let left = [...pairs];
  for (let round = 0; round <= NUM_KILLS; round++) {
    const service = await served(path);
    const numBefore = acknowledged.size;
    const killAt = round === NUM_KILLS ? Number.POSITIVE_INFINITY : 10 + random.below(150);
    await send(service, left, (pair, id) => {
      acknowledged.set(key(pair), id);
      if (acknowledged.size === numBefore + killAt) service.child.kill('SIGKILL');
    });
    if (round < NUM_KILLS) {
      if (service.child.exitCode === null && service.child.signalCode === null) await service.end('SIGKILL');
      const again = await served(path);
      await check(again, acknowledged, key);
      await again.end('SIGKILL');
      left = pairs.filter((pair) => !acknowledged.has(key(pair)));
    } else {
      await check(service, acknowledged, key);
      expect(acknowledged.size).toBe(NUM_REVIEWS);
      expect(await service.end('SIGTERM')).toBe(0);
    }
  }
});

/** Several clients, until all is sent or the service is gone. */
async function send(
  { url }: Served,
  pairs: readonly object[],
  onDone: (pair: never, id: string) => void,
): Promise<void> {
  const queue = [...pairs];
  const client = async () => {
    for (let pair = queue.shift(); pair !== undefined; pair = queue.shift()) {
      const body = JSON.stringify({ ...pair, decision: 'accept', curator: 'Ada' });
      const answer = await fetch(`${url}/v1/reviews`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect([200, 201]).toContain(answer.status); // 200: it was kept before the kill, but nobody heard
      onDone(pair as never, (await answer.json()).id);
    }
  };
  await Promise.allSettled(Array.from({ length: NUM_CLIENTS }, client));
}

async function check(
  { url }: Served,
  acknowledged: ReadonlyMap<string, string>,
  key: (pair: never) => string,
): Promise<void> {
  const ids = new Map<string, string>();
  let next = '';
  do {
    const page = await (await fetch(`${url}/v1/reviews?limit=100${next === '' ? '' : `&cursor=${next}`}`)).json();
    for (const review of page.reviews) {
      expect(ids.has(key(review as never)), 'twice').toBe(false);
      ids.set(key(review as never), review.id);
    }
    next = page.next ?? '';
  } while (next !== '');
  for (const [pair, id] of acknowledged) expect([pair, ids.get(pair)]).toEqual([pair, id]);
  const lines = (await (await fetch(`${url}/v1/reviews/export`)).text()).trimEnd().split('\n');
  expect(lines).toHaveLength(ids.size + 1);
}
