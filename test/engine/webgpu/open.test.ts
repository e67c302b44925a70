// Opening the GPU backend where there is a GPU.

import { describe, expect, it, vi } from 'vitest';
import { loadWebGpu } from '#platform';
import { openKernels } from '../../../src/engine/open.ts';
import { openWebGpu } from '../../../src/engine/webgpu/web-gpu-kernels.ts';
import { gpuSkipped, hasGpu, isSoftwareGpu, sameGpu } from '../gpu.ts';

vi.mock('#platform', async (original) => ({
  ...(await original<typeof import('#platform')>()),
  loadWebGpu: vi.fn(),
}));

describe.skipIf(!hasGpu)(`on a GPU${gpuSkipped}`, () => {
  it('openWebGpu takes a software adapter where it may', async () => {
    const taken = await openWebGpu({ load: sameGpu, software: true });
    if (typeof taken === 'string') throw new Error(taken);
    expect(taken.name).toMatch(/^gpu, /);
    expect(taken.isRemote).toBe(true);
    taken.close();
  });

  it.each(['gpu', 'auto'] as const)('openKernels takes it for "%s", unless it is a software one', async (backend) => {
    vi.mocked(loadWebGpu).mockImplementation(sameGpu);
    const warnings: string[] = [];
    const taken = await openKernels({ backend, threads: 1, warn: (message) => warnings.push(message) });
    taken.close();
    if (isSoftwareGpu) {
      expect(taken.name).toBe('cpu');
      expect(warnings).toEqual([expect.stringMatching(/^No GPU is used: the only GPU adapter is a program \(.*\)/)]);
    } else {
      expect(taken.name).toMatch(/^gpu, /);
      expect(warnings).toEqual([]);
    }
  });
});
