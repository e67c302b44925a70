// Prints long answers piece by piece.

import type { Terminal } from './terminal.ts';

export async function printChunks(terminal: Terminal, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) await terminal.write(chunk);
}
