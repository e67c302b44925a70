// The reviews of the objects of a model, in memory. Changes may come twice and in any order: of each pair the one with the
// highest revision counts; of tags that are read as one, that of the latest review.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Amendment } from '../recommend/amendments.ts';
import type { TagRules } from '../recommend/tag-rules.ts';
import type { Change, Decision } from '../reviews/review-store.ts';

interface Standing {
  readonly id: string;
  /** Undefined where it was undone. */
  readonly decision: Decision | undefined;
  readonly revision: number;
}

export interface ReviewedTag {
  readonly tag: string;
  readonly decision: Decision;
  readonly reviewId: string;
}

export class ReviewedTags {
  /** What reviews change about objects. */
  readonly amendments = new Map<number, Amendment>();
  readonly #graph: KnowledgeGraph;
  readonly #standings = new Map<number, Map<string, Standing>>(); // by object, by tag
  readonly #revisions = new Map<number, number>(); // the latest, by object
  readonly #gained = new Map<number, number>(); // objects that have a tag by reviews, less those that lost it, by tag
  #rules: TagRules | undefined;

  constructor(graph: KnowledgeGraph) {
    this.#graph = graph;
  }

  /** Whether anything changed by it. */
  apply({ object: name, tag, id, decision, isUndone, revision: text }: Change): boolean {
    const object = this.#graph.objects.idOf(name);
    if (object < 0) return false;
    const standings = this.#standings.get(object) ?? new Map<string, Standing>();
    const revision = Number(text);
    if ((standings.get(tag)?.revision ?? 0) >= revision) return false;
    this.#standings.set(object, standings.set(tag, { id, decision: isUndone ? undefined : decision, revision }));
    this.#revisions.set(object, Math.max(revision, this.#revisions.get(object) ?? 0));
    this.#amend(object);
    return true;
  }

  /** Reads all tags as these rules say. */
  readBy(rules: TagRules | undefined): void {
    this.#rules = rules;
    for (const object of this.#standings.keys()) this.#amend(object);
  }

  /** By name. */
  of(object: number): ReviewedTag[] {
    return this.#latest(object)
      .map(([tag, { decision, id }]) => ({ tag, decision, reviewId: id }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.tag), Buffer.from(b.tag)));
  }

  /** How many objects more than in the data have a tag. */
  gainedBy(tag: number): number {
    return this.#gained.get(tag) ?? 0;
  }

  revisionOf(object: number): number {
    return this.#revisions.get(object) ?? 0;
  }

  /** What stands of an object, by the names that tags have now. */
  #latest(object: number): [tag: string, Standing & { readonly decision: Decision }][] {
    const found = new Map<string, Standing & { readonly decision: Decision }>();
    for (const [name, standing] of this.#standings.get(object) ?? []) {
      const { decision, revision } = standing;
      if (decision === undefined) continue;
      const tag = this.#rules?.declarations.tagOf(name) ?? name;
      if ((found.get(tag)?.revision ?? 0) < revision) found.set(tag, { ...standing, decision });
    }
    return [...found];
  }

  #amend(object: number): void {
    const { tags, tagged } = this.#graph;
    const ids: Record<Decision, number[]> = { accept: [], reject: [], unsure: [] };
    for (const [tag, { decision }] of this.#latest(object)) {
      const id = (this.#rules ?? tags).idOf(tag);
      // who rejects a tag rejects all that are read as it
      if (id >= 0) ids[decision].push(...((decision === 'reject' && this.#rules?.membersOf(id)) || [id]));
    }
    const added = Int32Array.from(ids.accept.filter((tag) => !tagged.has(object, tag))).sort();
    const [rejected, unsure] = [Int32Array.from(ids.reject).sort(), Int32Array.from(ids.unsure).sort()];
    this.#countGains(object, -1);
    if (added.length + rejected.length + unsure.length === 0) this.amendments.delete(object);
    else this.amendments.set(object, { added, rejected, unsure });
    this.#countGains(object, 1);
  }

  /** What the amendment of an object gives and takes, `times` over. */
  #countGains(object: number, times: number): void {
    const { added, rejected } = this.amendments.get(object) ?? { added: [], rejected: [] };
    const { tagged } = this.#graph;
    for (const tag of added) this.#gained.set(tag, this.gainedBy(tag) + times);
    for (const tag of rejected) {
      if (tagged.has(object, tag)) this.#gained.set(tag, this.gainedBy(tag) - times);
    }
  }
}
