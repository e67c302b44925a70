// The storage half of the CPU backends: handles made, filled, read and released in one Memory.

import type { Csr } from '../csr.ts';
import type { NoiseInputs } from './kernels.ts';
import { checkLength, type Dense, type Ints, type Sparse } from './matrix.ts';
import type { Memory } from './memory.ts';
import { largeNumbers } from './numerics/dense.ts';
import { drawNoise } from './reference/losses.ts';

export class Storage {
  readonly memory: Memory;
  readonly isRemote: boolean = false;

  constructor(memory: Memory) {
    this.memory = memory;
  }

  get usedBytes(): number {
    return this.memory.usedBytes;
  }

  dense(rows: number, cols: number): Dense {
    return this.memory.dense(rows, cols);
  }

  ints(length: number): Ints {
    return this.memory.ints(length);
  }

  sparse(rows: number, cols: number, arrays: Csr): Sparse {
    return this.memory.sparse(rows, cols, arrays);
  }

  release(...matrices: readonly (Dense | Ints | Sparse)[]): void {
    for (const matrix of matrices) {
      if ('rowStart' in matrix) this.release(matrix.rowStart, matrix.columns, matrix.values);
      else this.memory.release(matrix.pointer);
    }
  }

  write(out: Dense, values: ArrayLike<number>): void {
    checkLength(values.length, out.rows * out.cols, `${out.rows} × ${out.cols}`);
    const data = this.memory.floats(out);
    // a loop over single numbers takes seven times as long
    const numbers = values instanceof Float32Array ? values : Float32Array.from(values);
    for (let r = 0; r < out.rows; r++) data.set(numbers.subarray(r * out.cols, (r + 1) * out.cols), r * out.stride);
  }

  writeInts(out: Ints, values: ArrayLike<number>): void {
    checkLength(values.length, out.length, String(out.length));
    this.memory.intsView(out).set(values);
  }

  addBlock(out: Dense, row: number, column: number, x: Dense): void {
    const [to, from] = [this.memory.floats(out), this.memory.floats(x)];
    for (let r = 0; r < x.rows; r++) {
      const at = (row + r) * out.stride + column;
      for (let c = 0; c < x.cols; c++) to[at + c] += from[r * x.stride + c];
    }
  }

  drawNoise(out: Ints, { table, objects, own, key }: NoiseInputs): void {
    const [keep, alias] = [this.memory.intsView(table.keep), this.memory.intsView(table.alias)];
    const rows = own && { rowStart: this.memory.intsView(own.rowStart), columns: this.memory.intsView(own.columns) };
    drawNoise(this.memory.intsView(out), { keep, alias, objects: this.memory.intsView(objects), own: rows, key });
  }

  async read(x: Dense): Promise<Float32Array> {
    const data = this.memory.floats(x);
    const out = new Float32Array(x.rows * x.cols);
    for (let r = 0; r < x.rows; r++) out.set(data.subarray(r * x.stride, r * x.stride + x.cols), r * x.cols);
    return out;
  }

  async readInts(x: Ints): Promise<Int32Array> {
    return this.memory.intsView(x).slice();
  }

  async readLarge(x: Dense, limits: Float32Array): Promise<Csr> {
    checkLength(limits.length, x.rows, String(x.rows));
    return largeNumbers(this.memory.floats(x), x, limits);
  }
}
