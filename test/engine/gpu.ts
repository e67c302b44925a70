// A GPU for tests: the one of the machine, or the software one that comes with Chromium, through the package `webgpu`.
// Where one of the two is missing, `gpuSkipped` says which.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LoadGpu, openDevice } from '../../src/engine/webgpu/device.ts';
import { WebGpuKernels } from '../../src/engine/webgpu/web-gpu-kernels.ts';

/** Where Debian, and others, put the software driver of Chromium. */
const DRIVERS = ['/usr/lib/chromium', '/usr/lib64/chromium-browser', '/opt/google/chrome'];

let instance: GPU | undefined; // one for all

const loadGpu: LoadGpu = async () => {
  const driver = DRIVERS.map((folder) => join(folder, 'vk_swiftshader_icd.json')).find(existsSync);
  if (driver !== undefined) process.env.VK_ICD_FILENAMES ??= driver;
  // a folder that has the package, where the project does not
  const folder = process.env.TAGLOOM_WEBGPU;
  const name: string = folder === undefined ? 'webgpu' : pathToFileURL(join(folder, 'index.js')).href;
  const { create } = await import(name);
  instance ??= create([]);
  return instance;
};

const opened = await openDevice(loadGpu);

export const hasGpu = typeof opened !== 'string';
export const isSoftwareGpu = typeof opened !== 'string' && opened.isSoftware;
export const gpuSkipped = typeof opened === 'string' ? ` (skipped: ${opened})` : '';

/** `windowBytes`: the most its kernels see of a matrix, if less than the device allows. */
export async function openGpu(windowBytes?: number): Promise<WebGpuKernels> {
  const device = await openDevice(loadGpu);
  if (typeof device === 'string') throw new Error(device);
  return new WebGpuKernels(device, windowBytes);
}
