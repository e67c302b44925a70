// Runs once, before all tests: one folder for what they leave among temporary files, gone after the last. It is in memory where
// the system has room for it there. Stores and servers of the tests make and remove tens of thousands of files, and ext4 takes
// half a second to make a thousand soon after others were removed (it does not reuse an inode for five seconds, and looks at
// each of them again for each new file).

import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm'; // of Linux
const ROOM = 4 * 2 ** 30; // bytes; a store or a server takes some 40 MB, and each worker has a few at most

export function setup(): (() => void) | undefined {
  if (process.env.TAGLOOM_TEST_CACHE !== undefined) return undefined; // it is called for each project
  process.env.TAGLOOM_TEST_CACHE = tmpdir();
  const isInMemory = process.env.TMPDIR === undefined && process.env.TAGLOOM_SLOW !== '1' && hasRoom();
  const folder = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), 'tagloom-tests-'));
  chmodSync(folder, 0o755); // a PostgreSQL server runs as another user
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM;
}
