// What is opened where the platform lacks something: the best that is left, and a word about it.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadWebGpu, startThread } from '#platform';
import { type EngineOptions, openKernels } from '../../src/engine/open.ts';

vi.mock('#platform', async (original) => {
  const platform = await original<typeof import('#platform')>();
  return { ...platform, startThread: vi.fn(platform.startThread), loadWebGpu: vi.fn() };
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open(options: EngineOptions = {}, openWith = openKernels) {
  const warnings: string[] = [];
  const kernels = await openWith({ ...options, warn: (message) => warnings.push(message) });
  const [a, out] = [kernels.dense(2, 2), kernels.dense(2, 2)];
  kernels.write(a, [1, 2, 3, 4]);
  kernels.gemm(out, a, a);
  const product = [...(await kernels.read(out))];
  kernels.close();
  return { kernels, warnings, product };
}

describe('openKernels', () => {
  it('uses WebAssembly on as many threads as asked for, without a word', async () => {
    const { kernels, warnings, product } = await open({ threads: 2 });
    expect(kernels.name).toBe('cpu, 2 threads');
    expect(product).toEqual([7, 10, 15, 22]);
    expect(warnings).toEqual([]);
  });

  it('falls back to one thread where memory cannot be shared', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined);
    const { kernels, warnings, product } = await open({ threads: 2 });
    expect(kernels.numThreads).toBe(1);
    expect(product).toEqual([7, 10, 15, 22]);
    expect(warnings).toEqual([expect.stringContaining('one thread is used')]);
  });

  it('falls back to the reference where WebAssembly has no SIMD', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    vi.resetModules(); // what was compiled once is known
    const { openKernels: openAfresh } = await import('../../src/engine/open.ts');
    const { kernels, warnings, product } = await open({}, openAfresh);
    expect(kernels.name).toBe('reference');
    expect(product).toEqual([7, 10, 15, 22]);
    expect(warnings).toEqual([expect.stringContaining('no WebAssembly SIMD')]);
  });

  it('takes one thread in silence where one was asked for, and the reference likewise', async () => {
    expect((await open({ threads: 1 })).warnings).toEqual([]);
    expect((await openKernels({ backend: 'reference' })).name).toBe('reference');
  });

  it('takes one thread where no other can be started, and says why', async () => {
    vi.mocked(startThread).mockRejectedValueOnce(new Error('forbidden'));
    const { kernels, warnings, product } = await open({ threads: 3 });
    expect(kernels.name).toBe('cpu');
    expect(product).toEqual([7, 10, 15, 22]);
    expect(warnings).toEqual(['No threads could be started (forbidden): one thread is used.']);
  });

  it('takes the processor by default', async () => {
    expect((await open({ threads: 1 })).kernels.name).toBe('cpu');
  });

  it.each<[string, typeof loadWebGpu]>([
    ['the package webgpu is not installed', async () => 'the package webgpu is not installed'],
    ['WebGPU could not be loaded (no library)', () => Promise.reject(new Error('no library'))],
    ['no GPU adapter was found', async () => ({ requestAdapter: async () => null })],
  ])('says in one line why it uses no GPU: %s', async (reason, load) => {
    for (const backend of ['gpu', 'auto'] as const) {
      vi.mocked(loadWebGpu).mockImplementationOnce(load);
      const { kernels, warnings, product } = await open({ threads: 1, backend });
      expect(kernels.name).toBe('cpu');
      expect(product).toEqual([7, 10, 15, 22]);
      expect(warnings).toEqual([`No GPU is used: ${reason}. The processor computes instead.`]);
    }
  });
});
