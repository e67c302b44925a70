// A sum of small decision trees that says how likely something is, learnt by gradient boosting with the logistic loss (Friedman,
// Ann. Statist. 29(5), 2001) over features in bins (as LightGBM does, NeurIPS 2017). Every tree asks three questions, one after the
// other, each depending on the answers before: so the sum is one of functions of up to three features. Nothing is left to chance.

const DEPTH = 3; // questions on the way to an answer
/** Of a tree. Question q is followed by question 2q + 1 after a no and by 2q + 2 after a yes. */
export const NUM_QUESTIONS = 2 ** DEPTH - 1;
/** Of a tree: its answers. */
export const NUM_LEAVES = 2 ** DEPTH;

/** By tree its questions (is a feature larger than a number?) and its answers. */
export interface Trees {
  readonly features: Int32Array; // (numTrees, NUM_QUESTIONS)
  readonly thresholds: Float32Array; // (numTrees, NUM_QUESTIONS)
  readonly leaves: Float32Array; // (numTrees, NUM_LEAVES)
}

/** Rows of features, each with an answer of 0 or 1. */
export interface TreeRows {
  readonly numFeatures: number;
  readonly features: Float32Array; // (numRows, numFeatures)
  readonly answers: Uint8Array; // (numRows)
  /** What the trees add to: logarithms of odds. */
  readonly odds: Float64Array; // (numRows)
  /** How many rows each stands for. */
  readonly weights: Float64Array; // (numRows)
}

/** The first of some trees. */
export function firstTrees({ features, thresholds, leaves }: Trees, numTrees: number): Trees {
  return {
    features: features.subarray(0, numTrees * NUM_QUESTIONS),
    thresholds: thresholds.subarray(0, numTrees * NUM_QUESTIONS),
    leaves: leaves.subarray(0, numTrees * NUM_LEAVES),
  };
}

/** What some trees add to the odds of a row of features, which begins at `at`. */
export function answerOf(
  { features: asked, thresholds, leaves }: Trees,
  row: ArrayLike<number>,
  at = 0,
  [firstTree, end]: readonly [number, number] = [0, leaves.length / NUM_LEAVES],
): number {
  let sum = 0;
  for (let tree = firstTree; tree < end; tree++) {
    const first = NUM_QUESTIONS * tree;
    let q = 0;
    while (q < NUM_QUESTIONS) q = 2 * q + (row[at + asked[first + q]] > thresholds[first + q] ? 2 : 1);
    sum += leaves[NUM_LEAVES * tree + q - NUM_QUESTIONS];
  }
  return sum;
}

const MAX_BINS = 32;
const LEARNING_RATE = 0.1;
const PENALTY = 1; // on the answers of leaves
const MIN_ROWS = 50; // of a leaf
/** Of many rows, a tree learns from every second or third, and the next one from the next: as good, in that much less time. */
const [ENOUGH_ROWS, MAX_STEP] = [50_000, 3];

/** No number is above this: a question whose answer is no. */
const NEVER = 2 ** 49;

/** Learns trees one after the other. */
export class TreeLearner {
  readonly #grower: Grower;
  readonly #odds: Float64Array;
  readonly #features: number[] = [];
  readonly #thresholds: number[] = [];
  readonly #leaves: number[] = [];

  constructor(rows: TreeRows) {
    this.#grower = new Grower(rows);
    this.#odds = rows.odds.slice();
  }

  async learn(numTrees: number, breathe: () => Promise<void> | undefined = () => undefined): Promise<void> {
    for (let tree = 0; tree < numTrees; tree++) {
      await breathe();
      this.#grower.setSlopes(this.#odds);
      const { splits, leaves } = this.#grower.grow();
      for (const split of splits) {
        this.#features.push(split?.feature ?? 0);
        this.#thresholds.push(split?.threshold ?? NEVER);
      }
      this.#leaves.push(...leaves);
      this.#grower.addTo(this.#odds, splits, leaves);
    }
  }

  get trees(): Trees {
    return {
      features: Int32Array.from(this.#features),
      thresholds: Float32Array.from(this.#thresholds),
      leaves: Float32Array.from(this.#leaves),
    };
  }
}

/** What a set of rows adds up to. */
interface Sums {
  readonly slope: number;
  readonly bend: number;
}

interface Split {
  readonly feature: number;
  /** Rows above this bin answer yes. */
  readonly bin: number;
  readonly threshold: number;
  readonly no: Sums;
  readonly yes: Sums;
}

/** The rows that a question is asked of: a stretch of the rows in order of their answers so far. */
interface Node {
  readonly start: number;
  readonly end: number;
  readonly sums: Float64Array; // (numFeatures, MAX_BINS, 3): slopes, bends, rows
}

class Grower {
  readonly #numRows: number;
  readonly #numFeatures: number;
  readonly #answers: Uint8Array;
  readonly #weights: Float64Array;
  readonly #edges: readonly Float32Array[]; // by feature: the end of every bin but the last
  readonly #bins: Uint8Array; // (numRows, numFeatures)
  readonly #slopes: Float64Array; // by row: how far the answer is above what is said
  readonly #bends: Float64Array; // by row: how fast that falls
  readonly #order: Int32Array; // rows, those of a node beside each other
  readonly #scratch: Int32Array; // (numRows)
  readonly #step: number; // between two rows that a tree learns from
  #numGrown = 0;

  constructor({ numFeatures, features, answers, weights }: TreeRows) {
    const numRows = answers.length;
    this.#numRows = numRows;
    this.#numFeatures = numFeatures;
    this.#answers = answers;
    this.#weights = weights;
    this.#slopes = new Float64Array(numRows);
    this.#bends = new Float64Array(numRows);
    this.#order = new Int32Array(numRows);
    this.#scratch = new Int32Array(numRows);
    this.#step = Math.max(1, Math.min(MAX_STEP, Math.floor(numRows / ENOUGH_ROWS)));
    this.#bins = new Uint8Array(numFeatures * numRows);
    this.#edges = Array.from({ length: numFeatures }, (_, feature) => {
      const edges = edgesOf(someValues(features, { feature, numFeatures, numRows }));
      for (let at = feature; at < this.#bins.length; at += numFeatures) this.#bins[at] = binOf(edges, features[at]);
      return edges;
    });
  }

  setSlopes(odds: Float64Array): void {
    for (let row = 0; row < odds.length; row++) {
      const likely = 1 / (1 + Math.exp(-odds[row]));
      this.#slopes[row] = this.#weights[row] * (this.#answers[row] - likely);
      this.#bends[row] = this.#weights[row] * likely * (1 - likely);
    }
  }

  grow(): { readonly splits: readonly (Split | undefined)[]; readonly leaves: readonly number[] } {
    let numLearnt = 0;
    for (let row = this.#numGrown++ % this.#step; row < this.#numRows; row += this.#step)
      this.#order[numLearnt++] = row;
    const nodes: (Node | undefined)[] = [{ start: 0, end: numLearnt, sums: this.#sumsOver(0, numLearnt) }];
    const splits: (Split | undefined)[] = [];
    const leaves = new Array<number>(NUM_LEAVES).fill(0);
    for (let q = 0; q < NUM_QUESTIONS; q++) {
      const node = nodes[q];
      const split = node && this.#bestSplit(node);
      splits.push(split);
      if (2 * q + 1 < NUM_QUESTIONS) {
        // without a question all go the way of a no
        const parts = node && split ? this.#parted(node, split) : [node, undefined];
        [nodes[2 * q + 1], nodes[2 * q + 2]] = parts;
        continue;
      }
      const [no, yes] = split ? [split.no, split.yes] : [node && totalOf(node.sums), undefined];
      const first = 2 * q + 1 - NUM_QUESTIONS;
      leaves[first] = no ? answerFrom(no) : 0;
      leaves[first + 1] = yes ? answerFrom(yes) : 0;
    }
    return { splits, leaves };
  }

  addTo(odds: Float64Array, splits: readonly (Split | undefined)[], leaves: readonly number[]): void {
    for (let row = 0; row < odds.length; row++) {
      const first = row * this.#numFeatures;
      let q = 0;
      while (q < NUM_QUESTIONS) {
        const split = splits[q];
        q = 2 * q + (split !== undefined && this.#bins[first + split.feature] > split.bin ? 2 : 1);
      }
      odds[row] += leaves[q - NUM_QUESTIONS];
    }
  }

  #sumsOver(start: number, end: number): Float64Array {
    const [numFeatures, bins] = [this.#numFeatures, this.#bins];
    const sums = new Float64Array(numFeatures * MAX_BINS * 3);
    for (let i = start; i < end; i++) {
      const row = this.#order[i];
      const [slope, bend] = [this.#slopes[row], this.#bends[row]];
      const first = row * numFeatures;
      for (let feature = 0; feature < numFeatures; feature++) {
        const at = 3 * (feature * MAX_BINS + bins[first + feature]);
        sums[at] += slope;
        sums[at + 1] += bend;
        sums[at + 2]++;
      }
    }
    return sums;
  }

  #bestSplit({ start, end, sums }: Node): Split | undefined {
    const { slope, bend } = totalOf(sums);
    const worthOf = (g: number, h: number) => (g * g) / (h + PENALTY);
    let best: Split | undefined;
    let most = worthOf(slope, bend) + 1e-9;
    for (let feature = 0; feature < this.#numFeatures; feature++) {
      let [g, h, count] = [0, 0, 0];
      for (let bin = 0; bin < this.#edges[feature].length; bin++) {
        const at = 3 * (feature * MAX_BINS + bin);
        g += sums[at];
        h += sums[at + 1];
        count += sums[at + 2];
        if (count < MIN_ROWS || end - start - count < MIN_ROWS) continue;
        const worth = worthOf(g, h) + worthOf(slope - g, bend - h);
        if (worth <= most) continue;
        most = worth;
        const [no, yes] = [
          { slope: g, bend: h },
          { slope: slope - g, bend: bend - h },
        ];
        best = { feature, bin, threshold: this.#edges[feature][bin], no, yes };
      }
    }
    return best;
  }

  /** The rows that answer no, and those that answer yes, each in the order they were in. */
  #parted({ start, end, sums }: Node, { feature, bin }: Split): [Node, Node] {
    let [middle, numYes] = [start, 0];
    for (let i = start; i < end; i++) {
      const row = this.#order[i];
      if (this.#bins[row * this.#numFeatures + feature] > bin) this.#scratch[numYes++] = row;
      else this.#order[middle++] = row;
    }
    this.#order.set(this.#scratch.subarray(0, numYes), middle);
    // the sums of the larger part are what the smaller one leaves
    const isNoSmaller = middle - start < end - middle;
    const small = isNoSmaller ? this.#sumsOver(start, middle) : this.#sumsOver(middle, end);
    const large = sums.map((sum, i) => sum - small[i]);
    return [
      { start, end: middle, sums: isNoSmaller ? small : large },
      { start: middle, end, sums: isNoSmaller ? large : small },
    ];
  }
}

/** Every feature has all rows in its bins: the first will do. */
function totalOf(sums: Float64Array): Sums {
  let [slope, bend] = [0, 0];
  for (let bin = 0; bin < MAX_BINS; bin++) {
    slope += sums[3 * bin];
    bend += sums[3 * bin + 1];
  }
  return { slope, bend };
}

function answerFrom({ slope, bend }: Sums): number {
  return Math.fround((LEARNING_RATE * slope) / (bend + PENALTY));
}

const MAX_VALUES = 2 ** 15;

/** The values of a feature; of very many rows as many in even steps, which tell as much of where they lie. */
export function someValues(
  features: Float32Array,
  {
    feature,
    numFeatures,
    numRows,
  }: { readonly feature: number; readonly numFeatures: number; readonly numRows: number },
): Float32Array {
  const numValues = Math.min(numRows, MAX_VALUES);
  const values = new Float32Array(numValues);
  for (let i = 0; i < numValues; i++) {
    values[i] = features[Math.floor((i * numRows) / numValues) * numFeatures + feature];
  }
  return values;
}

/**
 * The ends of bins that hold about as many numbers each; reorders the numbers. They lie halfway between two numbers, so that the last
 * bit of a number that was summed up in another order makes no difference.
 */
function edgesOf(values: Float32Array): Float32Array {
  values.sort();
  const edges: number[] = [];
  for (let bin = 1; bin < MAX_BINS; bin++) {
    let at = Math.floor((bin * values.length) / MAX_BINS);
    const value = values[at];
    while (at < values.length && values[at] === value) at++;
    if (at === values.length) break;
    const edge = Math.fround((value + values[at]) / 2);
    if (edge !== edges.at(-1)) edges.push(edge);
  }
  return Float32Array.from(edges);
}

/** How many edges a number is above. */
function binOf(edges: Float32Array, value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value > edges[middle]) low = middle + 1;
    else high = middle;
  }
  return low;
}
