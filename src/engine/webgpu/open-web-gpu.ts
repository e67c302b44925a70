// Opens the GPU backend, or says why there is none.

import type { Kernels } from '../kernels.ts';
import { type LoadGpu, openDevice } from './device.ts';
import { WebGpuKernels } from './web-gpu-kernels.ts';

export interface GpuOptions {
  /** Where WebGPU comes from, unless from the browser or the package `webgpu`. */
  readonly load?: LoadGpu;
  /** Whether one that computes on the processor will do. */
  readonly software?: boolean;
}

/** The kernels, or a clause that says what is missing. */
export async function openWebGpu({ load, software = false }: GpuOptions = {}): Promise<Kernels | string> {
  const opened = await openDevice(load);
  if (typeof opened === 'string') return opened;
  if (opened.isSoftware && !software) {
    opened.device.destroy();
    return `the only GPU adapter is a program (${opened.name})`;
  }
  return new WebGpuKernels(opened);
}
