// The one memory all CPU kernels work in: a WebAssembly memory, shared between threads where the platform allows, with
// a first-fit allocator of 64-byte blocks. What is allocated must be released by its owner; `usedBytes` tells if not.

import type { Csr } from '../csr.ts';
import { checkArrays, type Dense, type Ints, type Sparse, strideOf } from './matrix.ts';

const PAGE = 65_536;
const ALIGN = 64;
const MAX_PAGES = [65_536, 32_768, 16_384]; // 4, 2, 1 GiB: the most the platform agrees to reserve

interface Block {
  pointer: number;
  size: number;
}

export class Memory {
  readonly wasm: WebAssembly.Memory;
  readonly isShared: boolean;
  readonly #free: Block[] = []; // by pointer, never adjacent
  readonly #sizes = new Map<number, number>(); // of what is in use, by pointer
  #end = 0; // everything from here on was never used
  #usedBytes = 0;

  /** Bytes below `reserved` are left to the kernels' own static data. */
  constructor({ shared = typeof SharedArrayBuffer !== 'undefined', reserved = 0 } = {}) {
    this.isShared = shared;
    this.wasm = makeMemory(shared);
    this.#end = roundUp(Math.max(reserved, ALIGN)); // pointer 0 stays invalid
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** A block of zeros. */
  allocate(bytes: number): number {
    const pointer = this.allocateRaw(bytes);
    // eight bytes at a time: in a shared buffer single ones take five times as long
    new Float64Array(this.wasm.buffer, pointer, roundUp(bytes) / Float64Array.BYTES_PER_ELEMENT).fill(0);
    return pointer;
  }

  /** A block that may still hold what its last owner left there. */
  allocateRaw(bytes: number): number {
    const size = roundUp(Math.max(bytes, 1));
    const at = this.#free.findIndex((block) => block.size >= size);
    let pointer: number;
    if (at >= 0) {
      const block = this.#free[at];
      pointer = block.pointer;
      block.pointer += size;
      block.size -= size;
      if (block.size === 0) this.#free.splice(at, 1);
    } else {
      pointer = this.#end;
      this.#growTo(pointer + size); // may throw: until it is done nothing has changed
      this.#end = pointer + size;
    }
    this.#sizes.set(pointer, size);
    this.#usedBytes += size;
    return pointer;
  }

  release(pointer: number): void {
    const size = this.#sizes.get(pointer);
    if (size === undefined) throw new Error(`Got pointer ${pointer} to release when expected one in use.`);
    this.#sizes.delete(pointer);
    this.#usedBytes -= size;
    let at = this.#free.findIndex((block) => block.pointer > pointer);
    if (at < 0) at = this.#free.length;
    this.#free.splice(at, 0, { pointer, size });
    this.#join(at);
    if (at > 0) this.#join(at - 1);
  }

  dense(rows: number, cols: number): Dense {
    const stride = strideOf(cols);
    return { rows, cols, stride, pointer: this.allocate(rows * stride * 4) };
  }

  ints(length: number): Ints {
    return { length, pointer: this.allocate(length * 4) };
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
    this.intsView(csr.rowStart).set(arrays.rowStart);
    this.intsView(csr.columns).set(arrays.columns);
    this.floats(csr.values).set(arrays.values);
    return csr;
  }

  /** All floats of a matrix, padding included. Valid until the memory grows: do not keep it. */
  floats({ pointer, rows, stride }: Dense): Float32Array {
    return new Float32Array(this.wasm.buffer, pointer, rows * stride);
  }

  intsView({ pointer, length }: Ints): Int32Array {
    return new Int32Array(this.wasm.buffer, pointer, length);
  }

  #growTo(bytes: number): void {
    const missing = bytes - this.wasm.buffer.byteLength;
    if (missing <= 0) return;
    // by a quarter at least, so that many small requests do not each grow it
    const pages = Math.ceil(Math.max(missing, this.wasm.buffer.byteLength / 4) / PAGE);
    try {
      this.wasm.grow(pages);
    } catch {
      this.#growExactly(missing);
    }
  }

  #growExactly(missing: number): void {
    try {
      this.wasm.grow(Math.ceil(missing / PAGE));
    } catch {
      const used = Math.round(this.#usedBytes / 2 ** 20);
      throw new RangeError(
        `The engine's memory is full: ${used} MiB in use, ${Math.ceil(missing / 2 ** 20)} MiB more were asked for.`,
      );
    }
  }

  /** Joins a free block with the next if they touch. */
  #join(at: number): void {
    const [block, next] = [this.#free[at], this.#free[at + 1]];
    if (next === undefined || block.pointer + block.size !== next.pointer) return;
    block.size += next.size;
    this.#free.splice(at + 1, 1);
  }
}

function makeMemory(shared: boolean): WebAssembly.Memory {
  for (const maximum of MAX_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum, shared });
    } catch {}
  }
  throw new RangeError('The platform gives WebAssembly less than 1 GiB of memory.');
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / ALIGN) * ALIGN;
}
