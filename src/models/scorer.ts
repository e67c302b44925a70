// How a model answers, whatever is behind it: a score for every tag of some objects, and what else it can do.

import type { NameTable } from '../data/vocabulary.ts';
import { kthLargest, largest } from '../engine/numerics/top-k.ts';
import type { Listener } from '../listener.ts';

/**
 * Writes a score for each tag of each object into `scores` (objects.length, numTags), row-major; higher is more likely.
 * A whole block of objects at a time, since many models answer by one product of matrices.
 */
export type ScoreTags = (objects: Int32Array, scores: Float32Array, tagsOf?: TagsOf) => void | Promise<void>;

/** The tags that count as an object's own, if not those of the data, for models that look at them again. */
export type TagsOf = (object: number) => ArrayLike<number>;

/** Objects whose tags are others than those of the data. */
export interface AmendedTags {
  readonly objects: readonly number[];
  readonly tagsOf: TagsOf;
}

/** A scorer, and what it can do beyond scoring: what a model cannot do is not there. */
export interface Scorer {
  readonly score: ScoreTags;
  /** A score of this or less means that nothing speaks for the tag. */
  readonly floor: number;
  /** Whether scores are near logarithms of probabilities, rather than in proportion to them. */
  readonly isLogarithmic?: boolean;
  /** The same for any facts, those of an object the model has never seen among them; `row`: (numTags). */
  scoreUnseen?(facts: Facts, row: Float32Array): Promise<void>;
  /** What the scores of an object are made of. What all tags share is computed once. */
  explain?(facts: Facts): Promise<ExplainedScores>;
  /** The score of one tag for every object, where that takes fewer steps than all tags of all objects. */
  scoreObjects?(tag: number, amended?: AmendedTags): Promise<Float32Array>; // (numObjects)
  /** Computes what the first `scoreObjects` would wait for. */
  prepareObjects?(listener: Listener): Promise<void>;
  /** From now on an object of the data has these tags (ascending): what that says of other objects counts. */
  learn?(object: number, tags: Int32Array): void;
  /** How likely a suggestion of this score is right. */
  confidence?(score: number, hasTags: boolean): number;
  /** The content features it knows. */
  readonly featureNames?: NameTable;
  /** Computes what the first answer would wait for. `breathe` lets others work in between. */
  prepare?(breathe: () => Promise<void> | undefined): Promise<void>;
  /** Gives back the engine's memory. */
  release(): void;
}

/** What is known of an object, by ids. */
export interface Facts {
  readonly tags: ArrayLike<number>;
  readonly users: ArrayLike<number>;
  /** What the object is called. */
  readonly title?: string | undefined;
  /** What is written about it, by column of the data; what the data has by default, where it has the object. */
  readonly texts?: readonly string[] | undefined;
  /** Its content features; those it had in training by default, where the data has the object. */
  readonly features?: ReadonlyMap<number, number> | undefined;
  /** The object itself where the data has it: it is not its own neighbour. */
  readonly object?: number;
}

/** The scores of one object, and the parts of any of them, which add up to it. */
export interface ExplainedScores {
  readonly scores: Float32Array; // (numTags)
  partsOf(tag: number): ScoreParts;
}

/** Amounts add up: base + own + neighbours + words + mention + profile + content + again is the score. */
export interface ScoreParts {
  readonly base: number;
  readonly own: readonly TagAmount[];
  readonly neighbours: readonly NeighbourAmount[];
  readonly words: readonly WordAmount[];
  /** That the tag's own words stand in what is written about the object; of a model that looks for them. */
  readonly mention?: number;
  readonly profile: number;
  /** Of a model that knows of content. */
  readonly content?: number;
  /** What ranking the best tags again changed, by what it looked at; of a model that does. */
  readonly again?: readonly AgainAmount[];
}

/** What a second look at a tag adds to its score, and why. */
export interface AgainAmount {
  readonly reason: AgainReason;
  readonly amount: number;
  /** Of company: the own tag that goes with it best. */
  readonly tag?: number;
}

/**
 * What was looked at: the first score and its rank, what is known beside own tags, tags of objects with similar users, whether the
 * text names the tag, how many objects carry it, how much is known of the object, and how often it goes with own tags. Or that it
 * was not looked at, as others were better.
 */
export type AgainReason =
  | 'score'
  | 'withoutTags'
  | 'neighbours'
  | 'mention'
  | 'count'
  | 'object'
  | 'company'
  | 'notLookedAt';

/** A word and what it adds to a score. */
export interface WordAmount {
  readonly word: string;
  /** The column of text it stands in; none: its name. */
  readonly column?: string;
  readonly amount: number;
}

export interface TagAmount {
  readonly tag: number;
  readonly amount: number;
}

export interface NeighbourAmount {
  readonly object: number;
  readonly cosine: number;
  readonly amount: number;
  /** Which of its tags count, and how much. */
  readonly tags: readonly TagAmount[];
}

/** For a model that scores object by object: `score` fills the row of one. */
export function rowByRow(numTags: number, score: (object: number, row: Float32Array) => void): ScoreTags {
  return (objects, scores) => {
    for (let i = 0; i < objects.length; i++) score(objects[i], scores.subarray(i * numTags, (i + 1) * numTags));
  };
}

const MIN_GROUP = 4; // tags: of fewer, the best says little

/** The `limit` best tags of one row that are not in `hidden` (ascending ids), best first; among equals the smaller id. */
export function topTags(scores: Float32Array, hidden: ArrayLike<number>, limit: number): number[] {
  if (limit === 0) return [];
  const least = leastOf(scores, limit + hidden.length);
  const found: number[] = [];
  let nextHidden = 0;
  for (let tag = 0; tag < scores.length; tag++) {
    if (!(scores[tag] >= least)) continue;
    while (hidden[nextHidden] < tag) nextHidden++;
    if (hidden[nextHidden] !== tag) found.push(tag);
  }
  const kept = found.length > 2 * limit ? best(found, scores, limit) : found;
  return bestFirst(kept, scores).slice(0, limit);
}

const MAX_IDS = 2 ** 21; // that fit beside the bits of a score: both together are a whole number below 2^53
const FEW = 8; // which are sorted by comparing
const number = new Float32Array(1);
const bits = new Int32Array(number.buffer);

/** Sorted by their scores, among equals by id. As numbers that hold both, they need no function that compares. */
function bestFirst(tags: number[], scores: Float32Array): number[] {
  if (tags.length <= FEW || scores.length > MAX_IDS) return tags.sort((a, b) => scores[b] - scores[a] || a - b);
  const keys = new Float64Array(tags.length);
  for (let i = 0; i < tags.length; i++) {
    number[0] = scores[tags[i]] + 0; // −0 is 0
    // the bits of numbers above 0 rise with them, of those below they fall
    const rank = bits[0] >= 0 ? bits[0] : -(bits[0] & 0x7fffffff);
    keys[i] = -rank * MAX_IDS + tags[i];
  }
  keys.sort();
  for (let i = 0; i < tags.length; i++) tags[i] = keys[i] - Math.floor(keys[i] / MAX_IDS) * MAX_IDS;
  return tags;
}

/**
 * A score that at least so many tags reach: of the best tags of groups of tags, the one in that place. Most tags are below it, so
 * that only few are ever sorted.
 */
function leastOf(scores: Float32Array, numTags: number): number {
  const size = Math.floor(scores.length / (2 * numTags));
  if (size < MIN_GROUP) return Number.NEGATIVE_INFINITY;
  const highest = new Float32Array(2 * numTags);
  for (let group = 0, tag = 0; group < highest.length; group++) {
    let most = Number.NEGATIVE_INFINITY;
    for (const end = tag + size; tag < end; tag++) if (scores[tag] > most) most = scores[tag];
    highest[group] = most;
  }
  return kthLargest(highest, numTags);
}

function best(tags: readonly number[], scores: Float32Array, limit: number): number[] {
  const keys = Float32Array.from(tags, (tag) => scores[tag]);
  return Array.from(largest(Int32Array.from(tags), keys, limit));
}
