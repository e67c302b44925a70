// The GPU itself: where WebGPU comes from (a browser has it, Node loads the optional package `webgpu` when it is asked
// for), which adapter is taken, and a device with the largest limits that adapter has.

import { importNode } from '../threads.ts';

/** Where `navigator.gpu` or its like comes from; undefined where there is none. */
export type LoadGpu = () => Promise<GPU | undefined>;

export interface OpenedDevice {
  readonly device: GPUDevice;
  /** As the driver calls it. */
  readonly name: string;
  readonly isSoftware: boolean;
  /** In Node a device dies with what it was made from: whoever uses the device holds this. */
  readonly origin: readonly unknown[];
}

/** The bits of GPUBufferUsage and GPUMapMode, which Node does not know as globals. */
export const USAGE = {
  mapRead: 0x01,
  copySource: 0x04,
  copyTarget: 0x08,
  uniform: 0x40,
  storage: 0x80,
} as const;
export const MAP_READ = 1;
export const COMPUTE_STAGE = 4;

const FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'subgroups'];
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxStorageBuffersPerShaderStage',
] as const;

/** The best adapter's device, or why there is none, as a clause. */
export async function openDevice(load: LoadGpu = loadGpu): Promise<OpenedDevice | string> {
  let gpu: GPU | undefined;
  try {
    gpu = await load();
  } catch (error) {
    return `WebGPU could not be loaded (${firstLine(error)})`;
  }
  if (gpu === undefined) return isNode() ? 'the package webgpu is not installed' : 'this browser has no WebGPU';
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) return 'no GPU adapter was found';
  const { vendor, architecture, device: model, description } = adapter.info;
  const device = await adapter.requestDevice({
    requiredFeatures: FEATURES.filter((feature) => adapter.features.has(feature)),
    requiredLimits: Object.fromEntries(LIMITS.map((limit) => [limit, adapter.limits[limit]])),
  });
  return {
    device,
    name: [vendor, architecture, model, description].filter((part) => part !== '').join(', ') || 'unnamed',
    isSoftware: isSoftware(adapter.info),
    origin: [gpu, adapter],
  };
}

async function loadGpu(): Promise<GPU | undefined> {
  if (!isNode()) return (globalThis.navigator as Partial<Navigator> | undefined)?.gpu;
  try {
    const module = await importNode<{ create(options: string[]): GPU }>('webgpu');
    return module?.create([]);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** One that computes on the processor: slower than the engine's own kernels there. */
function isSoftware({ isFallbackAdapter, architecture, description }: GPUAdapterInfo): boolean {
  return (
    isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${architecture} ${description}`)
  );
}

function isNode(): boolean {
  return typeof process !== 'undefined' && process.versions?.node !== undefined;
}

function firstLine(error: unknown): string {
  return String((error as Error).message ?? error).split('\n')[0];
}
