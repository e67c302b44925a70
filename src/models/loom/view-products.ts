// How similar objects are by each of loom's views alone: the products of some rows of features with the first of these rows. A
// strength of a view is a factor of its matrix, so that any number of strengths can be tried without a second look.

import { type Csr, rowsBetween } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { productOfRows } from '../../engine/numerics/row-products.ts';
import { partOf, tagRows, tagScales } from './problem.ts';
import type { LoomSettings } from './settings.ts';
import type { Strengths } from './strengths.ts';
import type { Views } from './views.ts';

const BLOCK = 256; // columns at a time

export class ViewProducts {
  readonly #kernels: Kernels;
  readonly #views: Views;
  readonly #settings: LoomSettings;
  readonly #numFirst: number;
  readonly #products: Products;
  #own: { readonly penalty: number; readonly products: Float32Array } | undefined;

  private constructor(
    kernels: Kernels,
    views: Views,
    settings: LoomSettings,
    products: Products & { readonly numFirst: number },
  ) {
    this.#kernels = kernels;
    this.#views = views;
    this.#settings = settings;
    this.#numFirst = products.numFirst;
    this.#products = products;
  }

  static async of(kernels: Kernels, views: Views, numFirst: number, settings: LoomSettings): Promise<ViewProducts> {
    const { means, text, space, train, users, content, objects } = views;
    const parts: Float32Array[] = [];
    for (const [p, { names }] of space.parts.entries()) {
      const rows = partOf(text, space.starts[p], space.starts[p + 1]);
      parts.push(await productsWithFirst(kernels, rows, names.size, numFirst));
    }
    return new ViewProducts(kernels, views, settings, {
      numFirst,
      neighbours: await productsWithFirst(kernels, means, train.tags.size, numFirst),
      profile: await denseProducts(kernels, { ...users.profile, rows: users.profiles }, objects, numFirst),
      content: await denseProducts(kernels, content ?? { rows: new Float32Array(0), width: 0 }, objects, numFirst),
      parts,
    });
  }

  /** F Fᵀ for these strengths, squares and all, (numRows, numFirst). */
  async weighted(strengths: Strengths): Promise<Float32Array> {
    const sum = new Float32Array(this.#products.neighbours.length).fill(1);
    const add = (products: Float32Array, strength: number) => {
      if (strength !== 0) for (let i = 0; i < sum.length; i++) sum[i] += strength * products[i];
    };
    if (strengths.ownPenalty !== undefined) add(await this.#ownProducts(strengths.ownPenalty), 1);
    add(this.#products.neighbours, strengths.neighbours);
    add(this.#products.profile, strengths.profile);
    add(this.#products.content, strengths.content);
    for (const [p, products] of this.#products.parts.entries()) {
      add(products, strengths.parts[p]);
      const square = strengths.squares[p];
      if (square !== 0) for (let i = 0; i < sum.length; i++) sum[i] += square * products[i] * products[i];
    }
    return sum;
  }

  async #ownProducts(penalty: number): Promise<Float32Array> {
    if (this.#own?.penalty !== penalty) {
      const { objects, train } = this.#views;
      const [scales, own] = [tagScales(train, penalty, this.#settings), tagRows(train, objects)];
      const rows = { ...own, values: Float32Array.from(own.columns, (tag) => scales[tag]) };
      this.#own = {
        penalty,
        products: await productsWithFirst(this.#kernels, rows, train.tags.size, this.#numFirst),
      };
    }
    return this.#own.products;
  }
}

/** (numRows, numFirst) each. */
interface Products {
  readonly neighbours: Float32Array;
  readonly profile: Float32Array;
  readonly content: Float32Array;
  readonly parts: readonly Float32Array[];
}
async function productsWithFirst(
  kernels: Kernels,
  rows: Csr,
  numColumns: number,
  numFirst: number,
): Promise<Float32Array> {
  const numRows = rows.rowStart.length - 1;
  const products = new Float32Array(numRows * numFirst);
  if (rows.columns.length === 0) return products;
  for (let first = 0; first < numFirst; first += BLOCK) {
    const width = Math.min(BLOCK, numFirst - first);
    const block = await productOfRows(kernels, rows, rowsBetween(rows, first, first + width), numColumns);
    for (let r = 0; r < numRows; r++) {
      products.set(block.subarray(r * width, (r + 1) * width), r * numFirst + first);
    }
  }
  return products;
}

async function denseProducts(
  kernels: Kernels,
  { rows: all, width }: { readonly rows: Float32Array; readonly width: number },
  objects: Int32Array,
  numFirst: number,
): Promise<Float32Array> {
  if (width === 0 || numFirst === 0) return new Float32Array(objects.length * numFirst);
  const rows = new Float32Array(objects.length * width);
  for (const [i, object] of objects.entries()) {
    rows.set(all.subarray(object * width, (object + 1) * width), i * width);
  }
  const [left, first] = [kernels.dense(objects.length, width), kernels.dense(numFirst, width)];
  const products = kernels.dense(objects.length, numFirst);
  try {
    kernels.write(left, rows);
    kernels.write(first, rows.subarray(0, numFirst * width));
    kernels.gemm(products, left, first, { transposeB: true });
    return await kernels.read(products);
  } finally {
    kernels.release(left, first, products);
  }
}
