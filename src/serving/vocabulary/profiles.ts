// What tags are known by: for each tag a short row of numbers over other tags (its company), users, or words of titles and texts,
// weighed by how much more often they meet than chance (positive pointwise mutual information, shifted: Levy and Goldberg 2014)
// and of length 1. Objects with the very same tags count once: they come out of one mould and say one thing.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { wordsOf } from './text-words.ts';

/** Features of one tag, ascending, with weights of length 1. */
export interface Profile {
  readonly features: Int32Array;
  readonly weights: Float64Array;
}

export interface ProfileShape {
  /** Objects of a tag that are looked at, at even distances. */
  readonly maxObjects: number;
  /** Features of an object that count. */
  readonly maxPerObject: number;
  /** Features that a profile keeps: the heaviest. */
  readonly width: number;
  /** Objects by which it is told how common a feature is. */
  readonly maxCounted: number;
}

/** What an object has: ids below `size`. */
export interface Features {
  readonly size: number;
  /** Features are tags: then a tag is no feature of its own, and two tags none of each other. */
  readonly areTags?: true;
  of(object: number): ArrayLike<number>;
}

const SHIFT = Math.log(1.5); // weights below are mostly chance
const RARE = 2; // meetings that halve a weight: few of them prove little

/** Rows of one kind, computed on demand and kept. */
export class Profiles {
  readonly #carriers: Relation;
  readonly #features: Features;
  readonly #frequencies: Float64Array; // by feature: objects that have it
  readonly #numObjects: number;
  readonly #shape: ProfileShape;
  readonly #known: (Profile | undefined)[];
  readonly #counts: Float64Array; // by feature, scratch, zeros between calls

  /** `objects`: those that count, each of them once. */
  constructor(carriers: Relation, objects: Int32Array, features: Features, shape: ProfileShape) {
    this.#carriers = carriers;
    this.#features = features;
    this.#shape = shape;
    this.#frequencies = new Float64Array(features.size);
    this.#known = new Array(carriers.numHeads);
    this.#counts = new Float64Array(features.size);
    const step = Math.max(1, objects.length / shape.maxCounted);
    let numObjects = 0;
    for (let k = 0; k < objects.length; k += step) {
      const row = features.of(objects[Math.floor(k)]);
      for (let i = 0; i < row.length; i++) this.#frequencies[row[i]]++;
      numObjects++;
    }
    this.#numObjects = numObjects;
  }

  of(tag: number): Profile {
    this.#known[tag] ??= this.#compute(tag);
    return this.#known[tag];
  }

  /** The cosine of two tags, without what each is to the other. */
  cosine(one: number, other: number): number {
    const [a, b] = [this.of(one), this.of(other)];
    let dot = 0;
    for (let i = 0, j = 0; i < a.features.length && j < b.features.length; ) {
      const step = a.features[i] - b.features[j];
      if (step === 0) dot += a.weights[i++] * b.weights[j++];
      else if (step < 0) i++;
      else j++;
    }
    return dot;
  }

  #compute(tag: number): Profile {
    const counts = this.#counts;
    const objects = this.#carriers.row(tag);
    const step = Math.max(1, objects.length / this.#shape.maxObjects);
    const met: number[] = [];
    let numObjects = 0;
    for (let i = 0; i < objects.length; i += step) {
      const row = this.#features.of(objects[Math.floor(i)]);
      const stride = Math.max(1, row.length / this.#shape.maxPerObject);
      numObjects++;
      for (let k = 0; k < row.length; k += stride) {
        const feature = row[Math.floor(k)];
        if (this.#features.areTags && feature === tag) continue;
        if (counts[feature] === 0) met.push(feature);
        counts[feature] += 1;
      }
    }
    const weighed = met.map((feature): [number, number] => [
      feature,
      this.#weight(counts[feature], feature, numObjects),
    ]);
    for (const feature of met) counts[feature] = 0;
    return unitProfile(
      weighed.filter(([, weight]) => weight > 0),
      this.#shape.width,
    );
  }

  #weight(count: number, feature: number, numObjects: number): number {
    const expected = (numObjects * Math.max(1, this.#frequencies[feature])) / Math.max(1, this.#numObjects);
    const information = Math.log(count / expected) - SHIFT;
    return information <= 0 ? 0 : (information * count) / (count + RARE);
  }
}

function unitProfile(weighed: [number, number][], width: number): Profile {
  const kept = weighed.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, width);
  kept.sort((a, b) => a[0] - b[0]);
  const length = Math.sqrt(kept.reduce((sum, [, weight]) => sum + weight * weight, 0));
  return {
    features: Int32Array.from(kept, ([feature]) => feature),
    weights: Float64Array.from(kept, ([, weight]) => weight / (length || 1)),
  };
}

/** The first of all objects with the very same tags, ascending; those without tags are left out. */
export function distinctObjects(tagged: Relation): Int32Array {
  const seen = new Set<number>();
  const kept: number[] = [];
  for (let object = 0; object < tagged.numHeads; object++) {
    const tags = tagged.row(object);
    if (tags.length === 0) continue;
    const hash = hashOfIds(tags);
    if (seen.has(hash)) continue;
    seen.add(hash);
    kept.push(object);
  }
  return Int32Array.from(kept);
}

/** 53 bits: among a million lists, two that differ share one in a case of 10,000. */
function hashOfIds(ids: Int32Array): number {
  let [high, low] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < ids.length; i++) {
    high = Math.imul(high ^ ids[i], 0x01000193);
    low = Math.imul(low ^ (ids[i] + (high >>> 15)), 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** Tags to those of their objects that count. */
export function carriersAmong(tagged: Relation, objects: Int32Array): Relation {
  const counts = new Uint8Array(tagged.numHeads);
  for (const object of objects) counts[object] = 1;
  return tagged.select(Uint8Array.from(tagged.heads, (object) => counts[object])).reversed();
}

export function tagsAsFeatures({ tags, tagged }: KnowledgeGraph): Features {
  return { size: tags.size, areTags: true, of: (object) => tagged.row(object) };
}

export function usersAsFeatures({ users, interact }: KnowledgeGraph): Features {
  const usersOf = interact.reversed();
  return { size: users.size, of: (object) => usersOf.row(object) };
}

/** Words of titles and the beginnings of texts, by a hash: two that share a number are rare enough. */
export function wordsAsFeatures(graph: KnowledgeGraph): Features {
  return { size: NUM_WORDS, of: (object) => wordsOf(graph, object, NUM_WORDS) };
}

const NUM_WORDS = 1 << 18;
