// The points of a map in flat arrays, and a grid over them that finds what is near without looking at all.

import type { MapFacts } from '../api/shapes.ts';

export interface Bounds {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

const POINTS_PER_CELL = 4;
const STRAYS = 0.05; // at each side
const ROOM = 0.1; // around the rest, as a share of its width
const FEW = 100; // points, of which no one is left out lightly
const ROOM_OF_FEW = 1;

export class PointCloud {
  readonly size: number;
  readonly places: Float32Array; // (n, 2)
  readonly clusters: Uint8Array; // (n)
  readonly names: readonly string[];
  readonly labels: readonly string[]; // titles where there are some
  readonly lowerLabels: readonly string[]; // to search in
  readonly clusterNames: readonly string[];
  readonly bounds: Bounds;
  /** Without the strays at the edges, which would make all else small. */
  readonly core: Bounds;
  readonly #numSides: number; // cells in a row, and rows
  readonly #cellStart: Int32Array; // (cells + 1)
  readonly #members: Int32Array; // points, cell by cell
  #middles: readonly (readonly [number, number] | undefined)[] | undefined; // by cluster: the map is opened again and again

  constructor({ points, clusters }: MapFacts) {
    this.size = points.length;
    this.places = Float32Array.from(points.flatMap(({ x, y }) => [x, y]));
    this.clusters = Uint8Array.from(points, ({ cluster }) => cluster);
    this.names = points.map(({ name }) => name);
    this.labels = points.map(({ name, title }) => title ?? name);
    this.lowerLabels = this.labels.map((label) => label.toLowerCase());
    this.clusterNames = clusters.map(({ name }, i) => (name === '' ? `cluster ${i + 1}` : name));
    this.bounds = boundsOf(this.places);
    this.core = coreOf(this.places, this.bounds);
    this.#numSides = Math.ceil(Math.sqrt(this.size / POINTS_PER_CELL)) || 1;
    this.#cellStart = new Int32Array(this.#numSides ** 2 + 1);
    this.#members = this.#sort();
  }

  /** The nearest point within a distance, of those that `isIn`; −1 where there is none. */
  nearest(x: number, y: number, within: number, isIn: (point: number) => boolean): number {
    let [best, least] = [-1, within * within];
    this.#visit({ left: x - within, bottom: y - within, right: x + within, top: y + within }, (point) => {
      const distance = (this.places[2 * point] - x) ** 2 + (this.places[2 * point + 1] - y) ** 2;
      if (distance <= least && isIn(point)) [best, least] = [point, distance];
    });
    return best;
  }

  inside(box: Bounds): number[] {
    const found: number[] = [];
    this.#visit(box, (point) => {
      const [x, y] = [this.places[2 * point], this.places[2 * point + 1]];
      if (x >= box.left && x <= box.right && y >= box.bottom && y <= box.top) found.push(point);
    });
    return found;
  }

  /** The middle of each cluster that has points: the medians of both directions, which strays do not move. */
  get middles(): readonly (readonly [number, number] | undefined)[] {
    this.#middles ??= this.clusterNames.map((_, cluster) => this.#middleOf(cluster));
    return this.#middles;
  }

  #middleOf(cluster: number): readonly [number, number] | undefined {
    const members: number[] = [];
    for (let point = 0; point < this.size; point++) if (this.clusters[point] === cluster) members.push(point);
    if (members.length === 0) return undefined;
    const median = (axis: number) =>
      Float32Array.from(members, (point) => this.places[2 * point + axis]).sort()[members.length >> 1];
    return [median(0), median(1)];
  }

  /** All points in the cells that a box touches. */
  #visit(box: Bounds, take: (point: number) => void): void {
    const [firstColumn, lastColumn] = [this.#column(box.left), this.#column(box.right)];
    const [firstRow, lastRow] = [this.#row(box.bottom), this.#row(box.top)];
    for (let row = firstRow; row <= lastRow; row++) {
      const start = this.#cellStart[row * this.#numSides + firstColumn];
      const end = this.#cellStart[row * this.#numSides + lastColumn + 1];
      for (let i = start; i < end; i++) take(this.#members[i]);
    }
  }

  #column(x: number): number {
    return this.#cell((x - this.bounds.left) / (this.bounds.right - this.bounds.left));
  }

  #row(y: number): number {
    return this.#cell((y - this.bounds.bottom) / (this.bounds.top - this.bounds.bottom));
  }

  /** What lies beyond the edge belongs to the cell there; a cloud without width has but one. */
  #cell(share: number): number {
    return Math.max(0, Math.min(this.#numSides - 1, Math.floor(share * this.#numSides) || 0));
  }

  /** Counts by cell, then puts each point at its cell's next free place. */
  #sort(): Int32Array {
    const cells = Int32Array.from(
      { length: this.size },
      (_, point) => this.#row(this.places[2 * point + 1]) * this.#numSides + this.#column(this.places[2 * point]),
    );
    for (const cell of cells) this.#cellStart[cell + 1]++;
    for (let cell = 1; cell < this.#cellStart.length; cell++) this.#cellStart[cell] += this.#cellStart[cell - 1];
    const free = this.#cellStart.slice();
    const members = new Int32Array(this.size);
    for (let point = 0; point < this.size; point++) members[free[cells[point]]++] = point;
    return members;
  }
}

/** All but the outermost at each side, and some room around. */
function coreOf(places: Float32Array, { left, bottom, right, top }: Bounds): Bounds {
  const numPoints = places.length / 2;
  if (numPoints === 0) return { left, bottom, right, top };
  const room = numPoints <= FEW ? ROOM_OF_FEW : ROOM;
  const span = (axis: number) => {
    const values = Float32Array.from({ length: numPoints }, (_, point) => places[2 * point + axis]).sort();
    const [low, high] = [STRAYS, 1 - STRAYS].map((share) => values[Math.round(share * (numPoints - 1))]);
    return { low: low - room * (high - low), high: high + room * (high - low) };
  };
  const [x, y] = [span(0), span(1)];
  return {
    left: Math.max(left, x.low),
    right: Math.min(right, x.high),
    bottom: Math.max(bottom, y.low),
    top: Math.min(top, y.high),
  };
}

function boundsOf(places: Float32Array): Bounds {
  if (places.length === 0) return { left: 0, bottom: 0, right: 1, top: 1 };
  let [left, bottom, right, top] = [places[0], places[1], places[0], places[1]];
  for (let i = 0; i < places.length; i += 2) {
    left = Math.min(left, places[i]);
    right = Math.max(right, places[i]);
    bottom = Math.min(bottom, places[i + 1]);
    top = Math.max(top, places[i + 1]);
  }
  return { left, bottom, right, top };
}
