// What a sum of small trees says of many rows at once, bit for bit as `answerOf` does row by row, without a branch that a processor
// would have to guess. A number is compared to all thresholds of its feature once: its rank among them, a byte, answers every
// question. So one subtraction of 32-bit words asks a question of four rows: the highest bit of each byte says no.

import { MAX_TREE_ROWS, type PackedTrees, type SingleRows } from '../../engine/single-rows.ts';
import { answerOf, NUM_LEAVES, NUM_QUESTIONS, type Trees } from './boosted-trees.ts';

const MAX_THRESHOLDS = 127; // of a feature: ranks stay below the highest bit
const MIN_SPAN = 32; // what learnt trees need
const ROWS = 4; // in a word
const NO = 0x80808080 | 0; // the highest bit of each byte
const EACH = 0x01010101;

export class TreesAtOnce {
  readonly #trees: Trees;
  readonly #numFeatures: number;
  readonly #features: Int32Array; // those asked about
  readonly #span: number; // room for the thresholds of one, a power of two
  readonly #thresholds: Float32Array; // (features, span): ascending, then infinite
  readonly #places: Int32Array; // by question, of its feature among those asked about
  readonly #limits: Int32Array; // by question: the highest rank that says no, in every byte, with NO
  #words = new Int32Array(0); // (features, numWords): ranks of four rows each
  #bytes = new Uint8Array(0); // the same bytes
  readonly #engine: { readonly rows: SingleRows; readonly packed: PackedTrees } | undefined;

  /** `engine`: sums up what few rows get where it has kernels for that. */
  constructor(trees: Trees, numFeatures: number, engine?: SingleRows) {
    this.#trees = trees;
    this.#numFeatures = numFeatures;
    this.#features = Int32Array.from(new Set(trees.features)).sort();
    const thresholds = Array.from(this.#features, (feature) =>
      Float32Array.from(new Set(trees.thresholds.filter((_, q) => trees.features[q] === feature))).sort(),
    );
    const most = thresholds.reduce((sum, { length }) => Math.max(sum, length), 0);
    this.#span = Math.max(MIN_SPAN, 2 ** Math.ceil(Math.log2(most + 1)));
    this.#thresholds = new Float32Array(thresholds.length * this.#span).fill(Number.POSITIVE_INFINITY);
    for (const [place, some] of thresholds.entries()) this.#thresholds.set(some, place * this.#span);
    this.#places = trees.features.map((feature) => this.#features.indexOf(feature));
    const limits = this.#places.map((place, q) => thresholds[place].indexOf(trees.thresholds[q]));
    this.#limits = limits.map((limit) => (limit * EACH) | NO);
    if (engine === undefined || this.#span > MAX_THRESHOLDS + 1) return;
    const questions = { numFeatures: this.#features.length, features: this.#places, leaves: trees.leaves };
    this.#engine = { rows: engine, packed: engine.packTrees({ ...questions, limits: Uint8Array.from(limits) }) };
  }

  release(): void {
    this.#engine?.rows.release(this.#engine.packed);
  }

  /** What the trees add to the odds of each row, into `out`. */
  answers(rows: Float32Array, out: Float64Array): void {
    const numRows = rows.length / this.#numFeatures;
    if (this.#span > MAX_THRESHOLDS + 1) {
      for (let row = 0; row < numRows; row++) out[row] = answerOf(this.#trees, rows, row * this.#numFeatures);
      return;
    }
    if (this.#engine !== undefined && numRows <= MAX_TREE_ROWS) {
      const { rows: engine, packed } = this.#engine;
      this.#rankInto(engine.ranksOf(packed), rows, numRows, MAX_TREE_ROWS);
      engine.sumTrees(out, packed);
      return;
    }
    const numWords = Math.ceil(numRows / ROWS);
    this.#rank(rows, numRows, numWords);
    const sums = new Float64Array(numWords * ROWS);
    this.#sum(sums, numWords);
    out.set(sums.subarray(0, numRows));
  }

  /** Of every number, how many thresholds it is above. */
  #rank(rows: Float32Array, numRows: number, numWords: number): void {
    if (this.#bytes.length < this.#features.length * numWords * ROWS) {
      this.#words = new Int32Array(this.#features.length * numWords);
      this.#bytes = new Uint8Array(this.#words.buffer);
    }
    this.#rankInto(this.#bytes, rows, numRows, numWords * ROWS);
  }

  /** `stride`: bytes from one feature to the next. */
  #rankInto(bytes: Uint8Array, rows: Float32Array, numRows: number, stride: number): void {
    const [thresholds, numFeatures, span] = [this.#thresholds, this.#numFeatures, this.#span];
    for (let place = 0; place < this.#features.length; place++) {
      const start = place * span;
      const end = place * stride + numRows;
      let at = this.#features[place];
      for (let row = end - numRows; row < end; row++, at += numFeatures) {
        const value = rows[at];
        let rank = start;
        // comparisons as numbers, not as conditions: numbers are not guessed
        if (span > 64) rank += +(value > thresholds[rank + 63]) << 6;
        if (span > 32) rank += +(value > thresholds[rank + 31]) << 5;
        rank += +(value > thresholds[rank + 15]) << 4;
        rank += +(value > thresholds[rank + 7]) << 3;
        rank += +(value > thresholds[rank + 3]) << 2;
        rank += +(value > thresholds[rank + 1]) << 1;
        rank += +(value > thresholds[rank]);
        bytes[row] = rank - start;
      }
    }
  }

  #sum(sums: Float64Array, numWords: number): void {
    const [words, limits, places, leaves] = [this.#words, this.#limits, this.#places, this.#trees.leaves];
    for (let q = 0, first = 0; q < limits.length; q += NUM_QUESTIONS, first += NUM_LEAVES) {
      // one by one: taking an array apart takes longer than asking
      const limit0 = limits[q];
      const limit1 = limits[q + 1];
      const limit2 = limits[q + 2];
      const limit3 = limits[q + 3];
      const limit4 = limits[q + 4];
      const limit5 = limits[q + 5];
      const limit6 = limits[q + 6];
      const start0 = places[q] * numWords;
      const start1 = places[q + 1] * numWords;
      const start2 = places[q + 2] * numWords;
      const start3 = places[q + 3] * numWords;
      const start4 = places[q + 4] * numWords;
      const start5 = places[q + 5] * numWords;
      const start6 = places[q + 6] * numWords;
      for (let word = 0, row = 0; word < numWords; word++, row += ROWS) {
        const no0 = limit0 - words[start0 + word];
        const no1 = chosen(no0, limit1 - words[start1 + word], limit2 - words[start2 + word]);
        const afterNo = chosen(no1, limit3 - words[start3 + word], limit4 - words[start4 + word]);
        const afterYes = chosen(no1, limit5 - words[start5 + word], limit6 - words[start6 + word]);
        const no2 = chosen(no0, afterNo, afterYes);
        // three answers make the number of a leaf, yes being 1
        const leaf = ~(((no0 & NO) >>> 5) | ((no1 & NO) >>> 6) | ((no2 & NO) >>> 7));
        sums[row] += leaves[first + (leaf & 7)];
        sums[row + 1] += leaves[first + ((leaf >>> 8) & 7)];
        sums[row + 2] += leaves[first + ((leaf >>> 16) & 7)];
        sums[row + 3] += leaves[first + ((leaf >>> 24) & 7)];
      }
    }
  }
}

/** By bit the first where the condition is 1, else the second. */
function chosen(condition: number, first: number, second: number): number {
  return second ^ ((first ^ second) & condition);
}
