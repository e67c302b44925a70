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
  readonly nearTo: Pick<Csr, 'rowStart' | 'columns'>; // from neighbours to the objects whose neighbours they are
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
  readonly #isReached: Uint8Array; // likewise: whether a neighbour does
  readonly #numOwn: Int32Array; // (numObjects): tags in the data

  constructor(loom: Loom, train: KnowledgeGraph, postings: Postings) {
    const numObjects = train.objects.size;
    this.#loom = loom;
    this.#train = train;
    this.#postings = postings;
    this.#sums = new Float64Array(numObjects);
    this.#amounts = new Float64Array(numObjects);
    this.#isAdding = new Uint8Array(numObjects);
    this.#isReached = new Uint8Array(numObjects);
    this.#numOwn = Int32Array.from({ length: numObjects }, (_, object) => train.tagged.rowLength(object));
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
    if (amended === undefined || amended.objects.length === 0) return this.#numOwn;
    const counts = this.#numOwn.slice();
    for (const object of amended.objects) counts[object] = amended.tagsOf(object).length;
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
    this.#addNeighbours(weightsFor(sparse, layout.neighbours, numTags, tag));
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
    const adding: number[] = [];
    for (const [i, feature] of features.entries()) {
      for (let e = rowStart[feature]; e < rowStart[feature + 1]; e++) {
        const object = tails[e];
        amounts[object] += weights[i];
        if (isAdding[object] === 0) adding.push(object);
        isAdding[object] = 1;
      }
    }
    addMeans(this.#sums, this.#reachedBy(adding), this.#loom.neighbours, amounts);
    for (const object of adding) amounts[object] = isAdding[object] = 0;
  }

  /** The objects that have one of these as a neighbour: most have none. */
  #reachedBy(neighbours: readonly number[]): number[] {
    const { rowStart, columns } = this.#postings.nearTo;
    const isReached = this.#isReached;
    const reached: number[] = [];
    for (const neighbour of neighbours) {
      for (let e = rowStart[neighbour]; e < rowStart[neighbour + 1]; e++) {
        if (isReached[columns[e]] === 0) reached.push(columns[e]);
        isReached[columns[e]] = 1;
      }
    }
    for (const object of reached) isReached[object] = 0;
    return reached;
  }
}

function addMeans(
  sums: Float64Array,
  objects: readonly number[],
  { rowStart, columns, values: cosines }: Csr,
  amounts: Float64Array,
): void {
  for (const object of objects) {
    let [sum, total] = [0, 0];
    for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
      sum += cosines[e] * amounts[columns[e]];
      total += cosines[e];
    }
    if (total > 0) sums[object] += sum / total;
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
