// The score of one tag for every object of the data, view by view. Few features have a weight for a tag, so each view starts from
// those that do and adds to the objects that have them. Per object the terms come in the same order as object by object.

import type { Csr } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import type { AmendedTags } from '../scorer.ts';
import type { Weighted } from './feature-weights.ts';
import type { Loom } from './loom.ts';
import type { ObjectProfiles } from './object-profiles.ts';
import type { Side } from './side.ts';

/** What all objects have, from the other side. */
export interface Postings {
  readonly objectsOf: Relation; // from tags
  readonly text: Csr; // from features to objects
  readonly mentions: Csr; // from tags to objects
  readonly nearTo: Pick<Csr, 'rowStart' | 'columns'>; // from neighbours to the objects whose neighbours they are
}

/** What a column is made from beside the weights. */
export interface ColumnInputs {
  readonly tag: number;
  readonly amended: AmendedTags | undefined;
  readonly profiles: ObjectProfiles;
}

const MANY = 1 / 8; // of all objects

export class TagColumns {
  readonly #loom: Loom;
  #train: KnowledgeGraph;
  #postings: Postings;
  readonly #sums: Float64Array; // (numObjects) scratch
  readonly #amounts: Float64Array; // (numObjects) scratch, zeros between calls: what an object adds as a neighbour
  readonly #isAdding: Uint8Array; // likewise: whether it adds anything
  readonly #adding: Int32Array; // (numObjects) scratch: those that do
  readonly #isReached: Uint8Array; // likewise: whether a neighbour does
  readonly #reached: Int32Array; // (numObjects) scratch: those of which one does
  #numOwn: Int32Array; // (numObjects): tags in the data

  constructor(loom: Loom, train: KnowledgeGraph, postings: Postings) {
    const numObjects = train.objects.size;
    this.#loom = loom;
    this.#train = train;
    this.#postings = postings;
    this.#sums = new Float64Array(numObjects);
    this.#amounts = new Float64Array(numObjects);
    this.#isAdding = new Uint8Array(numObjects);
    this.#adding = new Int32Array(numObjects);
    this.#isReached = new Uint8Array(numObjects);
    this.#reached = new Int32Array(numObjects);
    this.#numOwn = numTagsOf(train);
  }

  /** Counts other tags as those of the data. */
  tagAgain(train: KnowledgeGraph): void {
    this.#train = train;
    this.#postings = { ...this.#postings, objectsOf: train.tagged.reversed() };
    this.#numOwn = numTagsOf(train);
  }

  async score(sides: { readonly tagged: Side; readonly untagged: Side }, inputs: ColumnInputs): Promise<Float32Array> {
    const { mixing } = this.#loom;
    const scores = new Float32Array(this.#train.objects.size);
    const numTags = this.#train.tags.size;
    const numOwn = this.#numOwnTags(inputs.amended);
    for (const side of [sides.tagged, sides.untagged]) {
      const shares = Float64Array.from(mixing, (share) => (side === sides.tagged ? share : 1 - share));
      const asked = askedObjects(shares, numOwn);
      if (asked.length === 0) continue;
      const products = await inputs.profiles.products(asked, columnOf(side.weights.profile, inputs.tag, numTags));
      this.#sum(side, asked, inputs);
      addShares(scores, asked, shares, numOwn, this.#sums, products);
    }
    return scores;
  }

  /** By object how many tags it has. */
  #numOwnTags(amended: AmendedTags | undefined): Int32Array {
    if (amended === undefined || amended.objects.length === 0) return this.#numOwn;
    const counts = this.#numOwn.slice();
    for (const object of amended.objects) counts[object] = amended.tagsOf(object).length;
    return counts;
  }

  /** What one side says of the tag without profiles, by object. */
  #sum({ weights, layout, features }: Side, asked: Int32Array, { tag, amended }: ColumnInputs): void {
    const { content } = this.#loom;
    const { text, mentions } = this.#postings;
    const { base, mention } = weights;
    const sums = this.#sums;
    const numTags = base.length;
    sums.fill(base[tag]);
    if (content) addProducts(sums, asked, content.rows, columnOf(weights.content, tag, numTags));
    this.#addOwn(features.columnOf(tag, 0, layout.neighbours), amended);
    const ofText = features.columnOf(tag, layout.text, text.rowStart.length - 1);
    for (const [i, feature] of ofText.features.entries()) addRow(sums, text, feature, ofText.weights[i]);
    addRow(sums, mentions, tag, mention[tag]);
    this.#addNeighbours(features.columnOf(tag, layout.neighbours, numTags));
  }

  #addOwn({ features, weights }: Weighted, amended: AmendedTags | undefined): void {
    const { rowStart, tails } = this.#postings.objectsOf;
    const sums = this.#sums;
    const changed = new Map(Array.from(amended?.objects ?? [], (object) => [object, sums[object]]));
    for (const [i, feature] of features.entries()) {
      for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) sums[tails[e]] += weights[i];
    }
    const weightOf = new Map(features.map((feature, i) => [feature, weights[i]]));
    for (const [object, before] of changed) {
      const own = amended?.tagsOf(object) ?? [];
      sums[object] = before;
      for (let k = 0; k < own.length; k++) sums[object] += weightOf.get(own[k]) ?? 0;
    }
  }

  /** The mean over neighbours, weighted by their cosines, of what their tags in the data add. */
  #addNeighbours({ features, weights }: Weighted): void {
    const { rowStart, tails } = this.#postings.objectsOf;
    const [amounts, isAdding] = [this.#amounts, this.#isAdding];
    const met = this.#adding;
    let size = 0;
    for (let i = 0; i < features.length; i++) {
      const weight = weights[i];
      const end = rowStart[features[i] + 1];
      for (let e = rowStart[features[i]]; e < end; e++) {
        const object = tails[e];
        amounts[object] += weight;
        if (isAdding[object] !== 0) continue;
        isAdding[object] = 1;
        met[size++] = object;
      }
    }
    const adding = met.subarray(0, size);
    addMeans(this.#sums, this.#reachedBy(adding), this.#loom.neighbours, amounts);
    for (let i = 0; i < size; i++) {
      amounts[adding[i]] = 0;
      isAdding[adding[i]] = 0;
    }
  }

  /** The objects that have one of these as a neighbour: most have none. Where these are many, all: looking takes longer. */
  #reachedBy(neighbours: Int32Array): Int32Array {
    const { rowStart, columns } = this.#postings.nearTo;
    const [isReached, reached] = [this.#isReached, this.#reached];
    if (neighbours.length > MANY * reached.length) {
      for (let object = 0; object < reached.length; object++) reached[object] = object;
      return reached;
    }
    let size = 0;
    for (let i = 0; i < neighbours.length; i++) {
      const end = rowStart[neighbours[i] + 1];
      for (let e = rowStart[neighbours[i]]; e < end; e++) {
        const object = columns[e];
        if (isReached[object] !== 0) continue;
        isReached[object] = 1;
        reached[size++] = object;
      }
    }
    for (let i = 0; i < size; i++) isReached[reached[i]] = 0;
    return reached.subarray(0, size);
  }
}

/** By object. */
function numTagsOf({ objects, tagged }: KnowledgeGraph): Int32Array {
  return Int32Array.from({ length: objects.size }, (_, object) => tagged.rowLength(object));
}

function addMeans(
  sums: Float64Array,
  objects: Int32Array,
  { rowStart, columns, values: cosines }: Csr,
  amounts: Float64Array,
): void {
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i];
    const end = rowStart[object + 1];
    let sum = 0;
    let total = 0;
    for (let e = rowStart[object]; e < end; e++) {
      sum += cosines[e] * amounts[columns[e]];
      total += cosines[e];
    }
    if (total > 0) sums[object] += sum / total;
  }
}

/** Adds what a side says of each object, products and the rest together, times its share. */
function addShares(
  scores: Float32Array,
  objects: Int32Array,
  shares: Float64Array,
  numOwn: Int32Array,
  sums: Float64Array,
  products: Float32Array,
): void {
  const last = shares.length - 1;
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i];
    const own = numOwn[object];
    scores[object] += shares[Math.min(own, last)] * (sums[object] + products[i]);
  }
}

/** The objects that a side has a share in, ascending. */
function askedObjects(shares: Float64Array, numOwn: Int32Array): Int32Array {
  const asked = new Int32Array(numOwn.length);
  const last = shares.length - 1;
  let size = 0;
  for (let object = 0; object < numOwn.length; object++) {
    if (shares[Math.min(numOwn[object], last)] > 0) asked[size++] = object;
  }
  return asked.subarray(0, size);
}

function columnOf(matrix: Float32Array, tag: number, numTags: number): Float32Array {
  const column = new Float32Array(matrix.length / numTags);
  for (let k = 0; k < column.length; k++) column[k] = matrix[k * numTags + tag];
  return column;
}

/** Adds the product of each object's row and a column. Four objects at a time: no sum has to wait for itself. */
function addProducts(sums: Float64Array, objects: Int32Array, rows: Float32Array, column: Float32Array): void {
  const width = column.length;
  const whole = objects.length - (objects.length % 4);
  for (let i = 0; i < whole; i += 4) {
    const [a, b, c, d] = [objects[i] * width, objects[i + 1] * width, objects[i + 2] * width, objects[i + 3] * width];
    let [ofA, ofB, ofC, ofD] = [0, 0, 0, 0];
    for (let k = 0; k < width; k++) {
      const weight = column[k];
      ofA += rows[a + k] * weight;
      ofB += rows[b + k] * weight;
      ofC += rows[c + k] * weight;
      ofD += rows[d + k] * weight;
    }
    sums[objects[i]] += ofA;
    sums[objects[i + 1]] += ofB;
    sums[objects[i + 2]] += ofC;
    sums[objects[i + 3]] += ofD;
  }
  for (let i = whole; i < objects.length; i++) {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += rows[objects[i] * width + k] * column[k];
    sums[objects[i]] += sum;
  }
}

/** Adds a row, times a weight. */
function addRow(sums: Float64Array, { rowStart, columns, values }: Csr, row: number, weight: number): void {
  for (let e = rowStart[row]; e < rowStart[row + 1]; e++) sums[columns[e]] += values[e] * weight;
}
