// Folders with an empty review store for tests. To make one takes an embedded database seconds, so it is made once for each
// version of it, kept among the temporary files of the system, and copied.

import { createHash } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MIGRATIONS } from '../../../src/serving/reviews/migrations.ts';
import { ReviewStore } from '../../../src/serving/reviews/review-store.ts';
import { cacheFolder } from '../../temp-folder.ts';

/** A copy that is gone when the test is over. */
export async function emptyStoreFolder(): Promise<string> {
  const copy = await copyOfEmptyStore();
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  return copy;
}

/** A copy that the caller removes. */
export async function copyOfEmptyStore(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  await copyEmptyStore(copy);
  return copy;
}

/** Copies its thousand files without promises, which takes a third of the time. */
export async function copyEmptyStore(folder: string): Promise<void> {
  cpSync(await emptyStore(), folder, { recursive: true });
}

/** The one that is copied: not to be opened. */
async function emptyStore(): Promise<string> {
  const { version } = createRequire(import.meta.resolve('@electric-sql/pglite'))('../package.json');
  const steps = createHash('sha256').update(JSON.stringify(MIGRATIONS)).digest('hex').slice(0, 16);
  const path = join(cacheFolder(), `tagloom-empty-store-${version}-${steps}`);
  const isThere = () =>
    stat(path).then(
      () => true,
      () => false,
    );
  if (await isThere()) return path;
  const draft = await mkdtemp(`${path}-`);
  await (await ReviewStore.open(draft)).close();
  await rename(draft, path).catch(async (error) => {
    if (!(await isThere())) throw error;
    await rm(draft, { recursive: true }); // somebody else was faster
  });
  return path;
}
