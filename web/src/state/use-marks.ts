// Where the words that count for a suggestion stand, from its explanation.

import type { Mark } from '../../../src/serving/recommend/marks.ts';
import { recallExplanation } from '../api/recall.ts';
import { useLoaded } from './use-loaded.ts';

const NONE: readonly Mark[] = [];
let isTold = true; // whether the model tells which words count, as its last explanation did

/** None where they cannot be known, and without a tag; undefined until they are known. */
export function useMarks(object: string, tag: string | undefined): readonly Mark[] | undefined {
  const wish = tag === undefined ? undefined : `${object}\u0000${tag}`;
  const loaded = useLoaded(wish, () => recallExplanation(object, tag ?? ''));
  if (loaded.state === 'there') isTold = loaded.value.marks !== undefined;
  if (tag !== undefined && loaded.state === 'loading' && isTold) return undefined;
  return loaded.value?.marks ?? NONE;
}
