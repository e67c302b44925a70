// The GPU itself: which adapter is taken, and a device with the largest limits that adapter has.

import { loadWebGpu } from '#platform';

/** Gives `navigator.gpu` or another `GPU`, or says why there is none, as a clause. */
export type LoadGpu = () => Promise<object | string>;

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
export async function openDevice(load: LoadGpu = loadWebGpu): Promise<OpenedDevice | string> {
  let loaded: object | string;
  try {
    loaded = await load();
  } catch (error) {
    return `WebGPU could not be loaded (${firstLine(error)})`;
  }
  if (typeof loaded === 'string') return loaded;
  const gpu = loaded as GPU;
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

/** One that computes on the processor: slower than the engine's own kernels there. */
function isSoftware({ isFallbackAdapter, architecture, description }: GPUAdapterInfo): boolean {
  return (
    isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${architecture} ${description}`)
  );
}

function firstLine(error: unknown): string {
  return String((error as Error).message ?? error).split('\n')[0];
}
