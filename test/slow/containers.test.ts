// Two processes on one folder of reviews, each in a container of its own: both have the process id 1 and the same host name.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ReviewStore } from '../../src/serving/reviews/review-store.ts';
import { emptyStoreFolder } from '../serving/reviews/embedded.ts';
import { startWriter, type Writer } from '../serving/reviews/endless-writer.ts';

const UNSHARE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const HIDE_PROC = ['sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh'];

const whyNoContainers = (() => {
  try {
    execFileSync(UNSHARE[0], [...UNSHARE.slice(1), ...HIDE_PROC, 'true'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `process namespaces cannot be made: ${(error as Error).message}`;
  }
})();
if (whyNoContainers !== undefined) process.stderr.write(`tests in containers are skipped: ${whyNoContainers}\n`);

/** The process in the container, by the id it has outside. */
async function signal({ child }: Writer, name: NodeJS.Signals): Promise<void> {
  const inside = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  process.kill(Number(inside), name);
}

for (const [what, container] of [
  ['that see their processes', UNSHARE],
  ['in which /proc tells nothing', [...UNSHARE, ...HIDE_PROC]],
] as const) {
  it.skipIf(whyNoContainers !== undefined)(`two containers ${what} never both write`, async () => {
    const folder = await emptyStoreFolder();
    const first = startWriter(folder, 'first ', container);
    await first.until(20);
    expect(JSON.parse(await readFile(join(folder, 'reviews.lock'), 'utf8')).pid).toBe(1);
    const refused = startWriter(folder, 'refused ', container);
    await refused.until(1);
    expect(refused.told.join()).toContain('got a folder that process 1 uses');

    await signal(first, 'SIGSTOP');
    const second = startWriter(folder, 'second ', container); // it waits until the first was silent for long
    await second.until(20);
    await signal(first, 'SIGCONT');
    const numBefore = first.acknowledged.size;
    await first.until(numBefore + 200); // it ends long before
    expect(first.told.filter((line) => line === 'refused UnavailableError')).toHaveLength(10);
    await second.until(second.acknowledged.size + 20);
    await signal(second, 'SIGKILL');
    await second.until(Number.POSITIVE_INFINITY);

    const store = await ReviewStore.open(folder);
    const found = (await store.list({ limit: 100_000 })).map(({ object }) => object);
    await store.close();
    expect(new Set(found).size).toBe(found.length);
    for (const object of [...first.acknowledged, ...second.acknowledged]) expect(found).toContain(object);
    expect(first.acknowledged.size).toBeGreaterThanOrEqual(20);
    expect(second.acknowledged.size).toBeGreaterThanOrEqual(40);
  });
}
