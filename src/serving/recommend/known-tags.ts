// What is known of the tags of an object beside the rules about tags, and for which objects the rules hide a tag.

import type { Relation } from '../../data/relation.ts';
import type { Model } from '../../models/model.ts';
import { type Amendments, ownTags } from './amendments.ts';
import type { KnownTags, TagRules } from './tag-rules.ts';

interface Tagged {
  readonly graph: { readonly tagged: Relation };
  readonly rejected?: Model['rejected'];
}

export function knownTags({ graph, rejected }: Tagged, object: number, amendments: Amendments): KnownTags {
  const amendment = amendments.get(object);
  const out = [...(rejected?.row(object) ?? []), ...(amendment?.rejected ?? [])];
  return { object, own: ownTags(graph.tagged, object, amendments), rejected: out, unsure: amendment?.unsure };
}

/** Whether a tag is never to be suggested to an object. For most, a look at their tags is enough: none has to do with it. */
export function hidingBy(
  tag: number,
  rules: TagRules,
  data: Tagged,
  amendments: Amendments,
): (object: number) => boolean {
  const { tagged } = data.graph;
  const marks = new Uint8Array(tagged.numTails);
  for (const one of [tag, ...rules.implying(tag), ...rules.conflictsOf(tag)]) {
    for (const member of rules.membersOf(one)) marks[member] = 1;
  }
  return (object) => {
    const isNear = tagged.row(object).some((own) => marks[own] !== 0);
    const isReviewed = amendments.has(object) || (data.rejected?.rowLength(object) ?? 0) > 0;
    if (!isNear && !isReviewed && !rules.isAssigned(object)) return false;
    return rules.hidden(knownTags(data, object, amendments)).includes(tag);
  };
}

/** Of tags that were suggested to an object, from the best on, those that the rules still let through. */
export function stillSuggested(
  rules: TagRules,
  data: Tagged,
  amendments: Amendments,
): (object: number, tags: readonly number[]) => readonly number[] {
  return (object, tags) => {
    if (!tags.some((tag) => rules.isOut(tag) || rules.concerns(tag))) return tags;
    const hidden = rules.hidden(knownTags(data, object, amendments));
    return rules.compatible(tags.filter((tag) => !rules.isOut(tag) && !hidden.includes(tag)));
  };
}
