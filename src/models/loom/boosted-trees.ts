// A sum of small decision trees that says how likely something is, learnt by gradient boosting with the logistic loss (Friedman,
// Ann. Statist. 29(5), 2001) over features in bins (as LightGBM does, NeurIPS 2017). Every tree asks two questions, the second
// depending on the answer to the first: so the sum is one of functions of one and of two features. Nothing is left to chance.

/** By tree three questions (is a feature larger than a number?) and four answers; the second question is asked after a no. */
export interface Trees {
  readonly features: Int32Array; // (numTrees, 3)
  readonly thresholds: Float32Array; // (numTrees, 3)
  readonly leaves: Float32Array; // (numTrees, 4)
}

/** Rows of features, each with an answer of 0 or 1. */
export interface TreeRows {
  readonly numFeatures: number;
  readonly features: Float32Array; // (numRows, numFeatures)
  readonly answers: Uint8Array; // (numRows)
  /** What the trees add to: logarithms of odds. */
  readonly odds: Float64Array; // (numRows)
}

/** What some trees add to the odds of a row of features, which begins at `at`. */
export function answerOf(
  { features: asked, thresholds, leaves }: Trees,
  row: ArrayLike<number>,
  at = 0,
  [firstTree, end]: readonly [number, number] = [0, leaves.length / 4],
): number {
  let sum = 0;
  for (let tree = firstTree; tree < end; tree++) {
    const node = 3 * tree;
    const first = row[at + asked[node]] > thresholds[node] ? 1 : 0;
    const second = row[at + asked[node + 1 + first]] > thresholds[node + 1 + first] ? 1 : 0;
    sum += leaves[4 * tree + 2 * first + second];
  }
  return sum;
}

const MAX_BINS = 32;
const LEARNING_RATE = 0.1;
const PENALTY = 1; // on the answers of leaves
const MIN_ROWS = 50; // of a leaf

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

interface Split {
  readonly feature: number;
  /** Rows above this bin answer yes. */
  readonly bin: number;
  readonly threshold: number;
}

class Grower {
  readonly #numRows: number;
  readonly #numFeatures: number;
  readonly #answers: Uint8Array;
  readonly #edges: readonly Float32Array[]; // by feature: the end of every bin but the last
  readonly #bins: Uint8Array; // (numFeatures, numRows)
  readonly #slopes: Float64Array; // by row: how far the answer is above what is said
  readonly #bends: Float64Array; // by row: how fast that falls

  constructor({ numFeatures, features, answers }: TreeRows) {
    const numRows = answers.length;
    this.#numRows = numRows;
    this.#numFeatures = numFeatures;
    this.#answers = answers;
    this.#slopes = new Float64Array(numRows);
    this.#bends = new Float64Array(numRows);
    this.#bins = new Uint8Array(numFeatures * numRows);
    this.#edges = Array.from({ length: numFeatures }, (_, feature) => {
      const values = Float32Array.from({ length: numRows }, (_, row) => features[row * numFeatures + feature]);
      const edges = edgesOf(values.slice());
      for (let row = 0; row < numRows; row++) this.#bins[feature * numRows + row] = binOf(edges, values[row]);
      return edges;
    });
  }

  setSlopes(odds: Float64Array): void {
    for (let row = 0; row < odds.length; row++) {
      const likely = 1 / (1 + Math.exp(-odds[row]));
      this.#slopes[row] = this.#answers[row] - likely;
      this.#bends[row] = likely * (1 - likely);
    }
  }

  grow(): { readonly splits: readonly (Split | undefined)[]; readonly leaves: readonly number[] } {
    const all = Int32Array.from({ length: this.#numRows }, (_, row) => row);
    const whole = this.#sumsOver(all);
    const first = this.#bestSplit(whole, all.length);
    const [no, yes] = this.#parted(all, first);
    // the sums of the larger part are what the smaller one leaves
    const small = this.#sumsOver(no.length < yes.length ? no : yes);
    const large = whole.map((sum, i) => sum - small[i]);
    const [sumsOfNo, sumsOfYes] = no.length < yes.length ? [small, large] : [large, small];
    const second = this.#bestSplit(sumsOfNo, no.length);
    const third = this.#bestSplit(sumsOfYes, yes.length);
    const leaves = [...this.#parted(no, second), ...this.#parted(yes, third)].map((rows) => this.#answerOf(rows));
    return { splits: [first, second, third], leaves };
  }

  addTo(odds: Float64Array, [first, second, third]: readonly (Split | undefined)[], leaves: readonly number[]): void {
    const above = (split: Split | undefined, row: number) =>
      split !== undefined && this.#bins[split.feature * this.#numRows + row] > split.bin;
    for (let row = 0; row < odds.length; row++) {
      const yes = above(first, row);
      odds[row] += leaves[(yes ? 2 : 0) + (above(yes ? third : second, row) ? 1 : 0)];
    }
  }

  /** By feature and bin: slopes, bends, rows. */
  #sumsOver(rows: Int32Array): Float64Array {
    const sums = new Float64Array(this.#numFeatures * MAX_BINS * 3);
    // gathered once, not once for each feature
    const [slopes, bends] = [new Float64Array(rows.length), new Float64Array(rows.length)];
    for (let i = 0; i < rows.length; i++) {
      slopes[i] = this.#slopes[rows[i]];
      bends[i] = this.#bends[rows[i]];
    }
    for (let feature = 0; feature < this.#numFeatures; feature++) {
      const bins = this.#bins.subarray(feature * this.#numRows, (feature + 1) * this.#numRows);
      const to = feature * MAX_BINS * 3;
      for (let i = 0; i < rows.length; i++) {
        const at = to + 3 * bins[rows[i]];
        sums[at] += slopes[i];
        sums[at + 1] += bends[i];
        sums[at + 2]++;
      }
    }
    return sums;
  }

  #bestSplit(sums: Float64Array, numRows: number): Split | undefined {
    let [slope, bend] = [0, 0];
    for (let bin = 0; bin < MAX_BINS; bin++) {
      slope += sums[3 * bin];
      bend += sums[3 * bin + 1];
    }
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
        if (count < MIN_ROWS || numRows - count < MIN_ROWS) continue;
        const worth = worthOf(g, h) + worthOf(slope - g, bend - h);
        if (worth <= most) continue;
        most = worth;
        best = { feature, bin, threshold: this.#edges[feature][bin] };
      }
    }
    return best;
  }

  #parted(rows: Int32Array, split: Split | undefined): [Int32Array, Int32Array] {
    if (split === undefined) return [rows, new Int32Array(0)];
    const from = split.feature * this.#numRows;
    const [no, yes] = [new Int32Array(rows.length), new Int32Array(rows.length)];
    let [numNo, numYes] = [0, 0];
    for (let i = 0; i < rows.length; i++) {
      if (this.#bins[from + rows[i]] > split.bin) yes[numYes++] = rows[i];
      else no[numNo++] = rows[i];
    }
    return [no.subarray(0, numNo), yes.subarray(0, numYes)];
  }

  #answerOf(rows: Int32Array): number {
    let [slope, bend] = [0, 0];
    for (let i = 0; i < rows.length; i++) {
      slope += this.#slopes[rows[i]];
      bend += this.#bends[rows[i]];
    }
    return Math.fround((LEARNING_RATE * slope) / (bend + PENALTY));
  }
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
