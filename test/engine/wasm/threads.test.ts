// What threads do when a kernel traps (`run` waits for all of them, says so once, and the next call works) and when one of
// them is gone.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { startThread } from '#platform';
import { openKernels } from '../../../src/engine/open.ts';
import { Threads } from '../../../src/engine/wasm/threads.ts';

vi.mock('#platform', async (original) => {
  const platform = await original<typeof import('#platform')>();
  return { ...platform, startThread: vi.fn(platform.startThread) };
});

/**
 * (module
 *   (import "env" "memory" (memory 1 1 shared))
 *   (func (export "work") (param $part i32) (param $numParts i32) (param $traps i32) (local $i i32)
 *     ;; begun[part] = 1, at byte 0
 *     (i32.store (i32.shl (local.get $part) (i32.const 2)) (i32.const 1))
 *     (if (local.get $traps) (then unreachable))
 *     (loop (br_if 0 (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 100000000))))
 *     ;; done[part] = 1, at byte 256
 *     (i32.store offset=256 (i32.shl (local.get $part) (i32.const 2)) (i32.const 1))))
 */
const MODULE = new WebAssembly.Module(
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic, version
    ...section(1, [0x01, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x00]), // the type (i32, i32, i32) → ()
    ...section(2, [0x01, ...name('env'), ...name('memory'), 0x02, 0x03, 0x01, 0x01]),
    ...section(3, [0x01, 0x00]), // one function of that type
    ...section(7, [0x01, ...name('work'), 0x00, 0x00]),
    ...section(10, [
      0x01,
      ...sized([
        ...[0x01, 0x01, 0x7f], // one local
        ...[0x20, 0x00, 0x41, 0x02, 0x74, 0x41, 0x01, 0x36, 0x02, 0x00],
        ...[0x20, 0x02, 0x04, 0x40, 0x00, 0x0b],
        ...[0x03, 0x40, 0x20, 0x03, 0x41, 0x01, 0x6a, 0x22, 0x03, 0x41, 0x80, 0xc2, 0xd7, 0x2f, 0x49, 0x0d, 0x00, 0x0b],
        ...[0x20, 0x00, 0x41, 0x02, 0x74, 0x41, 0x01, 0x36, 0x02, 0x80, 0x02],
        0x0b,
      ]),
    ]),
  ]),
);

function sized(bytes: readonly number[]): number[] {
  return [bytes.length, ...bytes];
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...sized(bytes)];
}

function name(text: string): number[] {
  return sized([...text].map((character) => character.charCodeAt(0)));
}

const open: Threads[] = [];
afterEach(() => {
  for (const threads of open.splice(0)) threads.close();
});

/** Two threads: the caller runs `callerPart`, the other runs the module above. */
async function start(callerPart: (part: number, words: Int32Array) => void) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const words = new Int32Array(memory.buffer);
  const instance = { exports: { work: (part: number) => callerPart(part, words) } };
  const threads = await Threads.start(MODULE, instance as unknown as WebAssembly.Instance, memory, 2);
  open.push(threads);
  return { threads, words };
}

/** Waits until the other thread has taken one of two parts. */
function waitForOther(part: number, words: Int32Array): void {
  while (Atomics.load(words, 1 - part) === 0);
}

describe('a call that fails', () => {
  it('in the part of the caller leaves only when the other thread is done, and throws what the caller threw', async () => {
    const { threads, words } = await start((part, words) => {
      waitForOther(part, words);
      throw new RangeError('The part of the caller failed.');
    });
    expect(() => threads.run('work', 2, [0])).toThrow('The part of the caller failed.');
    const numDone = words[64] + words[65];
    expect(numDone).toBe(1);
  });

  it('in another thread is said once, with the name of the kernel, and the next call works', async () => {
    const { threads, words } = await start(waitForOther);
    expect(() => threads.run('work', 2, [1])).toThrow(/failed in the kernel work/);
    words.fill(0);
    threads.run('work', 2, [0]);
    const numDone = words[64] + words[65];
    expect(numDone).toBe(1);
  });

  it('frees its scratch memory, and the next call gives the right result', async () => {
    const kernels = await openKernels({ threads: 3 });
    const [a, out] = [kernels.dense(200, 200), kernels.dense(200, 200)];
    const used = kernels.usedBytes;
    kernels.fill(a, 1);
    for (const factor of ['left', 'right', 'result'] as const) {
      const outside = { ...a, pointer: 0xffff_0000 };
      const [left, right, result] = [a, a, out].map((x, i) =>
        ['left', 'right', 'result'][i] === factor ? outside : x,
      );
      expect(() => kernels.gemm(result, left, right), factor).toThrow();
      kernels.gemm(out, a, a);
      expect((await kernels.read(out)).every((value) => value === 200)).toBe(true);
    }
    expect(kernels.usedBytes).toBe(used);
    kernels.close();
  });
});

describe('a call', () => {
  it.each(['have died', 'were closed'])('does not wait for threads that %s', async (how) => {
    const parts: number[] = [];
    const { threads } = await start((part) => parts.push(part));
    if (how === 'were closed') threads.close();
    else for (const { value } of vi.mocked(startThread).mock.results) await (await value).terminate();
    for (let call = 0; call < 3; call++) threads.run('work', 3, [0]);
    expect(parts).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  it('names a kernel that does not exist', async () => {
    const { threads } = await start(() => {});
    expect(() => threads.run('play', 2, [])).toThrow('There is no kernel play.');
  });
});
