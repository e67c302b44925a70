// Why a tag is suggested, in names. Of loom the parts of the score, which add up to it; of any other model the paths of the
// data that lead from the object to the tag: through users it shares with objects that carry the tag, and through its own tags
// that stand beside the tag elsewhere.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Facts, LoomReasons } from '../models/loom.ts';
import type { GraphViews } from './graph-views.ts';

export interface Reasons {
  readonly tag: string;
  readonly score: number;
  /** Of loom: they add up to the score. */
  readonly parts?: ScoreParts;
  /** object → user → object → tag, from strong to weak. */
  readonly throughUsers: readonly UserPath[];
  /** object → tag → object → tag, from strong to weak. */
  readonly throughTags: readonly TagPath[];
}

export interface ScoreParts {
  /** How common the tag is. */
  readonly base: number;
  readonly ownTags: readonly { readonly tag: string; readonly amount: number }[];
  readonly neighbours: readonly NeighbourPart[];
  /** Words of its name. */
  readonly words: readonly { readonly word: string; readonly amount: number }[];
  /** What the users of the object as a whole say. */
  readonly profile: number;
  /** What its content features say, of a model that knows any. */
  readonly content?: number;
}

export interface NeighbourPart {
  readonly object: string;
  readonly title: string;
  readonly cosine: number;
  readonly numSharedUsers: number;
  readonly amount: number;
  readonly tags: readonly { readonly tag: string; readonly amount: number }[];
}

export interface UserPath {
  readonly object: string;
  readonly title: string;
  /** The cosine of the users of both. */
  readonly weight: number;
  readonly numSharedUsers: number;
}

export interface TagPath {
  readonly tag: string;
  /** The share of the objects with this tag that carry the suggested one, too. */
  readonly weight: number;
  readonly numObjects: number;
}

export function namedParts(reasons: LoomReasons, { users }: Facts, graph: KnowledgeGraph): ScoreParts {
  const { objects, tags, titles, interact } = graph;
  const named = ({ tag, amount }: { tag: number; amount: number }) => ({ tag: tags.name(tag), amount });
  const loudest = (a: { amount: number }, b: { amount: number }) => Math.abs(b.amount) - Math.abs(a.amount);
  return {
    base: reasons.base,
    ownTags: reasons.own.map(named).sort(loudest),
    neighbours: reasons.neighbours
      .map(({ object, cosine, amount, tags: spoke }) => ({
        object: objects.name(object),
        title: titles.at(object),
        cosine,
        numSharedUsers: numShared(users, object, interact),
        amount,
        tags: spoke.map(named).sort(loudest),
      }))
      .sort(loudest),
    words: [...reasons.words].sort(loudest),
    profile: reasons.profile,
    ...(reasons.content !== undefined && { content: reasons.content }),
  };
}

function numShared(users: ArrayLike<number>, object: number, interact: KnowledgeGraph['interact']): number {
  let count = 0;
  for (let i = 0; i < users.length; i++) if (interact.has(users[i], object)) count++;
  return count;
}

export function pathsThroughUsers(views: GraphViews, facts: Facts, tag: number, limit: number): UserPath[] {
  const { objects, titles, interact, tagged } = views.graph;
  const { objects: found, cosines } = views.byUsers.alike(facts.users);
  return Array.from(found, (object, i) => ({ object, cosine: cosines[i] }))
    .filter(({ object }) => object !== facts.object && tagged.has(object, tag))
    .sort((a, b) => b.cosine - a.cosine || a.object - b.object)
    .slice(0, limit)
    .map(({ object, cosine }) => ({
      object: objects.name(object),
      title: titles.at(object),
      weight: cosine,
      numSharedUsers: numShared(facts.users, object, interact),
    }));
}

export function pathsThroughTags(views: GraphViews, facts: Facts, tag: number, limit: number): TagPath[] {
  const { tagged, tags } = views.graph;
  const { objectsOf } = views;
  return Array.from(facts.tags, (own) => {
    const both = objectsOf.row(own).filter((object) => object !== facts.object && tagged.has(object, tag)).length;
    return { tag: tags.name(own), weight: both / Math.max(1, objectsOf.rowLength(own)), numObjects: both };
  })
    .filter(({ numObjects }) => numObjects > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, limit);
}
