// The reviews of the objects of a model, in memory. Changes may come twice and in any order: of each pair the one with the
// highest revision counts; of tags that are read as one, that of the latest review.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { type Amendment, ownTags } from '../recommend/amendments.ts';
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
  readonly #rejected: Relation | undefined; // when the model was trained
  readonly #unlearnt = new Map<number, number>(); // verdicts the model does not know, by object
  #numUnlearnt = 0;
  readonly #standings = new Map<number, Map<string, Standing>>(); // by object, by tag
  readonly #revisions = new Map<number, number>(); // the latest, by object
  readonly #given = new Map<string, number>(); // objects that were given a tag that the graph does not have
  #learntRevision = 0;
  readonly #gained = new Map<number, number>(); // objects that have a tag by reviews, less those that lost it, by tag
  #rules: TagRules | undefined;

  constructor(graph: KnowledgeGraph, rejected?: Relation) {
    this.#graph = graph;
    this.#rejected = rejected;
  }

  /** Verdicts that training again would teach the model: none of them is in what it was trained on. */
  get numUnlearnt(): number {
    return this.#numUnlearnt;
  }

  /** Whether anything changed by it. */
  apply({ object: name, tag, id, decision, isUndone, revision: text }: Change): boolean {
    const object = this.#graph.objects.idOf(name);
    if (object < 0) return false;
    const standings = this.#standings.get(object) ?? new Map<string, Standing>();
    const revision = Number(text);
    if ((standings.get(tag)?.revision ?? 0) >= revision) return false;
    if (this.#graph.tags.idOf(tag) < 0) {
      const was = standings.get(tag)?.decision === 'accept' ? 1 : 0;
      const is = decision === 'accept' && !isUndone ? 1 : 0;
      this.#given.set(tag, this.numGiven(tag) + is - was);
    }
    this.#standings.set(object, standings.set(tag, { id, decision: isUndone ? undefined : decision, revision }));
    this.#revisions.set(object, Math.max(revision, this.#revisions.get(object) ?? 0));
    const before = this.amendments.get(object);
    this.#amend(object);
    if (!this.#hasSameTags(object, before)) this.#learntRevision = Math.max(revision, this.#learntRevision);
    return true;
  }

  /** Reads all tags as these rules say. */
  readBy(rules: TagRules | undefined): void {
    this.#rules = rules;
    for (const object of this.#standings.keys()) this.#amend(object);
  }

  /** All that were ever decided on. */
  objects(): Iterable<number> {
    return this.#standings.keys();
  }

  /** By name. */
  of(object: number): ReviewedTag[] {
    return this.#latest(object)
      .map(([tag, { decision, id }]) => ({ tag, decision, reviewId: id }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.tag), Buffer.from(b.tag)));
  }

  /** How many objects were given a tag that the graph does not have. */
  numGiven(tag: string): number {
    return this.#given.get(tag) ?? 0;
  }

  /** How many objects more than in the data have a tag. */
  gainedBy(tag: number): number {
    return this.#gained.get(tag) ?? 0;
  }

  /** The latest that gave an object a tag or took one away, which says something of others. */
  get learntRevision(): number {
    return this.#learntRevision;
  }

  revisionOf(object: number): number {
    return this.#revisions.get(object) ?? 0;
  }

  #hasSameTags(object: number, before: Amendment | undefined): boolean {
    const { tagged } = this.#graph;
    const [one, other] = [before, this.amendments.get(object)].map((amendment) =>
      String(ownTags(tagged, object, new Map(amendment && [[object, amendment]]))),
    );
    return one === other;
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
    const declared: Record<Decision, number[]> = { accept: [], reject: [], unsure: [] };
    let numUnlearnt = 0;
    for (const [tag, { decision }] of this.#standings.get(object) ?? []) {
      if (this.#isUnlearnt(object, tags.idOf(tag), decision)) numUnlearnt++;
    }
    for (const [tag, { decision }] of this.#latest(object)) {
      const id = this.#rules?.anyIdOf(tag) ?? tags.idOf(tag);
      // who rejects a tag rejects all that are read as it
      if (id >= tags.size) declared[decision].push(id);
      else if (id >= 0) ids[decision].push(...((decision === 'reject' && this.#rules?.membersOf(id)) || [id]));
    }
    this.#numUnlearnt += numUnlearnt - (this.#unlearnt.get(object) ?? 0);
    this.#unlearnt.set(object, numUnlearnt);
    const added = Int32Array.from(ids.accept.filter((tag) => !tagged.has(object, tag))).sort();
    const [rejected, unsure] = [Int32Array.from(ids.reject).sort(), Int32Array.from(ids.unsure).sort()];
    this.#countGains(object, -1);
    const beyond = { added: declared.accept, rejected: declared.reject };
    const hasBeyond = beyond.added.length + beyond.rejected.length > 0;
    if (added.length + rejected.length + unsure.length === 0 && !hasBeyond) this.amendments.delete(object);
    else this.amendments.set(object, { added, rejected, unsure, ...(hasBeyond && { declared: beyond }) });
    this.#countGains(object, 1);
  }

  /** A new tag is news, too; that no object has a tag any more is all there is to learn of it. */
  #isUnlearnt(object: number, tag: number, decision: Decision | undefined): boolean {
    if (decision === 'accept') return tag < 0 || !this.#graph.tagged.has(object, tag);
    return decision === 'reject' && tag >= 0 && !this.#rejected?.has(object, tag);
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
