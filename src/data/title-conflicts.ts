// Says once, after the objects are read, how often a title had to give way to another.

import type { Listener } from '../listener.ts';
import type { GraphBuilder } from './knowledge-graph.ts';
import { basename } from './platform.ts';

export function warnTitleConflicts(path: string, builder: GraphBuilder, options: Listener): void {
  const conflicts = builder.numTitleConflicts;
  if (conflicts === 0) return;
  const rows = conflicts === 1 ? '1 row gives' : `${conflicts} rows give`;
  options.warn?.(`${basename(path)}: ${rows} an object another title; the first in alphabetical order is kept.`);
}
