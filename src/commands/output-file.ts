// Long answers, piece by piece: to a file or to the terminal.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Terminal } from './terminal.ts';

export async function printChunks(terminal: Terminal, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) await terminal.write(chunk);
}

/** Under a temporary name first: a stopped run leaves no half of a file. */
export async function writeChunks(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const partial = `${path}.partial-${process.pid}`;
  const out = createWriteStream(partial);
  const done = finished(out);
  done.catch(() => {}); // awaited below
  try {
    for await (const chunk of chunks) {
      if (!out.write(chunk)) await Promise.race([once(out, 'drain'), done]);
    }
    out.end();
    await done;
    await rename(partial, path);
  } catch (error) {
    out.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}
