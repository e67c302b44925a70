// Which tags an object carries, and which objects carry a tag, by the data, the reviews and what is declared about tags.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { ownTags } from '../recommend/amendments.ts';
import type { TagRules } from '../recommend/tag-rules.ts';
import type { VocabularyNow } from '../vocabulary/vocabulary-now.ts';
import type { ReviewedTag, ReviewedTags } from './reviewed-tags.ts';

export interface CuratedTag {
  readonly tag: string;
  readonly from: 'data' | 'review' | 'implied';
  readonly reviewId?: string;
  /** Of an implied one: the tags of the object that imply it. */
  readonly impliedBy?: string[];
  /** The model does not know it: someone added or declared it, and the next training learns it. */
  readonly isUnknown?: true;
}

/** A tag that is not an object's own by a review. */
export interface RejectedTag {
  readonly tag: string;
  readonly reviewId: string;
  /** The data has it: the review took it away. */
  readonly isRemoved?: true;
}

export class DeclaredTags {
  readonly #graph: KnowledgeGraph;
  readonly #reviewed: ReviewedTags;
  readonly #now: VocabularyNow;
  readonly #carriers = new Map<number, Int32Array>(); // computed on demand

  constructor(graph: KnowledgeGraph, reviewed: ReviewedTags, now: VocabularyNow) {
    this.#graph = graph;
    this.#reviewed = reviewed;
    this.#now = now;
  }

  /** To be called when a review or the vocabulary changed. */
  forget(): void {
    this.#carriers.clear();
  }

  /** By name. */
  of(object: number): CuratedTag[] {
    const { rules } = this.#now;
    const reviewed = this.#reviewed.of(object);
    const found = rules === undefined ? this.#plainTags(object, reviewed) : this.#ruledTags(object, reviewed, rules);
    return found.sort((a, b) => Buffer.compare(Buffer.from(a.tag), Buffer.from(b.tag)));
  }

  /** By name. */
  rejectedOf(object: number): RejectedTag[] {
    const { tagged } = this.#graph;
    const isOwn = (tag: string) => this.#idsOf(tag).some((id) => tagged.has(object, id));
    const rejected = this.#reviewed.of(object).filter(({ decision }) => decision === 'reject');
    return rejected.map(({ tag, reviewId }) => ({ tag, reviewId, ...(isOwn(tag) && { isRemoved: true }) }));
  }

  /** By name. */
  unsureOf(object: number): { tag: string; reviewId: string }[] {
    const unsure = this.#reviewed.of(object).filter(({ decision }) => decision === 'unsure');
    return unsure.map(({ tag, reviewId }) => ({ tag, reviewId }));
  }

  /** Those of `inData` (ascending ids) but where the tag was rejected, and where it was accepted. */
  plainObjectsWith(tag: number, inData: Int32Array): Int32Array {
    const carriers = new Set(inData);
    for (const [object, { added, rejected }] of this.#reviewed.amendments) {
      if (rejected.includes(tag)) carriers.delete(object);
      else if (added.includes(tag)) carriers.add(object);
    }
    return Int32Array.from(carriers).sort();
  }

  /** The objects that carry a tag by any rule, ascending; undefined where no rule concerns it. */
  objectsWith(tag: number, objectsOf: Relation): Int32Array | undefined {
    const { rules } = this.#now;
    if (!rules?.concerns(tag)) return undefined;
    const known = this.#carriers.get(tag);
    if (known !== undefined) return known;
    const near = new Set<number>([...this.#reviewed.amendments.keys(), ...rules.assignedObjects()]);
    for (const one of [tag, ...rules.implying(tag)]) {
      for (const member of rules.membersOf(one)) for (const object of objectsOf.row(member)) near.add(object);
    }
    const carriers = Int32Array.from([...near].filter((object) => this.#carries(object, tag, rules))).sort();
    this.#carriers.set(tag, carriers);
    return carriers;
  }

  /** The tags of the model that a name stands for. */
  #idsOf(name: string): readonly number[] {
    const { rules } = this.#now;
    const id = (rules ?? this.#graph.tags).idOf(name);
    return id < 0 ? [] : (rules?.membersOf(id) ?? [id]);
  }

  #carries(object: number, tag: number, rules: TagRules): boolean {
    const { held, implied } = carriedBy(object, this.#graph, this.#reviewed, rules);
    return held.has(tag) || implied.has(tag);
  }

  #plainTags(object: number, reviewed: readonly ReviewedTag[]): CuratedTag[] {
    const { tags, tagged } = this.#graph;
    const byName = new Map(reviewed.map((one) => [one.tag, one]));
    const own = Array.from(tagged.row(object), (tag) => tags.name(tag));
    const found: CuratedTag[] = own.flatMap((tag) => {
      const review = byName.get(tag);
      if (review?.decision === 'reject') return [];
      return [{ tag, from: 'data', ...(review?.decision === 'accept' && { reviewId: review.reviewId }) }];
    });
    for (const { tag, decision, reviewId } of reviewed) {
      if (decision !== 'accept' || own.includes(tag)) continue;
      found.push({ tag, from: 'review', reviewId, ...(tags.idOf(tag) < 0 && { isUnknown: true }) });
    }
    return found;
  }

  #ruledTags(object: number, reviewed: readonly ReviewedTag[], rules: TagRules): CuratedTag[] {
    const { tags, tagged } = this.#graph;
    const inData = new Set(Array.from(tagged.row(object), (tag) => rules.columnOf(tag)));
    const { held, implied } = carriedBy(object, this.#graph, this.#reviewed, rules);
    const accepted = new Map(reviewed.flatMap((one) => (one.decision === 'accept' ? [[one.tag, one.reviewId]] : [])));
    const unknown = (id: number) => id >= tags.size && { isUnknown: true as const };
    const found: CuratedTag[] = Array.from(held, (id) => {
      const tag = rules.nameOf(id);
      const reviewId = accepted.get(tag);
      const from = inData.has(id) || reviewId === undefined ? 'data' : 'review';
      return { tag, from, ...(reviewId !== undefined && { reviewId }), ...unknown(id) };
    });
    for (const id of implied) {
      const impliedBy = [...held].filter((one) => rules.impliedBy(one).has(id)).map((one) => rules.nameOf(one));
      found.push({ tag: rules.nameOf(id), from: 'implied', impliedBy: impliedBy.sort(), ...unknown(id) });
    }
    // names that neither the model nor the vocabulary has
    for (const [tag, reviewId] of accepted) {
      if (rules.anyIdOf(tag) < 0) found.push({ tag, from: 'review', reviewId, isUnknown: true });
    }
    return found;
  }
}

/** What an object carries by the data and the reviews, and what it carries by implication. */
export function carriedBy(
  object: number,
  { tagged, tags }: Pick<KnowledgeGraph, 'tagged' | 'tags'>,
  reviewed: Pick<ReviewedTags, 'amendments' | 'of'>,
  rules: TagRules,
): { readonly held: Set<number>; readonly implied: Set<number> } {
  const { amendments } = reviewed;
  const own = Array.from(ownTags(tagged, object, amendments));
  const rejected = Array.from(amendments.get(object)?.rejected ?? []);
  for (const { tag, decision } of reviewed.of(object)) {
    const id = rules.anyIdOf(tag);
    // the amendments hold tags of the model alone, by the rules in force: these may be others
    if (decision === 'accept' && id >= 0) own.push(id);
    else if (decision === 'reject' && id >= tags.size) rejected.push(id);
  }
  const held = rules.held({ object, own, rejected });
  return { held, implied: rules.implied(held, rejected) };
}
