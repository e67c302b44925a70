// Opens a backend. On the processor it is the best the platform has: WebAssembly with threads, then on one thread, then the
// reference. A GPU is used only where it is asked for. What is missing is said once through `warn`, never silently.

import type { Kernels } from './kernels.ts';
import { Memory } from './memory.ts';
import { ReferenceKernels } from './reference.ts';
import { importNode, Threads } from './threads.ts';
import { WasmKernels } from './wasm.ts';
import { WASM_BINARIES } from './wasm-binary.ts';
import type { GpuOptions } from './webgpu/open-web-gpu.ts';

/** The processor ("wasm" is another name for it), a GPU, a GPU if there is one, or the plain reference. */
export const BACKEND_NAMES = ['auto', 'cpu', 'gpu', 'wasm', 'reference'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

export interface EngineOptions {
  /** "cpu" unless told. */
  readonly backend?: BackendName;
  readonly gpu?: GpuOptions;
  /** All cores unless told. */
  readonly threads?: number;
  /** Fused multiply-add where the platform has it, unless told; without, results differ in the last bits. */
  readonly fused?: boolean;
  readonly warn?: (message: string) => void;
}

export async function openKernels(options: EngineOptions = {}): Promise<Kernels> {
  const { backend = 'cpu', warn } = options;
  if (backend === 'reference') return new ReferenceKernels();
  if (backend === 'gpu' || backend === 'auto') {
    // not before it is asked for: most runs have no use for it
    const { openWebGpu } = await import('./webgpu/open-web-gpu.ts');
    const opened = await openWebGpu(options.gpu);
    if (typeof opened !== 'string') return opened;
    warn?.(`No GPU is used: ${opened}. The processor computes instead.`);
  }
  return openOnProcessor(options);
}

async function openOnProcessor({ fused = true, threads, warn }: EngineOptions): Promise<Kernels> {
  if (fused) await enableFusedMultiplyAdd();
  const shared = typeof SharedArrayBuffer !== 'undefined';
  const binary = pickBinary(fused, shared);
  if (binary === undefined) {
    warn?.('This platform has no WebAssembly SIMD: the engine runs in plain JavaScript, some ten times slower.');
    return new ReferenceKernels();
  }

  const module = await WebAssembly.compile(binary);
  const memory = new Memory({ shared, reserved: 4096 }); // the kernels have no static data; a page of room all the same
  const instance = await WebAssembly.instantiate(module, { env: { memory: memory.wasm, abort } });
  const wanted = threads ?? (await numCores());
  if (wanted <= 1) return new WasmKernels(memory, instance);
  if (!shared) {
    warn?.(
      'This platform shares no memory between threads (a page must be cross-origin isolated): one thread is used.',
    );
    return new WasmKernels(memory, instance);
  }
  return new WasmKernels(memory, instance, await Threads.start(module, instance, memory.wasm, wanted));
}

/** The best build the platform takes. */
function pickBinary(fused: boolean, shared: boolean): Uint8Array<ArrayBuffer> | undefined {
  const { fusedShared, fusedSingle, plainShared, plainSingle } = WASM_BINARIES;
  const builds = shared ? [fusedShared, plainShared] : [fusedSingle, plainSingle];
  return builds
    .slice(fused ? 0 : 1)
    .map(decode)
    .find((bytes) => WebAssembly.validate(bytes));
}

/** Node 20 has relaxed SIMD, but behind a flag; later versions and browsers have it anyway. */
async function enableFusedMultiplyAdd(): Promise<void> {
  const v8 = await importNode<typeof import('node:v8')>('node:v8');
  v8?.setFlagsFromString('--experimental-wasm-relaxed-simd');
}

async function numCores(): Promise<number> {
  const os = await importNode<typeof import('node:os')>('node:os');
  return os?.availableParallelism() ?? navigator.hardwareConcurrency ?? 1;
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function abort(): never {
  throw new Error('A kernel aborted.');
}
