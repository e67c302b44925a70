// loom: a ridge regression of an object's tags on all that is known of it, where no tag may speak for itself. What is known
// are its views: its own tags, the tags of objects alike by their users (weighted means), the words of its name, a profile of
// its users (the leading singular vectors of objects by users), its content features likewise, and a constant. So every score
// is an exact sum:
//
//   score(o, t) = base_t + Σ weights(s, t) over its tags s                                        own tags
//               + Σ mean_o(s) · weights(numTags + s, t) over the tags s of its neighbours          neighbours
//               + Σ weights(2 · numTags + w, t) over the words w of its name                       name
//               + profile_o · profile weights_t                                                    profile
//               + content_o · content weights_t                                                    content
//
// mean_o(s) = Σ cos(o, j) over the neighbours j that have s / Σ cos(o, j) over all of them. Nothing of this needs the object
// to have been there in training: tags, users, a name or any of them are enough.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import type { NameTable, Vocabulary } from '../data/vocabulary.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Csr, Dense } from '../engine/matrix.ts';
import { type Alike, Resemblance } from '../graph/resemblance.ts';
import type { WeightedGraph } from '../graph/weighted-graph.ts';
import { type Profile, profilesOf, userVectors } from './loom-profile.ts';
import { addNeighbourMeans } from './neighbour-means.ts';
import type { Scorer } from './score-tags.ts';
import { knownWords, type WordRows, wordRows } from './word-rows.ts';

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
  /** Where objects have features. */
  readonly content?: Content;
  readonly base: Float32Array; // (numTags)
}

/** What objects are made of, where that is known: features times their scales, to length 1, times the features' vectors. */
export interface Content {
  readonly names: NameTable; // of features
  readonly scales: Float32Array; // (numFeatures)
  readonly width: number;
  readonly vectors: Float32Array; // (numFeatures, width)
  readonly rows: Float32Array; // (numObjects, width)
  readonly weights: Float32Array; // (width, numTags)
}

/** What is known of an object, by ids. */
export interface Facts {
  readonly tags: ArrayLike<number>;
  readonly users: ArrayLike<number>;
  /** What the object is called. */
  readonly title?: string | undefined;
  /** Its content features; of an object in the data those it had in training, unless told. */
  readonly features?: ReadonlyMap<number, number> | undefined;
  /** The object itself where the data has it: it is not its own neighbour. */
  readonly object?: number;
}

/** Amounts add up: base + own + neighbours + words + profile + content is the score. */
export interface LoomReasons {
  readonly base: number;
  readonly own: readonly TagAmount[];
  readonly neighbours: readonly NeighbourAmount[];
  readonly words: readonly { readonly word: string; readonly amount: number }[];
  readonly profile: number;
  /** Of a model that knows of content. */
  readonly content?: number;
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
  readonly #denseWidth: number; // of profile and content together
  readonly #denseWeights: Dense; // (denseWidth, numTags)
  #userVectors: Promise<Float32Array | undefined> | undefined; // (numUsers, profile.width)
  #profiles: Promise<Float32Array> | undefined; // (numObjects, width)
  #words: WordRows | undefined; // of all objects
  #single: { readonly row: Csr; readonly out: Dense } | undefined; // for one object at a time
  readonly #means: Float64Array; // (numTags) scratch, zeros between calls

  constructor(kernels: Kernels, loom: Loom, train: KnowledgeGraph) {
    this.#kernels = kernels;
    this.#loom = loom;
    this.#train = train;
    this.#resemblance = new Resemblance(train.interact, loom.damping);
    this.#isTagged = marksOfTagged(train.tagged);
    this.#means = new Float64Array(train.tags.size);
    const { profile, content } = loom;
    this.#denseWidth = profile.width + (content?.width ?? 0);
    this.#denseWeights = kernels.dense(this.#denseWidth, train.tags.size);
    const weights = new Float32Array(this.#denseWidth * train.tags.size);
    weights.set(profile.weights);
    if (content) weights.set(content.weights, profile.weights.length);
    kernels.write(this.#denseWeights, weights);
  }

  /** `tagsOf`: the tags that count as an object's own, if not those of the data. */
  readonly score = async (
    ids: Int32Array,
    scores: Float32Array,
    tagsOf = (object: number): ArrayLike<number> => this.#train.tagged.row(object),
  ): Promise<void> => {
    const { profile, content } = this.#loom;
    const numTags = this.#train.tags.size;
    const all = await this.#allProfiles();
    for (let first = 0; first < ids.length; first += BLOCK) {
      const block = ids.subarray(first, first + BLOCK);
      const dense = new Float32Array(block.length * this.#denseWidth);
      for (let i = 0; i < block.length; i++) {
        dense.set(rowOf(all, profile.width, block[i]), i * this.#denseWidth);
        if (content) dense.set(rowOf(content.rows, content.width, block[i]), i * this.#denseWidth + profile.width);
      }
      await this.#scoreDense(dense, scores.subarray(first * numTags, (first + block.length) * numTags));
      for (let i = 0; i < block.length; i++) {
        const row = scores.subarray((first + i) * numTags, (first + i + 1) * numTags);
        this.#addTags(row, tagsOf(block[i]), this.#storedNeighbours(block[i]));
        this.#addWords(row, this.#wordsOf(block[i]));
      }
    }
  };

  /** The same for any facts, known object or not. */
  async scoreFacts(facts: Facts, row: Float32Array): Promise<void> {
    const dense = new Float32Array(this.#denseWidth);
    dense.set(await this.profileOf(facts.users));
    dense.set(this.contentOf(facts), this.#loom.profile.width);
    await this.#scoreDense(dense, row);
    this.#addTags(row, facts.tags, this.neighboursOf(facts));
    this.#addWords(row, knownWords(this.#loom.words, facts.title ?? ''));
  }

  neighboursOf({ users, object }: Facts): Alike {
    const options = { most: this.#loom.numNeighbours, among: this.#isTagged };
    return this.#resemblance.nearest(users, object === undefined ? options : { ...options, except: object });
  }

  async profileOf(users: ArrayLike<number>): Promise<Float32Array> {
    const { profile } = this.#loom;
    if (profile.width === 0) return new Float32Array(0);
    this.#userVectors ??= userVectors(this.#kernels, profile, this.#resemblance, this.#train);
    const ofUsers = await this.#userVectors;
    if (ofUsers !== undefined) return sumOf(ofUsers, profile.width, users, this.#resemblance.row(users));
    const { objects, cosines } = this.#resemblance.alike(users);
    return sumOf(profile.vectors, profile.width, objects, cosines);
  }

  /** Empty where the model knows of no content. */
  contentOf({ features, object }: Facts): Float32Array {
    const { content } = this.#loom;
    if (content === undefined) return new Float32Array(0);
    if (features !== undefined) return contentRow(content, [...features.keys()], [...features.values()]);
    if (object !== undefined) return rowOf(content.rows, content.width, object);
    return new Float32Array(content.width);
  }

  /** What a score is made of: the parts add up to it. */
  async explain(facts: Facts, tag: number): Promise<LoomReasons> {
    const { base, profile, content } = this.#loom;
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
    const users = await this.profileOf(facts.users);
    return {
      base: base[tag],
      own: Array.from(facts.tags, (own) => ({ tag: own, amount: this.#weight(own, tag) })),
      neighbours,
      words: knownWords(this.#loom.words, facts.title ?? '').map((word) => ({
        word: this.#loom.words.name(word),
        amount: this.#weight(2 * numTags + word, tag),
      })),
      profile: users.reduce((sum, value, k) => sum + value * profile.weights[k * numTags + tag], 0),
      ...(content && {
        content: this.contentOf(facts).reduce((sum, value, k) => sum + value * content.weights[k * numTags + tag], 0),
      }),
    };
  }

  /** What an own tag adds to the score of a tag. */
  ownWeight(own: number, tag: number): number {
    return this.#weight(own, tag);
  }

  /** The score of one tag for every object in the data: far fewer steps than all tags of all objects. */
  async scoreObjects(tag: number): Promise<Float32Array> {
    const { neighbours, profile, content, base } = this.#loom;
    const { tagged } = this.#train;
    const numTags = base.length;
    const { width, weights } = profile;
    const scores = new Float32Array(tagged.numHeads);
    const profiles = await this.#allProfiles();
    const column = Float32Array.from({ length: width }, (_, k) => weights[k * numTags + tag]);
    const contentWidth = content?.width ?? 0;
    const fromTags = new Float64Array(tagged.numHeads); // what an object says for the tag as a neighbour
    for (let object = 0; object < scores.length; object++) {
      let fromProfile = base[tag]; // in a variable: an element would be stored and loaded in every step
      for (let k = 0; k < width; k++) fromProfile = Math.fround(fromProfile + profiles[object * width + k] * column[k]);
      scores[object] = fromProfile;
      for (let k = 0; content && k < contentWidth; k++) {
        scores[object] += content.rows[object * contentWidth + k] * content.weights[k * numTags + tag];
      }
      for (const own of tagged.row(object)) {
        scores[object] += this.#weight(own, tag);
        fromTags[object] += this.#weight(numTags + own, tag);
      }
      for (const word of this.#wordsOf(object)) scores[object] += this.#weight(2 * numTags + word, tag);
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
    this.#kernels.release(this.#denseWeights);
    if (this.#single) this.#kernels.release(this.#single.row, this.#single.out);
  }

  #allProfiles(): Promise<Float32Array> {
    this.#profiles ??= profilesOf(this.#kernels, this.#loom.profile, this.#resemblance, this.#train);
    return this.#profiles;
  }

  #wordsOf(object: number): Int32Array {
    this.#words ??= wordRows(this.#loom.words, this.#train.titles);
    return this.#words.ids.subarray(this.#words.rowStart[object], this.#words.rowStart[object + 1]);
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

  /** From rows of profile and content. */
  async #scoreDense(dense: Float32Array, scores: Float32Array): Promise<void> {
    const { base } = this.#loom;
    if (base.length === 0) return;
    const rows = scores.length / base.length;
    if (this.#denseWidth === 0) {
      for (let i = 0; i < rows; i++) scores.set(base, i * base.length);
      return;
    }
    if (rows === 1) scores.set(await this.#multiplyOne(dense));
    else {
      const [left, out] = [this.#kernels.dense(rows, this.#denseWidth), this.#kernels.dense(rows, base.length)];
      try {
        this.#kernels.write(left, dense);
        this.#kernels.gemm(out, left, this.#denseWeights);
        scores.set(await this.#kernels.read(out));
      } finally {
        this.#kernels.release(left, out);
      }
    }
    for (let start = 0; start < scores.length; start += base.length) {
      for (let tag = 0; tag < base.length; tag++) scores[start + tag] += base[tag];
    }
  }

  /** A sparse row without gaps: a product of dense ones would first copy all weights to where it reads them fast. */
  #multiplyOne(dense: Float32Array): Promise<Float32Array> {
    const width = this.#denseWidth;
    this.#single ??= {
      row: this.#kernels.csr(1, width, {
        rowStart: Int32Array.of(0, width),
        columns: Int32Array.from(dense.keys()),
        values: dense,
      }),
      out: this.#kernels.dense(1, this.#train.tags.size),
    };
    const { row, out } = this.#single;
    this.#kernels.write(row.values, dense);
    this.#kernels.spmm(out, row, this.#denseWeights);
    return this.#kernels.read(out);
  }

  #addTags(row: Float32Array, tags: ArrayLike<number>, neighbours: Alike): void {
    for (let i = 0; i < tags.length; i++) this.#add(row, tags[i], 1);
    const numTags = this.#train.tags.size;
    const means = this.#means;
    const met = addNeighbourMeans(means, neighbours, this.#train.tagged);
    for (const tag of met) {
      this.#add(row, numTags + tag, means[tag]);
      means[tag] = 0;
    }
  }

  #addWords(row: Float32Array, words: ArrayLike<number>): void {
    const numTags = this.#train.tags.size;
    for (let i = 0; i < words.length; i++) this.#add(row, 2 * numTags + words[i], 1);
  }

  #add(row: Float32Array, feature: number, factor: number): void {
    const { rowStart, columns, weights } = this.#loom.weights;
    for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) row[columns[e]] += factor * weights[e];
  }
}

/** Features of one object, as its content; those of no length have none. */
function contentRow({ scales, width, vectors }: Content, features: readonly number[], values: readonly number[]) {
  const row = new Float64Array(width);
  const length = contentLength(scales, features, values);
  if (length === 0) return new Float32Array(width);
  for (let i = 0; i < features.length; i++) {
    const value = (values[i] * scales[features[i]]) / length;
    for (let k = 0, at = features[i] * width; k < width; k++, at++) row[k] += value * vectors[at];
  }
  return Float32Array.from(row);
}

export function contentLength(scales: Float32Array, features: ArrayLike<number>, values: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < features.length; i++) squares += (values[i] * scales[features[i]]) ** 2;
  return Math.sqrt(squares);
}

/** Rows of some ids, each times its factor, added up. */
function sumOf(rows: Float32Array, width: number, ids: ArrayLike<number>, factors: Float32Array): Float32Array {
  const sum = new Float64Array(width);
  for (let i = 0; i < ids.length; i++) {
    for (let k = 0, at = ids[i] * width; k < width; k++, at++) sum[k] += factors[i] * rows[at];
  }
  return Float32Array.from(sum);
}

function rowOf(rows: Float32Array, width: number, row: number): Float32Array {
  return rows.subarray(row * width, (row + 1) * width);
}

export function marksOfTagged(tagged: Relation): Uint8Array {
  return Uint8Array.from({ length: tagged.numHeads }, (_, object) => (tagged.rowLength(object) > 0 ? 1 : 0));
}
