// loom: a ridge regression of an object's tags on all that is known of it, where no tag may speak for itself. What is known
// are its views: its own tags, the tags of objects alike by their users (weighted means), the words of its name, a profile of
// its users (the leading singular vectors of objects by users), and a constant. So every score is an exact sum:
//
//   score(o, t) = base_t + Σ weights(s, t) over its tags s                                        own tags
//               + Σ mean_o(s) · weights(numTags + s, t) over the tags s of its neighbours          neighbours
//               + Σ weights(2 · numTags + w, t) over the words w of its name                       name
//               + profile_o · profile weights_t                                                    profile
//
// mean_o(s) = Σ cos(o, j) over the neighbours j that have s / Σ cos(o, j) over all of them. Nothing of this needs the object
// to have been there in training: tags, users, a name or any of them are enough.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import type { Vocabulary } from '../data/vocabulary.ts';
import { wordsOf } from '../data/words.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Dense } from '../engine/matrix.ts';
import { type Alike, Resemblance } from '../graph/resemblance.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import type { Scorer } from './score-tags.ts';

export interface Loom {
  readonly form: 'loom';
  /** Of users of many objects (graph/resemblance.ts). */
  readonly damping: number;
  readonly numNeighbours: number;
  /** From each object to the tagged objects most alike; weights are cosines. */
  readonly neighbours: WeightedGraph; // over objects
  /** Those that count. */
  readonly words: Vocabulary;
  /** From own tags (the first numTags rows), neighbours' tags (as many again) and words to tags; the strongest. */
  readonly weights: WeightedGraph; // (2 · numTags + numWords) rows
  readonly profile: Profile;
  readonly base: Float32Array; // (numTags)
}

/**
 * A profile is the sum of its users' vectors, each times its number in the object's row (Resemblance.row). Where there are
 * fewer objects than users, objects have the vectors instead, times the cosine to each object: the sum is the same.
 */
export interface Profile {
  readonly side: 'users' | 'objects';
  readonly width: number;
  readonly vectors: Float32Array; // (numUsers or numObjects, width)
  readonly weights: Float32Array; // (width, numTags)
}

/** What is known of an object, by ids. */
export interface Facts {
  readonly tags: ArrayLike<number>;
  readonly users: ArrayLike<number>;
  /** What the object is called. */
  readonly title?: string | undefined;
  /** The object itself where the data has it: it is not its own neighbour. */
  readonly object?: number;
}

/** Amounts add up: base + own + neighbours + words + profile is the score. */
export interface LoomReasons {
  readonly base: number;
  readonly own: readonly TagAmount[];
  readonly neighbours: readonly NeighbourAmount[];
  readonly words: readonly { readonly word: string; readonly amount: number }[];
  readonly profile: number;
}

export interface TagAmount {
  readonly tag: number;
  readonly amount: number;
}

export interface NeighbourAmount {
  readonly object: number;
  readonly cosine: number;
  readonly amount: number;
  /** Which of its tags spoke, and how loud. */
  readonly tags: readonly TagAmount[];
}

const BLOCK = 256; // objects at a time

/** `train`: whose tags and users count. */
export class OpenLoom implements Scorer {
  readonly floor = Number.NEGATIVE_INFINITY;
  readonly #loom: Loom;
  readonly #train: KnowledgeGraph;
  readonly #kernels: Kernels;
  readonly #resemblance: Resemblance;
  readonly #isTagged: Uint8Array;
  readonly #profileWeights: Dense; // (width, numTags)
  #profiles: Float32Array | undefined; // (numObjects, width)

  constructor(kernels: Kernels, loom: Loom, train: KnowledgeGraph) {
    this.#kernels = kernels;
    this.#loom = loom;
    this.#train = train;
    this.#resemblance = new Resemblance(train.interact, loom.damping);
    this.#isTagged = marksOfTagged(train.tagged);
    this.#profileWeights = kernels.dense(loom.profile.width, train.tags.size);
    kernels.write(this.#profileWeights, loom.profile.weights);
  }

  readonly score = async (ids: Int32Array, scores: Float32Array): Promise<void> => {
    const { width } = this.#loom.profile;
    const numTags = this.#train.tags.size;
    const all = await this.#allProfiles();
    for (let first = 0; first < ids.length; first += BLOCK) {
      const block = ids.subarray(first, first + BLOCK);
      const profiles = new Float32Array(block.length * width);
      for (let i = 0; i < block.length; i++) {
        profiles.set(all.subarray(block[i] * width, (block[i] + 1) * width), i * width);
      }
      await this.#scoreProfiles(profiles, scores.subarray(first * numTags, (first + block.length) * numTags));
      for (let i = 0; i < block.length; i++) {
        const row = scores.subarray((first + i) * numTags, (first + i + 1) * numTags);
        this.#addTags(row, this.#train.tagged.row(block[i]), this.#storedNeighbours(block[i]));
        this.#addWords(row, this.#train.titles.at(block[i]));
      }
    }
  };

  /** The same for any facts, known object or not. */
  async scoreFacts(facts: Facts, row: Float32Array): Promise<void> {
    await this.#scoreProfiles(this.profileOf(facts.users), row);
    this.#addTags(row, facts.tags, this.neighboursOf(facts));
    this.#addWords(row, facts.title ?? '');
  }

  neighboursOf({ users, object }: Facts): Alike {
    const options = { most: this.#loom.numNeighbours, among: this.#isTagged };
    return this.#resemblance.nearest(users, object === undefined ? options : { ...options, except: object });
  }

  profileOf(users: ArrayLike<number>): Float32Array {
    const { side, width, vectors } = this.#loom.profile;
    const sum = new Float64Array(width);
    const add = (of: ArrayLike<number>, factors: Float32Array) => {
      for (let i = 0; i < of.length; i++) {
        for (let k = 0, at = of[i] * width; k < width; k++, at++) sum[k] += factors[i] * vectors[at];
      }
    };
    if (side === 'users') add(users, this.#resemblance.row(users));
    else {
      const { objects, cosines } = this.#resemblance.alike(users);
      add(objects, cosines);
    }
    return Float32Array.from(sum);
  }

  /** What a score is made of: the parts add up to it. */
  explain(facts: Facts, tag: number): LoomReasons {
    const { base, profile } = this.#loom;
    const numTags = base.length;
    const { objects, cosines } = this.neighboursOf(facts);
    const total = cosines.reduce((sum, cosine) => sum + cosine, 0);
    const neighbours = Array.from(objects, (object, i) => {
      const tags = Array.from(this.#train.tagged.row(object), (own) => ({
        tag: own,
        amount: (cosines[i] / total) * this.#weight(numTags + own, tag),
      })).filter(({ amount }) => amount !== 0);
      return { object, cosine: cosines[i], tags, amount: tags.reduce((sum, { amount }) => sum + amount, 0) };
    });
    const users = this.profileOf(facts.users);
    return {
      base: base[tag],
      own: Array.from(facts.tags, (own) => ({ tag: own, amount: this.#weight(own, tag) })),
      neighbours,
      words: knownWords(this.#loom.words, facts.title ?? '').map((word) => ({
        word: this.#loom.words.name(word),
        amount: this.#weight(2 * numTags + word, tag),
      })),
      profile: users.reduce((sum, value, k) => sum + value * profile.weights[k * numTags + tag], 0),
    };
  }

  /** The score of one tag for every object in the data: far fewer steps than all tags of all objects. */
  async scoreObjects(tag: number): Promise<Float32Array> {
    const { neighbours, profile, base } = this.#loom;
    const { tagged } = this.#train;
    const numTags = base.length;
    const { width, weights } = profile;
    const scores = new Float32Array(tagged.numHeads).fill(base[tag]);
    const profiles = await this.#allProfiles();
    const fromTags = new Float64Array(tagged.numHeads); // what an object says for the tag as a neighbour
    for (let object = 0; object < scores.length; object++) {
      for (let k = 0; k < width; k++) scores[object] += profiles[object * width + k] * weights[k * numTags + tag];
      for (const own of tagged.row(object)) {
        scores[object] += this.#weight(own, tag);
        fromTags[object] += this.#weight(numTags + own, tag);
      }
      for (const word of knownWords(this.#loom.words, this.#train.titles.at(object))) {
        scores[object] += this.#weight(2 * numTags + word, tag);
      }
    }
    const { rowStart, columns, weights: cosines } = neighbours;
    for (let object = 0; object < scores.length; object++) {
      let [sum, total] = [0, 0];
      for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
        sum += cosines[e] * fromTags[columns[e]];
        total += cosines[e];
      }
      if (total > 0) scores[object] += sum / total;
    }
    return scores;
  }

  release(): void {
    this.#kernels.release(this.#profileWeights);
  }

  async #allProfiles(): Promise<Float32Array> {
    this.#profiles ??= await profilesOf(this.#kernels, this.#loom.profile, this.#resemblance, this.#train);
    return this.#profiles;
  }

  /** Columns ascend in a row. */
  #weight(feature: number, tag: number): number {
    const { rowStart, columns, weights } = this.#loom.weights;
    let [low, high] = [rowStart[feature], rowStart[feature + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (columns[middle] < tag) low = middle + 1;
      else high = middle;
    }
    return low < rowStart[feature + 1] && columns[low] === tag ? weights[low] : 0;
  }

  #storedNeighbours(object: number): Alike {
    const { rowStart, columns, weights } = this.#loom.neighbours;
    const [start, end] = [rowStart[object], rowStart[object + 1]];
    return { objects: columns.subarray(start, end), cosines: weights.subarray(start, end) };
  }

  async #scoreProfiles(profiles: Float32Array, scores: Float32Array): Promise<void> {
    const { base, profile } = this.#loom;
    if (base.length === 0) return;
    const rows = scores.length / base.length;
    if (profile.width === 0) {
      for (let i = 0; i < rows; i++) scores.set(base, i * base.length);
      return;
    }
    const [a, out] = [this.#kernels.dense(rows, profile.width), this.#kernels.dense(rows, base.length)];
    try {
      this.#kernels.write(a, profiles);
      this.#kernels.gemm(out, a, this.#profileWeights);
      scores.set(await this.#kernels.read(out));
    } finally {
      this.#kernels.release(a, out);
    }
    for (let i = 0; i < scores.length; i++) scores[i] += base[i % base.length];
  }

  #addTags(row: Float32Array, tags: ArrayLike<number>, neighbours: Alike): void {
    for (let i = 0; i < tags.length; i++) this.#add(row, tags[i], 1);
    const numTags = this.#train.tags.size;
    for (const [tag, mean] of neighbourMeans(neighbours, this.#train.tagged)) this.#add(row, numTags + tag, mean);
  }

  #addWords(row: Float32Array, title: string): void {
    const numTags = this.#train.tags.size;
    for (const word of knownWords(this.#loom.words, title)) this.#add(row, 2 * numTags + word, 1);
  }

  #add(row: Float32Array, feature: number, factor: number): void {
    const { rowStart, columns, weights } = this.#loom.weights;
    for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) row[columns[e]] += factor * weights[e];
  }
}

/** The tags of neighbours, each with the share of the neighbours' cosines that stand behind it. */
export function neighbourMeans({ objects, cosines }: Alike, tagged: Relation): Map<number, number> {
  const means = new Map<number, number>();
  let total = 0;
  for (const cosine of cosines) total += cosine;
  for (let i = 0; i < objects.length; i++) {
    for (const tag of tagged.row(objects[i])) means.set(tag, (means.get(tag) ?? 0) + cosines[i] / total);
  }
  return means;
}

/** Ids, ascending. */
export function knownWords(words: Vocabulary, title: string): number[] {
  if (words.size === 0) return [];
  const ids = wordsOf(title).map((word) => words.idOf(word));
  return ids.filter((id) => id >= 0).sort((a, b) => a - b);
}

export function marksOfTagged(tagged: Relation): Uint8Array {
  return Uint8Array.from({ length: tagged.numHeads }, (_, object) => (tagged.rowLength(object) > 0 ? 1 : 0));
}

/** The profiles of all objects in the data. */
export async function profilesOf(
  kernels: Kernels,
  { side, width, vectors }: Pick<Profile, 'side' | 'width' | 'vectors'>,
  resemblance: Resemblance,
  { users, objects }: Pick<KnowledgeGraph, 'users' | 'objects'>,
): Promise<Float32Array> {
  if (width === 0) return new Float32Array(0);
  const rows = kernels.csr(objects.size, users.size, resemblance.rows());
  const [ofUsers, profiles] = [kernels.dense(users.size, width), kernels.dense(objects.size, width)];
  try {
    if (side === 'users') kernels.write(ofUsers, vectors);
    else {
      kernels.write(profiles, vectors);
      kernels.spmmTransposed(ofUsers, rows, profiles);
    }
    kernels.spmm(profiles, rows, ofUsers);
    return await kernels.read(profiles);
  } finally {
    kernels.release(rows, ofUsers, profiles);
  }
}
