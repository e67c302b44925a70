// The profiles of all objects in the engine's memory: read a few rows at a time, and multiplied there by the weights of one tag.

import type { Kernels } from '../../engine/kernels.ts';
import type { Dense } from '../../engine/matrix.ts';

const BLOCK = 4096; // rows that are gathered at a time

export class ObjectProfiles {
  readonly #kernels: Kernels;
  readonly #all: Dense | undefined; // (numObjects, width); undefined where the width is 0
  readonly #width: number;

  /** Takes the matrix over. */
  constructor(kernels: Kernels, all: Dense | undefined) {
    this.#kernels = kernels;
    this.#all = all;
    this.#width = all?.cols ?? 0;
  }

  /** The profiles of some objects, (objects, width). */
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

  /** The product of each object's profile and a column of weights (width), in the order of the objects: ascending ids. */
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
