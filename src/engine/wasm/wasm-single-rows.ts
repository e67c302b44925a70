// Steps of one row at a time, by kernels of assembly/single.ts.

import type { Csr } from '../../csr.ts';
import { type Dense, type Ints, LANES, type Sparse } from '../matrix.ts';
import type { Memory } from '../memory.ts';
import {
  MAX_TREE_ROWS,
  type PackedRows,
  type PackedTrees,
  type RankQuestions,
  type SingleRows,
  type Tiles,
} from '../single-rows.ts';

const MAX_COLUMNS = 1 << 16; // that an entry can name
const LEAVES = 8; // of a tree
const HALF_SCALE = 2 ** 112; // between the exponents of halves and floats
const ROWS_AT_ONCE = 16; // of a sum of trees
const NUM_SUMS = 4;
const MOST_LISTED = 512; // features that one call of a kernel takes

/** What it asks of the kernels that it belongs to. */
interface Engine {
  readonly memory: Memory;
  run(kernel: string, work: number, ...args: number[]): void;
  ask(kernel: string, ...args: number[]): number;
  multiplyPacked(out: Dense, a: Dense, b: Tiles): void;
  release(...matrices: readonly (Dense | Ints | Sparse)[]): void;
}

export class WasmSingleRows implements SingleRows {
  readonly #kernels: Engine;
  // what kernels are told and tell; kept as long as the engine
  readonly #features: Ints;
  readonly #factors: Ints; // doubles
  readonly #sums: Ints; // doubles

  constructor(kernels: Engine) {
    this.#kernels = kernels;
    this.#features = kernels.memory.ints(MOST_LISTED);
    this.#factors = kernels.memory.ints(2 * MOST_LISTED);
    this.#sums = kernels.memory.ints(2 * NUM_SUMS);
  }

  tiles(x: Dense): Tiles {
    const pointer = this.#kernels.memory.allocateRaw(numTilesOf(x.cols) * LANES * x.rows * 4);
    this.#kernels.run('pack', x.rows * x.cols, pointer, x.pointer, x.rows, x.cols, x.stride * 4, 4, 1);
    return { rows: x.rows, cols: x.cols, pointer };
  }

  multiply(out: Dense, a: Dense, b: Tiles): void {
    this.#kernels.multiplyPacked(out, a, b);
  }

  multiplyRow(out: Dense, row: Dense, { rows, cols, pointer }: Tiles): void {
    this.#kernels.run('rowTimesTiles', rows * cols, out.pointer, row.pointer, pointer, rows, numTilesOf(cols));
  }

  packRows({ rowStart, columns, values }: Csr, numColumns: number): PackedRows | undefined {
    if (numColumns > MAX_COLUMNS) return undefined;
    const { memory } = this.#kernels;
    const packed = { rowStart: memory.ints(rowStart.length), entries: memory.ints(columns.length) };
    memory.intsView(packed.rowStart).set(rowStart);
    const entries = memory.intsView(packed.entries);
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    for (let e = 0; e < entries.length; e++) {
      const half = halfOf(bits[e]);
      if (half < 0) {
        this.release(packed);
        return undefined;
      }
      entries[e] = (half << 16) | columns[e];
    }
    return packed;
  }

  addRows(out: Dense, rows: PackedRows, features: Int32Array, factors: Float64Array): void {
    for (let first = 0; first < features.length; first += MOST_LISTED) {
      const end = Math.min(features.length, first + MOST_LISTED);
      this.#addListed(out, rows, features.subarray(first, end), factors.subarray(first, end));
    }
  }

  #addListed(out: Dense, rows: PackedRows, features: Int32Array, factors: Float64Array): void {
    const { memory } = this.#kernels;
    memory.intsView(this.#features).set(features);
    const scaled = new Float64Array(memory.wasm.buffer, this.#factors.pointer, features.length);
    for (let i = 0; i < features.length; i++) scaled[i] = factors[i] * HALF_SCALE;
    const lists = [this.#features.pointer, this.#factors.pointer, features.length];
    this.#kernels.ask('addPackedRows', out.pointer, rows.rowStart.pointer, rows.entries.pointer, ...lists);
  }

  sumsOf(a: Dense, b: Dense): [number, number, number, number] {
    this.#kernels.ask('sumsOfTwo', this.#sums.pointer, a.pointer, b.pointer, a.cols);
    const [sumA, squaresA, sumB, squaresB] = new Float64Array(
      this.#kernels.memory.wasm.buffer,
      this.#sums.pointer,
      NUM_SUMS,
    );
    return [sumA, squaresA, sumB, squaresB];
  }

  packTrees({ numFeatures, features, limits, leaves }: RankQuestions): PackedTrees {
    const { memory } = this.#kernels;
    const packed = {
      numTrees: leaves.length / LEAVES,
      ranks: memory.ints((numFeatures * MAX_TREE_ROWS) / 4),
      places: memory.ints(features.length),
      limits: memory.ints(Math.ceil(limits.length / 4)),
      leaves: memory.ints(2 * leaves.length),
      sums: memory.ints(2 * MAX_TREE_ROWS),
    };
    memory.intsView(packed.places).set(features.map((feature) => feature * MAX_TREE_ROWS));
    new Uint8Array(memory.wasm.buffer, packed.limits.pointer, limits.length).set(limits);
    new Float64Array(memory.wasm.buffer, packed.leaves.pointer, leaves.length).set(leaves);
    return packed;
  }

  ranksOf({ ranks }: PackedTrees): Uint8Array {
    return new Uint8Array(this.#kernels.memory.wasm.buffer, ranks.pointer, 4 * ranks.length);
  }

  sumTrees(out: Float64Array, { numTrees, ranks, places, limits, leaves, sums }: PackedTrees): void {
    const found = new Float64Array(this.#kernels.memory.wasm.buffer, sums.pointer, MAX_TREE_ROWS).fill(0);
    const numRows = Math.ceil(out.length / ROWS_AT_ONCE) * ROWS_AT_ONCE;
    const questions = [places.pointer, limits.pointer, leaves.pointer, numTrees];
    this.#kernels.ask('sumTrees', sums.pointer, ranks.pointer, ...questions, numRows);
    out.set(found.subarray(0, out.length));
  }

  view(x: Dense): Float32Array {
    return this.#kernels.memory.floats(x);
  }

  release(packed: Tiles | PackedRows | PackedTrees): void {
    if ('pointer' in packed) this.#kernels.memory.release(packed.pointer);
    else for (const part of Object.values(packed)) if (typeof part === 'object') this.#kernels.release(part);
  }
}

/** The half with the same value as a float, by their bits; −1 where there is none. */
function halfOf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  if (size === 0) return sign;
  const exponent = (size >>> 23) - 112;
  if (exponent < 1) return smallHalfOf(size, 14 - exponent, sign);
  return exponent > 30 || (size & 0x1fff) !== 0 ? -1 : sign | ((size >>> 13) - (112 << 10));
}

/** Of a number below the smallest half with a full fraction. */
function smallHalfOf(size: number, numLost: number, sign: number): number {
  const full = (size & 0x7fffff) | 0x800000;
  if (numLost > 23 || (full & ((1 << numLost) - 1)) !== 0) return -1;
  return sign | (full >>> numLost);
}

function numTilesOf(cols: number): number {
  return Math.ceil(cols / LANES);
}
