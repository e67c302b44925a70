// Opening the GPU backend where there is a GPU.

import { describe, expect, it } from 'vitest';
import { openKernels } from '../../../src/engine/open.ts';
import { gpuSkipped, hasGpu, isSoftwareGpu, sameGpu } from '../gpu.ts';

describe.skipIf(!hasGpu)(`on a GPU${gpuSkipped}`, () => {
  it.each(['gpu', 'auto'] as const)(
    'openKernels takes it for "%s", a software one only where that will do',
    async (backend) => {
      const warnings: string[] = [];
      const warn = (message: string) => warnings.push(message);
      const taken = await openKernels({ backend, warn, gpu: { load: sameGpu, software: true } });
      expect(taken.name).toMatch(/^gpu, /);
      expect(taken.isRemote).toBe(true);
      expect(warnings).toEqual([]);
      taken.close();
      if (!isSoftwareGpu) return;
      const other = await openKernels({ backend, threads: 1, warn, gpu: { load: sameGpu } });
      expect(other.name).toBe('wasm');
      expect(warnings).toEqual([expect.stringMatching(/^No GPU is used: the only GPU adapter is a program \(.*\)/)]);
    },
  );
});
