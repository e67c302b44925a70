// The allocator under all CPU matrices: alignment, reuse, joining of free blocks, growth.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Memory } from '../../src/engine/memory.ts';
import { Random } from '../../src/random.ts';

const bytesAt = (memory: Memory, pointer: number, size: number) => new Uint8Array(memory.wasm.buffer, pointer, size);

describe.each([false, true])('Memory, shared: %s', (shared) => {
  const memory = new Memory({ shared });

  it('says whether it is shared', () => {
    expect(memory.isShared).toBe(shared);
    expect(memory.wasm.buffer instanceof SharedArrayBuffer).toBe(shared);
  });

  it('gives blocks at multiples of 64 bytes, never at 0, never twice', () => {
    const pointers = [0, 1, 63, 64, 65, 1000].map((bytes) => memory.allocate(bytes));
    for (const pointer of pointers) {
      expect(pointer).toBeGreaterThan(0);
      expect(pointer % 64).toBe(0);
    }
    expect(new Set(pointers).size).toBe(pointers.length);
    expect(memory.usedBytes).toBe(64 * (1 + 1 + 1 + 1 + 2 + 16));
    for (const pointer of pointers) memory.release(pointer);
    expect(memory.usedBytes).toBe(0);
  });

  it('gives a released place away again, as zeros', () => {
    const first = memory.allocate(256);
    memory.allocate(64);
    bytesAt(memory, first, 256).fill(255);
    memory.release(first);
    const second = memory.allocate(128);
    expect(second).toBe(first);
    expect(bytesAt(memory, second, 128).every((byte) => byte === 0)).toBe(true);
    expect(bytesAt(memory, memory.allocate(128), 128).every((byte) => byte === 0)).toBe(true);
  });

  it('refuses to release a pointer twice, or one it never gave', () => {
    const pointer = memory.allocate(100);
    memory.release(pointer);
    const before = memory.usedBytes;
    expect(() => memory.release(pointer)).toThrow(`Got pointer ${pointer} to release when expected one in use.`);
    expect(() => memory.release(7)).toThrow(/pointer 7/);
    expect(memory.usedBytes).toBe(before);
  });

  it('keeps contents when it grows', () => {
    const small = memory.allocate(1000);
    const pattern = Uint8Array.from({ length: 1000 }, (_, i) => i * 7);
    bytesAt(memory, small, 1000).set(pattern);
    const before = memory.wasm.buffer.byteLength;
    const large = memory.allocate(3 * before);
    expect(memory.wasm.buffer.byteLength).toBeGreaterThanOrEqual(large + 3 * before);
    expect(bytesAt(memory, small, 1000)).toEqual(pattern);
    expect(bytesAt(memory, large, 3 * before).every((byte) => byte === 0)).toBe(true);
  });

  it('says so when it is full, and is then as it was', () => {
    const [used, size] = [memory.usedBytes, memory.wasm.buffer.byteLength];
    expect(() => memory.allocate(8 * 2 ** 30)).toThrow(/memory is full: \d+ MiB in use, \d+ MiB more/);
    expect(memory.usedBytes).toBe(used);
    const pointer = memory.allocate(size); // more than is free, so it grows once more
    expect(bytesAt(memory, pointer, size).length).toBe(size);
    memory.release(pointer);
  });
});

describe('Memory', () => {
  it('joins released neighbours: what held many small blocks holds one of their total size', () => {
    const memory = new Memory();
    const random = new Random(1, 'memory test');
    const sizes = Array.from({ length: 500 }, () => 64 * (1 + random.below(50)));
    const total = sizes.reduce((a, b) => a + b);
    const pointers = sizes.map((size) => memory.allocate(size));
    expect(memory.usedBytes).toBe(total);
    for (const pointer of random.shuffle([...pointers])) memory.release(pointer);
    expect(memory.usedBytes).toBe(0);
    const before = memory.wasm.buffer.byteLength;
    expect(memory.allocate(total)).toBe(pointers[0]);
    expect(memory.wasm.buffer.byteLength).toBe(before);
  });

  it('leaves the reserved bytes alone', () => {
    expect(new Memory({ reserved: 5000 }).allocate(1)).toBe(5056);
    const pointer = new Memory({ reserved: 3 * 2 ** 20 }).allocate(1); // more than there is at first
    expect(pointer).toBe(3 * 2 ** 20);
  });

  it('never lets two blocks overlap, in any order of requests and releases', () => {
    const memory = new Memory(); // one for all runs: each leaves it empty
    const end = memory.allocate(1);
    memory.release(end);
    const steps = fc.array(fc.record({ bytes: fc.nat(2000), victim: fc.option(fc.nat(), { nil: undefined }) }));
    fc.assert(
      fc.property(steps, (list) => {
        const held: { pointer: number; bytes: number; mark: number }[] = [];
        const checkAndRelease = (at: number) => {
          const [{ pointer, bytes, mark }] = held.splice(at, 1);
          expect(bytesAt(memory, pointer, bytes).every((byte) => byte === mark)).toBe(true);
          memory.release(pointer);
        };
        for (const [i, { bytes, victim }] of list.entries()) {
          const [pointer, mark] = [memory.allocate(bytes), 1 + (i % 255)];
          expect(bytesAt(memory, pointer, bytes).every((byte) => byte === 0)).toBe(true);
          bytesAt(memory, pointer, bytes).fill(mark);
          held.push({ pointer, bytes, mark });
          if (victim !== undefined) checkAndRelease(victim % held.length);
        }
        const expected = held.reduce((sum, { bytes }) => sum + 64 * Math.max(1, Math.ceil(bytes / 64)), 0);
        expect(memory.usedBytes).toBe(expected);
        while (held.length > 0) checkAndRelease(held.length >> 1);
        expect(memory.usedBytes).toBe(0);
      }),
      { numRuns: 200 },
    );
    expect(memory.allocate(1)).toBe(end);
  });

  it('pads rows of matrices to cache lines and refuses sparse arrays that do not fit together', () => {
    const memory = new Memory();
    expect(memory.dense(3, 17)).toMatchObject({ rows: 3, cols: 17, stride: 32 });
    expect(memory.usedBytes).toBe(3 * 32 * 4);
    const arrays = { rowStart: Int32Array.of(0, 1), columns: Int32Array.of(2), values: Float32Array.of(0.5) };
    const csr = memory.sparse(1, 3, arrays);
    expect(memory.intsView(csr.columns)).toEqual(arrays.columns);
    expect(memory.floats(csr.values)[0]).toBe(0.5);
    expect(() => memory.sparse(2, 3, arrays)).toThrow('Got 2 row starts and 1 values when expected 3 and 1.');
  });
});
