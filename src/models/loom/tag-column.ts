// The score of one tag for every object of the data, view by view. Few features have a weight for a tag, so each view starts from
// those that do and adds to the objects that have them. Per object the terms come in the same order as object by object.

import { type Csr, entryOf } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import type { AmendedTags } from '../scorer.ts';
import { type Loom, shareOf } from './loom.ts';
import type { Side } from './side.ts';

/** What all objects have, from the other side. */
export interface Postings {
  readonly objectsOf: Relation; // from tags
  readonly text: Csr; // from features to objects
  readonly mentions: Csr; // from tags to objects
}

/** What a column is made from beside the weights. */
export interface ColumnInputs {
  readonly tag: number;
  readonly amended: AmendedTags | undefined;
  readonly profiles: Float32Array; // (numObjects, profile.width)
}

/** The features that have a weight for a tag, ascending. */
interface Weighted {
  readonly features: number[];
  readonly weights: number[];
}

export class TagColumns {
  readonly #loom: Loom;
  readonly #train: KnowledgeGraph;
  readonly #postings: Postings;
  readonly #sums: Float64Array; // (numObjects) scratch
  readonly #amounts: Float64Array; // (numObjects) scratch, zeros between calls: what an object adds as a neighbour
  readonly #isAdding: Uint8Array; // likewise: whether it adds anything

  constructor(loom: Loom, train: KnowledgeGraph, postings: Postings) {
    const numObjects = train.objects.size;
    this.#loom = loom;
    this.#train = train;
    this.#postings = postings;
    this.#sums = new Float64Array(numObjects);
    this.#amounts = new Float64Array(numObjects);
    this.#isAdding = new Uint8Array(numObjects);
  }

  score(sides: { readonly tagged: Side; readonly untagged: Side }, inputs: ColumnInputs): Float32Array {
    const { mixing } = this.#loom;
    const scores = new Float32Array(this.#train.objects.size);
    const numOwn = this.#numOwnTags(inputs.amended);
    for (const side of [sides.tagged, sides.untagged]) {
      const shares = Float64Array.from(mixing, (share) => (side === sides.tagged ? share : 1 - share));
      const asked = askedObjects(shares, numOwn);
      if (asked.length === 0) continue;
      this.#sum(side, asked, inputs);
      for (const object of asked) scores[object] += shareOf(shares, numOwn[object]) * this.#sums[object];
    }
    return scores;
  }

  /** By object how many tags it has. */
  #numOwnTags(amended: AmendedTags | undefined): Int32Array {
    const { rowStart, numHeads } = this.#train.tagged;
    const counts = new Int32Array(numHeads);
    for (let object = 0; object < numHeads; object++) counts[object] = rowStart[object + 1] - rowStart[object];
    for (const object of amended?.objects ?? []) counts[object] = amended?.tagsOf(object).length ?? 0;
    return counts;
  }

  /** What one side says of the tag, by object. */
  #sum({ weights, layout }: Side, asked: Int32Array, { tag, amended, profiles }: ColumnInputs): void {
    const { profile, content } = this.#loom;
    const { text, mentions } = this.#postings;
    const { base, sparse, mention } = weights;
    const sums = this.#sums;
    const numTags = base.length;
    const columnOf = (matrix: Float32Array, width: number) =>
      Float32Array.from({ length: width }, (_, k) => matrix[k * numTags + tag]);
    sums.fill(base[tag]);
    addProducts(sums, asked, profiles, columnOf(weights.profile, profile.width));
    if (content) addProducts(sums, asked, content.rows, columnOf(weights.content, content.width));
    this.#addOwn(weightsFor(sparse, 0, layout.neighbours, tag), amended);
    const ofText = weightsFor(sparse, layout.text, text.rowStart.length - 1, tag);
    for (const [i, feature] of ofText.features.entries()) addRow(sums, text, feature, ofText.weights[i]);
    addRow(sums, mentions, tag, mention[tag]);
    this.#addNeighbours(weightsFor(sparse, layout.neighbours, numTags, tag), asked);
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
  #addNeighbours({ features, weights }: Weighted, asked: Int32Array): void {
    const { rowStart, tails } = this.#postings.objectsOf;
    const [amounts, isAdding] = [this.#amounts, this.#isAdding];
    for (const [i, feature] of features.entries()) {
      for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) {
        amounts[tails[e]] += weights[i];
        isAdding[tails[e]] = 1;
      }
    }
    addMeans(this.#sums, asked, this.#loom.neighbours, amounts, isAdding);
    for (const feature of features) {
      for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) amounts[tails[e]] = isAdding[tails[e]] = 0;
    }
  }
}

/** Most objects have no neighbour that adds anything: a look at a byte for each tells. */
function addMeans(
  sums: Float64Array,
  objects: Int32Array,
  { rowStart, columns, values: cosines }: Csr,
  amounts: Float64Array,
  isAdding: Uint8Array,
): void {
  for (let i = 0; i < objects.length; i++) {
    const [start, end] = [rowStart[objects[i]], rowStart[objects[i] + 1]];
    let numAdding = 0;
    for (let e = start; e < end; e++) numAdding += isAdding[columns[e]];
    if (numAdding === 0) continue;
    let [sum, total] = [0, 0];
    for (let e = start; e < end; e++) {
      sum += cosines[e] * amounts[columns[e]];
      total += cosines[e];
    }
    if (total > 0) sums[objects[i]] += sum / total;
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

/** Of some rows, those with an entry in a column. */
function weightsFor(rows: Csr, first: number, numRows: number, column: number): Weighted {
  const [features, weights]: [number[], number[]] = [[], []];
  for (let row = 0; row < numRows; row++) {
    const weight = entryOf(rows, first + row, column);
    if (weight === 0) continue;
    features.push(row);
    weights.push(weight);
  }
  return { features, weights };
}
