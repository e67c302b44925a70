// How many objects carry two tags at once. The tags of a tag's carriers are counted when someone first asks, and cached where they
// are many: a common tag is asked about again and again. An object that does not count takes off what it added itself.

import type { Relation } from '../../data/relation.ts';

export const MAX_CARRIERS = 4096; // of a tag: more, in even steps, tell nothing new
const FEW = 64; // carriers: counting them again is as fast as looking up what was counted
const MAX_ENTRIES = 2 ** 22; // cached: 32 megabytes

/** The tags that carriers of a tag have, ascending, and how many have each. */
interface Counts {
  readonly tags: Int32Array;
  readonly numObjects: Int32Array;
}

export class Together {
  readonly #tagged: Relation;
  readonly #carriers: Relation; // tags to objects
  readonly #counts: Float64Array; // by tag, scratch, zeros between calls
  readonly #met: Int32Array; // tags, scratch
  readonly #cached = new Map<number, Counts>(); // by tag
  #numEntries = 0;

  constructor(tagged: Relation, carriers: Relation) {
    this.#tagged = tagged;
    this.#carriers = carriers;
    this.#counts = new Float64Array(tagged.numTails);
    this.#met = new Int32Array(tagged.numTails);
  }

  /** For each candidate, how many carriers of a tag have it, without one object; returns what a count stands for. */
  count(tag: number, candidates: Int32Array, except: number | undefined, out: Float64Array): number {
    const numCarriers = this.#carriers.rowLength(tag);
    const isExcepted = except !== undefined && this.#isUsed(tag, except);
    if (numCarriers <= FEW) this.#countFew(tag, candidates, out);
    else this.#lookUp(this.#countsOf(tag), candidates, out);
    const numUsed = Math.min(numCarriers, MAX_CARRIERS) - (isExcepted ? 1 : 0);
    if (isExcepted) {
      for (let c = 0; c < candidates.length; c++) if (this.#tagged.has(except, candidates[c])) out[c]--;
    }
    const isCarrier = except !== undefined && this.#tagged.has(except, tag);
    return numUsed === 0 ? 0 : (numCarriers - (isCarrier ? 1 : 0)) / numUsed;
  }

  /** Whether an object is one of the carriers that count. */
  #isUsed(tag: number, object: number): boolean {
    const { rowStart, tails } = this.#carriers;
    const numCarriers = rowStart[tag + 1] - rowStart[tag];
    if (numCarriers <= MAX_CARRIERS) return this.#tagged.has(object, tag);
    const step = numCarriers / MAX_CARRIERS;
    let [low, high] = [0, MAX_CARRIERS];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (tails[rowStart[tag] + Math.floor(middle * step)] < object) low = middle + 1;
      else high = middle;
    }
    return low < MAX_CARRIERS && tails[rowStart[tag] + Math.floor(low * step)] === object;
  }

  #countFew(tag: number, candidates: Int32Array, out: Float64Array): void {
    this.#countAll(tag, 1);
    for (let c = 0; c < candidates.length; c++) out[c] = this.#counts[candidates[c]];
    this.#countAll(tag, 0);
  }

  /** Adds to the counts of all tags, or makes them zeros again. */
  #countAll(tag: number, amount: 0 | 1): void {
    const { rowStart, tails } = this.#tagged;
    const [first, numCarriers] = [this.#carriers.rowStart[tag], this.#carriers.rowLength(tag)];
    const counts = this.#counts;
    const numUsed = Math.min(numCarriers, MAX_CARRIERS);
    const step = numCarriers / Math.max(1, numUsed);
    for (let k = 0; k < numUsed; k++) {
      const object = this.#carriers.tails[first + Math.floor(k * step)];
      const end = rowStart[object + 1];
      for (let e = rowStart[object]; e < end; e++) counts[tails[e]] = amount * (counts[tails[e]] + 1);
    }
  }

  #lookUp({ tags, numObjects }: Counts, candidates: Int32Array, out: Float64Array): void {
    for (let c = 0; c < candidates.length; c++) {
      let low = 0;
      let high = tags.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (tags[middle] < candidates[c]) low = middle + 1;
        else high = middle;
      }
      out[c] = low < tags.length && tags[low] === candidates[c] ? numObjects[low] : 0;
    }
  }

  #countsOf(tag: number): Counts {
    const known = this.#cached.get(tag);
    if (known !== undefined) return known;
    this.#countAll(tag, 1);
    const [counts, met] = [this.#counts, this.#met];
    let numMet = 0;
    for (let other = 0; other < counts.length; other++) if (counts[other] > 0) met[numMet++] = other;
    const tags = met.slice(0, numMet);
    const found = { tags, numObjects: Int32Array.from(tags, (other) => counts[other]) };
    for (let i = 0; i < numMet; i++) counts[met[i]] = 0;
    if (this.#numEntries + numMet > MAX_ENTRIES) {
      this.#cached.clear();
      this.#numEntries = 0;
    }
    this.#cached.set(tag, found);
    this.#numEntries += numMet;
    return found;
  }
}
