// After a source is read: both relations must hold something, since nothing can be learned from one alone.

import { InputError } from '../errors.ts';
import type { GraphBuilder } from './knowledge-graph.ts';

/** What each relation was read from, and what to change when nothing came of it. */
export interface PairsOrigin {
  readonly file: string;
  readonly cure: string;
}

export function requirePairs(builder: GraphBuilder, interact: PairsOrigin, tagged: PairsOrigin): void {
  if (builder.interact.size === 0) {
    throw new InputError({ ...interact, got: 'no interactions', expected: 'at least one user with an object' });
  }
  if (builder.tagged.size === 0) {
    throw new InputError({ ...tagged, got: 'no tags', expected: 'at least one object with a tag' });
  }
}
