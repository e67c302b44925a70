// Why a tag is suggested, in names: the parts of the score, which add up to it, of models that can tell them, and the paths of
// the data that lead from the object to the tag: through users it shares with objects that carry the tag, and through its own
// tags that other objects carry together with the tag.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { AgainAmount, Facts, ScoreParts, WordAmount } from '../../models/scorer.ts';
import type { GraphViews } from './graph-views.ts';
import type { Mark } from './marks.ts';

/** Why a tag is suggested to an object. */
export interface Explanation {
  readonly tag: string;
  readonly score: number;
  /** Of models that can tell: they add up to the score. */
  readonly parts?: NamedParts;
  /** Of models that can tell: where the words that count for the tag stand. */
  readonly marks?: readonly Mark[];
  /** object → user → object → tag, from strong to weak; of data with users. */
  readonly throughUsers?: readonly UserPath[];
  /** object → tag → object → tag, from strong to weak. */
  readonly throughTags: readonly TagPath[];
}

/** The parts of a score, by names; they add up to it. */
export interface NamedParts {
  /** How common the tag is. */
  readonly base: number;
  readonly ownTags: readonly { readonly tag: string; readonly amount: number }[];
  readonly neighbours: readonly NeighbourPart[];
  /** Words of its name and of what is written about it. */
  readonly words: readonly WordAmount[];
  /** That the tag's own words stand there; of a model that looks for them. */
  readonly mention?: number;
  /** The profile of its users; of data with users. */
  readonly profile?: number;
  /** Its content features, of a model that knows any. */
  readonly content?: number;
  /** What ranking its best tags again changed, in words; of a model that does. */
  readonly again?: readonly ShortExplanation[];
}

/** What one similar object adds to a score. */
export interface NeighbourPart {
  readonly object: string;
  readonly title: string;
  readonly cosine: number;
  /** Of data with users. */
  readonly numSharedUsers?: number;
  readonly amount: number;
  readonly tags: readonly { readonly tag: string; readonly amount: number }[];
}

/** A path object → user → object → tag. */
export interface UserPath {
  readonly object: string;
  readonly title: string;
  /** The cosine of the users of both. */
  readonly weight: number;
  readonly numSharedUsers: number;
}

/** A path object → tag → object → tag. */
export interface TagPath {
  readonly tag: string;
  /** The share of the objects with this tag that carry the suggested one, too. */
  readonly weight: number;
  readonly numObjects: number;
}

export function namedParts(parts: ScoreParts, facts: Facts, tag: number, graph: KnowledgeGraph): NamedParts {
  const { objects, tags, titles, interact } = graph;
  const named = ({ tag, amount }: { tag: number; amount: number }) => ({ tag: tags.name(tag), amount });
  const hasUsers = interact.size > 0;
  const largest = (a: { amount: number }, b: { amount: number }) => Math.abs(b.amount) - Math.abs(a.amount);
  return {
    base: parts.base,
    ownTags: parts.own.map(named).sort(largest),
    neighbours: parts.neighbours
      .map(({ object, cosine, amount, tags: counting }) => ({
        object: objects.name(object),
        title: titles.at(object),
        cosine,
        ...(hasUsers && { numSharedUsers: numShared(facts.users, object, interact) }),
        amount,
        tags: counting.map(named).sort(largest),
      }))
      .sort(largest),
    words: [...parts.words].sort(largest),
    ...(parts.mention !== undefined && { mention: parts.mention }),
    ...(hasUsers && { profile: parts.profile }),
    ...(parts.content !== undefined && { content: parts.content }),
    ...(parts.again !== undefined && {
      again: parts.again.map((one) => ({ text: againText(one, facts, tag, graph), amount: one.amount })).sort(largest),
    }),
  };
}

/** Why a second look changed the score. */
function againText(
  { reason, amount, tag: own }: AgainAmount,
  { tags: known }: Facts,
  tag: number,
  { tags, tagged }: KnowledgeGraph,
): string {
  switch (reason) {
    case 'score':
      return 'how often such a score is right';
    case 'withoutTags':
      return 'what else is known of it';
    case 'neighbours':
      return 'tags of objects with similar users';
    case 'mention':
      return amount > 0 ? 'the tag is in its text' : 'the tag is not in its text';
    case 'count': {
      const count = tagged.tails.reduce((sum, one) => sum + (one === tag ? 1 : 0), 0);
      return `carried by ${count} ${count === 1 ? 'object' : 'objects'}`;
    }
    case 'object':
      return `${known.length} ${known.length === 1 ? 'tag' : 'tags'} so far`;
    case 'company':
      return amount > 0 && own !== undefined
        ? `often together with ${tags.name(own)}`
        : 'seldom together with its tags';
    case 'notLookedAt':
      return 'others were better';
    default:
      return reason satisfies never;
  }
}

function numShared(users: ArrayLike<number>, object: number, interact: KnowledgeGraph['interact']): number {
  let count = 0;
  for (let i = 0; i < users.length; i++) if (interact.has(users[i], object)) count++;
  return count;
}

export function pathsThroughUsers(views: GraphViews, facts: Facts, tag: number, limit: number): UserPath[] {
  const { objects, titles, interact, tagged } = views.graph;
  const { objects: found, cosines } = views.byUsers.similarTo(facts.users);
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

/** One of the main reasons for a suggestion, in a few words. */
export interface ShortExplanation {
  readonly text: string;
  readonly amount: number;
}

const NUM_SHORT = 3;

/** The few largest parts of a score that count for the tag; of models without parts, the heaviest paths of the data. */
export function shortExplanation({ parts, throughUsers = [], throughTags }: Explanation): ShortExplanation[] {
  const found =
    parts === undefined
      ? [
          ...throughUsers.map(({ title, weight }) => ({ text: `like ${title}`, amount: weight })),
          ...throughTags.map(({ tag, weight }) => ({ text: `has ${tag}`, amount: weight })),
        ]
      : [
          { text: 'common everywhere', amount: parts.base },
          { text: 'its users', amount: parts.profile ?? 0 },
          { text: 'its content', amount: parts.content ?? 0 },
          ...parts.ownTags.map(({ tag, amount }) => ({ text: `has ${tag}`, amount })),
          ...parts.words.map(({ word, column, amount }) => ({ text: `“${word}” in its ${column ?? 'name'}`, amount })),
          { text: 'named in its text', amount: parts.mention ?? 0 },
          ...parts.neighbours.map(({ title, amount }) => ({ text: `like ${title}`, amount })),
          ...(parts.again ?? []),
        ];
  return found
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, NUM_SHORT);
}
