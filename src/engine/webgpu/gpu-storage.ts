// The storage half of the GPU backend: handles made, filled, read and released. A handle's pointer is the number of its
// block. Beside a handle lies what kernels keep for it: how often it was written, and what was derived from it.

import type { Csr } from '../../csr.ts';
import { checkArrays, checkLength, type Dense, type Ints, type Sparse, strideOf } from '../matrix.ts';
import { ALIGN, type Block, tooMuchAtOnce, type Window } from './buffers.ts';
import { Queue } from './queue.ts';

const POINTER_STEP = 64; // pointers look like addresses of cache lines, as on other backends

/** Rows of a matrix that kernels can see at once. */
interface Part {
  readonly firstRow: number;
  readonly rows: number;
  /** The same rows of this matrix or another. */
  of(x: Dense): Window;
}

/** What kernels keep for a handle; given back with it. */
export interface Kept {
  release(): void;
}

interface Held {
  readonly block: Block;
  version: number;
  readonly kept: Map<string, Kept>;
}

export class GpuStorage {
  readonly queue: Queue;
  readonly #held = new Map<number, Held>(); // by pointer
  #nextPointer = POINTER_STEP;

  /** `windowBytes`: the most a kernel sees of a matrix, if less than the device allows. */
  constructor(device: GPUDevice, windowBytes = Number.POSITIVE_INFINITY) {
    this.queue = new Queue(device, windowBytes);
  }

  get usedBytes(): number {
    return this.queue.buffers.usedBytes;
  }

  dense(rows: number, cols: number): Dense {
    const stride = strideOf(cols);
    return { rows, cols, stride, pointer: this.#make(rows * stride * 4) };
  }

  ints(length: number): Ints {
    return { length, pointer: this.#make(length * 4) };
  }

  sparse(rows: number, cols: number, arrays: Csr): Sparse {
    const numEntries = checkArrays(rows, arrays);
    const csr = {
      rows,
      cols,
      numEntries,
      rowStart: this.ints(rows + 1),
      columns: this.ints(numEntries),
      values: this.dense(1, numEntries),
    };
    this.writeInts(csr.rowStart, arrays.rowStart);
    this.writeInts(csr.columns, arrays.columns);
    this.write(csr.values, arrays.values);
    return csr;
  }

  release(...matrices: readonly (Dense | Ints | Sparse)[]): void {
    for (const matrix of matrices) {
      if ('rowStart' in matrix) this.release(matrix.rowStart, matrix.columns, matrix.values);
      else this.#drop(matrix.pointer);
    }
  }

  write(out: Dense, values: ArrayLike<number>): void {
    checkLength(values.length, out.rows * out.cols, `${out.rows} × ${out.cols}`);
    this.touch(out);
    if (values.length > 0) this.queue.upload(this.block(out), padded(out, values));
  }

  writeInts(out: Ints, values: ArrayLike<number>): void {
    checkLength(values.length, out.length, String(out.length));
    this.touch(out);
    const whole = values instanceof Int32Array ? (values as Int32Array<ArrayBuffer>) : Int32Array.from(values);
    if (values.length > 0) this.queue.upload(this.block(out), whole);
  }

  async read(x: Dense): Promise<Float32Array> {
    const { rows, cols, stride } = x;
    const data = new Float32Array(await this.queue.download(this.block(x), rows * stride * 4));
    if (cols === stride) return data;
    const out = new Float32Array(rows * cols);
    for (let r = 0; r < rows; r++) out.set(data.subarray(r * stride, r * stride + cols), r * cols);
    return out;
  }

  async readInts(x: Ints): Promise<Int32Array> {
    return new Int32Array(await this.queue.download(this.block(x), x.length * 4));
  }

  close(): void {
    this.queue.flush();
    this.queue.device.destroy();
  }

  block({ pointer }: { readonly pointer: number }): Block {
    return this.#of(pointer).block;
  }

  /** Says that a handle has other numbers now: what was derived from the old ones is out of date. */
  touch({ pointer }: { readonly pointer: number }): void {
    this.#of(pointer).version++;
  }

  /** How often a handle was written. */
  version({ pointer }: { readonly pointer: number }): number {
    return this.#of(pointer).version;
  }

  /** What is kept for a handle under a name; made at first. It is released with the handle. */
  kept<Value extends Kept>({ pointer }: { readonly pointer: number }, name: string, make: () => Value): Value {
    const { kept } = this.#of(pointer);
    const known = kept.get(name);
    if (known !== undefined) return known as Value;
    const made = make();
    kept.set(name, made);
    return made;
  }

  /** Runs with blocks that may hold anything; they go back afterwards, as commands keep their order. */
  withScratch(sizes: readonly number[], use: (...blocks: Block[]) => void): void {
    const blocks = sizes.map((bytes) => this.scratch(bytes));
    try {
      use(...blocks);
    } finally {
      for (const block of blocks) this.queue.buffers.release(block);
    }
  }

  /** A block that may hold anything. */
  scratch(bytes: number): Block {
    return this.queue.buffers.allocate(bytes).block;
  }

  /** A matrix whole, or in parts of so many rows that kernels can see them at once. */
  eachPart(x: Dense, use: (part: Part) => void): void {
    const most = this.rowsAtOnce(x);
    for (let firstRow = 0; firstRow < x.rows; firstRow += most) {
      const rows = Math.min(most, x.rows - firstRow);
      use({ firstRow, rows, of: (other) => this.rowsOf(other, firstRow, rows) });
    }
  }

  /** Some rows of a matrix, from a multiple of 4 on. */
  rowsOf(x: Dense, firstRow: number, rows: number): Window {
    const rowBytes = x.stride * 4;
    return {
      block: this.block(x),
      offset: firstRow * rowBytes,
      bytes: Math.ceil(Math.max(1, rows * rowBytes) / ALIGN) * ALIGN,
    };
  }

  /** How many rows of a matrix a kernel can see at once, so that parts begin where they may. */
  rowsAtOnce({ stride }: Dense): number {
    const rowBytes = stride * 4;
    const step = rowBytes % ALIGN === 0 ? 1 : (2 * rowBytes) % ALIGN === 0 ? 2 : 4; // rows are multiples of 64 bytes
    const most = Math.floor(this.queue.buffers.windowBytes / rowBytes / step) * step;
    if (most === 0) throw tooMuchAtOnce(rowBytes, this.queue.buffers.windowBytes);
    return most;
  }

  #make(bytes: number): number {
    const { block, isUsed } = this.queue.buffers.allocate(bytes);
    if (isUsed) this.queue.clear(block);
    const pointer = this.#nextPointer;
    this.#nextPointer += POINTER_STEP;
    this.#held.set(pointer, { block, version: 0, kept: new Map() });
    return pointer;
  }

  #drop(pointer: number): void {
    const { block, kept } = this.#of(pointer);
    for (const one of kept.values()) one.release();
    this.#held.delete(pointer);
    this.queue.buffers.release(block);
  }

  #of(pointer: number): Held {
    const held = this.#held.get(pointer);
    if (held === undefined) throw new Error(`Got pointer ${pointer} when expected one in use.`);
    return held;
  }
}

/** Rows as they lie in memory: at their stride, zeros between. */
function padded({ rows, cols, stride }: Dense, values: ArrayLike<number>): Float32Array<ArrayBuffer> {
  if (cols === stride && values instanceof Float32Array) return values as Float32Array<ArrayBuffer>;
  const out = new Float32Array(rows * stride);
  if (values instanceof Float32Array) {
    for (let r = 0; r < rows; r++) out.set(values.subarray(r * cols, (r + 1) * cols), r * stride);
    return out;
  }
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) out[r * stride + c] = values[r * cols + c];
  }
  return out;
}
