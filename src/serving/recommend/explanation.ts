// Why a tag is suggested, in names: the parts of the score, which add up to it, of models that can tell them, and the paths of
// the data that lead from the object to the tag: through users it shares with objects that carry the tag, and through its own
// tags that other objects carry together with the tag.

import type { SimilarObjects } from '../../graph/shared-users.ts';
import type { AgainAmount, Facts, ScoreParts, WordAmount } from '../../models/scorer.ts';
import type { GraphViews } from './graph-views.ts';
import { type Mark, marksOf, readWords, type Written } from './marks.ts';

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

/** What is known of an object before any tag is explained. */
export interface ToExplain {
  readonly facts: Facts;
  readonly scores: Float32Array; // (numTags)
  /** The parts of a score, of models that can tell them. */
  readonly partsOf?: ((tag: number) => ScoreParts) | undefined;
  readonly written: readonly Written[];
  /** Paths of each kind at most. */
  readonly maxPaths: number;
}

/** Explains tags of one object: what they share is computed once. */
export class ObjectExplainer {
  readonly views: GraphViews;
  readonly facts: Facts;
  readonly #known: ToExplain;
  readonly #others = new Map<number, NamedObject>();
  #similar: SimilarObjects | undefined;
  #written: readonly Written[] | undefined;

  constructor(views: GraphViews, known: ToExplain) {
    this.views = views;
    this.facts = known.facts;
    this.#known = known;
  }

  explain(tag: number): Explanation {
    const { tags, interact } = this.views.graph;
    const { scores, partsOf, written, maxPaths } = this.#known;
    const name = tags.name(tag);
    const parts = partsOf?.(tag);
    if (parts) this.#written ??= readWords(written);
    return {
      tag: name,
      score: scores[tag],
      ...(parts && {
        parts: namedParts(parts, tag, this),
        marks: marksOf(parts.words, this.#written ?? [], { tag: name, amount: parts.mention ?? 0 }),
      }),
      ...(interact.size > 0 && { throughUsers: pathsThroughUsers(this, tag, maxPaths) }),
      throughTags: pathsThroughTags(this, tag, maxPaths),
    };
  }

  /** All objects it shares users with, by ascending id. */
  get similar(): SimilarObjects {
    this.#similar ??= this.views.byUsers.similarTo(this.facts.users);
    return this.#similar;
  }

  /** Another object by name, and how many users both have. */
  named(other: number): NamedObject {
    const { graph, usersOf } = this.views;
    const found = this.#others.get(other) ?? {
      object: graph.objects.name(other),
      title: graph.titles.at(other),
      numSharedUsers: numShared(this.facts.users, usersOf.row(other)),
    };
    this.#others.set(other, found);
    return found;
  }
}

interface NamedObject {
  readonly object: string;
  readonly title: string;
  readonly numSharedUsers: number;
}

function namedParts(parts: ScoreParts, tag: number, explained: ObjectExplainer): NamedParts {
  const { tags, interact } = explained.views.graph;
  const named = ({ tag, amount }: { tag: number; amount: number }) => ({ tag: tags.name(tag), amount });
  const hasUsers = interact.size > 0;
  const largest = (a: { amount: number }, b: { amount: number }) => Math.abs(b.amount) - Math.abs(a.amount);
  return {
    base: parts.base,
    ownTags: parts.own.map(named).sort(largest),
    neighbours: parts.neighbours
      .map(({ object: other, cosine, amount, tags: counting }) => {
        const { object, title, numSharedUsers } = explained.named(other);
        const shared = hasUsers && { numSharedUsers };
        return { object, title, cosine, ...shared, amount, tags: counting.map(named).sort(largest) };
      })
      .sort(largest),
    words: [...parts.words].sort(largest),
    ...(parts.mention !== undefined && { mention: parts.mention }),
    // a model that does not hold its users still has profiles of them
    ...((hasUsers || parts.profile !== 0) && { profile: parts.profile }),
    ...(parts.content !== undefined && { content: parts.content }),
    ...(parts.again !== undefined && {
      again: parts.again.map((one) => ({ text: againText(one, tag, explained), amount: one.amount })).sort(largest),
    }),
  };
}

/** How many ids two ascending lists have in common. */
function numShared(users: ArrayLike<number>, others: Int32Array): number {
  let count = 0;
  for (let i = 0, k = 0; i < users.length && k < others.length; ) {
    if (users[i] === others[k]) count++;
    if (users[i] <= others[k]) i++;
    else k++;
  }
  return count;
}

function pathsThroughUsers(explained: ObjectExplainer, tag: number, limit: number): UserPath[] {
  if (limit === 0) return [];
  const { views, facts, similar } = explained;
  const found: { readonly other: number; readonly cosine: number }[] = [];
  for (const other of views.objectsOf.row(tag)) {
    const at = placeIn(similar.objects, other);
    if (at >= 0 && other !== facts.object) found.push({ other, cosine: similar.cosines[at] });
  }
  return found
    .sort((a, b) => b.cosine - a.cosine || a.other - b.other)
    .slice(0, limit)
    .map(({ other, cosine }) => {
      const { object, title, numSharedUsers } = explained.named(other);
      return { object, title, weight: cosine, numSharedUsers };
    });
}

function pathsThroughTags({ views, facts }: ObjectExplainer, tag: number, limit: number): TagPath[] {
  if (limit === 0) return [];
  const { tagged, tags } = views.graph;
  const { objectsOf } = views;
  return Array.from(facts.tags, (own) => {
    // from the rarer of both: a common tag has many objects
    const [rare, other] = objectsOf.rowLength(own) < objectsOf.rowLength(tag) ? [own, tag] : [tag, own];
    let both = 0;
    for (const object of objectsOf.row(rare)) if (object !== facts.object && tagged.has(object, other)) both++;
    return { tag: tags.name(own), weight: both / Math.max(1, objectsOf.rowLength(own)), numObjects: both };
  })
    .filter(({ numObjects }) => numObjects > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, limit);
}

/** Where an id stands in an ascending list; −1: nowhere. */
function placeIn(ids: Int32Array, id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle] < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
}

/** No reason by itself. */
const OF_SUCH_SCORES = 'how often such a score is right';

/** Why a second look changed the score. */
function againText({ reason, amount, tag: own }: AgainAmount, tag: number, { facts, views }: ObjectExplainer): string {
  switch (reason) {
    case 'score':
      return OF_SUCH_SCORES;
    case 'withoutTags':
      return 'what else is known of it';
    case 'neighbours':
      return 'tags of objects with similar users';
    case 'mention':
      return 'whether its text names the tag';
    case 'count':
      return `carried by ${counted(views.objectsOf.rowLength(tag), 'object')}`;
    case 'object':
      return `${counted(facts.tags.length, 'tag')} so far`;
    case 'company':
      return amount > 0 && own !== undefined
        ? `often together with ${views.graph.tags.name(own)}`
        : 'seldom together with its tags';
    case 'notLookedAt':
      return 'not among the tags that were looked at again';
    default:
      return reason satisfies never;
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
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
          ...(parts.again ?? []).filter(({ text }) => text !== OF_SUCH_SCORES),
        ];
  return found
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, NUM_SHORT);
}
