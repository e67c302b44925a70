// What became known of objects' tags after a model was trained: which they carry, too, and which are not theirs.

import type { Relation } from '../../data/relation.ts';

/** What became known of the tags of one object after training. */
export interface Amendment {
  /** Its own now, beside those of the data; ids, ascending. */
  readonly added: Int32Array;
  /** Not its own, whatever the data says, and never suggested; ids, ascending. */
  readonly rejected: Int32Array;
  /** Put aside: not suggested, its own only if the data says so; ids, ascending. */
  readonly unsure?: Int32Array;
  /** The same of tags that are declared and the model does not know; ids of the rules about tags. */
  readonly declared?: { readonly added: readonly number[]; readonly rejected: readonly number[] } | undefined;
}

/** By object. */
export type Amendments = ReadonlyMap<number, Amendment>;

export const NO_AMENDMENTS: Amendments = new Map();

const NONE = new Int32Array(0);

/** The tags an object has. */
export function ownTags(tagged: Relation, object: number, amendments: Amendments): Int32Array {
  const amendment = amendments.get(object);
  if (amendment === undefined) return tagged.row(object);
  const rejected = new Set(amendment.rejected);
  return union([tagged.row(object), amendment.added]).filter((tag) => !rejected.has(tag));
}

/** The tags never to be suggested to an object; `rejected`: when the model was trained. */
export function hiddenTags(
  { tagged, rejected }: { readonly tagged: Relation; readonly rejected?: Relation | undefined },
  object: number,
  amendments: Amendments,
): Int32Array {
  const amendment = amendments.get(object);
  const lists = [tagged.row(object)];
  if (rejected !== undefined) lists.push(rejected.row(object));
  if (amendment !== undefined) lists.push(amendment.added, amendment.rejected, amendment.unsure ?? NONE);
  return union(lists);
}

/** Whether a tag is among those, without making the list. */
export function isHidden(
  { tagged, rejected }: { readonly tagged: Relation; readonly rejected?: Relation | undefined },
  object: number,
  tag: number,
  amendments: Amendments,
): boolean {
  if (tagged.has(object, tag) || rejected?.has(object, tag)) return true;
  const amendment = amendments.get(object);
  if (amendment === undefined) return false;
  const { added, rejected: out, unsure = NONE } = amendment;
  return added.includes(tag) || out.includes(tag) || unsure.includes(tag);
}

/** Ascending, each once. */
function union(lists: readonly Int32Array[]): Int32Array {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length <= 1) return filled[0] ?? lists[0];
  return Int32Array.from(new Set(filled.flatMap((list) => [...list]))).sort();
}
