// A GPU for tests: the one of the machine, or the software one that comes with Chromium, through the package `webgpu` and the
// machine's Vulkan loader. Where one of these is missing, `gpuSkipped` says which.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type OpenedDevice, openDevice } from '../../src/engine/webgpu/device.ts';
import { WebGpuKernels } from '../../src/engine/webgpu/web-gpu-kernels.ts';

/** Where Debian and others put Chromium, and with it the driver. */
const FOLDERS = ['/usr/lib/chromium', '/usr/lib64/chromium-browser', '/usr/lib/chromium-browser', '/opt/google/chrome'];

let instance: GPU | undefined; // one for all

async function makeInstance(): Promise<GPU> {
  // a folder that has the package, where the project does not
  const folder = process.env.TAGLOOM_WEBGPU;
  const name: string = folder === undefined ? 'webgpu' : pathToFileURL(join(folder, 'index.js')).href;
  const { create } = await import(name);
  instance = create([]) as GPU;
  return instance;
}

async function openAny(): Promise<OpenedDevice | string> {
  const opened = await openDevice(makeInstance);
  const driver = FOLDERS.map((folder) => join(folder, 'vk_swiftshader_icd.json')).find(existsSync);
  if (typeof opened !== 'string' || driver === undefined || process.env.VK_ICD_FILENAMES !== undefined) return opened;
  process.env.VK_ICD_FILENAMES = driver; // read by the next instance
  return openDevice(makeInstance);
}

const opened = await openAny();

export const hasGpu = typeof opened !== 'string';
export const isSoftwareGpu = typeof opened !== 'string' && opened.isSoftware;
export const gpuSkipped = typeof opened === 'string' ? ` (skipped: ${opened})` : '';

/** The same for those who open it themselves. */
export const sameGpu = async () => instance ?? 'there is none';

/** `windowBytes`: the most its kernels see of a matrix, if less than the device allows. */
export async function openGpu(windowBytes?: number): Promise<WebGpuKernels> {
  const device = await openDevice(sameGpu);
  if (typeof device === 'string') throw new Error(device);
  return new WebGpuKernels(device, windowBytes);
}
