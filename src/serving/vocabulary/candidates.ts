// Which pairs of tags are worth a look: those whose names share a key of some kind, found by look-up, and the nearest neighbours by
// company, found through lists of the tags that share a feature. Never all pairs.

import { spellingKey } from '../../data/spelling.ts';
import { largest } from '../../engine/numerics/top-k.ts';
import type { Profile, Profiles } from './profiles.ts';
import { type Spelled, stemOf } from './spelled-names.ts';
import { lettersOf } from './word-shapes.ts';

export interface Neighbour {
  readonly tag: number;
  readonly cosine: number;
}

const MAX_SHARED = 40; // tags under one key of letters: more have too little in common
const MIN_BEGINNING = 3;
const MAX_SHORT = 5; // letters of an abbreviation
const MAX_LONG = 5; // words that one abbreviation may stand for
const MAX_LISTED = 400; // tags in the list of a feature: a feature of more says too little to find neighbours by

/** Calls back with pairs of tags whose names may be one; each may come several times. */
export function forEachSimilarName(names: readonly Spelled[], onPair: (one: number, other: number) => void): void {
  const byKey = new Map<string, number[]>();
  const put = (key: string, tag: number) => {
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [tag]);
    else if (known.at(-1) !== tag) known.push(tag);
  };
  for (let tag = 0; tag < names.length; tag++) for (const key of keysOf(names[tag])) put(key, tag);
  for (const tags of byKey.values()) {
    if (tags.length > MAX_SHARED) continue;
    for (let i = 1; i < tags.length; i++) for (let j = 0; j < i; j++) onPair(tags[j], tags[i]);
  }
  for (let tag = 0; tag < names.length; tag++) {
    for (const key of beginningsOf(names[tag]))
      for (const short of byKey.get(`key ${key}`) ?? []) if (short !== tag) onPair(short, tag);
  }
}

/** Names that share one of these may be one. */
function* keysOf({ key, words, variant, inflected, derived }: Spelled): Iterable<string> {
  yield `key ${key}`;
  yield `variant ${variant}`;
  yield `key ${key.replace(/(?:\.?js|lang)$/, '')}`;
  if (inflected !== '') yield `inflected ${inflected}`;
  if (derived !== '') yield `derived ${derived}`;
  if (key.length > MAX_SHORT) for (const typo of withoutOneLetter(key)) yield `typo ${typo}`;
  if (key.length >= 6) yield `numeronym ${key[0]}${key.length - 2}${key.at(-1)}`;
  if (/^\p{L}\d+\p{L}$/u.test(key)) yield `numeronym ${key}`;
  if (words.length === 1 && key.length <= MAX_SHORT) yield `initials ${key}`;
  if (words.length < 2) return;
  yield `initials ${words.map((word) => word[0]).join('')}`;
  yield `words ${[...words].sort().join(' ')}`;
  for (let i = 0; i < words.length; i++) {
    const rest = [...words.slice(0, i), ...words.slice(i + 1)].join(' ');
    yield `key ${spellingKey(rest)}`;
    yield `without ${i} ${rest} ${stemOf(words[i], 'derivation')}`;
  }
}

/** Words that differ in one letter share one of these, or the word itself. */
function* withoutOneLetter(key: string): Iterable<string> {
  yield key;
  for (let i = 1; i + 1 < key.length; i++) yield key.slice(0, i) + key.slice(i + 1);
}

/** What an abbreviation of a word may be: its beginning; the rest of abbreviations is found among neighbours by company. */
function* beginningsOf({ key, words }: Spelled): Iterable<string> {
  const word = words.length === 1 ? key : '';
  for (let length = MIN_BEGINNING; length < word.length; length++) yield word.slice(0, length);
}

/**
 * Calls back with abbreviations and the words they may be short for. Some letters of a word are letters of many others: of the words
 * that a short name may stand for, those that keep its company are taken.
 */
export function forEachAbbreviation(
  names: readonly Spelled[],
  company: Profiles,
  onPair: (short: number, long: number) => void,
): void {
  const byLetter = new Map<string, number[]>();
  const single = names.flatMap(({ words }, tag) => (words.length === 1 ? [tag] : []));
  for (const tag of single) {
    const first = names[tag].key[0];
    const known = byLetter.get(first);
    if (known === undefined) byLetter.set(first, [tag]);
    else known.push(tag);
  }
  for (const short of single) {
    const { key } = names[short];
    if (key.length < 2 || key.length > MAX_SHORT) continue;
    const longs = (byLetter.get(key[0]) ?? []).filter((long) => lettersOf(key, names[long].key) !== undefined);
    const found = longs.map((long): Neighbour => ({ tag: long, cosine: company.cosine(short, long) }));
    found.sort((a, b) => b.cosine - a.cosine || a.tag - b.tag);
    for (const { tag, cosine } of found.slice(0, MAX_LONG)) if (cosine > 0) onPair(short, tag);
  }
}

/** By company, the nearest first. */
export class Neighbours {
  readonly #profiles: Profiles;
  readonly #listStart: Int32Array;
  readonly #listed: Int32Array; // tags by feature
  readonly #weights: Float64Array;
  readonly #sums: Float64Array; // by tag, scratch, zeros between calls
  readonly #most: number;

  /** Among `tags` alone. */
  constructor(profiles: Profiles, tags: readonly number[], numFeatures: number, most: number) {
    this.#profiles = profiles;
    this.#most = most;
    const starts = new Int32Array(numFeatures + 1);
    for (const tag of tags) for (const feature of profiles.of(tag).features) starts[feature + 1]++;
    for (let feature = 0; feature < numFeatures; feature++) starts[feature + 1] += starts[feature];
    const next = starts.slice();
    this.#listStart = starts;
    this.#listed = new Int32Array(starts[numFeatures]);
    this.#weights = new Float64Array(starts[numFeatures]);
    for (const tag of tags) {
      const { features, weights } = profiles.of(tag);
      for (let i = 0; i < features.length; i++) {
        const at = next[features[i]]++;
        this.#listed[at] = tag;
        this.#weights[at] = weights[i];
      }
    }
    this.#sums = new Float64Array(numFeatures);
  }

  of(tag: number): Neighbour[] {
    const [sums, reached] = [this.#sums, this.#reach(tag, this.#profiles.of(tag))];
    const cosines = Float32Array.from(reached, (other) => sums[other]);
    const nearest = largest(Int32Array.from(reached), cosines, this.#most);
    const found = Array.from(nearest, (other): Neighbour => ({ tag: other, cosine: sums[other] }));
    for (const other of reached) sums[other] = 0;
    return found.sort((a, b) => b.cosine - a.cosine || a.tag - b.tag);
  }

  #reach(tag: number, { features, weights }: Profile): number[] {
    const [starts, listed, sums] = [this.#listStart, this.#listed, this.#sums];
    const reached: number[] = [];
    for (let i = 0; i < features.length; i++) {
      const [start, end] = [starts[features[i]], starts[features[i] + 1]];
      const step = Math.max(1, Math.ceil((end - start) / MAX_LISTED));
      for (let at = start; at < end; at += step) {
        const other = listed[at];
        if (other === tag) continue;
        if (sums[other] === 0) reached.push(other);
        sums[other] += weights[i] * this.#weights[at];
      }
    }
    return reached;
  }
}
