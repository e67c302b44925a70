// loom at work: scores of objects in the data, and of any others from what is known of them.

import { type Csr, entryOf } from '../../csr.ts';
import { allObjects, type KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { NameTable } from '../../data/vocabulary.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Dense, Sparse } from '../../engine/matrix.ts';
import { Similarity, type SimilarObjects } from '../../graph/similarity.ts';
import type { Facts, ScoreParts, Scorer, ScoreTags, TagsOf } from '../scorer.ts';
import { contentRow } from './content.ts';
import { explainScore } from './explain.ts';
import type { Loom } from './loom.ts';
import { addNeighbourMeans, marksOfTagged } from './neighbours.ts';
import { profilesOf, userVectors } from './profile.ts';
import { knownWords, wordRows } from './words.ts';

const BLOCK = 256; // objects at a time

/** `train`: whose tags and users count. */
export class LoomScorer implements Scorer {
  readonly floor = Number.NEGATIVE_INFINITY;
  readonly featureNames?: NameTable;
  readonly #loom: Loom;
  readonly #train: KnowledgeGraph;
  readonly #kernels: Kernels;
  readonly #similarity: Similarity;
  readonly #ownTags: TagsOf;
  readonly #isTagged: Uint8Array;
  readonly #denseWidth: number; // of profile and content together
  readonly #denseWeights: Dense; // (denseWidth, numTags)
  #userVectors: Promise<Float32Array | undefined> | undefined; // (numUsers, profile.width)
  #profiles: Promise<Float32Array> | undefined; // (numObjects, width)
  #words: Csr | undefined; // (numObjects, numWords)
  #single: { readonly row: Sparse; readonly out: Dense } | undefined; // for one object at a time
  readonly #means: Float64Array; // (numTags) scratch, zeros between calls

  constructor(kernels: Kernels, loom: Loom, train: KnowledgeGraph) {
    this.#kernels = kernels;
    this.#loom = loom;
    if (loom.content !== undefined) this.featureNames = loom.content.names;
    this.#train = train;
    this.#similarity = new Similarity(train.interact, loom.damping);
    this.#ownTags = (object) => train.tagged.row(object);
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

  readonly score: ScoreTags = async (ids, scores, tagsOf = this.#ownTags): Promise<void> => {
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

  /** The same for any facts, those of a new object among them. */
  async scoreUnseen(facts: Facts, row: Float32Array): Promise<void> {
    const dense = new Float32Array(this.#denseWidth);
    dense.set(await this.profileOf(facts.users));
    dense.set(this.contentOf(facts), this.#loom.profile.width);
    await this.#scoreDense(dense, row);
    this.#addTags(row, facts.tags, this.neighboursOf(facts));
    this.#addWords(row, knownWords(this.#loom.words, facts.title ?? ''));
  }

  neighboursOf({ users, object }: Facts): SimilarObjects {
    const options = { most: this.#loom.numNeighbours, among: this.#isTagged };
    return this.#similarity.mostSimilar(users, object === undefined ? options : { ...options, except: object });
  }

  async profileOf(users: ArrayLike<number>): Promise<Float32Array> {
    const { profile } = this.#loom;
    if (profile.width === 0) return new Float32Array(0);
    this.#userVectors ??= userVectors(this.#kernels, profile, this.#similarity, this.#train);
    const ofUsers = await this.#userVectors;
    if (ofUsers !== undefined) return sumOf(ofUsers, profile.width, users, this.#similarity.row(users));
    const { objects, cosines } = this.#similarity.similarTo(users);
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

  explain(facts: Facts, tag: number): Promise<ScoreParts> {
    return explainScore(this.#loom, this.#train, this, facts, tag);
  }

  /** The score of one tag for every object in the data: far fewer steps than all tags of all objects. */
  async scoreObjects(tag: number, tagsOf: TagsOf = this.#ownTags): Promise<Float32Array> {
    const { neighbours, profile, content, base, weights } = this.#loom;
    const { tagged } = this.#train;
    const numTags = base.length;
    const { width } = profile;
    const scores = new Float32Array(tagged.numHeads);
    const profiles = await this.#allProfiles();
    const column = Float32Array.from({ length: width }, (_, k) => profile.weights[k * numTags + tag]);
    const contentWidth = content?.width ?? 0;
    const fromTags = new Float64Array(tagged.numHeads); // what an object adds to the tag as a neighbour
    for (let object = 0; object < scores.length; object++) {
      let fromProfile = base[tag]; // in a variable: an element would be stored and loaded in every step
      for (let k = 0; k < width; k++) fromProfile = Math.fround(fromProfile + profiles[object * width + k] * column[k]);
      scores[object] = fromProfile;
      for (let k = 0; content && k < contentWidth; k++) {
        scores[object] += content.rows[object * contentWidth + k] * content.weights[k * numTags + tag];
      }
      const tags = tagsOf(object);
      for (let i = 0; i < tags.length; i++) scores[object] += entryOf(weights, tags[i], tag);
      for (const own of tagged.row(object)) fromTags[object] += entryOf(weights, numTags + own, tag);
      for (const word of this.#wordsOf(object)) scores[object] += entryOf(weights, 2 * numTags + word, tag);
    }
    const { rowStart, columns, values: cosines } = neighbours;
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
    this.#profiles ??= profilesOf(this.#kernels, this.#loom.profile, this.#similarity, this.#train);
    return this.#profiles;
  }

  #wordsOf(object: number): Int32Array {
    this.#words ??= wordRows(this.#loom.words, this.#train, allObjects(this.#train));
    return this.#words.columns.subarray(this.#words.rowStart[object], this.#words.rowStart[object + 1]);
  }

  #storedNeighbours(object: number): SimilarObjects {
    const { rowStart, columns, values } = this.#loom.neighbours;
    const [start, end] = [rowStart[object], rowStart[object + 1]];
    return { objects: columns.subarray(start, end), cosines: values.subarray(start, end) };
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
      row: this.#kernels.sparse(1, width, {
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

  #addTags(row: Float32Array, tags: ArrayLike<number>, neighbours: SimilarObjects): void {
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
    const { rowStart, columns, values } = this.#loom.weights;
    for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) row[columns[e]] += factor * values[e];
  }
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
