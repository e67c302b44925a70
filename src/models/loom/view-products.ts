// How similar objects are by each of loom's views alone: the products of some rows of features with the first of these rows. A strength of a view is a factor of its matrix, so that any number of strengths can be tried without a second look.

import type { Csr } from '../../csr.ts';
import { rowsBetween } from '../../csr.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { productOfRows } from '../../engine/numerics/row-products.ts';
import { tagScales } from './problem.ts';
import type { LoomSettings } from './settings.ts';
import type { Views } from './views.ts';

const BLOCK = 256; // columns at a time

export class ViewProducts {
  readonly #kernels: Kernels;
  readonly #views: Views;
  readonly #numFirst: number;
  readonly #neighbours: Float32Array; // (numRows, numFirst), like those below
  readonly #words: Float32Array;
  readonly #profiles: Float32Array;
  readonly #content: Float32Array;
  #own: { readonly penalty: number; readonly products: Float32Array } | undefined;

  private constructor(
    kernels: Kernels,
    views: Views,
    products: Record<'neighbours' | 'words' | 'profiles' | 'content', Float32Array> & { numFirst: number },
  ) {
    this.#kernels = kernels;
    this.#views = views;
    this.#numFirst = products.numFirst;
    this.#neighbours = products.neighbours;
    this.#words = products.words;
    this.#profiles = products.profiles;
    this.#content = products.content;
  }

  static async of(kernels: Kernels, views: Views, numFirst: number): Promise<ViewProducts> {
    const { means, words, vocabulary, train, users, content, objects } = views;
    const profiles = { rows: users.profiles, width: users.profile.width };
    return new ViewProducts(kernels, views, {
      numFirst,
      neighbours: await productsWithFirst(kernels, means, train.tags.size, numFirst),
      words: await productsWithFirst(kernels, words, vocabulary.size, numFirst),
      profiles: await denseProducts(kernels, profiles, objects, numFirst),
      content: await denseProducts(kernels, content ?? { rows: new Float32Array(0), width: 0 }, objects, numFirst),
    });
  }

  /** F Fᵀ for these strengths, (numRows, numFirst). */
  async weighted(settings: LoomSettings): Promise<Float32Array> {
    const { neighbourStrength, wordStrength, profileStrength, contentStrength } = settings;
    const own = await this.#ownProducts(settings);
    const [neighbours, words, profiles, content] = [this.#neighbours, this.#words, this.#profiles, this.#content];
    const sum = new Float32Array(own.length);
    for (let i = 0; i < sum.length; i++) {
      sum[i] = own[i] + neighbourStrength * neighbours[i] + wordStrength * words[i] + 1;
      sum[i] += profileStrength * profiles[i] + contentStrength * content[i];
    }
    return sum;
  }

  async #ownProducts(settings: LoomSettings): Promise<Float32Array> {
    if (this.#own?.penalty !== settings.ownPenalty) {
      const { objects, train } = this.#views;
      const rows = ownRows(objects, train.tagged, tagScales(train, settings));
      const products = await productsWithFirst(this.#kernels, rows, train.tags.size, this.#numFirst);
      this.#own = { penalty: settings.ownPenalty, products };
    }
    return this.#own.products;
  }
}

function ownRows(objects: Int32Array, tagged: Views['train']['tagged'], scales: Float32Array): Csr {
  const columns = objects.reduce((all, object) => all + tagged.rowLength(object), 0);
  const rows = { rowStart: new Int32Array(objects.length + 1), columns: new Int32Array(columns) };
  for (const [i, object] of objects.entries()) {
    rows.columns.set(tagged.row(object), rows.rowStart[i]);
    rows.rowStart[i + 1] = rows.rowStart[i] + tagged.rowLength(object);
  }
  return { ...rows, values: Float32Array.from(rows.columns, (tag) => scales[tag]) };
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
