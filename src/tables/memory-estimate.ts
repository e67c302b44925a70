// How much memory training without an engine takes, from the sizes of files alone: known before the work starts.

import type { FoundFiles } from './data-files.ts';
import type { TableFiles } from './dialect.ts';

const BYTES_PER_INTERACTION = 170; // a million objects with twenty each took 6.7 GB, and so much of it
const [SOLVE, SOLVE_PER_INTERACTION] = [3e9, 1500]; // does not grow any more: 100,000 objects with twenty each took 4.4 GB
// of a row in a file: two short names; a compressed one takes a third of that
const ROW_BYTES = { tsv: 20, csv: 20, parquet: 7 } as const;
const PACKED = 1 / 3;
const BASE = 3e8;

/** Bytes, about: right within a factor of two for short names. */
export function estimatedMemory({ interact, files }: Pick<FoundFiles, 'interact' | 'files'>): number {
  const numInteractions = numRowsIn(interact, files);
  const solve = Math.min(SOLVE, numInteractions * SOLVE_PER_INTERACTION);
  return BASE + solve + numInteractions * BYTES_PER_INTERACTION;
}

function numRowsIn(table: TableFiles | undefined, files: FoundFiles['files']): number {
  if (table === undefined || table.format === 'table') return 0;
  const { format } = table;
  const paths = new Set(table.paths);
  const ofTable = files.filter(({ path }) => paths.has(path));
  return ofTable.reduce((sum, { path, numBytes }) => {
    const rowBytes = ROW_BYTES[format] * (path.endsWith('.gz') ? PACKED : 1);
    return sum + numBytes / rowBytes;
  }, 0);
}
