// The service as a process: signals.

import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutSignals } from '../../systems.ts';
import { copyEmptyStore } from '../reviews/embedded.ts';
import { served } from '../served-process.ts';
import { modelFile, ownFolder } from './service-under-test.ts';

it.skipIf(withoutSignals)(
  'SIGHUP reads the model anew, SIGTERM and SIGINT finish what runs and exit 0, and reviews are there the next time',
  async () => {
    const path = join(await ownFolder(), 'model.tagloom');
    await cp(await modelFile(), path);
    await copyEmptyStore(`${path}.reviews`);
    const first = await served(path);
    const body = JSON.stringify({ object: 'o030', tag: 't001', decision: 'reject' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${first.url}/v1/reviews`, { method: 'POST', headers, body })).status).toBe(201);
    await writeFile(path, 'damaged');
    first.child.kill('SIGHUP');
    while (!first.errors().includes('the model before it goes on'))
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await fetch(`${first.url}/v1/model`)).status).toBe(200);
    await cp(await modelFile('itemknn'), path);
    first.child.kill('SIGHUP');
    while (!first.errors().includes('was reloaded')) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await (await fetch(`${first.url}/v1/model`)).json()).name).toBe('itemknn');
    const running = fetch(`${first.url}/v1/tags/t003/missing?limit=500`).then(
      ({ status }) => status,
      () => undefined, // it may come too late
    );
    expect(await first.end('SIGTERM')).toBe(0);
    expect([200, undefined]).toContain(await running);
    const second = await served(path);
    const { reviews } = await (await fetch(`${second.url}/v1/reviews`)).json();
    expect(reviews).toMatchObject([{ object: 'o030', tag: 't001', decision: 'reject' }]);
    expect(await second.end('SIGINT')).toBe(0);
  },
);
