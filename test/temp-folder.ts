// A folder of a test's own, gone when the test is over; and one that stays.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a temporary folder holding the given files; names may have folders in them. */
export async function tempFolder(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, contents] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), contents);
  }
  return folder;
}

/** For what takes long to make and is the same in each run. */
export function cacheFolder(): string {
  return process.env.TAGLOOM_TEST_CACHE ?? tmpdir();
}
