// One check of a backend: it makes inputs and outputs with neighbours behind them, compares results, and ends by seeing
// that inputs, padding and neighbours are as they were and that all bytes came back.

import { expect } from 'vitest';
import type { Csr } from '../../../src/csr.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import type { Dense, Ints, Sparse } from '../../../src/engine/matrix.ts';
import type { Memory } from '../../../src/engine/memory.ts';
import { Random } from '../../../src/random.ts';
import { type ExpectedAt, expectNear, plus, sameBytes, type Tolerance } from './expected.ts';

export type RunTrial = (body: (t: Trial) => unknown) => Promise<void>;
export type RunShapes = (body: (t: Trial, rows: number, cols: number) => unknown) => Promise<void>;
type Shape = readonly [rows: number, cols: number];

/** Everything one check makes, and the checks common to all of them. */
export class Trial {
  readonly kernels: Kernels;
  readonly random = new Random(1, 'kernels contract');
  readonly #usedBefore: number;
  readonly #values = new Map<Dense, Float32Array>(); // as written
  readonly #inputs: Dense[] = [];
  readonly #lists = new Map<Ints, Int32Array>(); // as written; half of them only stand behind a matrix as its neighbour
  readonly #sparse: Sparse[] = [];

  constructor(kernels: Kernels) {
    this.kernels = kernels;
    this.#usedBefore = kernels.usedBytes;
  }

  /** From −1 to 1. */
  numbers(count: number): Float32Array {
    return new Float32Array(count).map(() => this.random.float() * 2 - 1);
  }

  /** From 0 to n − 1. */
  whole(count: number, n: number): Int32Array {
    return new Int32Array(count).map(() => this.random.below(n));
  }

  /** A matrix that no kernel may change. */
  input(rows: number, cols: number, values: ArrayLike<number> = this.numbers(rows * cols)): Dense {
    const out = this.output(rows, cols, values);
    this.#inputs.push(out);
    return out;
  }

  /** A matrix to be written or added to. */
  output(
    rows: number,
    cols: number,
    values: ArrayLike<number> = new Float32Array(rows * cols).fill(Number.NaN),
  ): Dense {
    const out = this.kernels.dense(rows, cols);
    this.kernels.write(out, values);
    this.#values.set(out, Float32Array.from(values));
    this.ints([123_456_789]);
    return out;
  }

  ints(values: ArrayLike<number>): Ints {
    const out = this.kernels.ints(values.length);
    this.kernels.writeInts(out, values);
    this.#lists.set(out, Int32Array.from(values));
    return out;
  }

  sparse(rows: number, cols: number, arrays: Csr): Sparse {
    const out = this.kernels.sparse(rows, cols, arrays);
    this.#sparse.push(out);
    return out;
  }

  /** What was written into a matrix at first. */
  values(x: Dense): Float32Array {
    return this.#values.get(x) as Float32Array;
  }

  async near(x: Dense, tolerance: Tolerance, expected: ExpectedAt): Promise<void> {
    const actual = await this.kernels.read(x);
    expect(actual.length).toBe(x.rows * x.cols);
    expectNear(actual, x.cols, tolerance, expected);
  }

  /** What a call must give on a new output, on one that holds `old`, or when it adds to its output. */
  result(shape: Shape, tolerance: Tolerance, expected: ExpectedAt) {
    const by = (call: (out: Dense) => void) => inPlace(undefined, call);
    const inPlace = async (old: Float32Array | undefined, call: (out: Dense) => void) => {
      const out = this.output(...shape, old);
      call(out);
      await this.near(out, tolerance, expected);
    };
    const addedBy = async (call: (out: Dense, accumulate: boolean) => void) => {
      const old = this.numbers(shape[0] * shape[1]);
      const [out, sum] = [this.output(...shape), this.output(...shape, old)];
      call(out, false);
      call(sum, true);
      const results = Array.from(old, (_, i) => expected(i, Math.floor(i / shape[1]), i % shape[1]));
      await this.near(out, tolerance, (i) => results[i]);
      await this.near(sum, tolerance, (i) => plus(results[i], old[i]));
    };
    return { by, inPlace, addedBy };
  }

  async expectTopK(values: Float32Array, n: number, m: number, k: number): Promise<void> {
    const ids = this.ints(new Int32Array(n * k).fill(-1));
    this.kernels.topK(ids, this.input(n, m, values), k);
    const actual = await this.kernels.readInts(ids);
    this.#lists.set(ids, actual);
    for (let r = 0; r < n; r++) {
      const row = values.subarray(r * m, r * m + m);
      const columns = Array.from(row.keys());
      columns.sort((a, b) => (row[a] === row[b] ? a - b : row[a] > row[b] ? -1 : 1));
      const isRight = actual.subarray(r * k, r * k + k).every((id, i) => id === columns[i]);
      if (!isRight) expect([...actual.subarray(r * k, r * k + k)]).toEqual(columns.slice(0, k));
    }
  }

  async finish(): Promise<void> {
    for (const x of this.#inputs) {
      if (!sameBytes(await this.kernels.read(x), this.values(x))) throw new Error('An input has changed.');
    }
    for (const [list, values] of this.#lists) {
      const isSame = sameBytes(await this.kernels.readInts(list), values);
      if (!isSame) throw new Error('A list, or what lies behind a matrix, has changed.');
    }
    for (const x of this.#values.keys()) this.#expectPadding(x);
    this.kernels.release(...this.#values.keys(), ...this.#lists.keys(), ...this.#sparse);
    expect(this.kernels.usedBytes).toBe(this.#usedBefore);
  }

  #expectPadding({ rows, cols, stride, pointer }: Dense): void {
    const { memory } = this.kernels as { memory?: Memory };
    if (memory === undefined) return;
    const data = memory.floats({ rows, cols, stride, pointer });
    for (let r = 0; r < rows; r++) {
      const padding = data.subarray(r * stride + cols, (r + 1) * stride);
      if (padding.some((value) => value !== 0))
        throw new Error(`The padding of a ${rows} × ${cols} matrix has changed.`);
    }
  }
}
