// What is known of the tags of an object, as the rules about tags take it.

import type { Relation } from '../../data/relation.ts';
import { type Amendments, ownTags } from './amendments.ts';

/** What is known of the tags of one object, by the ids of the rules. */
export interface KnownTags {
  /** −1 for one that the model never saw. */
  readonly object: number;
  readonly own: ArrayLike<number>;
  /** Not its own, and neither is what implies them. */
  readonly rejected?: ArrayLike<number> | undefined;
  /** Put aside. */
  readonly unsure?: ArrayLike<number> | undefined;
}

/** The data of a model. */
export interface TaggedData {
  readonly graph: { readonly tagged: Relation };
  /** When it was trained. */
  readonly rejected?: Relation | undefined;
}

export function knownTags({ graph, rejected }: TaggedData, object: number, amendments: Amendments): KnownTags {
  const amendment = amendments.get(object);
  const { declared } = amendment ?? {};
  const out = [...(rejected?.row(object) ?? []), ...(amendment?.rejected ?? []), ...(declared?.rejected ?? [])];
  const own = ownTags(graph.tagged, object, amendments);
  return {
    ...{ object, own: declared === undefined ? own : [...own, ...declared.added] },
    ...{ rejected: out, unsure: amendment?.unsure },
  };
}
