// Points in the plane, similar ones close together: UMAP (McInnes, Healy and Melville, 2018) from the nearest neighbours of each
// point. On flat arrays, with forces from tables instead of powers: nearly all the time goes into moving points.

import { type Csr, CsrBuilder, transposedCsr } from '../../csr.ts';
import { permutation, type Random } from '../../random.ts';

/** Of each point: itself first, then from near to far. */
export interface Neighbourhoods {
  readonly indices: readonly (readonly number[])[];
  readonly distances: readonly (readonly number[])[];
}

const [A, B] = [1.5769434603, 0.8950608779]; // of 1 / (1 + a d^2b): spread 1, nothing closer than 0.1
const NUM_REPELLED = 5; // points that each pulled one is pushed from
const MAX_PULL = 4;
const BOX = 20; // in which points begin, by chance
const NEAR = 0.001; // that pushes stay finite
const MIN_SCALE = 0.001; // of the mean distance
const [TOLERANCE, MAX_HALVINGS] = [1e-5, 64];

export class PlaneLayout {
  /** (n, 2) */
  readonly places: Float64Array;
  readonly #numEpochs: number;
  readonly #random: Random;
  readonly #order: Int32Array; // points to be pushed from, by chance
  readonly #heads: Int32Array; // by edge
  readonly #tails: Int32Array;
  readonly #every: Float64Array; // epochs from one pull to the next
  readonly #nextPull: Float64Array; // epoch
  readonly #numPushed: Float64Array; // so far
  #epoch = 0;

  constructor(neighbourhoods: Neighbourhoods, numEpochs: number, random: Random) {
    const { rowStart, columns, values } = jointStrengths(neighbourhoods);
    const numPoints = rowStart.length - 1;
    this.#numEpochs = numEpochs;
    this.#random = random;
    this.#order = permutation(numPoints, random);
    this.places = Float64Array.from({ length: 2 * numPoints }, () => BOX * (random.float() - 0.5));
    const strongest = values.reduce((most, value) => Math.max(most, value), 0);
    const kept = Int32Array.from(values.keys()).filter((e) => values[e] >= strongest / numEpochs);
    const heads = new Int32Array(columns.length);
    for (let row = 0; row < numPoints; row++) heads.fill(row, rowStart[row], rowStart[row + 1]);
    this.#heads = kept.map((e) => heads[e]);
    this.#tails = kept.map((e) => columns[e]);
    this.#every = Float64Array.from(kept, (e) => strongest / values[e]);
    this.#nextPull = this.#every.slice();
    this.#numPushed = new Float64Array(kept.length);
  }

  /** One epoch: each edge whose turn it is pulls its ends together and pushes the first from some points. */
  step(): void {
    const [places, order, every, nextPull] = [this.places, this.#order, this.#every, this.#nextPull];
    const epoch = this.#epoch++;
    const rate = 1 - epoch / this.#numEpochs;
    let drawn = order.length === 0 ? 0 : this.#random.below(order.length);
    for (let e = 0; e < every.length; e++) {
      if (nextPull[e] > epoch) continue;
      nextPull[e] += every[e];
      const head = 2 * this.#heads[e];
      pull(places, head, 2 * this.#tails[e], rate);
      const numDue = Math.floor((NUM_REPELLED * epoch) / every[e]) - this.#numPushed[e];
      this.#numPushed[e] += numDue;
      for (let i = 0; i < numDue; i++) {
        push(places, head, 2 * order[drawn], rate);
        drawn = drawn + 1 === order.length ? 0 : drawn + 1;
      }
    }
  }
}

const [PER_UNIT, REACH] = [256, 64]; // entries of a table for a distance of 1; the distance beyond which forces are as at its end
const PULLS = tableOf((square) => (-2 * A * B * square ** (B - 1)) / (A * square ** B + 1));
const PUSHES = tableOf((square) => (2 * B) / ((NEAR + square) * (A * square ** B + 1)));

/** By distance, what a difference is multiplied by. Steps are too wide close to zero, where forces are clipped anyway. */
function tableOf(factorOf: (square: number) => number): Float64Array {
  return Float64Array.from({ length: PER_UNIT * REACH }, (_, i) => factorOf(((i + 0.5) / PER_UNIT) ** 2));
}

function factorAt(table: Float64Array, dx: number, dy: number): number {
  const at = (PER_UNIT * Math.sqrt(dx * dx + dy * dy)) | 0;
  return table[at < table.length ? at : table.length - 1];
}

function pull(places: Float64Array, head: number, tail: number, rate: number): void {
  const [dx, dy] = [places[head] - places[tail], places[head + 1] - places[tail + 1]];
  const factor = factorAt(PULLS, dx, dy);
  const [x, y] = [rate * clipped(factor * dx), rate * clipped(factor * dy)];
  places[head] += x;
  places[head + 1] += y;
  places[tail] -= x;
  places[tail + 1] -= y;
}

function push(places: Float64Array, head: number, from: number, rate: number): void {
  if (head === from) return;
  const [dx, dy] = [places[head] - places[from], places[head + 1] - places[from + 1]];
  const isSame = dx === 0 && dy === 0; // away from there, in any direction
  const factor = factorAt(PUSHES, dx, dy);
  places[head] += rate * (isSame ? MAX_PULL : clipped(factor * dx));
  places[head + 1] += rate * (isSame ? MAX_PULL : clipped(factor * dy));
}

function clipped(value: number): number {
  return Math.max(-MAX_PULL, Math.min(MAX_PULL, value));
}

/** How strongly two points belong together by the view of either: v + w − v w. */
function jointStrengths(neighbourhoods: Neighbourhoods): Csr {
  const own = strengths(neighbourhoods);
  const numPoints = own.rowStart.length - 1;
  const other = transposedCsr(own, numPoints);
  const joint = new CsrBuilder(numPoints);
  for (let row = 0; row < numPoints; row++) {
    let [i, j] = [own.rowStart[row], other.rowStart[row]];
    const [endI, endJ] = [own.rowStart[row + 1], other.rowStart[row + 1]];
    while (i < endI || j < endJ) {
      const [a, b] = [i < endI ? own.columns[i] : numPoints, j < endJ ? other.columns[j] : numPoints];
      const v = a <= b ? own.values[i++] : 0;
      const w = b <= a ? other.values[j++] : 0;
      joint.add(Math.min(a, b), v + w - v * w);
    }
    joint.endRow();
  }
  return joint.finish();
}

/** Of each point its neighbours: 1 for the nearest, less with distance, so that all together count log2 of their number. */
function strengths({ indices, distances }: Neighbourhoods): Csr {
  const rows = new CsrBuilder(indices.length);
  const meanOf = (row: readonly number[]) => row.reduce((sum, one) => sum + one, 0) / Math.max(1, row.length);
  const meanOfAll = meanOf(distances.map(meanOf));
  for (const [i, row] of distances.entries()) {
    const nearest = row.find((distance) => distance > 0) ?? 0;
    const least = MIN_SCALE * (nearest > 0 ? meanOf(row) : meanOfAll);
    const scale = Math.max(least, scaleOf(row, nearest));
    const order = Array.from(indices[i].keys()).sort((a, b) => indices[i][a] - indices[i][b]);
    for (const k of order) {
      if (indices[i][k] === i) continue;
      const beyond = row[k] - nearest;
      rows.add(indices[i][k], beyond > 0 ? Math.exp(-beyond / scale) : 1);
    }
    rows.endRow();
  }
  return rows.finish();
}

/** By halving: the scale at which the strengths of neighbours add up to log2 of their number. */
function scaleOf(row: readonly number[], nearest: number): number {
  const target = Math.log2(row.length);
  let [low, high, scale] = [0, Number.POSITIVE_INFINITY, 1];
  for (let round = 0; round < MAX_HALVINGS; round++) {
    let sum = 0;
    for (let k = 1; k < row.length; k++) sum += row[k] > nearest ? Math.exp((nearest - row[k]) / scale) : 1;
    if (Math.abs(sum - target) < TOLERANCE) break;
    if (sum > target) high = scale;
    else low = scale;
    scale = high === Number.POSITIVE_INFINITY ? 2 * scale : (low + high) / 2;
  }
  return scale;
}
