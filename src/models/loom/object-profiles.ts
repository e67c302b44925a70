// The profiles of all objects: a few rows at a time, or the products of all with the weights of one tag. They are in the engine's
// memory, which multiplies them fast, or where the model has them: those may be more than the engine can hold.

import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';
import type { Profile } from './loom.ts';

const BLOCK = 4096; // rows that are gathered at a time

export interface ObjectProfiles {
  /** The profiles of some objects, (objects, width). */
  rowsOf(objects: Int32Array): Promise<Float32Array>;
  /** The product of each object's profile and a column of weights (width), in the order of the objects: ascending ids. */
  products(objects: Int32Array, column: Float32Array): Promise<Float32Array>;
  release(): void;
}

export class StoredProfiles implements ObjectProfiles {
  readonly #width: number;
  readonly #vectors: Float32Array; // (numObjects, width)

  constructor({ width, vectors }: Pick<Profile, 'width' | 'vectors'>) {
    this.#width = width;
    this.#vectors = vectors;
  }

  async rowsOf(objects: Int32Array): Promise<Float32Array> {
    const rows = new Float32Array(objects.length * this.#width);
    for (let i = 0; i < objects.length; i++) {
      rows.set(this.#vectors.subarray(objects[i] * this.#width, (objects[i] + 1) * this.#width), i * this.#width);
    }
    return rows;
  }

  async products(objects: Int32Array, column: Float32Array): Promise<Float32Array> {
    const [vectors, width] = [this.#vectors, this.#width];
    const products = new Float32Array(objects.length);
    for (let i = 0; i < objects.length; i++) {
      let sum = 0;
      for (let k = 0, at = objects[i] * width; k < width; k++, at++) sum += vectors[at] * column[k];
      products[i] = sum;
    }
    return products;
  }

  release(): void {}
}

export class EngineProfiles implements ObjectProfiles {
  readonly #kernels: Kernels;
  readonly #all: Dense | undefined; // (numObjects, width); undefined where the width is 0
  readonly #width: number;

  /** Takes the matrix over. */
  constructor(kernels: Kernels, all: Dense | undefined) {
    this.#kernels = kernels;
    this.#all = all;
    this.#width = all?.cols ?? 0;
  }

  async rowsOf(objects: Int32Array): Promise<Float32Array> {
    if (this.#all === undefined || objects.length === 0) return new Float32Array(0);
    const [ids, rows] = [this.#kernels.ints(objects.length), this.#kernels.dense(objects.length, this.#width)];
    try {
      this.#kernels.writeInts(ids, objects);
      this.#kernels.gather(rows, this.#all, ids);
      return await this.#kernels.read(rows);
    } finally {
      this.#kernels.release(ids, rows);
    }
  }

  async products(objects: Int32Array, column: Float32Array): Promise<Float32Array> {
    const products = new Float32Array(objects.length);
    if (this.#all === undefined || objects.length === 0) return products;
    const weights = this.#kernels.dense(1, this.#width);
    this.#kernels.write(weights, column);
    try {
      if (2 * objects.length > this.#all.rows) await this.#pick(products, objects, weights);
      else await this.#gather(products, objects, weights);
    } finally {
      this.#kernels.release(weights);
    }
    return products;
  }

  release(): void {
    if (this.#all !== undefined) this.#kernels.release(this.#all);
  }

  /** From the products of all. */
  async #pick(products: Float32Array, objects: Int32Array, weights: Dense): Promise<void> {
    const all = await this.#productsOf(this.#all as Dense, weights);
    if (objects.length === all.length) return products.set(all);
    for (let i = 0; i < objects.length; i++) products[i] = all[objects[i]];
  }

  /** Some at a time, beside each other. */
  async #gather(products: Float32Array, objects: Int32Array, weights: Dense): Promise<void> {
    for (let first = 0; first < objects.length; first += BLOCK) {
      const some = objects.subarray(first, first + BLOCK);
      const [ids, rows] = [this.#kernels.ints(some.length), this.#kernels.dense(some.length, this.#width)];
      try {
        this.#kernels.writeInts(ids, some);
        this.#kernels.gather(rows, this.#all as Dense, ids);
        products.set(await this.#productsOf(rows, weights), first);
      } finally {
        this.#kernels.release(ids, rows);
      }
    }
  }

  async #productsOf(rows: Dense, weights: Dense): Promise<Float32Array> {
    const out = this.#kernels.dense(1, rows.rows);
    try {
      this.#kernels.rowDot(out, rows, weights);
      return await this.#kernels.read(out);
    } finally {
      this.#kernels.release(out);
    }
  }
}
