// Runs once, before all tests: temporary folders are in memory where the system has room for them there. Stores and servers of
// the tests make and remove tens of thousands of files, and ext4 takes half a second to make a thousand soon after others were
// removed (it does not reuse an inode for five seconds, and looks at each of them again for each new file).

import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm'; // of Linux
const ROOM = 4 * 2 ** 30; // bytes; ten times what was seen in use at once

export default function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return undefined;
  process.env.TAGLOOM_TEST_CACHE = tmpdir();
  const folder = mkdtempSync(`${MEMORY}/tagloom-`);
  chmodSync(folder, 0o755); // a PostgreSQL server runs as another user
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM;
}
